package screen

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// opening tells in six seconds what there is to see: the direct flight, the planned flight, private flights, and where
// all of them are recognised. Any input ends it.
type opening struct {
	waitedS float64 // for flights

	opened   bool    // there was one
	choosing bool    // the first flight on show is still to be chosen, unless the user changes something before
	from     int     // how many states there were to go back to
	momentS  float64 // that the clock was at in the frame before
	invites  bool    // to drag epsilon
}

// Begin shows what there is to see at first: the flight that shows best what epsilon does, once that is known, after an
// opening where one is wanted and things may move by themselves.
func (s *Screen) Begin(opened bool) {
	s.remember()
	s.opening = opening{opened: opened && !s.Still, choosing: true, from: len(s.past.states),
		momentS: s.Model.Clock.TimeS, invites: true}
	s.Opening = panel.Opening{Running: opened && !s.Still}
	if s.Opening.Running {
		s.Model.Clock.Playing = false
	}
}

// endOpening shows everything.
func (s *Screen) endOpening() {
	if s.Opening.Running {
		s.Opening.Running = false
		s.Model.Clock.Playing = !s.Still
	}
}

// skips are keys that end the opening and do nothing else.
var skips = []ui.Key{ui.Space, ui.Enter, ui.Escape}

// advanceOpening moves the opening on, and returns the input that it leaves: other keys that end it do what they always
// do, the pointer and those that skip it nothing else.
func (s *Screen) advanceOpening(in ui.Input) ui.Input {
	done := len(in.Keys) > 0 || in.Down || in.Wheel != 0 || in.Pinch > 0
	o := &s.opening
	c, before := &s.Model.Clock, o.momentS
	o.momentS = c.TimeS
	const rounding = 1e-6
	sought := math.Abs(c.TimeS-before) > in.ElapsedS*c.Speed+rounding // somebody looks at a moment of the flight on show
	o.choosing = o.choosing && len(s.past.states) == o.from && !sought
	if o.choosing && !done && !s.covered() { // a list says what there is of the flight on show
		s.chooseFirst()
	}
	if !s.Opening.Running {
		return in
	}
	if s.Still || done || s.Opening.AtS >= panel.OpeningEnd {
		s.endOpening()
		if slices.ContainsFunc(in.Keys, func(k ui.Key) bool { return !slices.Contains(skips, k) }) {
			return in
		}
		return in.Settled()
	}
	if next := s.Opening.AtS + in.ElapsedS; next < panel.OpeningFan || s.Model.Ensemble.Complete() {
		s.Opening.AtS = next
	} else if o.waitedS += in.ElapsedS; o.waitedS > panel.OpeningWaits {
		s.endOpening()
	}
	return in
}

// chooseFirst shows the flight that reacts to epsilon once it is known, as if it had always been on show.
func (s *Screen) chooseFirst() {
	run, known := s.Reacting()
	if !known {
		return
	}
	s.opening.choosing = false
	if s.Model.Select(run); s.opening.opened && !s.Opening.Running {
		s.Model.Say(false, "Run %d is on show now: the flight that epsilon changes most.", run)
	}
	s.past = past{}
}

// invite points at the slider of epsilon until somebody does something.
func (s *Screen) invite(l *draw.List) {
	if s.UI.Input.Down || s.UI.Input.Wheel != 0 || len(s.UI.Input.Keys) > 0 || s.told > 0 || s.Model.Record != nil {
		s.opening.invites = false
	}
	r, there := s.UI.Regions()["epsilon"]
	if !s.opening.invites || !there || s.Opening.Running && s.Opening.AtS < panel.OpeningDots || s.covered() {
		return
	}
	t := s.Theme()
	const text = "Drag privacy"
	at := draw.Point{X: r.X + r.W*panel.EpsilonScale.Share(s.Model.Config.Privacy.Epsilon), Y: r.Bottom() + 8}
	if s.Layout.Slider.Empty() {
		at.X = ui.Track(r).X + ui.Track(r).W*panel.EpsilonScale.Share(s.Model.Config.Privacy.Epsilon)
		at.Y = r.Bottom() - 10
	}
	w := l.Width(t.Strong, text) + 18
	box := draw.Rect{X: max(r.X, min(r.Right()-w, at.X-w/2)), Y: at.Y, W: w, H: 22}
	l.Polygon([]draw.Point{{X: at.X, Y: at.Y - 7}, {X: at.X - 6, Y: at.Y + 1}, {X: at.X + 6, Y: at.Y + 1}}, t.Accent)
	l.RoundRect(box, 5, t.Accent)
	l.TextIn(t.Strong, box, draw.Center, t.OnAccent, text)
}
