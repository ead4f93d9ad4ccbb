package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// transport is the row of the four verbs and of the clock, under the map.
func (s *Screen) transport() {
	m, l, t := s.Model, s.UI.List, s.theme()
	r := s.layout.Transport
	compact := s.layout.Compact
	if !compact {
		r = r.Trim(0, 1, 0, 3)
	}
	play := draw.Rect{X: r.X, Y: r.Y, W: either(compact, touchTarget, 54.), H: r.H}
	s.button("play", play, either(m.Clock.Playing, pauseIcon, playIcon))
	x := play.Right() + 4
	for _, id := range []string{"privacy", "compare", "story"} {
		w := math.Max(touchTarget, l.Width(t.Body, s.row(id).short)+either(compact, 14., 26))
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
	over, _, clicked := s.UI.Area("faster", speed)
	s.UI.Hint(over, speed, "Speed of the clock: a click doubles it")
	if over {
		s.UI.SetCursor(ui.Hand)
	}
	if clicked {
		s.cycleSpeed()
	}
}

// cycleSpeed doubles the speed, and begins again with real time after the fastest.
func (s *Screen) cycleSpeed() {
	if c := &s.Model.Clock; c.Speed >= model.MaxSpeed {
		c.Speed = 1
	} else {
		c.Faster(1)
	}
}

// stepBy pauses and goes so many samples on.
func (s *Screen) stepBy(samples int) {
	c, f := &s.Model.Clock, s.Model.Flight()
	c.Playing = false
	c.Seek(f.TimeS(f.At(c.TimeS) + samples))
}

func (s *Screen) seekHandover() {
	f := s.Model.Flight()
	s.Model.Clock.Playing = false
	s.Model.Clock.Seek(f.TimeS(min(f.HandoverSample, len(f.Samples)-1)))
}

func (s *Screen) seekCaught() {
	f := s.Model.Flight()
	if !f.Run.Detected {
		s.Model.Say(false, "This flight is never recognised.")
		return
	}
	s.Model.Clock.Playing = false
	s.Model.Clock.Seek(f.TimeS(f.Detection.Sample))
}

// dockKey is what the timeline's still part depends on.
type dockKey struct {
	shown  uint64
	theme  uint64
	scale  float64
	layout Layout
	belief uint64
	whose  int // belief is painted, -1 for none
}

func (s *Screen) layDock() {
	key := dockKey{s.Model.Version, s.themes, s.scale, s.layout, s.Model.Inference.Version,
		either(s.inferring(), s.Observer, -1)}
	s.lay(dockLayer, s.layout.Dock, key, 0, s.stillDock)
}

// times is the axis that the strips and the scrubber share, s.
func (s *Screen) times() ui.Scale {
	high := math.Max(s.Model.Private.DurationS(), math.Max(s.Model.Planned.DurationS(), s.Model.Nominal.DurationS()))
	if p := s.Model.Pair; p != nil {
		high = math.Max(high, p.Private.DurationS())
	}
	return ui.Scale{High: high}
}

func (s *Screen) altitudePlot() chart.Plot {
	high := 1.0
	flights := []*model.Flight{&s.Model.Private, &s.Model.Planned, &s.Model.Nominal}
	if p := s.Model.Pair; p != nil {
		flights = append(flights, &p.Private)
	}
	for _, f := range flights {
		for i := 0; i < len(f.Samples); i += 10 {
			high = math.Max(high, f.Samples[i].R.Z)
		}
	}
	return chart.New(s.layout.Altitude, s.times(), ui.Scale{High: high * 1.15})
}

func (s *Screen) accelerationPlot() chart.Plot {
	return chart.New(s.layout.Acceleration, s.times(), ui.Scale{High: 1000 * s.Model.Config.Vehicle.AccelLimitKmS2 * 1.1})
}

// offPlot is the angle off the line of sight over time, degrees.
func (s *Screen) offPlot() chart.Plot {
	high := math.Max(1, math.Max(s.mostOff(&s.Model.Private),
		math.Max(s.mostOff(&s.Model.Planned), s.mostOff(&s.Model.Nominal))))
	return chart.New(s.layout.Off, s.times(), ui.Scale{High: math.Min(180, 20*math.Ceil(1.1*high/20))})
}

// stillDock draws what goes over time.
func (s *Screen) stillDock(l *draw.List) {
	l.Rect(s.layout.Dock, s.theme().Background)
	if s.layout.Compact {
		s.stillScrubber(l)
		return
	}
	s.panel(l, s.layout.Dock, "")
	if !s.layout.Altitude.Empty() {
		s.stillStrips(l)
	}
	s.stillScrubber(l)
}

// stripNames are the names of the strips over time, which hide little of them where they are narrow.
func (s *Screen) stripNames() [3]string {
	if s.layout.Compact {
		return [3]string{either(s.inferring(), "bits not known", "altitude, km"), "turn, m/s²", "off sight, °"}
	}
	return [3]string{either(s.inferring(), "what observers of the goal do not know, bits", "altitude, km"),
		"turn command, m/s²", "off the line of sight, °"}
}

// stillStrips draws altitude and acceleration over time.
func (s *Screen) stillStrips(l *draw.List) {
	t, m := s.theme(), s.Model
	altitude, acceleration, off := s.altitudePlot(), s.accelerationPlot(), s.offPlot()
	names := s.stripNames()
	if s.inferring() {
		altitude = s.entropyPlot()
	}
	capture := m.Experiment.Scenario.CaptureKm
	strips := []struct {
		plot *chart.Plot
		name string
	}{{&altitude, names[0]}, {&acceleration, names[1]}, {&off, names[2]}}
	for _, strip := range strips {
		strip.plot.GridY(l, s.theme(), 2)
	}
	whole := altitude.Area.Around(off.Area)
	lines := func(f *model.Flight, width float64, c colour) {
		if !s.inferring() {
			altitude.Curve(l, &s.line, len(f.Samples),
				func(i int) (float64, float64) { return f.TimeS(i), f.Samples[i].R.Z }, width, c)
		}
		acceleration.Curve(l, &s.line, len(f.Samples), func(i int) (float64,
			float64) {
			return f.TimeS(i), 1000 * norm(f.Samples[i].A)
		}, width, c)
		flown := len(f.Samples) // as far as there is a line of sight
		for flown > 1 && f.Errors.DistanceKm[flown-1] < capture {
			flown--
		}
		off.Curve(l, &s.line, flown, func(i int) (float64, float64) { return f.TimeS(i), f.OffDeg(i, f.Target) }, width, c)
	}
	l.Clip(whole)
	s.eventLines(l, &altitude, whole)
	if s.drawsDirect() {
		lines(&m.Nominal, 1.2, s.directInk())
	}
	if m.Pair != nil && !m.ShowsBaseline() {
		lines(&m.Pair.Private, 1.2, s.keptInk())
	}
	if f := m.Flight(); f != &m.Nominal {
		lines(f, 1.8, s.shownInk())
	}
	if s.inferring() {
		s.entropyLines(l, &altitude)
	}
	l.Unclip()
	for _, strip := range strips {
		a, w := strip.plot.Area, l.Width(t.Small, strip.name)+8
		box := draw.Rect{X: a.Right() - w, Y: a.Y - 3, W: w, H: 15}
		l.RoundRect(box, 3, ui.Faded(t.Panel, 0.8))
		l.TextIn(t.Small, box, draw.Center, t.Muted, strip.name)
	}
}

// stillScrubber draws the time axis with the moments of the flight.
func (s *Screen) stillScrubber(l *draw.List) {
	t := s.theme()
	p := chart.New(s.layout.Scrub, s.times(), ui.Scale{High: 1})
	y := s.scrubY()
	l.RoundRect(draw.Rect{X: p.Area.X, Y: y - 2, W: p.PX(s.Model.Clock.EndS) - p.Area.X, H: 4}, 2, t.Hover)
	for _, v := range chart.Ticks(p.X, 8) {
		l.TextIn(t.Small, draw.Rect{X: p.PX(v) - 24, Y: y + 7, W: 48, H: 12}, draw.Center, t.Muted, number(v)+" s")
	}
	s.eventMarks(l, &p)
}

// scrubY is the height of the line that shows the moment.
func (s *Screen) scrubY() float64 { return s.layout.Scrub.Y + either(s.layout.Compact, 14., 6) }

// movingDock draws the moment on the timeline.
func (s *Screen) movingDock(l *draw.List) {
	m, t := s.Model, s.theme()
	f := m.Flight()
	now := f.At(m.Clock.TimeS)
	scrub := chart.New(s.layout.Scrub, s.times(), ui.Scale{High: 1})
	x := scrub.PX(m.Clock.TimeS)
	ink := s.shownInk()
	if !s.layout.Altitude.Empty() {
		altitude, acceleration, off := s.altitudePlot(), s.accelerationPlot(), s.offPlot()
		bottom := either(s.layout.Compact, off.Area.Bottom(), s.layout.Scrub.Y+4)
		l.Rect(draw.Rect{X: altitude.PX(m.Clock.TimeS) - 0.5, Y: altitude.Area.Y, W: 1, H: bottom - altitude.Area.Y}, t.Muted)
		if b := s.belief(); b != nil {
			entropy := s.entropyPlot()
			l.Disc(entropy.At(m.Clock.TimeS, b.Entropy), 3.5, s.observerInk())
		} else if !s.inferring() {
			l.Disc(altitude.At(m.Clock.TimeS, f.Samples[now].R.Z), 3.5, ink)
		}
		l.Disc(acceleration.At(m.Clock.TimeS, 1000*norm(f.Samples[now].A)), 3.5, ink)
		if f.Errors.DistanceKm[now] > m.Experiment.Scenario.CaptureKm {
			l.Disc(off.At(m.Clock.TimeS, f.OffDeg(now, f.Target)), 3.5, ink)
		}
	}
	y := s.scrubY()
	if c := &m.Clock; c.Looping() {
		from, to := scrub.PX(c.LoopFromS), scrub.PX(math.Min(c.LoopToS, c.EndS))
		l.Rect(draw.Rect{X: from, Y: y - 7, W: to - from, H: 14}, ui.Faded(t.Accent, 0.25))
	}
	l.RoundRect(draw.Rect{X: s.layout.Scrub.X, Y: y - 2, W: math.Max(4, x-s.layout.Scrub.X), H: 4}, 2, t.Accent)
	l.Disc(draw.Point{X: x, Y: y}, 8, t.Panel)
	l.Disc(draw.Point{X: x, Y: y}, 6.5, t.Accent)
}

// operateScrubber seeks where the pointer is on the strips or the scrubber.
func (s *Screen) operateScrubber() {
	r := s.layout.Strips
	reach := either(s.layout.Compact, 18., 6)
	over, _, _ := s.UI.Area("scrubber", r.Trim(-reach, 0, -reach, 0))
	if over {
		s.UI.SetCursor(ui.ResizeX)
		s.hintEvent()
	}
	if s.UI.Sets("scrubber") {
		p := chart.New(s.layout.Scrub, s.times(), ui.Scale{High: 1})
		share := (s.UI.Input.Pointer.X - p.Area.X) / p.Area.W
		s.Model.Clock.Seek(p.X.Value(share))
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
