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

// newSampler returns a sampler. Of a reward it reads the entry minus its true value; of a policy whether it
// takes the entry's action in its state; of a route whether it visits that state and goes on where that action
// leads. The uses of several entries are binary digits, with the first entry as the lowest digit.
func (s Subject) newSampler(events []int) (Sampler, error) {
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
	read, err := s.reader(events)
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
func (s Subject) reader(events []int) (func(p *planner.Planner, private []float64) float64, error) {
	actions := s.Problem.Law.Actions()
	truth := s.pair()[0]
	switch s.Of {
	case Policy:
		return func(p *planner.Planner, private []float64) float64 {
			policy := p.Plan(private).Policy
			return digits(events, func(entry int) bool { return int(policy[entry/actions]) == entry%actions })
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
			return digits(events, func(entry int) bool {
				state := entry / actions
				return visited[state] && next[state*actions+int(policy[state])] == next[entry]
			})
		}, nil
	}
	return func(_ *planner.Planner, private []float64) float64 { return private[s.Entry] - truth }, nil
}

// digits returns the number whose binary digit k says whether holds is true of entry k.
func digits(entries []int, holds func(entry int) bool) float64 {
	n := uint64(0)
	for k, entry := range entries {
		if holds(entry) {
			n |= 1 << k
		}
	}
	return float64(n)
}

// Releases makes releases of the whole table, in each of which coins decide which entries are raised.
func (s Subject) Releases(ctx context.Context, count int) ([]Release, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	truth := slices.Clone(s.Problem.Rewards.Joint)
	for i, reward := range truth {
		if s.private(i) {
			truth[i] = s.lowered(reward)
		}
	}
	var noise privacy.Noise
	values, release := make([]float64, len(truth)), s.newRelease()
	releases := make([]Release, count)
	for k := range releases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		coins := toss(privacy.Address{Seed: s.Seed, Run: uint64(k), Purpose: purposeCoins}, len(truth))
		table := slices.Clone(truth)
		for i, raised := range coins {
			if raised && s.private(i) {
				table[i] = s.raised(table[i])
			}
		}
		rewards, err := privacy.NewRewards(s.Problem.Rewards.Shape, [][]float64{table}, s.Problem.Rewards.Ended)
		if err != nil {
			return nil, err
		}
		noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(k), Purpose: purposeJoint})
		if err := release(values, rewards, &noise); err != nil {
			return nil, err
		}
		for i, v := range values {
			if s.private(i) {
				releases[k].Raised = append(releases[k].Raised, coins[i])
				releases[k].Values = append(releases[k].Values, v-truth[i])
			}
		}
	}
	return releases, nil
}
