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

// flyBaselines flies the baselines of a scenario without draws.
func (f *Flyer) flyBaselines(s *sim.Scenario) (b Baselines) {
	b.Planned = f.flyPlanned(s)
	b.Curves[2] = f.curve.Clone()
	b.Goal = f.outcome.Target
	straight := b.straight(s)
	b.Direct, b.DirectBlocked = f.flyStraight(&straight, nil)
	b.Curves[0] = f.curve.Clone()
	b.HandoverOnly, b.HandoverOnlyBlocked = f.flyStraight(&straight, ahead{s.Start, b.Goal})
	b.Curves[1] = f.curve.Clone()
	return b
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
	straight := f.experiment.Baselines.straight(&f.experiment.Scenario)
	r, _ := f.flyStraight(&straight, nil)
	r.Compare(&f.experiment.Baselines)
	return r
}

// flyStraight flies a given route, or none. It reports whether a keep-out cell lies below the part of the path
// on which waypoints are commanded; without a route, below any part of the path.
func (f *Flyer) flyStraight(s *sim.Scenario, route sim.Route) (r Run, blocked bool) {
	f.made, f.rewards = planner.Plan{}, nil
	f.observeAt(None())
	f.outcome = s.Fly(route, &f.history)
	commanded := f.history.Samples
	if route != nil {
		commanded = commanded[:min(f.outcome.HandoverSample, len(commanded))]
	}
	blocked = slices.ContainsFunc(commanded, func(s sim.Sample) bool {
		return f.experiment.Mission.Grid.OverKeptOut(s.R)
	})
	r = f.recognise(&f.history, &f.outcome)
	// No visits: the states of a straight route are not waypoints of the grid.
	r.LastDeceptiveKm = f.experiment.lastDeceptiveKm(&f.history, nil, f.outcome.Target)
	return r, blocked
}

func (f *Flyer) flyPlanned(s *sim.Scenario) Run {
	m := f.experiment.Mission
	f.made, f.rewards = m.Optimal, m.Rewards.Joint
	f.observeAt(None())
	f.outcome = s.Fly(&planner.Route{Grid: m.Grid, Policy: m.Optimal.Policy}, &f.history)
	return f.recognise(&f.history, &f.outcome)
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

// drawnBaselines are the baselines of the last run.
type drawnBaselines struct {
	seed  uint64
	run   int
	known bool
	Baselines
}

// Baselines returns the baselines for a draw, with the hand-over and heading of its run; if flights draw
// neither, they are the experiment's. They hold until another run is requested. The method may fly them, which
// replaces the last flight, except right after the flight of the same draw.
func (f *Flyer) Baselines(draw Draw) *Baselines {
	if !f.experiment.Scenario.Draws() {
		return &f.experiment.Baselines
	}
	last := &f.drawnBaselines
	if !last.known || last.seed != draw.Seed || last.run != draw.Run {
		scenario := DrawScenario(&f.experiment.Scenario, draw.Seed, draw.Run)
		*last = drawnBaselines{draw.Seed, draw.Run, true, f.flyBaselines(&scenario)}
	}
	return &last.Baselines
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
