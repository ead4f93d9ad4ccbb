package leak

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/pool"
)

// Unprivate is the epsilon of flights whose rewards get no noise.
var Unprivate = math.Inf(1)

// Study is flights of a world, watched by observers of the goal.
type Study struct {
	World *World
	// Belief is what observers take rewards and mechanism to be, with the same grid and goals; nil where they know
	// them as they are. BeliefEpsilon is the epsilon that they believe in, 0 for that of the flight.
	Belief        *World
	BeliefEpsilon float64

	Observers []adversary.GoalModel
	Epsilons  []float64 // each above 0; Unprivate for no noise
	Flights   int       // at every epsilon, >= 2
	OwnGoal   bool      // all flights have the mission's own goal; otherwise each draws its own from the prior
	FlownKm   []float64 // distances flown at which beliefs are told, each >= 0, ascending
	RadiiKm   []float64 // of recognition, each >= 0
	Policies  int       // private policies of every goal, for the observers who know the mechanism, >= 1
	Seed      uint64
	Workers   int // goroutines; 0 for as many as there are cores
}

// Work returns how much there is to do, in flights and private policies, for a display of progress.
func (s *Study) Work() int {
	work := s.Flights * len(s.Epsilons)
	if s.private() {
		work += s.Policies * len(s.Epsilons) * len(s.World.Goals)
	}
	return work
}

// private reports whether an observer knows how private policies come out.
func (s *Study) private() bool {
	return slices.ContainsFunc(s.Observers, func(m adversary.GoalModel) bool { return m.Private })
}

// Check returns an error unless the study can be flown.
func (s *Study) Check() error {
	switch {
	case len(s.Observers) == 0 || len(s.Epsilons) == 0:
		return fmt.Errorf("leak: %d observers and %d epsilons; want at least one of each", len(s.Observers), len(s.Epsilons))
	case s.Flights < 2:
		return fmt.Errorf("leak: %d flights; want at least 2, to tell how sure the mean is", s.Flights)
	case s.private() && s.Policies < 1:
		return fmt.Errorf("leak: %d private policies of every goal; want at least 1", s.Policies)
	case s.Belief != nil && !s.Belief.alike(s.World):
		return errors.New("leak: observers believe in another grid or in other goals than there are")
	case s.OwnGoal && s.World.Own < 0:
		return errors.New("leak: the mission's own goal is not among those that are possible; add it to them")
	}
	return nil
}

// sigma returns the noise of an epsilon.
func (w *World) sigma(epsilon float64) (float64, error) {
	if math.IsInf(epsilon, 1) {
		return 0, nil
	}
	return w.Guarantee.At(epsilon).Sigma()
}

// alike reports whether two worlds have the same scenario, grid and goals, so that the one never rules out what
// happens in the other.
func (w *World) alike(other *World) bool {
	a, b := w.Spec, other.Spec
	if a.Columns != b.Columns || a.Rows != b.Rows || a.SpacingKm != b.SpacingKm || a.StartCell != b.StartCell || len(w.Goals) != len(other.Goals) ||
		w.Scenario.Start != other.Scenario.Start || w.Scenario.HandoverKm != other.Scenario.HandoverKm {
		return false
	}
	for i := range w.Goals {
		if w.Goals[i].State != other.Goals[i].State || w.Goals[i].TargetKm != other.Goals[i].TargetKm || w.Goals[i].Prior != other.Goals[i].Prior {
			return false
		}
	}
	return true
}

// Fly makes the private policies that observers know and flies the study; done is told of work that is done. The
// result is the same whatever the number of workers.
func (s *Study) Fly(ctx context.Context, done func(n int)) (*Result, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	sigmas := make([]float64, len(s.Epsilons))
	for i, epsilon := range s.Epsilons {
		var err error
		if sigmas[i], err = s.World.sigma(epsilon); err != nil {
			return nil, err
		}
	}
	knowledge, err := s.know(ctx, done)
	if err != nil {
		return nil, err
	}
	result := newResult(s, sigmas)
	fly := func() pool.Work[int, []sight] { return (&watcher{study: s, sigmas: sigmas, knowledge: knowledge}).fly }
	for r, err := range pool.Ordered(ctx, s.Workers, count(s.Flights), fly) {
		if err != nil {
			return nil, err
		}
		result.add(r.Value)
		done(len(s.Epsilons))
	}
	return result, nil
}

// know returns what observers know at every epsilon.
func (s *Study) know(ctx context.Context, done func(n int)) ([]*adversary.Knowledge, error) {
	world := s.World
	if s.Belief != nil {
		world = s.Belief
	}
	sigmas := make([]float64, len(s.Epsilons))
	for i, epsilon := range s.Epsilons {
		if s.BeliefEpsilon > 0 {
			epsilon = s.BeliefEpsilon
		}
		var err error
		if sigmas[i], err = world.sigma(epsilon); err != nil {
			return nil, err
		}
	}
	tables := make([]*Tables, len(sigmas))
	if s.private() {
		var err error
		if tables, err = world.Draw(ctx, sigmas, s.Policies, s.Seed, s.Workers, done); err != nil {
			return nil, err
		}
	}
	knowledge := make([]*adversary.Knowledge, len(tables))
	for i, t := range tables {
		knowledge[i] = world.knowledge(t)
	}
	return knowledge, nil
}

// sight is one flight of one epsilon as the observers saw it.
type sight struct {
	goal   int
	route  string       // the states on the way to the hand-over
	belief []conviction // by observer
}

// conviction is how the true goal stood with one observer.
type conviction struct {
	standing   []adversary.Standing // by distance flown
	recognised []float64            // by radius: distance to the target, km; 0 where never
}

// watcher flies all epsilons of a flight and has all observers watch.
type watcher struct {
	study     *Study
	sigmas    []float64
	knowledge []*adversary.Knowledge
	beliefs   [][]*adversary.Belief // by epsilon and observer
	history   sim.History
	noise     privacy.Noise
	z         []float64
}

func (w *watcher) prepare() error {
	for _, k := range w.knowledge {
		var all []*adversary.Belief
		for _, m := range w.study.Observers {
			b, err := adversary.NewBelief(m, k)
			if err != nil {
				return err
			}
			all = append(all, b)
		}
		w.beliefs = append(w.beliefs, all)
	}
	return nil
}

// fly flies flight number run.
func (w *watcher) fly(ctx context.Context, run int, _ []sight) ([]sight, error) {
	if w.beliefs == nil {
		if err := w.prepare(); err != nil {
			return nil, err
		}
	}
	s := w.study
	goal := s.goal(run)
	mission := s.World.Goals[goal].Mission
	p, err := planner.NewPlanner(mission.Solved, privacy.InputPerturbation{})
	if err != nil {
		return nil, err
	}
	p.LimitCores(1)
	w.z = slices.Grow(w.z[:0], p.Normals())[:p.Normals()]
	w.noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(run)})
	w.noise.Normals(w.z)
	scenario := s.World.scenario(goal)
	ranks := w.neighbours(goal)
	sights := make([]sight, len(w.sigmas))
	for i, sigma := range w.sigmas {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		plan := p.Plan(p.Privatize(sigma, w.z))
		outcome := scenario.Fly(planner.Route{Grid: mission.Grid, Policy: plan.Policy}, &w.history)
		sights[i] = sight{goal: goal, route: routeOf(&w.history)}
		for _, b := range w.beliefs[i] {
			sights[i].belief = append(sights[i].belief, w.watch(b, goal, &outcome, scenario.Target, ranks))
		}
	}
	return sights, nil
}

// goal returns the goal of a flight.
func (s *Study) goal(run int) int {
	if s.OwnGoal {
		return s.World.Own
	}
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(run), Purpose: drawGoals})
	u := noise.Uniform()
	last := 0
	for i, g := range s.World.Goals {
		if g.Prior > 0 {
			last = i
		}
		if u -= g.Prior; u < 0 {
			return i
		}
	}
	return last // rounding
}

// routeOf names the states that a flight went through.
func routeOf(h *sim.History) string {
	route := make([]byte, 0, 4*len(h.Visits))
	for _, v := range h.Visits {
		route = fmt.Appendf(route, "%d ", v.State)
	}
	return string(route)
}

// neighbours returns, for every radius, the goals within it of a goal.
func (w *watcher) neighbours(goal int) [][]int {
	goals := w.study.World.Goals
	within := make([][]int, len(w.study.RadiiKm))
	for i, radius := range w.study.RadiiKm {
		for g := range goals {
			if r3.Norm(r3.Sub(goals[g].TargetKm, goals[goal].TargetKm)) <= radius {
				within[i] = append(within[i], g)
			}
		}
	}
	return within
}

// watch has an observer watch the flight in the history.
func (w *watcher) watch(b *adversary.Belief, goal int, outcome *sim.Outcome, target r3.Vec, within [][]int) conviction {
	s := w.study
	h := &w.history
	perSample := s.World.Scenario.SpeedKmS * s.World.Scenario.StepS
	c := conviction{standing: make([]adversary.Standing, len(s.FlownKm)), recognised: make([]float64, len(s.RadiiKm))}
	since := make([]int, len(s.RadiiKm)) // sample from which half of the posterior has been near; -1 while it is not
	for i := range since {
		since[i] = -1
	}
	last := func(i int) int { return int(s.FlownKm[i] / perSample * (1 + 1e-12)) } // sample seen after so many km
	at := 0
	var standing adversary.Standing
	b.Watch(h, outcome, func(sample int, posterior []float64) {
		for at < len(c.standing) && last(at) < sample {
			c.standing[at] = standing
			at++
		}
		standing = adversary.Stand(posterior, goal)
		for i, near := range within {
			mass := 0.0
			for _, g := range near {
				mass += posterior[g]
			}
			switch {
			case !(mass >= half):
				since[i] = -1
			case since[i] < 0:
				since[i] = sample
			}
		}
	})
	for ; at < len(c.standing); at++ {
		c.standing[at] = standing
	}
	for i, sample := range since {
		if sample >= 0 && sample < len(h.Samples) {
			c.recognised[i] = r3.Norm(r3.Sub(target, h.Samples[sample].R))
		}
	}
	return c
}

// half of the posterior, less rounding.
const half = 0.5 - 1e-12
