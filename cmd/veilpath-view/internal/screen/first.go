package screen

import (
	"veilpath/sim/study"
)

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
	if run, known := s.Reacting(); known {
		s.Model.Select(run)
		return
	}
	s.Model.Say(false, "The flights along epsilon are still being flown.")
}
