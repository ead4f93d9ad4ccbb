package model

import (
	"veilpath/adversary"
	"veilpath/sim/study"
)

// FanRuns is how many runs of an ensemble keep their path to be drawn.
const FanRuns = 400

// Member is a flight of the ensemble: its record, the step function that answers for every radius, and a
// thinned path.
type Member struct {
	Run  study.Run
	Path Path // nil from run FanRuns on; members on one route share it

	// UnderWay says that the flight has been flown as far as a horizon alone: it has a Path, and has not been recognised.
	UnderWay bool

	curve   adversary.Curve
	edition uint64 // of the settings it was flown with
}

// newMember keeps what the flight that is looked at showed.
func newMember(flyer *study.Flyer, r study.Run) *Member {
	m := &Member{Run: r, curve: flyer.Curve, UnderWay: flyer.Cut}
	if r.Run < FanRuns {
		m.Path = flyer.Kept.(Path)
	}
	return m
}

// detect judges the flight by another radius.
func (m *Member) detect(radiusKm float64) { m.Run.SetDetection(m.curve.Detect(radiusKm)) }

// DistanceKm returns how far from the target the flight is recognised by a radius, km; 0 where it is not.
func (m *Member) DistanceKm(radiusKm float64) float64 { return m.curve.Detect(radiusKm).DistanceKm }

// flyMembers flies members of an ensemble.
func flyMembers(flyer *study.Flyer, requests []request, report func(q request, kept any)) {
	flights(func(_ request, flyer *study.Flyer, r study.Run) any { return newMember(flyer, r) })(flyer, requests, report)
}
