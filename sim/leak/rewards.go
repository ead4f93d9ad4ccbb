package leak

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/planner"
	"veilpath/planner/audit"
	"veilpath/planner/irl"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Rewards measures what an observer finds out about the rewards that a mechanism protects. The observer knows the
// problem except for its rewards, and sees one of Sightings, from which it rebuilds rewards by package irl.
type Rewards struct {
	Problem   *planner.Solved // of one agent, all of whose states have all actions
	Mechanism planner.Mechanism
	Guarantee privacy.Guarantee // except for its epsilon
	Epsilons  []float64         // Unprivate for the plan without noise, NaN for a mechanism that has no epsilon
	Features  [][]float64       // see irl.Problem
	Draws     int               // at least 2
	Seed      uint64
	Workers   int
	Kept      *pieces.Work // holds what was measured before and stores what is new; may be nil
}

// Sighting is what the observer sees.
type Sighting struct {
	Name    string
	Flights int               // whose routes it sees, each planned anew; 0 for something else
	Of      audit.Publication // what an audit compares of two rewards; empty for no audit
}

// Sightings returns all sightings: a released reward, of which the observer takes the nearest of its family, a private
// policy with every state a start alike, and routes from the start of the problem, which the observer knows.
func Sightings() []Sighting {
	return []Sighting{{Name: "released reward", Of: audit.Reward}, {Name: "whole policy", Of: audit.Policy},
		{Name: "route", Flights: 1, Of: audit.Route}, {Name: "10 routes", Flights: 10},
		{Name: "100 routes", Flights: 100}}
}

// Interval is a mean with its 95 % interval; NaN where it is unknown.
type Interval struct{ Mean, Low, High float64 }

var unknown = Interval{math.NaN(), math.NaN(), math.NaN()}

// RewardsRow says how well rewards are rebuilt at an epsilon from a sighting, and how well it tells two rewards apart
// that differ by the adjacency in one entry. All is unknown that the mechanism does not show.
type RewardsRow struct {
	Epsilon  float64
	Seen     string
	Distance Interval // EPIC distance from the true reward: 0 for the same, 0.707 for unrelated ones
	Pearson  Interval // correlation of the canonical rewards
	Lost     Interval // share of the value lost under the true reward by planning with what was rebuilt
	Told     Interval // probability of telling which of the two rewards was planned with
	ToldMost float64  // the largest that the mechanism promises
}

// rebuilt is the distance, the correlation and the share of the value lost of rewards that were rebuilt from one
// sighting; all are NaN where there was none.
type rebuilt [3]float64

// comparisons is the number of releases of each of two rewards that are to be told apart.
const comparisons = 1000

// Check returns an error unless the rewards can be measured.
func (s *Rewards) Check() error {
	switch r := s.Problem.Rewards; {
	case s.Draws < 2:
		return fmt.Errorf("leak: %d draws; want at least 2 for an interval", s.Draws)
	case r.Agents() > 1:
		return fmt.Errorf("leak: a team of %d agents; rewards are rebuilt for one agent", r.Agents())
	case slices.Contains(r.Joint, math.Inf(-1)):
		return errors.New("leak: some states lack actions; rewards are rebuilt where every state has all")
	}
	return nil
}

// Measure returns a row for every epsilon and sighting. It calls drawn and released with the numbers of draws and
// releases that are done.
func (s *Rewards) Measure(ctx context.Context, drawn, released func(n int)) ([]RewardsRow, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	law, err := mdp.Expand(s.Problem.Law)
	if err != nil {
		return nil, err
	}
	watch := &rewardWatch{study: s, anywhere: irl.Problem{Law: law, Discount: s.Problem.Discount,
		Ended: s.Problem.Rewards.Over(), Features: s.Features}}
	watch.flown = watch.anywhere
	for range law.States() {
		watch.anywhere.Start = append(watch.anywhere.Start, 1/float64(law.States()))
	}
	watch.flown.Start = make([]float64, law.States())
	watch.flown.Start[s.Problem.Start] = 1
	all := make([][]rebuilt, 0, len(s.Epsilons)*s.Draws)
	newWork := func() pool.Work[int, []rebuilt] {
		return func(ctx context.Context, k int, _ []rebuilt) ([]rebuilt, error) {
			p, err := planner.NewPlanner(s.Problem, nil)
			if err != nil {
				return nil, err
			}
			p.LimitCores(1)
			return watch.draw(ctx, p, s.Epsilons[k/s.Draws], k%s.Draws)
		}
	}
	for r, err := range pieces.Ordered(ctx, s.Kept, s.Workers, pool.Numbers(0, cap(all)), newWork) {
		if err != nil {
			return nil, err
		}
		all = append(all, r.Value)
		drawn(1)
	}
	protected := planner.RewardMechanismOf(s.Mechanism) != nil
	var rows []RewardsRow
	for e, epsilon := range s.Epsilons {
		for i, seen := range Sightings() {
			row := RewardsRow{Epsilon: epsilon, Seen: seen.Name, Told: unknown, ToldMost: math.NaN()}
			for quantity, to := range []*Interval{&row.Distance, &row.Pearson, &row.Lost} {
				var values []float64
				for _, draw := range all[e*s.Draws : (e+1)*s.Draws] {
					values = append(values, draw[i][quantity])
				}
				slices.Sort(values)
				if *to = unknown; !math.IsNaN(values[0]) { // which would be the first
					to.Mean = stat.Mean(values, nil)
					to.Low, to.High = study.MeanInterval(values, math.Inf(-1), math.Inf(1), 0.95)
				}
			}
			row.Distance.Low, row.Distance.High = max(0, row.Distance.Low), min(1, row.Distance.High)
			row.Lost.Low = max(0, row.Lost.Low)
			if seen.Of != "" && protected && epsilon < Unprivate {
				if err := s.tell(ctx, &row, seen.Of, released); err != nil {
					return nil, err
				}
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// tell adds to a row how often the planner's reward and its neighbour are told apart by what is published of them, and
// how often they may be.
func (s *Rewards) tell(ctx context.Context, row *RewardsRow, of audit.Publication, done func(n int)) error {
	in, claim, err := audit.OfProblem(s.Problem, planner.RewardMechanismOf(s.Mechanism), s.Guarantee.At(row.Epsilon),
		s.Seed, of)
	if err != nil {
		return err
	}
	const falseAlarms = 0.01 // of the verdict, which is not used
	report, err := in.Audit(ctx, claim, audit.Plan{Samples: comparisons, Workers: s.Workers, FalseAlarms: falseAlarms,
		Kept: s.Kept, Progress: done})
	if err != nil {
		return err
	}
	row.Told.Mean, row.Told.Low, row.Told.High = report.Entry().Told()
	row.ToldMost = claim.Told()
	return nil
}

// rewardWatch rebuilds rewards from sightings. It serves several goroutines.
type rewardWatch struct {
	study           *Rewards
	anywhere, flown irl.Problem // with a policy seen in every state alike, and flights seen from the start
}

// Purposes of the noise of rewards that are rebuilt, and of the moves of the flights.
const (
	drawRewards = 0x72657761 // "rewa"
	drawRoutes  = 0x726f7574 // "rout"
)

// draw returns what is rebuilt from every sighting. All epsilons share the noise.
func (w *rewardWatch) draw(ctx context.Context, p *planner.Planner, epsilon float64, draw int) (all []rebuilt,
	err error) {
	s, visits := w.study, make([]float64, len(w.study.Problem.Rewards.Joint)) // visits of all flights so far
	var noise privacy.Noise
	flights := 0
	fly := func() (planner.Plan, error) {
		plan, from := s.Problem.Optimal, privacy.Address{Seed: s.Seed, Cell: uint64(flights), Run: uint64(draw)}
		if epsilon != Unprivate {
			from.Purpose = drawRewards
			noise.Seek(from)
			if plan, err = p.PlanBy(s.Mechanism, s.Guarantee.At(epsilon), &noise); err != nil {
				return plan, err
			}
		}
		from.Purpose = drawRoutes
		noise.Seek(from)
		w.follow(visits, &plan, &noise)
		flights++
		return plan, nil
	}
	first, err := fly() // its reward and policy are seen
	if err != nil {
		return nil, err
	}
	reward, policy := slices.Clone(first.Reward), first.Stochastic
	if policy == nil {
		policy = make([]float64, len(visits))
		for state, action := range first.Policy {
			policy[state*s.Problem.Law.Actions()+int(action)] = 1
		}
	}
	everywhere := w.anywhere.Visits(policy)
	for _, seen := range Sightings() {
		r := rebuilt{math.NaN(), math.NaN(), math.NaN()}
		switch {
		case seen.Of == audit.Reward && reward != nil:
			if reward, err = w.anywhere.Fit(reward); err == nil {
				r = w.measure(p, reward)
			}
		case seen.Of == audit.Policy && first.Path == nil: // a path is no policy
			r, err = w.rebuild(p, &w.anywhere, everywhere)
		case seen.Flights > 0:
			for flights < seen.Flights && err == nil {
				_, err = fly()
			}
			if err == nil {
				r, err = w.rebuild(p, &w.flown, floats.ScaleTo(make([]float64, len(visits)), 1/float64(flights), visits))
			}
		}
		if err = cmp.Or(err, ctx.Err()); err != nil { // one takes about a second
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// follow adds the visits of one flight that follows a plan from the start until all ends, as irl.Problem.Visits counts
// them.
func (w *rewardWatch) follow(to []float64, plan *planner.Plan, noise *privacy.Noise) {
	law, discount := w.flown.Law, w.flown.Discount
	state, path := w.study.Problem.Start, plan.Path
	for left := 1.0; left > irl.LeastWeight && !slices.Contains(w.flown.Ended, state); left *= discount {
		action := int(plan.Policy[state])
		switch {
		case len(path) > 1: // on a path, whose moves are certain
			path = path[1:]
			for action = range law.Actions() {
				if next, _ := law.Transition(state, action); next[0] == path[0] {
					break
				}
			}
		case plan.Stochastic != nil:
			action = privacy.DrawFrom(plan.Stochastic[state*law.Actions():(state+1)*law.Actions()], noise.Uniform())
		}
		to[state*law.Actions()+action] += (1 - discount) * left
		next, probability := law.Transition(state, action)
		state = int(next[privacy.DrawFrom(probability, noise.Uniform())])
	}
}

// rebuild rebuilds rewards from visits.
func (w *rewardWatch) rebuild(p *planner.Planner, problem *irl.Problem, seen []float64) (rebuilt, error) {
	rewards, err := problem.Rebuild(seen)
	if err != nil {
		return rebuilt{}, err
	}
	return w.measure(p, rewards), nil
}

// measure compares rewards with the true ones.
func (w *rewardWatch) measure(p *planner.Planner, rewards []float64) rebuilt {
	distance, correlation := w.flown.EPIC(w.study.Problem.Rewards.Joint, rewards)
	return rebuilt{distance, correlation, p.CostOfPrivacy(p.Plan(rewards).Policy)}
}
