package answer

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/model"
)

// reactingRuns are how many runs the first flight on show is chosen from.
const reactingRuns = 20

// reach is the range of epsilon, as a ratio to the one in force, in which the first flight on show is to react.
const reach = 8

// Reacting returns the run that shows best what epsilon does: of the first runs the one whose distance of recognition
// changes most between a smaller and a larger epsilon, each change counted. It is known once the axis of all of these
// runs is.
func (a *Answers) Reacting() (run int, known bool) {
	m, most := a.Model, 0.0
	epsilon := m.Config.Privacy.Epsilon
	for i := range min(reactingRuns, m.Runs()) {
		treads := m.Axis.Treads(i, m.Config.Adversary.RadiusKm)
		if treads == nil {
			return 0, false
		}
		if changes := changesNear(treads, epsilon/reach, epsilon*reach); changes > most {
			run, most = i, changes
		}
	}
	return run, true
}

// changesNear adds up the changes of the distance of recognition on a part of the axis, km.
func changesNear(treads []model.Tread, low, high float64) (sum float64) {
	for i, t := range treads {
		if i > 0 && t.Low > low && t.Low < high {
			sum += math.Abs(t.DetectionKm - treads[i-1].DetectionKm)
		}
	}
	return sum
}
