package screen

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
)

// twoMaps reports whether the kept settings are to have a map of their own.
func (s *Screen) twoMaps() bool { return s.Beside && s.Model.Pair != nil }

// beside reports whether they have one in this layout.
func (s *Screen) beside() bool { return s.twoMaps() && !s.layout.Kept.Empty() }

// mapTitleHeight is the height of what names a map, where there are two, points.
const mapTitleHeight = 20

// split gives the kept settings a half of the map: the left one, or where the map is higher than wide the upper one.
func (l *Layout) split() {
	if l.Map.W >= l.Map.H {
		l.Kept, l.Map = l.Map.CutLeft((l.Map.W - gap) / 2)
		l.Map = l.Map.Trim(gap, 0, 0, 0)
	} else {
		l.Kept, l.Map = l.Map.CutTop((l.Map.H - gap) / 2)
		l.Map = l.Map.Trim(0, gap, 0, 0)
	}
	l.Kept, l.Map = l.Kept.Trim(0, mapTitleHeight, 0, 0), l.Map.Trim(0, mapTitleHeight, 0, 0)
}

// maps is the area of the map, or of both with what names them.
func (l *Layout) maps() draw.Rect {
	if l.Kept.Empty() {
		return l.Map
	}
	both := l.Kept.Around(l.Map)
	return both.Trim(0, -mapTitleHeight, 0, 0)
}

// world is the settings that are drawn: those in force, or on their own map the kept ones.
func (s *Screen) world() *model.World {
	if s.onKept {
		return &s.Model.Pair.World
	}
	return &s.Model.World
}

// flight is the flight that is drawn.
func (s *Screen) flight() *model.Flight { return s.world().Flight(s.Model.Show) }

// flightInk is the colour of a private flight: the kept settings have their own.
func (s *Screen) flightInk() colour { return either(s.onKept, s.keptInk(), s.privateInk()) }

// shownInk is the colour of the flight on show.
func (s *Screen) shownInk() colour {
	return either(s.Model.ShowsBaseline(), s.theme().Ink, s.flightInk())
}

// policy is what the policy of the flight that is drawn commands in every state.
func (s *Screen) policy() []int32 {
	switch {
	case !s.onKept:
		return s.Model.Policy()
	case s.Model.ShowsBaseline():
		return s.world().Experiment.Mission.Optimal.Policy
	}
	return s.flight().Policy
}

// onBoth does something for the map of the settings in force and, where there is one, for that of the kept ones. Both
// show the same part of the world.
func (s *Screen) onBoth(do func()) {
	do()
	if !s.beside() {
		return
	}
	own, cards := s.layout.Map, s.cards
	s.layout.Map, s.camera.View, s.cards, s.onKept = s.layout.Kept, s.layout.Kept, s.keptCards, true
	do()
	s.keptCards = s.cards
	s.layout.Map, s.camera.View, s.cards, s.onKept = own, own, cards, false
}

// mapTitle names the settings of a map, where there are two.
func (s *Screen) mapTitle(l *draw.List) {
	t, r := s.theme(), s.layout.Map
	l.TextIn(t.Strong, draw.Rect{X: r.X + 4, Y: r.Y - mapTitleHeight, W: r.W - 8, H: mapTitleHeight}, draw.Left,
		s.flightInk(), s.mapTitleText())
}

func (s *Screen) mapTitleText() string {
	if s.onKept {
		return s.keptText()
	}
	if differs := model.Differs(s.Model.Config, s.Model.Pair.Config); differs != "" {
		return "now: " + differs
	}
	return "now: the same settings"
}
