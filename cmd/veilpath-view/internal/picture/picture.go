package picture

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// Pictures are drawn as in a wide window, whatever the window.
type Pictures struct {
	*panel.Frame
	Plan    *panel.Plan
	Panels  []panel.Pane
	Version string // of the program; empty for none
}

// New returns the pictures of panels that share a frame, below and beside the map.
func New(plan *panel.Plan, headline *panel.Headline, panels ...panel.Pane) *Pictures {
	return &Pictures{Frame: plan.Frame, Plan: plan, Panels: append([]panel.Pane{&wholeMap{plan, headline}}, panels...)}
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

// Size of the window that is saved, points.
const savedWidth, savedHeight = 1280, 800

// With has the layout and the camera of a saved picture while do draws it.
func (ps *Pictures) With(scale float64, do func()) {
	window, plan, before := ps.Layout, ps.Plan.Map, ps.Scale
	ps.UI.Theme.SetCompact(false)
	ps.Layout = layout.New(savedWidth, savedHeight, layout.Shape{Saved: true})
	ps.Plan.Reframe(ps.Layout.Map)
	ps.Scale = scale
	ps.Plan.Shown().PlaceCards()
	defer func() {
		ps.Layout, ps.Plan.Map, ps.Scale = window, plan, before
		ps.UI.Theme.SetCompact(window.Compact)
	}()
	do()
}

// About is what is to be known of a saved picture.
func (ps *Pictures) About() string {
	m := ps.Model
	return fmt.Sprintf("veilpath; configuration SHA-256 %s; run %d; %s s; epsilon %s, delta %s", m.Exported().SHA256(),
		m.RunNumber, chart.Fixed(m.Clock.TimeS, 1), chart.Number(m.Config.Privacy.Epsilon),
		chart.Number(m.Experiment.Delta()))
}

// Draw draws the panels into a list and returns their area.
func (ps *Pictures) Draw(l *draw.List, scale float64) draw.Rect {
	area := ps.Panels[0].Area()
	for _, p := range ps.Panels {
		area = area.Around(p.Area())
	}
	l.Reset(area, scale) // which measures of texts need
	area = ps.withSign(l, area)
	l.Reset(area, scale)
	l.Rect(area, ps.Theme().Background)
	ps.sign(l, area)
	for _, p := range ps.Panels {
		l.Clip(p.Area())
		p.DrawStill(l)
		p.DrawMoving(l)
		l.Unclip()
	}
	return area
}
