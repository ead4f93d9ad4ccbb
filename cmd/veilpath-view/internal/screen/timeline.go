package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/chart"
)

// loop begins a stretch to be played again and again, ends it, and forgets it.
func (s *Screen) loop() {
	c := &s.Model.Clock
	switch {
	case c.LoopToS > 0:
		c.LoopFromS, c.LoopToS, s.looping = 0, 0, false
		s.Model.Say(false, "No stretch is played again.")
	case !s.looping:
		c.LoopFromS, s.looping = c.TimeS, true
		s.Model.Say(false, "The stretch begins at %s s. Go to where it ends and choose Loop again.", chart.Fixed(c.TimeS, 1))
	default:
		c.LoopFromS, c.LoopToS = math.Min(c.LoopFromS, c.TimeS), math.Max(c.LoopFromS, c.TimeS)
		s.looping = false
		s.Model.Say(false, "%s to %s s are played again and again; Loop ends that.", chart.Fixed(c.LoopFromS, 1),
			chart.Fixed(c.LoopToS, 1))
	}
}
