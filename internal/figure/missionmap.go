package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/internal/plot"
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

	xs, ys span // what the map shows
}

// mostAround is the area around the cells that maps show at most, for flights that leave the cells, as a fraction of
// the longer side.
const mostAround = 0.3

// MapFigure shows maps of one mission side by side, all of the same area: the cells and the flights around them. The
// title of a map says how many flights leave what it shows.
func MapFigure(title, subtitle string, maps []*MissionMap) *Figure {
	const side = 4.4 // inches of a map
	xs, ys := maps[0].around()
	more := mostAround * max(xs.high-xs.low, ys.high-ys.low)
	mostX, mostY := span{xs.low - more, xs.high + more}, span{ys.low - more, ys.high + more}
	for _, m := range maps {
		for _, flight := range m.Flights {
			for _, r := range flight {
				xs.include(min(max(r.X, mostX.low), mostX.high))
				ys.include(min(max(r.Y, mostY.low), mostY.high))
			}
		}
	}
	f := &Figure{Title: title, Subtitle: subtitle, Columns: len(maps), WidthInches: max(6, side*float64(len(maps))),
		HeightInches: 1.9 + (side-0.9)*(ys.high-ys.low)/(xs.high-xs.low), SharedY: true, square: true}
	for _, m := range maps {
		shown := *m
		shown.xs, shown.ys = xs, ys
		leaving := 0
		for _, flight := range m.Flights {
			if slices.ContainsFunc(flight, func(r r3.Vec) bool { return !xs.contains(r.X) || !ys.contains(r.Y) }) {
				leaving++
			}
		}
		if leaving > 0 {
			shown.Title += fmt.Sprintf("; %d of %d leave the map", leaving, len(m.Flights))
		}
		f.Panels = append(f.Panels, &shown)
	}
	return f
}

// around returns the area of the cells, with a cell around, and of the circles around the targets.
func (p *MissionMap) around() (xs, ys span) {
	xs, ys = spanOf(), spanOf()
	for _, state := range []int{0, p.Grid.States() - 1} {
		at := p.Grid.Position(state)
		for _, margin := range []float64{-p.Grid.SpacingKm, p.Grid.SpacingKm} {
			xs.include(at.X + margin)
			ys.include(at.Y + margin)
		}
	}
	for _, target := range p.Targets {
		xs.include(target.X-p.HandoverKm, target.X+p.HandoverKm)
		ys.include(target.Y-p.HandoverKm, target.Y+p.HandoverKm)
	}
	return xs, ys
}

func (p *MissionMap) chart() (*plot.Chart, error) {
	c, err := newChart(p.Title, Axis{Label: "East (km)", Range: [2]float64{p.xs.low, p.xs.high}},
		Axis{Label: "North (km)", Range: [2]float64{p.ys.low, p.ys.high}}, p.xs, p.ys)
	if err != nil {
		return nil, err
	}
	p.addCells(c)
	for _, target := range p.Targets {
		const corners = 96
		c.Series = append(c.Series, plot.Series{N: corners + 1, Width: 1, Dash: 5, Gap: 3, Ink: light.Muted,
			At: func(i int) (x, y float64) {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
				return target.X + p.HandoverKm*cos, target.Y + p.HandoverKm*sin
			}})
	}
	opacity := min(0.6, max(0.06, 6/math.Sqrt(float64(len(p.Flights)+1))/4))
	for i, path := range append(p.Flights[:len(p.Flights):len(p.Flights)], p.Optimal) {
		line := plot.Series{N: len(path), Width: 1, Ink: plot.Faded(light.Series[0], opacity),
			At: func(k int) (x, y float64) { return path[k].X, path[k].Y }}
		if i == len(p.Flights) {
			line.Width, line.Ink = curveWidth, light.Series[1]
		}
		c.Series = append(c.Series, line)
	}
	start := p.Grid.Position(p.Grid.Start)
	c.Dots = append(c.Dots, plot.Dot{X: start.X, Y: start.Y, Radius: 3.2, Ink: light.Ink})
	for _, target := range p.Targets {
		for _, d := range []plot.Dot{{Radius: 4.4, Ink: light.Background}, {Radius: 3.6, Ink: light.Ink},
			{Radius: 1.6, Ink: light.Background}} {
			d.X, d.Y = target.X, target.Y
			c.Dots = append(c.Dots, d)
		}
	}
	return c, nil
}

// addCells adds the rewards of cells and the keep-out areas.
func (p *MissionMap) addCells(c *plot.Chart) {
	most := 0.0
	for state := range p.Grid.States() {
		most = max(most, math.Abs(p.Grid.Beside(state)))
	}
	for state := range p.Grid.States() {
		at, half := p.Grid.Position(state), p.Grid.SpacingKm/2
		cell := plot.Cell{X0: at.X - half, X1: at.X + half, Y0: at.Y - half, Y1: at.Y + half}
		earned := p.Grid.Beside(state)
		switch {
		case p.Grid.KeptOut(state):
			cell.Ink = plot.Faded(light.Muted, 0.55)
		case earned < 0:
			cell.Ink = plot.Faded(light.Series[3], -0.5*earned/most)
		case earned > 0:
			cell.Ink = plot.Faded(light.Series[2], 0.5*earned/most)
		default:
			continue
		}
		c.Cells = append(c.Cells, cell)
	}
}

// Simplify returns some of the places of a path seen from above, with both ends, such that no other place is farther
// than tolerance from the line through them.
func Simplify(path []r3.Vec, tolerance float64) (simple []r3.Vec) {
	line := plot.Thinned{Off: tolerance}
	line.Begin()
	for _, r := range path {
		line.Add(plot.Point{X: r.X, Y: r.Y})
	}
	for _, p := range line.End() {
		simple = append(simple, r3.Vec{X: p.X, Y: p.Y})
	}
	return simple
}
