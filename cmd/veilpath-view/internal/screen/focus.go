package screen

import (
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Focus shows which control has the focus of the document beside the picture; none for an empty name.
func (s *Screen) Focus(id string) { s.focused = id }

// drawnAs are the widgets of controls that have other names on screen.
var drawnAs = map[string]string{"time": "why", "run": "run."}

// focusArea is where the control with the focus is drawn, empty for nowhere. A choice is all of its buttons.
func (s *Screen) focusArea() draw.Rect {
	name, known := drawnAs[s.focused]
	if !known {
		name = s.focused
	}
	var area draw.Rect
	for id, r := range s.UI.Regions() {
		if id == name || strings.HasSuffix(name, ".") && strings.HasPrefix(id, name) {
			area = either(area.Empty(), r, area.Around(r))
		}
	}
	return area
}

// drawFocus draws a ring around the control with the focus. One that is not drawn is named at the foot of the map.
func (s *Screen) drawFocus(l *draw.List) {
	if s.focused == "" {
		return
	}
	t := s.Theme()
	if r := s.focusArea(); !r.Empty() {
		around := r.Inset(-3).Outline()
		l.Line(around, 5, t.Background)
		l.Line(around, 2.5, t.Ink)
		return
	}
	text := s.focusText()
	if text == "" {
		return
	}
	area := s.Layout.Where
	w := l.Width(t.Strong, text) + 24
	box := draw.Rect{X: area.Center().X - w/2, Y: area.Y + 10, W: w, H: 28}
	l.Frame(box, ui.Corner, 2.5, t.Ink, t.Panel)
	l.TextIn(t.Strong, box, draw.Center, t.Ink, text)
}

// focusText names the control with the focus, with what it is set to.
func (s *Screen) focusText() string {
	c := s.row(s.focused)
	switch {
	case c == nil || !c.offered():
		return ""
	case c.isNumber():
		return c.name() + ": " + c.said()
	}
	return c.name()
}
