package model

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
)

// OffDeg returns the angle between where the vehicle heads at a sample and the line of sight to the target, seen
// from above, in degrees, from 0 to 180.
func (f *Flight) OffDeg(sample int, target r3.Vec) float64 {
	v, r := f.Samples[sample].V, f.Samples[sample].R
	x, y := target.X-r.X, target.Y-r.Y
	return math.Abs(math.Atan2(v.X*y-v.Y*x, v.X*x+v.Y*y)) * 180 / math.Pi
}

// NearestGuessKm is the observer's smallest error on the flight on show, km, the end of the flight apart, where every
// guess is right.
func (m *Model) NearestGuessKm() float64 {
	f, nearest := m.Flight(), math.Inf(1)
	for i, e := range f.Errors.ErrorKm {
		if f.Errors.DistanceKm[i] > m.Experiment.Scenario.CaptureKm {
			nearest = math.Min(nearest, e)
		}
	}
	return nearest
}

// EventKind is what happens at an Event.
type EventKind int

// What happens on a flight, in the order in which events of one moment are told.
const (
	Waypoint   EventKind = iota // a waypoint is reached and the next commanded
	Handover                    // privacy is disabled
	GivenUp                     // the policy is given up
	GuessIn                     // the guess comes within the radius
	Recognised                  // and has been there for as many steps as the observer asks for
	GuessOut                    // the guess leaves again
	End                         // the flight ends
)

// Event is a moment of a flight that explains it.
type Event struct {
	Kind   EventKind
	Sample int
	Visit  int  // number of the waypoint, from 0
	Leaves bool // at a waypoint: the plan without noise would go elsewhere
}

// Events returns what happens on the flight on show, in the order of time. Of the guess's comings and goings
// it has those that decide: into the steps that recognise, and after them.
func (m *Model) Events() []Event {
	f := m.Flight()
	n := len(f.Samples)
	var events []Event
	for i, v := range f.Visits {
		if v.Sample >= f.HandoverSample || m.Show == ShowDirect {
			break
		}
		best := planner.Action(m.Experiment.Mission.Optimal.Policy[v.State])
		events = append(events, Event{Kind: Waypoint, Sample: v.Sample, Visit: i,
			Leaves: m.Experiment.Mission.Grid.Next(v.State, best) != v.Commanded})
	}
	if f.HandoverSample < n && m.Show != ShowDirect {
		kind := Handover
		if f.Run.Fallback {
			kind = GivenUp
		}
		events = append(events, Event{Kind: kind, Sample: f.HandoverSample})
	}
	if f.Run.Detected {
		radius, at := m.RadiusOf(f.Run.Run), f.Detection.Sample
		events = append(events, Event{Kind: Recognised, Sample: at})
		first := at
		for first > 0 && f.Errors.ErrorKm[first-1] <= radius {
			first--
		}
		events = append(events, Event{Kind: GuessIn, Sample: first})
		for i := at + 1; i < n; i++ {
			if in, before := f.Errors.ErrorKm[i] <= radius, f.Errors.ErrorKm[i-1] <= radius; in && !before {
				events = append(events, Event{Kind: GuessIn, Sample: i})
			} else if before && !in {
				events = append(events, Event{Kind: GuessOut, Sample: i})
			}
		}
	}
	events = append(events, Event{Kind: End, Sample: n - 1})
	slices.SortStableFunc(events, func(a, b Event) int {
		if a.Sample != b.Sample {
			return a.Sample - b.Sample
		}
		return int(a.Kind - b.Kind)
	})
	return events
}
