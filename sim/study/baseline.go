package study

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/sim"
)

// None returns the epsilon of the plan without noise, +Inf.
func None() float64 { return math.Inf(1) }

func isNone(epsilon float64) bool { return math.IsInf(epsilon, 1) }

// Baselines are the flights that private ones are held against. From each to the next one thing is added that may hide
// the destination: the hand-over, the waypoints, and then, in the private flight itself, the noise.
type Baselines struct {
	Direct       Run // GENEX steers from the start straight to the target
	HandoverOnly Run // level and straight towards the target up to the hand-over, GENEX from there
	Planned      Run // the waypoints of the plan without noise

	// A cell that is kept out of lies below the path of the direct flight, or below that of the other up to its
	// hand-over. Such a flight is no baseline: its distances are given as NaN.
	DirectBlocked, HandoverOnlyBlocked bool

	Goal r3.Vec // where the planned flight ends, km, and so the others

	Curves [3]adversary.Curve // of the flights, in that order: where observers of other radii recognise them
}

// At returns the baselines as an observer of another radius, km, saw them.
func (b *Baselines) At(radiusKm float64) Baselines {
	at := *b
	for i, r := range []*Run{&at.Direct, &at.HandoverOnly, &at.Planned} {
		r.SetDetection(b.Curves[i].Detect(radiusKm))
	}
	return at
}

// DirectKm returns where the direct flight is recognised, km; NaN where it is blocked.
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

// flyBaselines flies the baselines of a scenario for which nothing is drawn.
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

// straight returns the scenario of flights straight to the goal of the planned one, of several goals.
func (b *Baselines) straight(s *sim.Scenario) sim.Scenario {
	straight := *s
	straight.Target, straight.Others = b.Goal, nil
	return straight
}

// FlyDirect flies straight to the target, over cells that are kept out of too. The record has no epsilon and costs
// nothing.
func (f *Flyer) FlyDirect() Run {
	straight := f.experiment.Baselines.straight(&f.experiment.Scenario)
	r, _ := f.flyStraight(&straight, nil)
	r.Compare(&f.experiment.Baselines)
	return r
}

// flyStraight flies a route that no plan made, or none, and reports whether a cell that is kept out of lies below the
// part of the path on which waypoints are commanded; without a route, below any part of it.
func (f *Flyer) flyStraight(s *sim.Scenario, route sim.Route) (r Run, blocked bool) {
	f.made, f.rewards = planner.Plan{}, nil
	f.observeAt(None())
	f.outcome = s.Fly(route, &f.history)
	commanded := f.history.Samples
	if route != nil {
		commanded = commanded[:min(f.outcome.HandoverSample, len(commanded))]
	}
	for i := range commanded {
		if blocked = f.experiment.Mission.Grid.KeptOutAt(commanded[i].R); blocked {
			break
		}
	}
	r = f.recognise(&f.history, &f.outcome)
	r.LastDeceptiveKm = f.experiment.lastDeceptiveKm(&f.history, nil, f.outcome.Target) // a straight route has others
	return r, blocked
}

// FlyPlanned flies the plan without noise. The record is that of epsilon None() and of no run.
func (f *Flyer) FlyPlanned() Run {
	r := f.flyPlanned(&f.experiment.Scenario)
	r.complete(Draw{Epsilon: None()}, 0, &f.experiment.Baselines)
	return r
}

func (f *Flyer) flyPlanned(s *sim.Scenario) Run {
	m := f.experiment.Mission
	f.made, f.rewards = m.Optimal, m.Rewards.Joint
	f.observeAt(None())
	f.outcome = s.Fly(&planner.Route{Grid: m.Grid, Policy: m.Optimal.Policy}, &f.history)
	return f.recognise(&f.history, &f.outcome)
}

// ahead commands one waypoint: above the target, at the altitude of the start. Its states stand for the same place
// again and again, so that a flight that is nearer to it than to the start is still on its way there.
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

// drawnBaselines are those of the run that was flown last.
type drawnBaselines struct {
	seed  uint64
	run   int
	known bool
	Baselines
}

// Baselines returns those of a draw, with the hand-over and heading that its run draws: where flights draw neither, the
// experiment's own. They hold until another run is requested. It may fly them, in place of the last flight; after the
// flight of the same draw it does not.
func (f *Flyer) Baselines(draw Draw) *Baselines {
	if !f.experiment.Scenario.Draws() {
		return &f.experiment.Baselines
	}
	last := &f.drawnBase
	if !last.known || last.seed != draw.Seed || last.run != draw.Run {
		scenario := DrawScenario(&f.experiment.Scenario, draw.Seed, draw.Run)
		*last = drawnBaselines{draw.Seed, draw.Run, true, f.flyBaselines(&scenario)}
	}
	return &last.Baselines
}

// Compare holds a record against baselines.
func (r *Run) Compare(b *Baselines) {
	r.DirectKm, r.HandoverOnlyKm, r.PlannedKm = b.DirectKm(), b.HandoverOnlyKm(), b.Planned.DetectionKm
	r.PathOverhead, r.DirectOverhead = r.longerThan(&b.Planned), r.longerThan(&b.Direct)
	if b.DirectBlocked {
		r.DirectOverhead = math.NaN()
	}
}

// longerThan returns by how much a flight takes longer than another, relative to that; NaN where the time limit ended
// one.
func (r *Run) longerThan(other *Run) float64 {
	if r.TimedOut || other.TimedOut {
		return math.NaN()
	}
	return r.FlightTimeS/other.FlightTimeS - 1
}
