package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/ui"
)

// first is the choice of the flight that is on show first.
type first struct {
	choosing bool    // it is still to be chosen, unless the user changes something before
	from     int     // how many states there were to go back to
	momentS  float64 // that the clock was at in the frame before
}

// Begin shows first the flight that shows best what epsilon does, once that is known.
func (s *Screen) Begin() {
	s.remember()
	s.first = first{choosing: true, from: len(s.past.states), momentS: s.Model.Clock.TimeS}
}

// chooseFirst shows the flight that reacts to epsilon once it is known, as if it had always been on show: not where the
// user has changed something, seeks a moment of the flight on show, or has a list open that tells of it.
func (s *Screen) chooseFirst(in ui.Input) {
	f, c := &s.first, &s.Model.Clock
	const rounding = 1e-6
	sought := math.Abs(c.TimeS-f.momentS) > in.ElapsedS*c.Speed+rounding
	f.momentS = c.TimeS
	f.choosing = f.choosing && len(s.past.states) == f.from && !sought
	if !f.choosing || s.covered() || len(in.Keys) > 0 || in.Down || in.Wheel != 0 || in.Pinch > 0 {
		return
	}
	if run, known := s.Reacting(); known {
		f.choosing = false
		s.Model.Select(run)
		s.past = past{}
	}
}
