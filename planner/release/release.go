package release

import (
	"errors"
	"fmt"
	"io"

	"veilpath/planner/privacy"
	"veilpath/planner/reward"
)

// Original is what is to be released: rewards, and names that are public.
type Original struct {
	Rewards [][]float64 // of every agent
	States  int
	// Joint is the team's joint reward and which entries of it are released, in place of Rewards. It may be nil.
	Joint *Joint
	// Place says where a reward stands, and not what it is.
	Place func(agent, entry int) string
	// Write writes names and rewards; of the original it may show nothing but those names.
	Write func(w io.Writer, rewards [][]float64) error
}

// Joint is entries of a joint reward.
type Joint struct {
	Rewards *privacy.Rewards
	Entries []int
}

// Table returns a table of rewards as an original.
func Table(t *reward.Table) Original {
	place := func(agent, entry int) string {
		row, column := t.Place(agent, entry)
		return fmt.Sprintf("row %d, column %d", row, column)
	}
	return Original{Rewards: t.Values, States: len(t.States), Place: place, Write: t.Write}
}

// Release is a private version of rewards.
type Release struct {
	original Original // for its layout; its values are not published
	agents   []privacy.Released
}

// New releases every agent's rewards, or the joint ones, with the guarantee, on a grid of the given step; 0 asks for
// the step that the guarantee suggests. See privacy.Release and privacy.ReleaseJoint for what they ask of them. Every
// call spends the guarantee again.
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
			return nil, o.placed(agent, err)
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
		return nil, o.placed(0, err)
	}
	return &Release{original: o, agents: []privacy.Released{released}}, nil
}

// placed names an entry by where it stands in the original.
func (o Original) placed(agent int, err error) error {
	var entry *privacy.EntryError
	if !errors.As(err, &entry) {
		return err
	}
	return fmt.Errorf("%s: the reward is %s", o.Place(agent, entry.Entry), entry.Problem)
}

// Values returns the private rewards, one slice per agent, or that of the joint reward.
func (r *Release) Values() [][]float64 {
	values := make([][]float64, len(r.agents))
	for i := range r.agents {
		values[i] = r.agents[i].Values()
	}
	return values
}

// Mu returns the mu at which the release is Gaussian differentially private, see privacy.Released.
func (r *Release) Mu() (float64, error) { return r.agents[0].Mu() } // that of every agent

// Write writes the private rewards as CSV.
func (r *Release) Write(w io.Writer) error { return r.original.Write(w, r.Values()) }
