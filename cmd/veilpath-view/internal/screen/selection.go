package screen

import (
	"fmt"
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/sim/study"
)

// selection is the flights of the ensemble that every panel shows, chosen by one of its brushes.
type selection struct {
	kind    selected
	version uint64 // changes with what was brushed
	// From and to along the axes of its brush: the distance of recognition, km; or km to the east and to the north.
	spans [2][2]float64

	key     selectionKey
	runs    []bool // by run
	n       int
	summary study.Summary // of these runs
}

// selected says what a selection goes by.
type selected int

const (
	allFlights selected = iota
	byDistance
	byArea
	byCrossing // flights that crossed between the humps of two compared settings
)

// selectionKey is what the selected flights depend on.
type selectionKey struct{ version, flown, kept uint64 }

// choose makes another selection.
func (s *Screen) choose(c selection) {
	c.version = s.selection.version + 1
	s.selection = c
}

// selectedRuns returns which runs are selected, and how many; nil for all of them.
func (s *Screen) selectedRuns() ([]bool, int) {
	c := &s.selection
	members := s.Model.Ensemble.Members
	if c.kind == allFlights || c.kind == byCrossing && s.Model.Pair == nil {
		return nil, len(members)
	}
	key := selectionKey{version: c.version, flown: s.Model.Ensemble.Version}
	if s.Model.Pair != nil {
		key.kept = s.Model.Pair.Ensemble.Version
	}
	if c.key == key {
		return c.runs, c.n
	}
	c.key, c.runs, c.n = key, make([]bool, len(members)), 0
	var crossed []int
	if c.kind == byCrossing {
		d := s.Model.Pair.Difference(&s.Model.World, func(int) bool { return true })
		crossed = append(d.Nearer, d.Farther...)
	}
	for run, m := range members {
		switch {
		case m == nil:
		case c.kind == byDistance:
			c.runs[run] = m.Run.DetectionKm >= c.spans[0][0] && m.Run.DetectionKm <= c.spans[0][1]
		case c.kind == byArea:
			c.runs[run] = c.passes(m.Path)
		default:
			c.runs[run] = slices.Contains(crossed, run)
		}
		if c.runs[run] {
			c.n++
		}
	}
	e := &s.Model.Ensemble
	c.summary = e.Summarize(e.Runs(func(run int) bool { return c.runs[run] }))
	return c.runs, c.n
}

// passes reports whether a path goes through the area.
func (c *selection) passes(path model.Path) bool {
	x, y := c.spans[0], c.spans[1]
	area := draw.Rect{X: x[0], Y: y[0], W: x[1] - x[0], H: y[1] - y[0]}
	for a, b := range path.Pieces {
		if area.Contains(a) || area.Contains(b) || area.Meets(a, b) {
			return true
		}
	}
	return false
}

// isSelected reports whether a run is shown.
func (s *Screen) isSelected(run int) bool {
	runs, _ := s.selectedRuns()
	return runs == nil || (run < len(runs) && runs[run])
}

// selectionText says which flights are selected and what they come to; empty for all.
func (s *Screen) selectionText() string {
	runs, n := s.selectedRuns()
	if runs == nil {
		return ""
	}
	km := s.selection.spans[0]
	what := map[selected]string{byDistance: fmt.Sprintf("at %s to %s km", fixed(km[0], 1), fixed(km[1], 1)),
		byArea: "through the area", byCrossing: "that crossed between the humps"}[s.selection.kind]
	if n == 0 {
		return "no flight " + what
	}
	sum := s.summary()
	never := ""
	if sum.NeverDetected > 0 {
		never = fmt.Sprintf(", %.0f never", sum.NeverDetected*float64(sum.Runs))
	}
	return fmt.Sprintf("%d of %d flights %s%s, mean %s km", n, len(runs), what, never, fixed(sum.MeanKm, 1))
}

// summary condenses the selected flights of the ensemble, all of it where none are selected.
func (s *Screen) summary() study.Summary {
	if runs, _ := s.selectedRuns(); runs != nil {
		return s.selection.summary
	}
	return s.Model.Ensemble.Summary()
}

// brushDistribution selects the flights whose distances are dragged over, and reports whether a brush is held.
func (s *Screen) brushDistribution(p *chart.Plot) bool {
	in := s.UI.Input
	if !s.UI.Holding("distribution") || s.UI.Strayed() < brushFrom {
		return false
	}
	at := func(x float64) float64 { return clampTo(p.X.Value((x-p.Area.X)/p.Area.W), 0, p.X.High) }
	a, b := at(s.UI.DownAt().X), at(in.Pointer.X)
	s.choose(selection{kind: byDistance, spans: [2][2]float64{ordered(a, b)}})
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
	s.choose(selection{kind: byArea, spans: [2][2]float64{ordered(x0, x1), ordered(y0, y1)}})
}

// ordered returns two numbers, the smaller first.
func ordered(a, b float64) [2]float64 { return [2]float64{math.Min(a, b), math.Max(a, b)} }

// drawSelection draws what was brushed.
func (s *Screen) drawSelection(l *draw.List) {
	ink := ui.Faded(s.theme().Accent, 0.16)
	x, y := s.selection.spans[0], s.selection.spans[1]
	switch s.selection.kind {
	case byArea:
		c := &s.plan.Camera
		a, b := c.Screen(x[0], y[1]), c.Screen(x[1], y[0])
		r := draw.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}.Within(c.View)
		l.Rect(r, ink)
		l.Dashed(r.Outline(), 1.2, 4, 3, s.theme().Accent)
	case byDistance:
		if s.layout.Distribution.Empty() {
			return
		}
		p := s.distributionPlot()
		l.Rect(draw.Rect{X: p.PX(x[0]), Y: p.Area.Y, W: math.Max(1, p.PX(x[1])-p.PX(x[0])), H: p.Area.H}, ink)
	}
}

// memberText says where a flight was recognised.
func memberText(m *model.Member) string {
	return fmt.Sprintf("Run %d: %s. Click to see it.", m.Run.Run, recognised(&m.Run, 2))
}

// nearestTrack returns the flight whose drawn track passes nearest to a place on the map, within reach; nil for none.
func (s *Screen) nearestTrack(at draw.Point) *model.Member {
	if !s.fanShown() {
		return nil
	}
	var nearest *model.Member
	best, c := s.trackReach(), &s.plan.Camera
	for _, f := range s.Model.Ensemble.Members {
		if f == nil || !s.isSelected(f.Run.Run) {
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
		s.UI.Hint(true, draw.Rect{X: at.X - 4, Y: at.Y - 4, W: 8, H: 8}, memberText(f))
	}
}
