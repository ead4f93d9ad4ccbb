package sim_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// Steps that are far from every event are not tested for one, and no event is missed: in random flights each
// hand-over, waypoint and end is at the first sample at which its test holds.
func TestEventsComeAtTheFirstSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]int{}
	for flight := range 2000 {
		s, route := randomFlight(rng)
		h, outcome := fly(t, s, route)
		want := replay(s, route, h)
		if !slices.Equal(h.Visits, want.visits) || outcome.HandoverSample != want.handover ||
			len(h.Samples) != want.samples || outcome.TimedOut != want.timedOut {
			t.Fatalf("flight %d: %d visits, hand-over at %d, %d samples, timed out %v; the tests hold for %+v",
				flight, len(h.Visits), outcome.HandoverSample, len(h.Samples), outcome.TimedOut, want)
		}
		switch {
		case outcome.TimedOut:
			kinds["time"]++
		case outcome.Fallback:
			kinds["fallback"]++
		case outcome.HandoverSample < len(h.Samples):
			kinds["hand-over"]++
		default:
			kinds["leg"]++
		}
	}
	for _, kind := range []string{"time", "fallback", "hand-over", "leg"} {
		if kinds[kind] < 20 {
			t.Errorf("%d flights end by %s: %v", kinds[kind], kind, kinds)
		}
	}
}

// randomFlight returns a scenario with a few targets, steps and limits of many sizes, and waypoints near and far.
func randomFlight(rng *rand.Rand) (*sim.Scenario, sim.Route) {
	s := paperScenario()
	some := func(scale float64) r3.Vec {
		return r3.Vec{X: scale * rng.NormFloat64(), Y: scale * rng.NormFloat64(), Z: rng.Float64() * 10}
	}
	s.Start, s.HeadingRad = some(60), 7*rng.Float64()
	for range rng.IntN(3) {
		s.Others = append(s.Others, some(80))
	}
	s.HandoverKm, s.CaptureKm = 40*rng.Float64()*float64(rng.IntN(2)), 10*rng.Float64()
	s.StepS *= 0.5 + 2*rng.Float64()
	s.AccelLimitKmS2 *= 0.2 + 5*rng.Float64()
	s.MaxTimeS, s.MaxTransitions = 20+300*rng.Float64(), 2+rng.IntN(40)
	c := &course{at: []r3.Vec{s.Start}}
	for range 1 + rng.IntN(12) {
		c.at = append(c.at, r3.Add(c.at[len(c.at)-1], some(20*rng.Float64())))
	}
	c.last = rng.IntN(len(c.at))
	return s, c
}

// events are where something happens in a flight.
type events struct {
	visits            []sim.Visit
	handover, samples int
	timedOut          bool
}

// replay tests every sample of a flight for every event.
func replay(s *sim.Scenario, route sim.Route, h *sim.History) events {
	state := route.First()
	e := events{visits: []sim.Visit{{State: state, Commanded: route.Next(0, state)}}, handover: -1}
	reach := 1.01 * s.SpeedKmS * s.StepS
	before := -1.0
	var target r3.Vec
	for i, x := range h.Samples {
		if e.handover < 0 {
			target = s.TargetFrom(x.R)
		}
		away := r3.Norm(r3.Sub(target, x.R))
		if e.handover < 0 {
			last := e.visits[len(e.visits)-1]
			from, to := route.Position(last.State), route.Position(last.Commanded)
			switch {
			case away < s.HandoverKm:
				e.handover = i
			case last.State == last.Commanded || nearerInPlane(x.R, to, from):
				e.visits = append(e.visits, sim.Visit{Sample: i, State: last.Commanded,
					Commanded: route.Next(len(e.visits), last.Commanded)})
				if len(e.visits) > s.MaxTransitions {
					e.handover = i
				}
			}
		}
		e.timedOut = float64(i+1)*s.StepS > s.MaxTimeS
		if near := away < reach || before >= 0 && away > before && before < s.CaptureKm; near || e.timedOut {
			e.timedOut = e.timedOut && !near
			e.samples = i + 1
			break
		}
		before = away
	}
	if e.handover < 0 {
		e.handover = e.samples
	}
	return e
}
