package study

import "gonum.org/v1/gonum/spatial/r3"

// plausibleKm is the largest plausible detection distance, apart from those that runs have shown: the interval
// of a mean allows for such a flight that no run has shown. It is FarthestKm for an observer of the goal, which
// may identify it at any waypoint. For an observer that extrapolates the flight it is the hand-over distance,
// because the vehicle does not aim at the target before; this is not a strict bound.
func (e *Experiment) plausibleKm() float64 {
	if e.Adversary.Observer.Goal {
		return e.FarthestKm()
	}
	return e.Scenario.HandoverKm + e.Scenario.HandoverSpreadKm
}

// FarthestKm returns a distance from the target beyond which no vehicle is expected, and so no detection: that
// of the farthest waypoint, or of the start, plus two turning circles. Confidence rests on it where flights
// decide when to stop. It is no theorem: a vehicle that is commanded to a waypoint right behind it flies on for
// long. Code that relies on it must refuse flights that are recognised farther away, or count them as recognised
// here and say so; its statements are then about distances up to this limit.
func (e *Experiment) FarthestKm() float64 {
	far := r3.Norm(r3.Sub(e.Scenario.Start, e.Scenario.Target))
	for state := range e.Mission.Grid.States() {
		far = max(far, r3.Norm(r3.Sub(e.Mission.Grid.Position(state), e.Scenario.Target)))
	}
	radius := e.Scenario.SpeedKmS * e.Scenario.SpeedKmS / e.Scenario.AccelLimitKmS2
	return far + 4*radius
}
