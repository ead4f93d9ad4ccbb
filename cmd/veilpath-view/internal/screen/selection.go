package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// brushDistribution selects the flights whose distances are dragged over, and reports whether a brush is held.
func (s *Screen) brushDistribution(p *chart.Plot) bool {
	in := s.UI.Input
	if !s.UI.Holding("distribution") || s.UI.Strayed() < panel.BrushFrom {
		return false
	}
	at := func(x float64) float64 { return clampTo(p.X.Value((x-p.Area.X)/p.Area.W), 0, p.X.High) }
	a, b := at(s.UI.DownAt().X), at(in.Pointer.X)
	s.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{panel.Ordered(a, b)}})
	return true
}

// drawSelection draws what was brushed.
func (s *Screen) drawSelection(l *draw.List) {
	ink := ui.Faded(s.Theme().Accent, 0.16)
	x, y := s.Selection.Spans[0], s.Selection.Spans[1]
	switch s.Selection.Kind {
	case answer.ByArea:
		c := &s.plan.Map.Camera
		a, b := c.Screen(x[0], y[1]), c.Screen(x[1], y[0])
		r := draw.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}.Within(c.View)
		l.Rect(r, ink)
		l.Dashed(r.Outline(), 1.2, 4, 3, s.Theme().Accent)
	case answer.ByDistance:
		if s.Layout.Distribution.Empty() {
			return
		}
		p := s.distributionPlot()
		l.Rect(draw.Rect{X: p.PX(x[0]), Y: p.Area.Y, W: math.Max(1, p.PX(x[1])-p.PX(x[0])), H: p.Area.H}, ink)
	}
}
