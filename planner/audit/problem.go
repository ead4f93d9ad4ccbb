package audit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Publication says what is published of a problem with a private reward.
type Publication string

// The publications.
const (
	Reward Publication = "reward" // the private reward table
	Policy Publication = "policy" // the policy that is optimal for it
	Route  Publication = "route"  // the states that the policy visits from the start
)

// Publications lists all publications.
func Publications() []Publication { return []Publication{Reward, Policy, Route} }

// Subject is a problem of one agent that a built-in mechanism makes private with the noise of studies, so that
// an audit can be repeated. Neighbouring tables differ in one entry, by the adjacency.
type Subject struct {
	Problem   *planner.Solved
	Mechanism privacy.Mechanism
	Guarantee privacy.Guarantee
	Sigma     float64 // of a linear mechanism
	Seed      uint64
	Of        Publication
	Entry     int // entry in which tables differ, in the agent's table
}

// The purposes of an audit's noise streams.
const (
	purposeFirst = 20 + iota // of two inputs; the second has the next number
	purposeSecond
	purposeJoint
	purposeCoins

	purposeCommand = 30 // the coins for commands
)

// check returns an error unless the subject can be audited.
func (s Subject) check() error {
	r := s.Problem.Rewards
	if r.Agents() != 1 {
		return fmt.Errorf("audit: a problem of %d agents; the tables of one agent are compared", r.Agents())
	}
	if s.Entry < 0 || s.Entry >= len(r.Joint) {
		return fmt.Errorf("audit: entry %d; the table has entries 0 to %d", s.Entry, len(r.Joint)-1)
	}
	if !s.private(s.Entry) {
		return fmt.Errorf("audit: entry %d is of state %d, which is terminal or lacks the action: neighbours "+
			"differ only in private entries; take another entry", s.Entry, s.Entry/r.JointActions())
	}
	if !slices.Contains(Publications(), s.Of) {
		return fmt.Errorf("audit: %q cannot be published; want reward, policy or route", s.Of)
	}
	if s.Of == Route {
		if _, err := s.successors(); err != nil {
			return err
		}
	}
	return nil
}

// private reports whether an entry of the table receives noise.
func (s Subject) private(entry int) bool {
	r := s.Problem.Rewards
	return !r.HasEnded(0, entry/r.JointActions()) && !math.IsInf(r.Joint[entry], -1)
}

// successors returns the most likely next state of every state and action.
func (s Subject) successors() ([]int, error) {
	law := s.Problem.Law
	if _, joint := law.(*mdp.Joint); joint {
		return nil, errors.New("audit: a team has no single route")
	}
	next := make([]int, law.States()*law.Actions())
	var outcomes []mdp.Outcome
	for state := range law.States() {
		for action := range law.Actions() {
			outcomes = law.AppendOutcomes(outcomes[:0], state, action)
			best := outcomes[0]
			for _, o := range outcomes {
				if o.Probability > best.Probability {
					best = o
				}
			}
			next[state*law.Actions()+action] = best.State
		}
	}
	return next, nil
}

// newSampler returns a sampler. Of a reward it reads the entry minus its true value; of a policy, 1 if it takes the
// entry's action in its state; of a route, 1 if it visits that state and goes on where that action leads.
func (s Subject) newSampler() (Sampler, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	release := s.newRelease()
	var planners [2]*planner.Planner
	for i, entry := range s.pair() {
		table := slices.Clone(s.Problem.Rewards.Joint)
		table[s.Entry] = entry
		problem, err := planner.NewProblem(s.Problem.Law, [][]float64{table}, s.Problem.Discount, s.Problem.Start,
			s.Problem.Terminal...)
		if err != nil {
			return nil, err
		}
		solved := *s.Problem
		solved.Problem = problem
		if planners[i], err = planner.NewPlanner(&solved, nil); err != nil {
			return nil, err
		}
		planners[i].LimitCores(1)
	}
	read, err := s.reader()
	if err != nil {
		return nil, err
	}
	private := make([]float64, len(s.Problem.Rewards.Joint))
	return func(input int, noise *privacy.Noise) (float64, error) {
		p := planners[input]
		if err := release(private, p.Problem().Rewards, noise); err != nil {
			return 0, err
		}
		v := read(p, private)
		if math.IsNaN(v) {
			return 0, errNaN
		}
		return v, nil
	}, nil
}

// newRelease returns what makes a private reward, in buffers of its own.
func (s Subject) newRelease() func(dst []float64, r *privacy.Rewards, noise *privacy.Noise) error {
	linear, is := s.Mechanism.(privacy.Linear)
	if !is {
		return func(dst []float64, r *privacy.Rewards, noise *privacy.Noise) error {
			err := s.Mechanism.Privatize(dst, r, s.Guarantee, noise)
			for _, state := range r.Over() { // where nothing is earned, in public
				clear(dst[state*r.JointActions() : (state+1)*r.JointActions()])
			}
			return err
		}
	}
	z := make([]float64, linear.Normals(s.Problem.Rewards.Shape))
	return func(dst []float64, r *privacy.Rewards, noise *privacy.Noise) error {
		noise.Normals(z)
		linear.Perturb(dst, r, s.Sigma, z)
		return nil
	}
}

// lowered returns the lower of two neighbouring values of an entry: the true one, unless the other would not be in the
// range that the mechanism keeps to.
func (s Subject) lowered(reward float64) float64 {
	r := s.Guarantee.Range
	if _, keeps := s.Mechanism.(privacy.Confined); keeps {
		return max(r.Low, min(reward, r.High-s.Guarantee.Adjacency))
	}
	return reward
}

// raised returns the higher of two neighbouring values, given the lower one.
func (s Subject) raised(reward float64) float64 {
	if _, keeps := s.Mechanism.(privacy.Confined); keeps {
		return min(reward+s.Guarantee.Adjacency, s.Guarantee.Range.High)
	}
	return reward + s.Guarantee.Adjacency
}

// pair returns the entry that differs, of the table and of its neighbour.
func (s Subject) pair() [2]float64 {
	low := s.lowered(s.Problem.Rewards.Joint[s.Entry])
	return [2]float64{low, s.raised(low)}
}

// reader returns the function that reads a number from a private reward.
func (s Subject) reader() (func(p *planner.Planner, private []float64) float64, error) {
	actions := s.Problem.Law.Actions()
	state, action := s.Entry/actions, s.Entry%actions
	switch s.Of {
	case Policy:
		return func(p *planner.Planner, private []float64) float64 {
			return digit(int(p.Plan(private).Policy[state]) == action)
		}, nil
	case Route:
		next, err := s.successors()
		if err != nil {
			return nil, err
		}
		visited := make([]bool, s.Problem.Law.States())
		return func(p *planner.Planner, private []float64) float64 {
			policy := p.Plan(private).Policy
			clear(visited)
			for at := s.Problem.Start; !visited[at]; at = next[at*actions+int(policy[at])] {
				visited[at] = true
			}
			return digit(visited[state] && next[state*actions+int(policy[state])] == next[s.Entry])
		}, nil
	}
	truth := s.pair()[0]
	return func(_ *planner.Planner, private []float64) float64 { return private[s.Entry] - truth }, nil
}

// digit is 1 for what a release shows, and otherwise 0.
func digit(shown bool) float64 {
	if shown {
		return 1
	}
	return 0
}

// tables makes releases of the whole table. Entries that are public are not compared.
func (s Subject) tables() *Tables {
	truth := slices.Clone(s.Problem.Rewards.Joint)
	public := func(entry int) bool { return !s.private(entry) }
	for i, reward := range truth {
		if !public(i) {
			truth[i] = s.lowered(reward)
		}
	}
	t := &Tables{Rewards: truth, Adjacency: s.Guarantee.Adjacency, Seed: s.Seed, public: public, purpose: purposeCoins}
	var noise privacy.Noise
	release := s.newRelease()
	t.Release = func(_ context.Context, run int, rewards []float64) ([]float64, error) {
		for i := range rewards {
			if public(i) {
				rewards[i] = truth[i]
			} else if rewards[i] != truth[i] {
				rewards[i] = s.raised(truth[i])
			}
		}
		private, err := privacy.NewRewards(s.Problem.Rewards.Shape, [][]float64{rewards}, s.Problem.Rewards.Ended)
		if err != nil {
			return nil, err
		}
		noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(run), Purpose: purposeJoint})
		released := make([]float64, len(truth))
		return released, release(released, private, &noise)
	}
	return t
}
