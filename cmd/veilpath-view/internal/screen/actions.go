package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/model"
)

// stepEvent goes to the next event or to the one before, pauses there and says what it is.
func (s *Screen) stepEvent(on bool) {
	m := s.Model
	f, events := m.Flight(), s.Why().Events
	now := f.At(m.Clock.TimeS)
	found := -1
	for i, e := range events {
		if on && e.Sample > now && (found < 0 || e.Sample < events[found].Sample) {
			found = i
		}
		if !on && e.Sample < now && (found < 0 || e.Sample >= events[found].Sample) {
			found = i
		}
	}
	if found < 0 {
		m.Say(false, "%s", either(on, "Nothing more happens on this flight.", "Nothing happens before."))
		return
	}
	s.Model.StopAt(f, events[found].Sample)
	m.Say(false, "%s", s.MomentText(events[found].Sample))
	m.Message.Moment = true
}

// showReacting shows the flight that epsilon changes most.
func (s *Screen) showReacting() {
	if run, known := s.Reacting(); known {
		s.Model.Select(run)
		return
	}
	s.Model.Say(false, "The flights along epsilon are still being flown.")
}

// toggleCompare keeps the settings on show to compare with, or ends the comparison.
func (s *Screen) toggleCompare() {
	if s.Model.Pair != nil {
		s.Model.DropWorld()
		s.Model.Say(false, "The comparison has ended. The settings on show stay.")
		return
	}
	s.Model.KeepWorld()
	s.Model.SetShown(model.ShowPrivate)
	s.Model.Say(false, "These settings are kept. Change any of them: both are shown, with the same noise, on one clock.")
}

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

func (s *Screen) toggleHelp() { s.Help.Open = !s.Help.Open }

// close closes what is open: the help, then the mode, then the story.
func (s *Screen) close() {
	switch {
	case s.Help.Open:
		s.Help.Open = false
	case s.Model.StopPreparing():
	case s.plan.KeepingOut:
		s.plan.KeepingOut = false
	case s.told > 0:
		s.endStory()
	}
}
