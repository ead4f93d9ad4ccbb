package model

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/sim"
)

// OffDeg returns the angle between where the vehicle heads at a sample and the line of sight to the target, seen
// from above, in degrees, from 0 to 180.
func (f *Flight) OffDeg(sample int, target r3.Vec) float64 {
	v, r := f.Samples[sample].V, f.Samples[sample].R
	x, y := target.X-r.X, target.Y-r.Y
	return math.Abs(math.Atan2(v.X*y-v.Y*x, v.X*x+v.Y*y)) * 180 / math.Pi
}

// Why says what the moment of recognition of the flight on show came from.
type Why struct {
	Steered bool    // the hand-over, or where the policy was given up, lies within the flight
	OffDeg  float64 // how far off the line of sight the vehicle headed there
	// NearestKm is the observer's smallest error, the end of the flight apart, where every guess is right.
	NearestKm float64
	Humps     Humps
}

// Hump is flights of an ensemble that were recognised at about the same distance.
type Hump struct {
	Flights       int
	NearKm, FarKm float64 // least and largest distance of recognition
}

// Humps are the two parts that an ensemble falls into at the widest gap between its distances of recognition.
type Humps struct {
	Near, Far Hump
	// CutDeg is the angle off the line of sight at the hand-over that tells the parts apart best: flights below it
	// belong to Far, those above to Near, except for so many exceptions.
	CutDeg     float64
	Exceptions int
}

// ByHeading reports whether the angle at the hand-over decides between the parts.
func (h *Humps) ByHeading() bool {
	const mostExceptions = 0.05 // of the flights
	return float64(h.Exceptions) <= mostExceptions*float64(h.Near.Flights+h.Far.Flights)
}

// Two humps are seen where the gap between them is leastGap of the farthest distance, and each has some flights.
const (
	leastGap  = 0.2
	leastHump = 3
)

// humps parts the flights that were recognised after the hand-over that their policy led to.
func humps(members []*Member) (h Humps, ok bool) {
	var seen []*Member
	for _, m := range members {
		if m != nil && m.Run.Detected && !m.Run.Fallback && !m.Run.BeforeHandover {
			seen = append(seen, m)
		}
	}
	slices.SortFunc(seen, func(a, b *Member) int { return cmp.Compare(a.Run.DetectionKm, b.Run.DetectionKm) })
	if len(seen) < 2*leastHump {
		return Humps{}, false
	}
	at, gap := 0, 0.0
	for i := leastHump; i <= len(seen)-leastHump; i++ {
		if g := seen[i].Run.DetectionKm - seen[i-1].Run.DetectionKm; g > gap {
			at, gap = i, g
		}
	}
	if gap < leastGap*seen[len(seen)-1].Run.DetectionKm {
		return Humps{}, false
	}
	h.Near, h.Far = humpOf(seen[:at]), humpOf(seen[at:])
	h.cut(seen)
	return h, true
}

func humpOf(members []*Member) Hump {
	return Hump{Flights: len(members), NearKm: members[0].Run.DetectionKm,
		FarKm: members[len(members)-1].Run.DetectionKm}
}

// cut finds the angle that tells the parts apart best.
func (h *Humps) cut(members []*Member) {
	slices.SortFunc(members, func(a, b *Member) int { return cmp.Compare(a.Run.HeadingErrorDeg, b.Run.HeadingErrorDeg) })
	wrong := h.Far.Flights // with all taken for Near
	h.Exceptions = wrong
	for i, m := range members {
		if m.Run.DetectionKm >= h.Far.NearKm {
			wrong--
		} else {
			wrong++
		}
		if wrong < h.Exceptions {
			next := members[min(i+1, len(members)-1)]
			h.Exceptions, h.CutDeg = wrong, roundBetween(m.Run.HeadingErrorDeg, next.Run.HeadingErrorDeg)
		}
	}
}

// roundBetween is a number above one and not above another in as few decimals as there is one, so that what is said of
// it holds as it is written.
func roundBetween(low, high float64) float64 {
	middle := (low + high) / 2
	for k := 1.; k <= 1000; k *= 10 {
		if v := math.Round(middle*k) / k; v > low && v <= high {
			return v
		}
	}
	return middle
}

// Why explains the flight on show; ok of the humps is false while, or where, the ensemble shows none.
func (m *Model) Why() (w Why, hasHumps bool) {
	f := m.Flight()
	n := len(f.Samples)
	if f.HandoverSample < n {
		w.Steered, w.OffDeg = true, f.OffDeg(f.HandoverSample, f.Target)
	}
	w.NearestKm = math.Inf(1)
	for i, e := range f.Errors.ErrorKm {
		if f.Errors.DistanceKm[i] > m.Experiment.Scenario.CaptureKm {
			w.NearestKm = math.Min(w.NearestKm, e)
		}
	}
	if !m.ShowsBaseline() && m.Ensemble.Complete() {
		w.Humps, hasHumps = humps(m.Ensemble.Members)
	}
	return w, hasHumps
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

	Action planner.Action // at a waypoint: the move from there
}

// moved returns the move of a visit: that of the policy where it leads to the waypoint commanded, otherwise, on a
// path or by a stochastic policy, the first one that does.
func (m *Model) moved(f *Flight, v sim.Visit) planner.Action {
	g := m.Experiment.Mission.Grid
	own := planner.Action(f.Policy[v.State])
	if m.Experiment.Decoys != nil || g.Next(v.State, own) == v.Commanded { // a drawn goal has moves of its own
		return own
	}
	for action := range planner.Action(g.Moves.Count()) {
		if g.Next(v.State, action) == v.Commanded {
			return action
		}
	}
	return own
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
		e := Event{Kind: Waypoint, Sample: v.Sample, Visit: i}
		if best := m.Experiment.Mission.Optimal.Policy; f.Policy != nil {
			e.Action = m.moved(f, v)
			e.Leaves = planner.Action(best[v.State]) != e.Action
		}
		events = append(events, e)
	}
	if f.HandoverSample < n && m.Show != ShowDirect {
		kind := Handover
		if f.Run.Fallback {
			kind = GivenUp
		}
		events = append(events, Event{Kind: kind, Sample: f.HandoverSample})
	}
	if f.Run.Detected {
		radius, at := m.Config.Adversary.RadiusKm, f.Detection.Sample
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
