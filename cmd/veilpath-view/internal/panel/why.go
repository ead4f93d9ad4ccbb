package panel

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
)

// Why is the panel of a compact layout of why the flight was recognised, and what changes with time.
type Why struct {
	*Frame
	Plan *Plan
	Time *Time
}

// Area is the panel.
func (wy *Why) Area() draw.Rect { return wy.Layout.Readings }

// Operate does nothing: the sentence and the numbers are read.
func (wy *Why) Operate() {}

// DrawStill draws why the flight was recognised, and what changes with time.
func (wy *Why) DrawStill(l *draw.List) {
	wy.Panel(l, wy.Layout.Pane, "")
	wy.Legible(l, func() { wy.drawWhy(l, wy.Layout.Why) })
	wy.Time.stillStrips(l)
}

// DrawMoving tells the numbers of the moment.
func (wy *Why) DrawMoving(l *draw.List) {
	f := wy.Model.Flight()
	wy.Plan.Shown().DrawReadings(l, wy.Layout.Readings, 2, f, f.At(wy.Model.Clock.TimeS))
}

// drawWhy draws the sentence of why in an area.
func (f *Frame) drawWhy(l *draw.List, r draw.Rect) {
	t := f.Theme()
	l.Paragraph(t.Small, draw.Rect{X: r.X, Y: r.Y, W: r.W, H: layout.WhyRow}, max(1, int(r.H/layout.WhyRow)), t.Ink,
		f.Why().Sentence)
}
