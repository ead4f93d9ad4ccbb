package picture

import (
	"fmt"
	"slices"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// Pictures are drawn as in a wide window, whatever the window.
type Pictures struct {
	*panel.Frame
	Plan    *panel.Plan
	Panels  []Panel // that can be saved
	Version string  // of the program; empty for none
}

// New returns the pictures of panels that share a frame, the map among them.
func New(plan *panel.Plan, headline *panel.Headline, panels ...Panel) *Pictures {
	all := append([]Panel{{Name: "map", Title: "Map", Of: &wholeMap{plan, headline}}}, panels...)
	return &Pictures{Frame: plan.Frame, Plan: plan, Panels: all}
}

// wholeMap is the map below the headline at this moment, without buttons, messages and the pointer.
type wholeMap struct {
	*panel.Plan
	headline *panel.Headline
}

// Area is the headline and the map.
func (m *wholeMap) Area() draw.Rect {
	l := &m.Layout
	return draw.Rect{X: l.Map.X, Y: l.Headline.Y, W: l.Map.W, H: l.Map.Bottom() - l.Headline.Y}
}

// DrawStill draws them.
func (m *wholeMap) DrawStill(l *draw.List) {
	m.headline.Draw(l)
	l.Clip(m.Layout.Map)
	m.DrawGround(l)
	m.Shown().DrawFan(l, m.Tracks(nil))
	m.Shown().DrawRoutes(l)
	m.Plan.DrawMoving(l)
	l.Unclip()
}

// DrawMoving draws nothing more.
func (m *wholeMap) DrawMoving(*draw.List) {}

// Panel is a panel that can be saved by itself.
type Panel struct {
	Name, Title string
	Of          panel.Pane
	Place       func(*layout.Layout) // gives one its area that is not part of everything
}

// Size of the window that panels are saved as of, points.
const savedWidth, savedHeight = 1280, 800

// SavedLayout is that of the window that panels are saved as of.
func (ps *Pictures) SavedLayout(panels []Panel) layout.Layout {
	layout := layout.New(savedWidth, savedHeight, layout.Shape{Saved: true})
	for _, p := range panels {
		if p.Place != nil {
			p.Place(&layout)
		}
	}
	return layout
}

// With has the layout and the camera of a saved picture of panels while do draws it.
func (ps *Pictures) With(panels []Panel, scale float64, do func()) {
	layout, plan, before := ps.Layout, ps.Plan.Map, ps.Scale
	ps.UI.Theme.SetCompact(false)
	ps.Layout = ps.SavedLayout(panels)
	ps.Plan.Reframe(ps.Layout.Map)
	ps.Scale = scale
	ps.Plan.Shown().PlaceCards()
	defer func() {
		ps.Layout, ps.Plan.Map, ps.Scale = layout, plan, before
		ps.UI.Theme.SetCompact(layout.Compact)
	}()
	do()
}

// Named returns the panels of a name; "all" is every one.
func (ps *Pictures) Named(name string) []Panel {
	for _, p := range ps.Panels {
		if p.Name == name {
			return []Panel{p}
		}
	}
	return slices.DeleteFunc(slices.Clone(ps.Panels), func(p Panel) bool { return p.Place != nil })
}

// About is what is to be known of a saved picture.
func (ps *Pictures) About() string {
	m := ps.Model
	text := fmt.Sprintf("veilpath; configuration SHA-256 %s; run %d; %s s; epsilon %s, delta %s", m.Exported().SHA256(),
		m.RunNumber, chart.Fixed(m.Clock.TimeS, 1), chart.Number(m.Config.Privacy.Epsilon),
		chart.Number(m.Experiment.Delta()))
	if ps.WhatIf() {
		text += "; changed by hand, not a private flight"
	}
	return text
}

// Draw draws panels into a list and returns their area.
func (ps *Pictures) Draw(l *draw.List, panels []Panel, scale float64) draw.Rect {
	area := panels[0].Of.Area()
	for _, p := range panels {
		area = area.Around(p.Of.Area())
	}
	l.Reset(area, scale) // which measures of texts need
	area = ps.withSign(l, area)
	l.Reset(area, scale)
	l.Rect(area, ps.Theme().Background)
	ps.sign(l, area)
	for _, p := range panels {
		l.Clip(p.Of.Area())
		p.Of.DrawStill(l)
		p.Of.DrawMoving(l)
		l.Unclip()
	}
	return area
}
