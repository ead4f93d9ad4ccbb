package study

import "gonum.org/v1/gonum/spatial/r3"

// FarthestKm returns a distance from the target at which no vehicle is to be expected, and so no detection: that of
// the farthest waypoint, or of the start, and two turning circles beyond. It is what confidence rests on where flights
// decide when to stop, and is no theorem: a vehicle that is commanded to a waypoint right behind it flies on for long.
// Whoever rests on it refuses a flight that is recognised farther away, so that what it says is of distances cut there.
func (e *Experiment) FarthestKm() float64 {
	far := r3.Norm(r3.Sub(e.Scenario.Start, e.Scenario.Target))
	for state := range e.Mission.Grid.States() {
		far = max(far, r3.Norm(r3.Sub(e.Mission.Grid.Position(state), e.Scenario.Target)))
	}
	radius := e.Scenario.SpeedKmS * e.Scenario.SpeedKmS / e.Scenario.AccelLimitKmS2
	return far + 4*radius
}
