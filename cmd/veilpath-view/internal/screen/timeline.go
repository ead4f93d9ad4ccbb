package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
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
	s.Button("play", play, either(m.Clock.Playing, panel.PauseIcon, panel.PlayIcon))
	x := play.Right() + 4
	for _, id := range []string{"privacy", "compare", "story"} {
		w := math.Max(layout.TouchTarget, l.Width(t.Body, s.row(id).short)+either(compact, 14., 26))
		s.Button(id, draw.Rect{X: x, Y: r.Y, W: w, H: r.H}, nil)
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
