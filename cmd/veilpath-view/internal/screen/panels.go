package screen

import (
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// foldButtons fold the panels of a wide layout away.
func (s *Screen) foldButtons() {
	a, t := &s.Layout, s.Theme()
	if a.Compact {
		return
	}
	for p := layout.PanelAxis; p <= layout.PanelResults; p++ {
		area := a.Place(p)
		if area.Empty() {
			continue
		}
		r := draw.Rect{X: area.Right() - layout.FoldWidth - 2, Y: area.Y + 2, W: layout.FoldWidth, H: 18}
		over, clicked := s.UI.Spot("fold."+layout.PanelNames[p], r,
			"Fold this panel away; Find everything (/) brings it back")
		c, ink := r.Center(), either(over, t.Ink, t.Muted)
		s.UI.List.Line([]draw.Point{{X: c.X - 5, Y: c.Y - 2}, {X: c.X, Y: c.Y + 3}, {X: c.X + 5, Y: c.Y - 2}}, 1.6, ink)
		if clicked {
			s.fold(p, true)
		}
	}
}

// fold folds a panel away, or shows it. Where a window has no room for it, others fold away, the last first.
func (s *Screen) fold(p layout.Panel, away bool) {
	s.Folded &^= 1 << p
	if away {
		s.Folded |= 1 << p
	}
	for other := layout.PanelResults; !away && other > layout.PanelFlights; other-- {
		area := s.Layout.Place(p)
		if area == nil || !s.fullLayout().Place(p).Empty() {
			break
		}
		if other != p {
			s.Folded |= 1 << other
		}
	}
	s.shell.Remember(link.Folded, s.Folded.String())
}

// fullLayout is that of the window as it is now.
func (s *Screen) fullLayout() *layout.Layout {
	l := s.newLayout(s.Layout.Window.W, s.Layout.Window.H)
	return &l
}

// Recall shows the panels that were on show when the viewer was last used.
func (s *Screen) Recall() {
	if folded, err := layout.ParsePanels(s.shell.Recall(link.Folded)); err == nil && s.shell.Recall(link.Folded) != "" {
		s.Folded = folded
	}
}

// togglePrivacy shows the settings of privacy, or folds them away.
func (s *Screen) togglePrivacy() {
	if s.Layout.Compact {
		s.Tab = either(s.Tab == layout.TabSettings, layout.TabNone, layout.TabSettings)
		return
	}
	s.fold(layout.PanelSettings, !s.Folded.Has(layout.PanelSettings))
}

// privacyShown reports whether they are on show.
func (s *Screen) privacyShown() bool { return !s.Layout.Controls.Empty() }

func (s *Screen) panelItems() []panel.Item {
	items := []panel.Item{{ID: "panel.all", Text: "The map alone, or as at first",
		Choose: func() {
			s.Folded = either(s.Folded == layout.EverythingFolded, layout.UsuallyFolded, layout.EverythingFolded)
		}}}
	width, height := s.Layout.Window.W, s.Layout.Window.H
	for i, title := range layout.PanelTitles {
		p := layout.Panel(i)
		if s.Layout.Place(p) != nil && !slices.Contains((&layout.Shape{Belief: s.Inferring()}).Beside(width, height), p) {
			continue
		}
		items = append(items, panel.Item{ID: "panel." + layout.PanelNames[i], Text: title, On: !s.Folded.Has(p),
			Choose: func() { s.fold(p, !s.Folded.Has(p)) }})
	}
	return items
}

// panes are the panels beside the map, those that come later over the others.
func (s *Screen) panes() []panel.Pane {
	return []panel.Pane{&s.guesses, &s.beliefs, &s.axis, &s.results, &s.distribution, &s.signs, &s.why}
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
