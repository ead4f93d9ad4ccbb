package model

import (
	"math"
	"unsafe"

	"veilpath/adversary"
	"veilpath/sim"
	"veilpath/sim/study"
)

// FanRuns is how many runs of an ensemble keep their path to be drawn.
const FanRuns = 400

// Place is a point of a path in the plane, km east and north.
type Place struct{ X, Y float32 }

// Member is a flight of the ensemble: its record, the step function that answers for every radius, and a
// thinned path.
type Member struct {
	Run  study.Run
	Path []Place // nil from run FanRuns on; members on one route share it

	curve   adversary.Curve
	edition uint64 // of the settings it was flown with
}

// newMember keeps what the flight that is looked at showed.
func newMember(flyer *study.Flyer, r study.Run) *Member {
	m := &Member{Run: r, curve: flyer.Curve}
	if r.Run < FanRuns {
		m.Path = flyer.Kept.([]Place)
	}
	return m
}

// keepPath is what is remembered of a flight to draw it.
func keepPath(h *sim.History) (path any, bytes int) {
	places := thin(h.Samples)
	return places, cap(places) * int(unsafe.Sizeof(Place{}))
}

// detect judges the flight by another radius.
func (m *Member) detect(radiusKm float64) { m.Run.SetDetection(m.curve.Detect(radiusKm)) }

// A thinned path keeps a sample when the heading has turned by keepTurn or keepKm were flown: the chord
// then stays within keepKm/4 x keepTurn, 30 m, of the flight.
const (
	keepTurn = 1.4 * math.Pi / 180
	keepKm   = 5
)

func thin(samples []sim.Sample) []Place {
	path := make([]Place, 0, 64)
	keep := func(s *sim.Sample) { path = append(path, Place{float32(s.R.X), float32(s.R.Y)}) }
	var last *sim.Sample
	cos := math.Cos(keepTurn)
	for i := range samples {
		s := &samples[i]
		if last != nil && i < len(samples)-1 {
			along := s.V.X*last.V.X + s.V.Y*last.V.Y
			sizes := math.Hypot(s.V.X, s.V.Y) * math.Hypot(last.V.X, last.V.Y)
			if along > cos*sizes && math.Hypot(s.R.X-last.R.X, s.R.Y-last.R.Y) < keepKm {
				continue
			}
		}
		keep(s)
		last = s
	}
	return path
}

// DistanceKm returns how far from the target the flight is recognised by a radius, km; 0 where it is not.
func (m *Member) DistanceKm(radiusKm float64) float64 { return m.curve.Detect(radiusKm).DistanceKm }
