package screen

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// panes are the panels beside the map, those that come later over the others.
func (s *Screen) panes() []panel.Pane {
	return []panel.Pane{&s.guesses, &s.beliefs, &s.axis, &s.results, &s.distribution, &s.survey, &s.signs, &s.why}
}

// stillSide draws the panels that the layout has room for.
func (s *Screen) stillSide(l *draw.List) {
	l.Rect(s.Layout.Side, s.Theme().Background)
	s.eachPane(func(p panel.Pane) { p.DrawStill(l) })
	if controls := s.Layout.Controls; !controls.Empty() {
		s.Panel(l, controls, either(s.Layout.Compact, "", "Settings"))
	}
}

// eachPane does something with every panel that the layout has room for.
func (s *Screen) eachPane(do func(panel.Pane)) {
	for _, p := range s.panes() {
		if !p.Area().Empty() {
			do(p)
		}
	}
}
