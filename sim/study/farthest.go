package study

import "gonum.org/v1/gonum/spatial/r3"

// plausibleKm is how far from the target a flight is plausibly recognised, beside as far as a run has shown: an
// interval of a mean leaves room for as far a flight that no run has shown. It is FarthestKm for an observer of the
// goal, who may come to name it at any waypoint. For one who extrapolates the flight it is the hand-over distance,
// since the vehicle does not aim at the target before; that is no bound.
func (e *Experiment) plausibleKm() float64 {
	if e.Adversary.Observer.Goal {
		return e.FarthestKm()
	}
	return e.Scenario.HandoverKm + e.Scenario.HandoverSpreadKm
}

// FarthestKm returns a distance from the target at which no vehicle is to be expected, and so no detection: that of
// the farthest waypoint, or of the start, and two turning circles beyond. It is what confidence rests on where flights
// decide when to stop, and is no theorem: a vehicle that is commanded to a waypoint right behind it flies on for long.
// Anyone who rests on it refuses a flight that is recognised farther away, so that what it says is of distances cut
// there.
func (e *Experiment) FarthestKm() float64 {
	far := r3.Norm(r3.Sub(e.Scenario.Start, e.Scenario.Target))
	for state := range e.Mission.Grid.States() {
		far = max(far, r3.Norm(r3.Sub(e.Mission.Grid.Position(state), e.Scenario.Target)))
	}
	radius := e.Scenario.SpeedKmS * e.Scenario.SpeedKmS / e.Scenario.AccelLimitKmS2
	return far + 4*radius
}
