package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/plot/vg"

	"veilpath/planner"
)

// MissionMap is a panel that shows a mission and its flights from above, with the same scale on both axes.
type MissionMap struct {
	Title      string
	Grid       *planner.Grid
	Targets    []r3.Vec // km
	HandoverKm float64
	Flights    [][]r3.Vec // paths, km
	Optimal    []r3.Vec   // path without noise; empty for none

	view *view // what the map shows; nil for the cells and targets
}

// view is the area that maps show.
type view struct{ xs, ys span }

// mostAround is the area around the cells that maps show at most, for flights that leave the cells, as a fraction of
// the longer side.
const mostAround = 0.3

// MapFigure shows maps of one mission side by side, all of the same area: the cells and the flights around them. The
// title of a map says how many flights leave what it shows.
func MapFigure(title, subtitle string, maps []*MissionMap) *Figure {
	const side = 4.4 // inches of a map
	shown := maps[0].around()
	most := shown
	around := mostAround * max(shown.xs.high-shown.xs.low, shown.ys.high-shown.ys.low)
	for _, s := range []*span{&most.xs, &most.ys} {
		s.low, s.high = s.low-around, s.high+around
	}
	for _, m := range maps {
		for _, flight := range m.Flights {
			for _, r := range flight {
				shown.xs.include(min(max(r.X, most.xs.low), most.xs.high))
				shown.ys.include(min(max(r.Y, most.ys.low), most.ys.high))
			}
		}
	}
	f := &Figure{Title: title, Subtitle: subtitle, Columns: len(maps), WidthInches: max(6, side*float64(len(maps))),
		HeightInches: 1.9 + (side-0.9)*(shown.ys.high-shown.ys.low)/(shown.xs.high-shown.xs.low)}
	for _, m := range maps {
		shownHere := *m
		shownHere.view = &shown
		if n := m.leaving(&shown); n > 0 {
			between := ": "
			if strings.Contains(m.Title, between) {
				between = "; "
			}
			shownHere.Title += fmt.Sprintf("%s%d of %d leave the map", between, n, len(m.Flights))
		}
		f.Panels = append(f.Panels, &shownHere)
	}
	return f
}

// leaving returns the number of flights that leave a view.
func (p *MissionMap) leaving(v *view) int {
	n := 0
	for _, flight := range p.Flights {
		if slices.ContainsFunc(flight, func(r r3.Vec) bool {
			return r.X < v.xs.low || r.X > v.xs.high || r.Y < v.ys.low || r.Y > v.ys.high
		}) {
			n++
		}
	}
	return n
}

// around returns the area of the cells, with a cell around, and of the targets.
func (p *MissionMap) around() view {
	xs, ys := emptySpan(Linear), emptySpan(Linear)
	margin := p.Grid.SpacingKm // a cell around
	for _, state := range []int{0, p.Grid.States() - 1} {
		at := p.Grid.Position(state)
		for _, side := range []float64{-margin, margin} {
			xs.include(at.X + side)
			ys.include(at.Y + side)
		}
	}
	for _, target := range p.Targets {
		xs.include(target.X)
		ys.include(target.Y)
	}
	return view{xs, ys}
}

func (p *MissionMap) lay(*sheet) (*frame, error) {
	v := p.view
	if v == nil {
		around := p.around()
		v = &around
	}
	across, up := Axis{Label: "East (km)", Range: [2]float64{v.xs.low, v.xs.high}},
		Axis{Label: "North (km)", Range: [2]float64{v.ys.low, v.ys.high}}
	f, err := newFrame(p.Title, across, up, v.xs, v.ys)
	if err == nil {
		f.bare = true
	}
	return f, err
}

// fit shrinks the data area towards the top left so that both axes have the same scale.
func (p *MissionMap) fit(f *frame) {
	size := f.data.Size()
	perX, perY := size.X/vg.Length(f.xs.high-f.xs.low), size.Y/vg.Length(f.ys.high-f.ys.low)
	if perX > perY {
		f.data.Max.X = f.data.Min.X + perY*vg.Length(f.xs.high-f.xs.low)
	} else {
		f.data.Min.Y = f.data.Max.Y - perX*vg.Length(f.ys.high-f.ys.low)
	}
}

func (p *MissionMap) draw(s *sheet, f *frame) {
	p.drawCells(s, f)
	for _, target := range p.Targets {
		var circle []vg.Point
		for i := range 97 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 96)
			circle = append(circle, f.point(target.X+p.HandoverKm*cos, target.Y+p.HandoverKm*sin))
		}
		p.path(s, f, stroke{color: s.palette.Muted, width: thinLine, dashes: dashed}, circle)
	}
	opacity := min(0.6, max(0.06, 6/math.Sqrt(float64(len(p.Flights)+1))/4))
	for _, flight := range p.Flights {
		p.path(s, f, stroke{color: faded(s.palette.Series[0], opacity), width: thinLine}, p.points(f, flight))
	}
	if len(p.Optimal) > 0 {
		p.path(s, f, stroke{color: s.palette.Series[1], width: curveWidth}, p.points(f, p.Optimal))
	}
	start := p.Grid.Position(p.Grid.Start)
	s.canvas.Disc(s.palette.Ink, f.point(start.X, start.Y), 3.2)
	for _, target := range p.Targets {
		at := f.point(target.X, target.Y)
		s.canvas.Disc(s.palette.Background, at, 4.4)
		s.canvas.Disc(s.palette.Ink, at, 3.6)
		s.canvas.Disc(s.palette.Background, at, 1.6)
	}
}

// drawCells draws the rewards of cells and the keep-out areas.
func (p *MissionMap) drawCells(s *sheet, f *frame) {
	most := 0.0
	for state := range p.Grid.States() {
		most = max(most, math.Abs(p.Grid.Beside(state)))
	}
	for state := range p.Grid.States() {
		at, half := p.Grid.Position(state), p.Grid.SpacingKm/2
		cell := vg.Rectangle{Min: f.point(at.X-half, at.Y-half), Max: f.point(at.X+half, at.Y+half)}
		earned := p.Grid.Beside(state)
		switch {
		case p.Grid.KeptOut(state):
			s.box(faded(s.palette.Muted, 0.55), cell)
		case earned < 0:
			s.box(faded(s.palette.Series[3], -0.5*earned/most), cell)
		case earned > 0:
			s.box(faded(s.palette.Series[2], 0.5*earned/most), cell)
		}
	}
}

func (p *MissionMap) points(f *frame, path []r3.Vec) []vg.Point {
	points := make([]vg.Point, len(path))
	for i, r := range path {
		points[i] = f.point(r.X, r.Y)
	}
	return points
}

func (p *MissionMap) path(s *sheet, f *frame, st stroke, points []vg.Point) {
	for _, part := range clip(f.data, points) {
		s.line(st, part...)
	}
}
