package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// brushDistribution selects the flights whose distances are dragged over, and reports whether a brush is held.
func (s *Screen) brushDistribution(p *chart.Plot) bool {
	in := s.UI.Input
	if !s.UI.Holding("distribution") || s.UI.Strayed() < brushFrom {
		return false
	}
	at := func(x float64) float64 { return clampTo(p.X.Value((x-p.Area.X)/p.Area.W), 0, p.X.High) }
	a, b := at(s.UI.DownAt().X), at(in.Pointer.X)
	s.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{ordered(a, b)}})
	return true
}

// brushFrom is how far the pointer goes before a press becomes a brush, points.
const brushFrom = 5

// brushMap selects the flights through the rectangle that is dragged over on the map.
func (s *Screen) brushMap() {
	if s.UI.Strayed() < brushFrom {
		return
	}
	x0, y0 := s.plan.Camera.World(s.UI.DownAt())
	x1, y1 := s.plan.Camera.World(s.UI.Input.Pointer)
	s.Choose(answer.Selection{Kind: answer.ByArea, Spans: [2][2]float64{ordered(x0, x1), ordered(y0, y1)}})
}

// ordered returns two numbers, the smaller first.
func ordered(a, b float64) [2]float64 { return [2]float64{math.Min(a, b), math.Max(a, b)} }

// drawSelection draws what was brushed.
func (s *Screen) drawSelection(l *draw.List) {
	ink := ui.Faded(s.Theme().Accent, 0.16)
	x, y := s.Selection.Spans[0], s.Selection.Spans[1]
	switch s.Selection.Kind {
	case answer.ByArea:
		c := &s.plan.Camera
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

// nearestTrack returns the flight whose drawn track passes nearest to a place on the map, within reach; nil for none.
func (s *Screen) nearestTrack(at draw.Point) *model.Member {
	if !s.fanShown() {
		return nil
	}
	var nearest *model.Member
	best, c := s.trackReach(), &s.plan.Camera
	for _, f := range s.Model.Ensemble.Members {
		if f == nil || !s.IsSelected(f.Run.Run) {
			continue
		}
		for from, to := range f.Path.Pieces {
			a, b := c.Screen(from.X, from.Y), c.Screen(to.X, to.Y)
			if away := at.Away(a, b); away < best {
				best, nearest = away, f
			}
		}
	}
	return nearest
}

// trackReach is how near to a track the pointer means it, points.
func (s *Screen) trackReach() float64 { return either(s.UI.Input.Touch, 14., 5) }

// hintTrack names the flight whose track is under the pointer.
func (s *Screen) hintTrack() {
	at := s.UI.Input.Pointer
	if f := s.nearestTrack(at); f != nil {
		s.UI.SetCursor(ui.Hand)
		s.UI.Hint(true, draw.Rect{X: at.X - 4, Y: at.Y - 4, W: 8, H: 8}, answer.MemberText(f))
	}
}
