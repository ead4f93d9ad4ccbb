package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/sim/study"
)

// reactingRuns are how many runs the first flight on show is chosen from.
const reactingRuns = 20

// reach is the range of epsilon, as a ratio to the one in force, in which the first flight on show is to react.
const reach = 8

// reacting returns the run that shows best what epsilon does: of the first runs the one whose distance of recognition
// changes most between a smaller and a larger epsilon, each change counted. It is known once the axis of all of these
// runs is.
func (s *Screen) reacting() (run int, known bool) {
	m, most := s.Model, 0.0
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

// showExtreme shows the flight of the ensemble that is recognised farthest from its target, or closest to it for -1.
func (s *Screen) showExtreme(sign float64) {
	var best *study.Run
	for _, m := range s.Model.Ensemble.Members {
		if m != nil && m.Run.Detected && (best == nil || sign*m.Run.DetectionKm > sign*best.DetectionKm) {
			best = &m.Run
		}
	}
	if best == nil {
		s.Model.Say(false, "None of the flights that are there is recognised.")
		return
	}
	s.Model.Select(best.Run)
}

// showReacting shows the flight that epsilon changes most.
func (s *Screen) showReacting() {
	if run, known := s.reacting(); known {
		s.Model.Select(run)
		return
	}
	s.Model.Say(false, "The flights along epsilon are still being flown.")
}
