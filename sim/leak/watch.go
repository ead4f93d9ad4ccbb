package leak

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/study"
)

// sight is one flight in one way as the observers saw it. Its fields are exported because pieces hold
// them.
type sight struct {
	Goal     int
	Belief   []assessment // by observer
	Cost     float64      // relative cost of privacy
	Detour   float64      // flight time over that of the planned flight, which has no noise, minus 1
	Longer   float64      // flight time over that of the direct flight, minus 1
	Fallback float64      // 1 for a flight that gave up its waypoints
	TimedOut float64      // 1 for a flight that the time limit ended; NaN is then its Detour and Longer
}

// assessment is the belief of one observer in the true goal.
type assessment struct {
	Standing []adversary.Standing // by distance flown
	// by radius: distance to the target from which on half of the belief stays within it, km; 0 if there is none
	Stayed  []float64
	InARow  []float64 // likewise, from which on that holds for a number of steps in a row
	Without []partial // by group of private policies; nil for observers that use no policies
}

// partial is the assessment of an observer who knows all private policies except one group; only the quantities
// of means.
type partial struct {
	Bits           []float64 // -log2 of the true goal's probability, by distance flown
	Stayed, InARow []float64
}

// bits returns the bits left to learn after distance k.
func (c *assessment) bits(k int) reading {
	r := reading{all: c.Standing[k].Bits}
	for i := range c.Without {
		r.without = append(r.without, c.Without[i].Bits[k])
	}
	return r
}

// recognised returns the distances of recognition within radius k, by both rules.
func (c *assessment) recognised(k int) (stayed, inARow reading) {
	stayed.all, inARow.all = c.Stayed[k], c.InARow[k]
	for i := range c.Without {
		stayed.without = append(stayed.without, c.Without[i].Stayed[k])
		inARow.without = append(inARow.without, c.Without[i].InARow[k])
	}
	return stayed, inARow
}

// watcher makes a flight in all ways and updates all observers with it.
type watcher struct {
	study   *Study
	sigmas  []float64
	known   []knowledge
	beliefs [][]beliefs // by way and observer
	history sim.History
	errors  adversary.PredictionErrors
	curve   adversary.Curve
	samples []int     // those at which observers' beliefs are recorded
	last    []float64 // posterior at the last sample
	walk    []int32   // states of the route of a plan that is no policy
	noise   privacy.Noise
}

// beliefs are the belief of an observer and, if it uses private policies, its beliefs without each group of
// them.
type beliefs struct {
	all     *adversary.Belief
	without []*adversary.Belief
}

// prepare makes the beliefs of all observers.
func (w *watcher) prepare() error {
	for i, k := range w.known {
		var observers []beliefs
		same := slices.IndexFunc(w.study.Ways, func(way Way) bool { return way.Believed() == w.study.Ways[i].Believed() })
		for o, m := range w.study.Observers {
			if same < i && !m.KnowsNoise() { // it knows only the world
				observers = append(observers, w.beliefs[same][o])
				continue
			}
			all, err := adversary.NewBelief(m, k.all)
			if err != nil {
				return err
			}
			b := beliefs{all: all}
			for g := 0; m.Private && g < len(k.without); g++ {
				without, err := adversary.NewBelief(m, k.without[g])
				if err != nil {
					return err
				}
				b.without = append(b.without, without)
			}
			observers = append(observers, b)
		}
		w.beliefs = append(w.beliefs, observers)
	}
	return nil
}

// fly makes flight number run.
func (w *watcher) fly(ctx context.Context, run int, _ []sight) ([]sight, error) {
	if w.beliefs == nil {
		if err := w.prepare(); err != nil {
			return nil, err
		}
	}
	goal := w.study.goal(run)
	sights := make([]sight, len(w.study.Ways))
	var cache flightCache
	for i := range w.study.Ways {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if sights[i], err = w.flyWay(i, run, goal, &cache); err != nil {
			return nil, err
		}
	}
	return sights, nil
}

// flyWay makes a flight in one way.
func (w *watcher) flyWay(i, run, goal int, cache *flightCache) (sight, error) {
	s, way := w.study, &w.study.Ways[i]
	common := way.World.scenario(goal)
	planned, direct := w.baselines(way.World, goal, &common, cache)
	scenario, err := way.World.drawn(goal, s.Seed, run)
	if err != nil {
		return sight{}, err
	}
	route, cost, err := w.route(way, w.sigmas[i], study.Draw{Seed: s.Seed, Run: run}, 0, goal, cache)
	if err != nil {
		return sight{}, err
	}
	outcome := scenario.Fly(route, &w.history)
	time := flightTime(outcome)
	seen := sight{Goal: goal, Cost: cost, Detour: time/planned - 1, Longer: time/direct - 1}
	if outcome.Fallback {
		seen.Fallback = 1
	}
	if outcome.TimedOut {
		seen.TimedOut = 1
	}
	around := adversary.NewSurroundings(w.known[i].all.Candidates, scenario.Target)
	for _, b := range w.beliefs[i] {
		seen.Belief = append(seen.Belief, w.assess(b, goal, &scenario, around))
		if err := b.all.Err(); err != nil {
			return sight{}, fmt.Errorf("leak: flight %d at epsilon %g: %w", run, way.Epsilon, err)
		}
	}
	return seen, nil
}

// flightCache holds what the ways of one flight have in common.
type flightCache struct {
	plans   *plans
	world   *World  // of the planned and the direct flight
	planned float64 // their flight times, s
	direct  float64
}

// flightTime returns the time of a flight, s; NaN if the time limit ended it.
func flightTime(o sim.Outcome) float64 {
	if o.TimedOut {
		return math.NaN()
	}
	return o.FlightTimeS
}

// baselines returns the flight times of the planned flight, which has no noise, and of the direct flight to a
// goal, s; NaN for one that the time limit ended.
func (w *watcher) baselines(world *World, goal int, s *sim.Scenario, cache *flightCache) (planned, direct float64) {
	if cache.world != world {
		m := world.Goals[goal].Mission
		cache.world = world
		cache.planned = flightTime(s.Fly(&planner.Route{Grid: m.Grid, Policy: m.Optimal.Policy}, &w.history))
		cache.direct = flightTime(s.Fly(nil, &w.history))
	}
	return cache.planned, cache.direct
}

// route returns the private route of a run in a way, for one of the run's releases, and its cost of privacy.
func (w *watcher) route(way *Way, sigma float64, draw study.Draw, release, goal int, cache *flightCache) (planner.Route,
	float64, error) {
	mission := way.World.Goals[goal].Mission
	if decoys := way.World.decoys; decoys != nil && way.Epsilon != Unprivate {
		decoy, err := decoys.Draw(mission, way.Epsilon, study.DrawDecoy(draw, release))
		if err != nil {
			return planner.Route{}, 0, err
		}
		cost, err := decoys.Cost(mission, decoy)
		return planner.Route{Grid: decoy.Grid, Policy: decoy.Optimal.Policy}, cost.Relative, err
	}
	if cache.plans == nil || cache.plans.mission != mission {
		var err error
		if cache.plans, err = way.World.newPlans(mission); err != nil {
			return planner.Route{}, 0, err
		}
	}
	from := privacy.Address{Seed: draw.Seed, Run: uint64(draw.Run), Cell: uint64(release)}
	plan, err := cache.plans.plan(way.Epsilon, sigma, from)
	if err != nil {
		return planner.Route{}, 0, err
	}
	w.walk = study.Walk(w.walk[:0], &plan, mission.Grid, &way.World.Scenario, from, &w.noise)
	return plan.Route(mission.Grid, w.walk), cache.plans.planner.CostOf(&plan).Relative, nil
}

// goal returns the number of a flight's goal: the own one, or one that is drawn from the prior.
func (s *Study) goal(run int) int {
	if s.OwnGoal {
		return s.World().Own
	}
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: s.Seed, Run: uint64(run), Purpose: drawGoals})
	u := noise.Uniform()
	last := 0
	for i, g := range s.World().Goals {
		if g.Prior > 0 {
			last = i
		}
		if u -= g.Prior; u < 0 {
			return i
		}
	}
	return last // rounding
}

// assess updates an observer's beliefs with the flight in the history.
func (w *watcher) assess(b beliefs, goal int, scenario *sim.Scenario, around *adversary.Surroundings) assessment {
	s := w.study
	c := assessment{Standing: make([]adversary.Standing, len(s.FlownKm))}
	c.Stayed, c.InARow = w.update(b.all, scenario, around,
		func(k int, posterior []float64) { c.Standing[k] = adversary.Stand(posterior, goal) })
	for _, without := range b.without {
		p := partial{Bits: make([]float64, len(s.FlownKm))}
		p.Stayed, p.InARow = w.update(without, scenario, around,
			func(k int, posterior []float64) { p.Bits[k] = -math.Log2(posterior[goal]) })
		c.Without = append(c.Without, p)
	}
	return c
}

// update updates a belief with the flight in the history and calls yield with the belief after every distance
// flown. It returns where the target was recognised, by radius and by both rules.
func (w *watcher) update(b *adversary.Belief, scenario *sim.Scenario, around *adversary.Surroundings,
	yield func(k int, posterior []float64)) (stayed, inARow []float64) {
	s := w.study
	w.samples = w.samples[:0]
	for _, km := range s.FlownKm {
		const rounding = 1 + 1e-12
		w.samples = append(w.samples, int(km/(scenario.SpeedKmS*scenario.StepS)*rounding))
	}
	if len(s.RadiiKm) == 0 {
		b.At(&w.history, w.samples, yield)
		return nil, nil
	}
	at := 0
	b.Fill(&w.errors, &w.history, scenario.Target, around, func(sample int, posterior []float64) {
		for ; at < len(w.samples) && w.samples[at] < sample; at++ {
			yield(at, w.last)
		}
		w.last = append(w.last[:0], posterior...)
	})
	for ; at < len(w.samples); at++ {
		yield(at, w.last)
	}
	return w.recognised(adversary.Stays), w.recognised(adversary.InARow(max(1, s.InARow)))
}

// recognised returns where the target was recognised by a rule, by radius.
func (w *watcher) recognised(rule adversary.Rule) []float64 {
	w.curve.Fill(&w.errors, rule, w.history.Handover)
	var km []float64
	for _, radius := range w.study.RadiiKm {
		km = append(km, w.curve.Detect(radius).DistanceKm)
	}
	return km
}
