package figure

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/internal/plot"
	"veilpath/planner"
)

// All maps of a figure show the same area, with the flights beside the cells, and say which flights leave it.
func TestMapsShowOneArea(t *testing.T) {
	grid := &planner.Grid{Columns: 10, Rows: 10, SpacingKm: 1}
	path := func(x float64) [][]r3.Vec {
		return [][]r3.Vec{{{X: 0, Y: 0}, {X: x, Y: 2}, {X: 1, Y: 1}}, {{X: 1}, {X: 2}}}
	}
	for _, c := range []struct {
		title    string
		flights  [][]r3.Vec
		want     string
		low, top float64 // horizontal ends
	}{
		{"near", path(9), "near", -1, 10},
		{"beside: 1 of 2 circle", path(12), "beside: 1 of 2 circle", -1, 12},
		{"far", path(-40), "far; 1 of 2 leave the map", -1 - 11*mostAround, 10},
		{"far: 1 of 2 circle", path(40), "far: 1 of 2 circle; 1 of 2 leave the map", -1, 10 + 11*mostAround},
	} {
		f := MapFigure("title", "subtitle", []*MissionMap{{Title: c.title, Grid: grid, Flights: c.flights},
			{Title: "without", Grid: grid}})
		if got := f.Panels[0].(*MissionMap).Title; got != c.want {
			t.Errorf("%q is titled %q, want %q", c.title, got, c.want)
		}
		for _, p := range f.Panels {
			chart, err := p.chart()
			if err != nil {
				t.Fatal(err)
			}
			if x := chart.X; x.Low != c.low || x.High != c.top {
				t.Errorf("%q: the map extends from %v to %v, want %v to %v", c.title, x.Low, x.High, c.low, c.top)
			}
		}
		checkLayout(t, f)
	}
}

// A simplified path keeps both ends, stays near every point at any scale, and has few points on straight lines.
func TestSimplify(t *testing.T) {
	for _, scale := range []float64{1e-3, 1, 1e3} {
		var path []r3.Vec
		for k := range 400 { // a corner, and then half a circle around (4, 1)
			switch x := 0.01 * float64(k); {
			case k < 100:
				path = append(path, r3.Vec{X: scale * x, Y: scale * 3})
			case k < 200:
				path = append(path, r3.Vec{X: scale, Y: scale * (4 - x)})
			default:
				sin, cos := math.Sincos(math.Pi * (x - 2) / 2)
				path = append(path, r3.Vec{X: scale * (4 - 3*cos), Y: scale * (2 - 3*sin)})
			}
		}
		tolerance := 0.004 * scale
		simple := Simplify(path, tolerance)
		if simple[0] != path[0] || simple[len(simple)-1] != path[len(path)-1] {
			t.Errorf("scale %v: the ends are %v and %v", scale, simple[0], simple[len(simple)-1])
		}
		if len(simple) > 64 {
			t.Errorf("scale %v: %d points of %d", scale, len(simple), len(path))
		}
		for _, p := range path {
			nearest := math.Inf(1)
			for k := range simple[1:] {
				a, b := simple[k], simple[k+1]
				nearest = min(nearest, plot.Point{X: p.X, Y: p.Y}.Away(plot.Point{X: a.X, Y: a.Y}, plot.Point{X: b.X, Y: b.Y}))
			}
			if nearest > tolerance*(1+1e-9) { // rounding
				t.Errorf("scale %v: %v is %v from the drawn path", scale, p, nearest)
			}
		}
	}
	for n := range 3 {
		if got := Simplify(make([]r3.Vec, n), 1); len(got) != n {
			t.Errorf("%d points become %d", n, len(got))
		}
	}
}
