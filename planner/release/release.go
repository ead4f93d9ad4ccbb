package release

import (
	"io"

	"veilpath/planner/privacy"
	"veilpath/planner/privacy/loss"
	"veilpath/planner/reward"
)

// Original is the input of a release: rewards, and names that are public.
type Original struct {
	Rewards [][]float64 // by agent
	States  int
	// Joint is the team's joint reward and its released entries, which replace Rewards. It may be nil.
	Joint *Joint
	// Agents are the agents' names, and Names are the state and the action of an entry of Rewards. An agent's
	// entries are in the order of both names.
	Agents []string
	Names  func(agent, entry int) (state, action string)
	// Write writes names and rewards; from the original it may use only the names.
	Write func(w io.Writer, rewards [][]float64) error
}

// Joint is a selection of entries of a joint reward.
type Joint struct {
	Rewards *privacy.Rewards
	Entries []int
}

// Table returns a table of rewards as an original.
func Table(t *reward.Table) Original {
	names := func(agent, entry int) (state, action string) {
		actions := t.Names[agent]
		return t.States[entry/len(actions)], actions[entry%len(actions)]
	}
	return Original{Rewards: t.Values, States: len(t.States), Agents: t.Agents, Names: names, Write: t.Write}
}

// Release is a private version of rewards.
type Release struct {
	original Original // provides the layout; its values are not published
	agents   []privacy.Released
}

// New releases every agent's rewards, or the joint rewards, with the guarantee, on a grid of the given step; 0
// means the step that the guarantee suggests. privacy.Release and privacy.ReleaseJoint state the requirements.
// Every call spends the guarantee again.
func New(o Original, guarantee privacy.Guarantee, grid float64, entropy *privacy.Entropy) (*Release, error) {
	if o.Joint != nil {
		return newJoint(o, guarantee, grid, entropy)
	}
	if grid == 0 {
		var err error
		if grid, err = guarantee.Grid(); err != nil {
			return nil, err
		}
	}
	r := &Release{original: o, agents: make([]privacy.Released, len(o.Rewards))}
	for agent, values := range o.Rewards {
		var err error
		if r.agents[agent], err = privacy.Release(values, guarantee, grid, entropy); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func newJoint(o Original, guarantee privacy.Guarantee, grid float64, entropy *privacy.Entropy) (*Release, error) {
	if grid == 0 {
		var err error
		if grid, err = guarantee.JointGrid(o.Joint.Rewards.Shape); err != nil {
			return nil, err
		}
	}
	released, err := privacy.ReleaseJoint(o.Joint.Rewards, o.Joint.Entries, guarantee, grid, entropy)
	if err != nil {
		return nil, err
	}
	return &Release{original: o, agents: []privacy.Released{released}}, nil
}

// Values returns the private rewards, one slice per agent, or one slice for the joint reward.
func (r *Release) Values() [][]float64 {
	values := make([][]float64, len(r.agents))
	for i := range r.agents {
		values[i] = r.agents[i].Values()
	}
	return values
}

// Loss returns the privacy loss of the release for neighbouring tables: that of normal noise if the noise is at least 8
// steps of the grid, see privacy.Released.Mu, and otherwise that of the discrete noise on one entry.
func (r *Release) Loss() loss.Loss {
	first := r.agents[0] // it is the same for every agent
	if mu, err := first.Mu(); err == nil {
		return loss.Gaussian{Mu: mu}
	}
	return loss.DiscreteGaussian{Sigma: float64(first.SigmaNumerator) / float64(first.SigmaDenominator),
		Steps: first.Sensitivity}
}

// Write writes the private rewards as CSV.
func (r *Release) Write(w io.Writer) error { return r.original.Write(w, r.Values()) }
