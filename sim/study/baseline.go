package study

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/sim"
)

// None returns the epsilon of the plan without noise, +Inf.
func None() float64 { return math.Inf(1) }

func isNone(epsilon float64) bool { return math.IsInf(epsilon, 1) }

// Baselines are the flights that private flights are compared with. From each to the next, one thing is added
// that may hide the destination: the hand-over, the waypoints, and then, in the private flight itself, the
// noise.
type Baselines struct {
	Direct       Run // GENEX steers from the start to the target, after a turn from other headings than the line of sight
	HandoverOnly Run // level towards the target up to the hand-over, GENEX from there
	Planned      Run // the waypoints of the plan without noise

	// A keep-out cell lies below the path of the direct flight, or below that of the other flight before its
	// hand-over. Such a flight is no baseline: its distances are NaN.
	DirectBlocked, HandoverOnlyBlocked bool

	Goal r3.Vec // end of the planned flight, km, and so of the others

	Curves [3]adversary.Curve // of the flights, in this order: their detections for other radii
}

// At returns the baselines as seen by an observer of another radius, km.
func (b *Baselines) At(radiusKm float64) Baselines {
	at := *b
	for i, r := range []*Run{&at.Direct, &at.HandoverOnly, &at.Planned} {
		r.SetDetection(b.Curves[i].Detect(radiusKm))
	}
	return at
}

// DirectKm returns the detection distance of the direct flight, km; NaN if it is blocked.
func (b *Baselines) DirectKm() float64 {
	if b.DirectBlocked {
		return math.NaN()
	}
	return b.Direct.DetectionKm
}

// HandoverOnlyKm is DirectKm for the flight with a hand-over and without waypoints.
func (b *Baselines) HandoverOnlyKm() float64 {
	if b.HandoverOnlyBlocked {
		return math.NaN()
	}
	return b.HandoverOnly.DetectionKm
}

// flyBaselines flies the baselines of runs that have none yet, side by side, with curves up to a radius, km.
func (f *Flyer) flyBaselines(runs []*conditions, radiusKm float64) {
	var due, unplanned []*conditions
	for _, c := range runs {
		if c.baselines != nil {
			continue
		}
		for range c.seenBy {
			c.baselines = append(c.baselines, new(Baselines))
		}
		due = append(due, c)
		if c.planned == nil {
			unplanned = append(unplanned, c)
			continue
		}
		goal := c.scenario.TargetNumber(c.planned.run.Goal)
		*c.baselines[0] = Baselines{Planned: c.planned.run, Goal: goal, Curves: [3]adversary.Curve{2: c.planned.curve}}
		for k, r := range c.planned.others {
			*c.baselines[k+1] = Baselines{Planned: r, Goal: goal}
		}
	}
	if len(due) == 0 {
		return
	}
	planned := f.follow(f.experiment.Mission.Optimal.Policy)
	f.watchEach(unplanned, func(c *conditions) (*sim.Scenario, sim.Route) { return &c.scenario, &planned },
		func(c *conditions, k int, watching *Flyer, h *sim.History, outcome *sim.Outcome) {
			b := c.baselines[k]
			b.Goal = outcome.Target
			b.Planned = watching.recogniseOnly(h, outcome, radiusKm)
			b.Curves[2] = watching.curve.UpTo(radiusKm)
		})
	straight := func(c *conditions) *sim.Scenario {
		s := c.baselines[0].straight(&c.scenario)
		return &s
	}
	f.watchEach(due, func(c *conditions) (*sim.Scenario, sim.Route) { return straight(c), nil },
		func(c *conditions, k int, watching *Flyer, h *sim.History, outcome *sim.Outcome) {
			b := c.baselines[k]
			b.Direct = watching.recogniseStraight(h, outcome, radiusKm)
			b.DirectBlocked = f.overKeptOut(h.Samples)
			b.Curves[0] = watching.curve.UpTo(radiusKm)
		})
	f.watchEach(due, func(c *conditions) (*sim.Scenario, sim.Route) {
		return straight(c), ahead{c.scenario.Start, c.baselines[0].Goal}
	}, func(c *conditions, k int, watching *Flyer, h *sim.History, outcome *sim.Outcome) {
		b := c.baselines[k]
		b.HandoverOnly = watching.recogniseStraight(h, outcome, radiusKm)
		b.HandoverOnlyBlocked = f.overKeptOut(h.Samples[:min(outcome.HandoverSample, len(h.Samples))])
		b.Curves[1] = watching.curve.UpTo(radiusKm)
	})
}

// watchEach flies one route of every run, side by side, and passes each on to all observers, who know no noise.
func (f *Flyer) watchEach(runs []*conditions, route func(*conditions) (*sim.Scenario, sim.Route),
	watch func(c *conditions, k int, watching *Flyer, h *sim.History, outcome *sim.Outcome)) {
	if len(runs) == 0 {
		return
	}
	launched := 0
	next := func(int) (*sim.Scenario, sim.Route) {
		if launched == len(runs) {
			return nil, nil
		}
		launched++
		return route(runs[launched-1])
	}
	sim.FlyLanes(next, &f.queue.histories, func(number int, h *sim.History, outcome sim.Outcome) {
		f.under(runs[number])
		for k := range f.others {
			f.others[k].observeAt(None())
			watch(runs[number], k+1, f.others[k], h, &outcome)
		}
		f.observeAt(None())
		watch(runs[number], 0, f, h, &outcome)
	}, f.options.Pause)
	sim.Trim(&f.queue.histories)
}

// recogniseStraight is recogniseOnly for a flight whose states are not waypoints of the grid.
func (f *Flyer) recogniseStraight(h *sim.History, outcome *sim.Outcome, radiusKm float64) Run {
	r := f.recogniseOnly(h, outcome, radiusKm)
	r.LastDeceptiveKm = f.experiment.lastDeceptiveKm(h, nil, outcome.Target)
	return r
}

// overKeptOut reports whether a keep-out cell lies below a path.
func (f *Flyer) overKeptOut(path []sim.Sample) bool {
	return slices.ContainsFunc(path, func(s sim.Sample) bool { return f.experiment.Mission.Grid.OverKeptOut(s.R) })
}

// straight returns the scenario of straight flights to the goal of the planned flight.
func (b *Baselines) straight(s *sim.Scenario) sim.Scenario {
	straight := *s
	straight.Target, straight.Others = b.Goal, nil
	return straight
}

// FlyDirect flies to the target without hand-over or waypoints, even over keep-out cells. The record has no
// epsilon and no cost.
func (f *Flyer) FlyDirect() Run {
	f.under(f.settled)
	f.made, f.rewards = planner.Plan{}, nil
	f.observeAt(None())
	straight := f.experiment.Baselines.straight(&f.experiment.Scenario)
	f.outcome = straight.Fly(nil, &f.history)
	r := f.recognise(&f.history, &f.outcome)
	r.LastDeceptiveKm = f.experiment.lastDeceptiveKm(&f.history, nil, f.outcome.Target)
	r.Compare(&f.experiment.Baselines)
	return r
}

// ahead commands one waypoint: above the target, at the altitude of the start. Its states from 1 on are all at
// this place, so that a flight that is nearer to it than to the start continues towards it.
type ahead struct{ start, target r3.Vec }

// First implements sim.Route.
func (ahead) First() int { return 0 }

// Next implements sim.Route.
func (ahead) Next(_, state int) int { return state + 1 }

// Position implements sim.Route.
func (a ahead) Position(state int) r3.Vec {
	if state == 0 {
		return a.start
	}
	return r3.Vec{X: a.target.X, Y: a.target.Y, Z: a.start.Z}
}

// conditionsOf returns the conditions of a draw's run: those of the experiment if nothing varies. They are the same
// until another run is asked for.
func (f *Flyer) conditionsOf(draw Draw) (*conditions, error) {
	if !f.experiment.Varies() {
		return f.settled, nil
	}
	if f.drawn == nil || f.drawn.seed != draw.Seed || f.drawn.run != draw.Run {
		c, err := f.experiment.drawn(draw.Seed, draw.Run)
		if err != nil {
			return nil, err
		}
		f.drawn = c
	}
	return f.drawn, nil
}

// Baselines returns the baselines for a draw, under the conditions of its run; if no setting varies, they are the
// experiment's. It returns an error if a setting of the run is not allowed.
func (f *Flyer) Baselines(draw Draw) (*Baselines, error) {
	c, err := f.conditionsOf(draw)
	if err != nil {
		return nil, err
	}
	f.flyBaselines([]*conditions{c}, math.Inf(1))
	return c.baselines[0], nil
}

// Compare sets the fields of a record that compare it with baselines.
func (r *Run) Compare(b *Baselines) {
	r.DirectKm, r.HandoverOnlyKm, r.PlannedKm = b.DirectKm(), b.HandoverOnlyKm(), b.Planned.DetectionKm
	r.PathOverhead, r.DirectOverhead = r.longerThan(&b.Planned), r.longerThan(&b.Direct)
	r.OtherGoal = r.Goal != b.Planned.Goal
	if b.DirectBlocked {
		r.DirectOverhead = math.NaN()
	}
}

// longerThan returns the relative difference of a flight's time to another's; NaN if the time limit ended
// either flight.
func (r *Run) longerThan(other *Run) float64 {
	if r.TimedOut || other.TimedOut {
		return math.NaN()
	}
	return r.FlightTimeS/other.FlightTimeS - 1
}
