package study

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// FarthestKm returns a distance from the target at which no vehicle is to be expected: that of the farthest
// waypoint, or of the start, and two turning circles beyond.
func (e *Experiment) FarthestKm() float64 {
	var far float64
	for _, target := range append([]r3.Vec{e.Scenario.Target}, e.Scenario.Others...) {
		far = max(far, r3.Norm(r3.Sub(e.Scenario.Start, target)))
		for state := range e.Mission.Grid.States() {
			far = max(far, r3.Norm(r3.Sub(e.Mission.Grid.Position(state), target)))
		}
	}
	radius := e.Scenario.SpeedKmS * e.Scenario.SpeedKmS / e.Scenario.AccelLimitKmS2
	return far + 4*radius
}

// FarthestDetectionKm returns a distance from the target beyond which no flight is recognised, for confidence to rest
// on. A flight recognised farther away is an error to whoever does.
//
// For observers that keep the altitude, with a radius that does not reach down from the waypoints' altitude to the
// target, nothing is recognised before GENEX steers. From there on the flight is a function of two numbers: the
// distance, which is at most FarthestKm, and the angle between heading and line of sight, by symmetry from 0 to pi.
// Such flights are flown and observed over a grid of both, and the farthest detection of all is taken with a margin
// for what lies between. That the margin suffices is no theorem, and a flight that the time limit ends after it fell
// back is not among them. With other observers it is FarthestKm.
//
// It is worked out once, in about the time of 300 flights.
func (e *Experiment) FarthestDetectionKm() float64 { return e.farthest() }

// The grid of flights that FarthestDetectionKm rests on.
const (
	farthestDistances = 8
	farthestHeadings  = 18
	farthestMargin    = 1.05
)

// searchFarthest works out FarthestDetectionKm.
func (e *Experiment) searchFarthest() float64 {
	far := e.FarthestKm()
	if math.Abs(e.Scenario.Start.Z-e.Scenario.Target.Z) <= e.Adversary.RadiusKm || !e.Adversary.model().KeepsAltitude {
		return far
	}
	detected := e.Nominal.DetectionKm
	var f Flyer
	if err := f.observe(e); err != nil {
		return far // which no experiment comes to
	}
	for i := range farthestDistances {
		for k := range farthestHeadings + 1 {
			detected = max(detected, f.engagedKm(far*float64(i+1)/farthestDistances, math.Pi*float64(k)/farthestHeadings))
		}
	}
	return min(far, farthestMargin*detected)
}

// engagedKm returns where a flight is recognised that GENEX steers from a distance from the target, at the altitude
// of the start and with an angle between heading and line of sight; 0 where it never is, or where no altitude is so
// near.
func (f *Flyer) engagedKm(distanceKm, angleRad float64) float64 {
	s := f.experiment.Scenario
	above := s.Start.Z - s.Target.Z
	if distanceKm <= math.Abs(above) {
		return 0
	}
	s.Others = nil
	s.Start = r3.Add(s.Target, r3.Vec{X: -math.Sqrt(distanceKm*distanceKm - above*above), Z: above})
	s.HeadingRad = angleRad
	f.Outcome = s.Fly(nil, &f.History)
	r := f.recognise(&f.History, &f.Outcome)
	return r.DetectionKm
}
