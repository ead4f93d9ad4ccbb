package screen

import (
	"fmt"
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// opening tells in six seconds what there is to see: the direct flight, the planned flight, private flights, and where
// all of them are recognised. Any input ends it.
type opening struct {
	waitedS float64 // for flights

	choosing bool // the first flight on show is still to be chosen, unless the user changes something before
	from     int  // how many states there were to go back to
	invites  bool // to drag epsilon
}

// Begin shows what there is to see at first: the flight that shows best what epsilon does, once that is known, after an
// opening where one is wanted and things may move by themselves.
func (s *Screen) Begin(opened bool) {
	s.remember()
	s.opening = opening{choosing: true, from: len(s.past.states), invites: true}
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

// advanceOpening moves the opening on, and returns the input that it leaves: what ends it does nothing else.
func (s *Screen) advanceOpening(in ui.Input) ui.Input {
	done := len(in.Keys) > 0 || in.Down || in.Wheel != 0 || in.Pinch > 0
	o := &s.opening
	if o.choosing = o.choosing && len(s.past.states) == o.from; o.choosing && !done {
		s.chooseFirst()
	}
	if !s.Opening.Running {
		return in
	}
	if s.Still || done || s.Opening.AtS >= panel.OpeningEnd {
		s.endOpening()
		if slices.ContainsFunc(in.Keys, func(k ui.Key) bool { return k == "/" || k == ui.Find || k == "?" }) {
			return in // what is typed behind it is for what it opens
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
	if run, known := s.Reacting(); known {
		s.opening.choosing = false
		s.Model.Select(run)
		s.past = past{}
	}
}

// openingText says what the opening shows now.
func (s *Screen) openingText() string {
	at := s.Opening.AtS
	direct, planned := &s.Model.Nominal.Run, &s.Model.Planned.Run
	switch sum := s.Model.Ensemble.Summary(); {
	case at < panel.OpeningDirect:
		return "A flight is to reach its target without giving it away."
	case at < panel.OpeningPlanned:
		return "Flying " + s.Model.DirectWay() + ", it is " + answer.Recognised(direct, 1) + "."
	case at < panel.OpeningFan:
		return "Following its plan of waypoints, it is " + answer.Recognised(planned, 1) + "."
	case sum.Runs == 0:
		return "Flying …"
	default:
		return fmt.Sprintf("%d private flights, each with noise of its own, on average %s km.", sum.Runs,
			fixed(sum.MeanKm, 1))
	}
}

// openingMap draws the flights that the opening has come to.
func (s *Screen) openingMap(l *draw.List, m *panel.Map) {
	l.Clip(m.Camera.View)
	defer l.Unclip()
	if s.Opening.AtS >= panel.OpeningFan {
		s.openingFlights(l, m, s.OpeningPart(panel.OpeningFan, panel.OpeningDots))
	}
	for _, part := range []struct {
		f        *model.Flight
		from, to float64
		ink      colour
		there    bool
	}{{&s.Model.Nominal, panel.OpeningDirect, panel.OpeningPlanned, s.Theme().Ink, m.DrawsDirect()},
		{&s.Model.Planned, panel.OpeningPlanned, panel.OpeningFan, s.Theme().Accent, true}} {
		if s.Opening.AtS < part.from || !part.there {
			continue
		}
		n := int(s.OpeningPart(part.from, part.to-0.2) * float64(len(part.f.Samples)))
		m.Path(l, part.f, n, 2.4, part.ink)
		if d := part.f.Detection; part.f.Run.Detected && d.Sample < n {
			at := m.Camera.Place(part.f.Samples[d.Sample].R)
			l.Disc(at, 7.5, s.Theme().Background)
			l.Ring(at, 6, 2.2, part.ink)
			text := fixed(part.f.Run.DetectionKm, 1) + " km"
			box := draw.Rect{X: at.X - 34, Y: at.Y - 27, W: 68, H: 18}
			l.RoundRect(box, 4, ui.Faded(s.Theme().Background, 0.9))
			l.TextIn(s.Theme().Strong, box, draw.Center, part.ink, text)
		}
	}
}

// openingFlights draws the flights of the ensemble as far as they have come, each lit from where it is recognised on.
func (s *Screen) openingFlights(l *draw.List, on *panel.Map, share float64) {
	target := s.Model.Experiment.Scenario.Target
	for _, m := range s.Model.Ensemble.Members {
		if m == nil || m.Path == nil {
			continue
		}
		whole := 0
		for _, stroke := range m.Path {
			whole += len(stroke)
		}
		left, lit, points := int(share*float64(whole)), draw.Point{}, make([]draw.Point, 0, whole)
		for _, stroke := range m.Path {
			for _, p := range stroke[:min(len(stroke), max(0, left))] {
				at := on.Camera.Screen(float64(p.X), float64(p.Y))
				if lit == (draw.Point{}) && math.Hypot(float64(p.X)-target.X, float64(p.Y)-target.Y) <= m.Run.DetectionKm {
					lit = at
				}
				points = append(points, at)
			}
			left -= len(stroke)
		}
		ink := s.DistanceColour(m.Run.DetectionKm)
		l.Line(points, 1, ui.Faded(either(lit == (draw.Point{}), s.Theme().Muted, ink), 0.5))
		if lit != (draw.Point{}) {
			l.Disc(lit, 2.2, ink)
		}
	}
}

// openingFall draws the dots of the flights as they fall into their heaps.
func (s *Screen) openingFall(l *draw.List) {
	if share := s.OpeningPart(panel.OpeningDots, panel.OpeningEnd-0.2); share > 0 {
		s.dots().Fall(l, share, func(d *panel.Dot) colour { return s.DistanceColour(d.Km) })
	}
}

// invite points at the slider of epsilon until somebody does something.
func (s *Screen) invite(l *draw.List) {
	if s.UI.Input.Down || s.UI.Input.Wheel != 0 || len(s.UI.Input.Keys) > 0 || s.told > 0 || s.Model.Record != nil {
		s.opening.invites = false
	}
	r, there := s.UI.Regions()["epsilon"]
	if !s.opening.invites || !there || s.Opening.Running && s.Frame.Opening.AtS < panel.OpeningDots || s.covered() {
		return
	}
	t := s.Theme()
	const text = "Drag privacy"
	at := draw.Point{X: r.X + r.W*epsilonScale.Share(s.Model.Config.Privacy.Epsilon), Y: r.Bottom() + 8}
	if s.Layout.Slider.Empty() {
		at.X = ui.Track(r).X + ui.Track(r).W*epsilonScale.Share(s.Model.Config.Privacy.Epsilon)
		at.Y = r.Bottom() - 10
	}
	w := l.Width(t.Strong, text) + 18
	box := draw.Rect{X: clampTo(at.X-w/2, r.X, r.Right()-w), Y: at.Y, W: w, H: 22}
	l.Polygon([]draw.Point{{X: at.X, Y: at.Y - 7}, {X: at.X - 6, Y: at.Y + 1}, {X: at.X + 6, Y: at.Y + 1}}, t.Accent)
	l.RoundRect(box, 5, t.Accent)
	l.TextIn(t.Strong, box, draw.Center, t.OnAccent, text)
}
