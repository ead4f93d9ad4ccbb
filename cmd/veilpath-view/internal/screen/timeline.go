package screen

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// transport is the row of the four verbs and of the clock, under the map.
func (s *Screen) transport() {
	m, l, t := s.Model, s.UI.List, s.Theme()
	r := s.Layout.Transport
	compact := s.Layout.Compact
	if !compact {
		r = r.Trim(0, 1, 0, 3)
	}
	play := draw.Rect{X: r.X, Y: r.Y, W: either(compact, layout.TouchTarget, 54.), H: r.H}
	s.button("play", play, either(m.Clock.Playing, pauseIcon, playIcon))
	x := play.Right() + 4
	for _, id := range []string{"privacy", "compare", "story"} {
		w := math.Max(layout.TouchTarget, l.Width(t.Body, s.row(id).short)+either(compact, 14., 26))
		s.button(id, draw.Rect{X: x, Y: r.Y, W: w, H: r.H}, nil)
		x += w + 4
	}
	time := r.Trim(x-r.X, 0, 0, 0)
	speed := draw.Rect{X: r.Right() - 44, Y: r.Y, W: 44, H: r.H}
	if compact {
		l.TextIn(t.Strong, time.Trim(0, 2, 2, time.H/2), draw.Right, t.Ink, fixed(m.Clock.TimeS, 1)+" s")
		l.TextIn(t.Small, time.Trim(0, time.H/2, 2, 2), draw.Right, t.Muted, number(m.Clock.Speed)+"×")
		speed = time
	} else {
		l.TextIn(t.Strong, time.Trim(0, 0, speed.W+10, 0), draw.Right, t.Ink,
			fixed(m.Clock.TimeS, 1)+" / "+fixed(m.Clock.EndS, 1)+" s")
		l.TextIn(t.Body, speed, draw.Center, t.Muted, number(m.Clock.Speed)+"×")
	}
	if _, clicked := s.UI.Spot("speed", speed, "Speed of the clock: a click doubles it"); clicked {
		s.cycleSpeed()
	}
}

// cycleSpeed doubles the speed, and begins again with real time after the fastest.
func (s *Screen) cycleSpeed() {
	c := &s.Model.Clock
	c.Speed = either(c.Speed >= model.MaxSpeed, 1, math.Min(2*c.Speed, model.MaxSpeed))
}

// timeline is the line of time with what happens on the flight on show, and the strips where they have room.
func (s *Screen) timeline() *panel.Timeline {
	t, f := &s.moments, s.Model.Flight()
	t.Line, t.All, t.Fingers, t.Times = s.Layout.Scrub, s.Layout.Strips, s.Layout.Compact, s.Times()
	t.Marks, t.Strips = t.Marks[:0], t.Strips[:0]
	for _, e := range s.Why().Events {
		t.Marks = append(t.Marks, s.eventMark(f, e))
	}
	if !s.Layout.Altitude.Empty() {
		t.Strips = append(t.Strips, s.firstStrip(), s.turnStrip(), s.offStrip())
	}
	return t
}

// strip is a strip of a value of flights over time, from 0 to high, as far as it is known of each.
func (s *Screen) strip(area draw.Rect, high float64, known func(*model.Flight) int,
	value func(f *model.Flight, i int) float64) panel.Strip {
	m := s.Model
	strip := panel.Strip{Area: area, Values: ui.Scale{High: high}, Now: math.NaN(), Ink: s.plan.Shown().ShownInk()}
	add := func(f *model.Flight, width float64, ink colour) {
		strip.Curves = append(strip.Curves, panel.Curve{N: known(f), Width: width, Ink: ink,
			At: func(i int) (float64, float64) { return f.TimeS(i), value(f, i) }})
	}
	if s.plan.Shown().DrawsDirect() {
		add(&m.Nominal, 1.2, s.plan.Shown().DirectInk())
	}
	if m.Pair != nil && !m.ShowsBaseline() {
		add(&m.Pair.Private, 1.2, s.Theme().KeptInk())
	}
	f := m.Flight()
	if f != &m.Nominal {
		add(f, 1.8, s.plan.Shown().ShownInk())
	}
	if now := f.At(m.Clock.TimeS); now < known(f) {
		strip.Now = value(f, now)
	}
	return strip
}

// samples is how many samples a flight has.
func samples(f *model.Flight) int { return len(f.Samples) }

// firstStrip is that of the altitude, or of what the observers of the goal do not know.
func (s *Screen) firstStrip() panel.Strip {
	if s.Inferring() {
		return s.entropyStrip()
	}
	high := s.Most(1, func(f *model.Flight) (high float64) {
		for i := 0; i < len(f.Samples); i += 10 {
			high = math.Max(high, f.Samples[i].R.Z)
		}
		return high
	})
	strip := s.strip(s.Layout.Altitude, high*1.15, samples,
		func(f *model.Flight, i int) float64 { return f.Samples[i].R.Z })
	strip.Name = "altitude, km"
	return strip
}

// turnStrip is that of the turn command.
func (s *Screen) turnStrip() panel.Strip {
	strip := s.strip(s.Layout.Acceleration, 1000*s.Model.Config.Vehicle.AccelLimitKmS2*1.1, samples,
		func(f *model.Flight, i int) float64 { return 1000 * r3.Norm(f.Samples[i].A) })
	strip.Name = either(s.Layout.Compact, "turn, m/s²", "turn command, m/s²")
	return strip
}

// offStrip is that of the angle off the line of sight, degrees, as far as there is one.
func (s *Screen) offStrip() panel.Strip {
	high := s.Most(1, s.MostOff)
	capture := s.Model.Experiment.Scenario.CaptureKm
	sighted := func(f *model.Flight) int {
		n := len(f.Samples)
		for n > 1 && f.Errors.DistanceKm[n-1] < capture {
			n--
		}
		return n
	}
	strip := s.strip(s.Layout.Off, math.Min(180, 20*math.Ceil(1.1*high/20)), sighted,
		func(f *model.Flight, i int) float64 { return f.OffDeg(i, f.Target) })
	strip.Name = either(s.Layout.Compact, "off sight, °", "off the line of sight, °")
	return strip
}

// eventMark is how an event of a flight is marked. The moments that decide go through the strips.
func (s *Screen) eventMark(f *model.Flight, e model.Event) panel.Mark {
	t := s.Theme()
	mark := panel.Mark{TimeS: f.TimeS(e.Sample), Sign: panel.NoSign}
	switch e.Kind {
	case model.Waypoint:
		mark.Sign, mark.Ink = panel.Above, either(e.Leaves, s.Theme().WaypointInk(), t.Muted)
	case model.Crossing:
		mark.Sign, mark.Ink = panel.Cross, t.Ink
	case model.Handover, model.GivenUp:
		mark.Sign, mark.Ink, mark.Through = panel.Disc, t.Ink, true
	case model.GuessIn, model.GuessOut:
		mark.Sign, mark.Ink = panel.Below, s.Theme().ObserverInk()
	case model.Recognised:
		mark.Sign, mark.Ink, mark.Through = panel.Disc, s.Theme().CaughtInk(), true
	}
	return mark
}

// stillDock draws what goes over time.
func (s *Screen) stillDock(l *draw.List) {
	l.Rect(s.Layout.Dock, s.Theme().Background)
	if s.Layout.Compact {
		s.timeline().DrawLine(l, s.Theme(), s.Model.Clock.EndS)
		return
	}
	s.Panel(l, s.Layout.Dock, "")
	if !s.Layout.Altitude.Empty() {
		s.stillStrips(l)
	}
	s.timeline().DrawLine(l, s.Theme(), s.Model.Clock.EndS)
}

// stillStrips draws what goes over time above the line, where there is room for any of it.
func (s *Screen) stillStrips(l *draw.List) {
	if t := s.timeline(); len(t.Strips) > 0 {
		t.DrawStrips(l, s.Theme())
	}
}

// movingDock draws the moment on the timeline.
func (s *Screen) movingDock(l *draw.List) {
	c := &s.Model.Clock
	from, to := 0., 0.
	if c.Looping() {
		from, to = c.LoopFromS, math.Min(c.LoopToS, c.EndS)
	}
	s.timeline().DrawNow(l, s.Theme(), c.TimeS, from, to)
}

// operateTimeline goes to the moment where the pointer is on the timeline, and says what is there.
func (s *Screen) operateTimeline() {
	t := s.timeline()
	over, sets, timeS := t.Operate(s.UI)
	if over {
		s.hintTimeline(t)
	}
	if sets {
		s.Model.Clock.Seek(timeS)
	}
}

// hintTimeline explains the event whose mark is under the pointer, or tells the values of the strips there.
func (s *Screen) hintTimeline(t *panel.Timeline) {
	switch mark, onLine := t.MarkAt(s.UI.Input.Pointer); {
	case !onLine:
		s.hintMoment(t)
	case mark >= 0:
		s.UI.Hint(true, draw.Rect{X: t.X(t.Marks[mark].TimeS) - 4, Y: t.Y() - 8, W: 8, H: 16},
			s.EventText(s.Why().Events[mark]))
	}
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
		s.Model.Say(false, "The stretch begins at %s s. Go to where it ends and choose Loop again.", fixed(c.TimeS, 1))
	default:
		c.LoopFromS, c.LoopToS = math.Min(c.LoopFromS, c.TimeS), math.Max(c.LoopFromS, c.TimeS)
		s.looping = false
		s.Model.Say(false, "%s to %s s are played again and again; Loop ends that.", fixed(c.LoopFromS, 1),
			fixed(c.LoopToS, 1))
	}
}
