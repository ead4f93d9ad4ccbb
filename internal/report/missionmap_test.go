package report

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

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
		{"far", path(-40), "far: 1 of 2 leave the map", -1 - 11*mostAround, 10},
		{"far: 1 of 2 circle", path(40), "far: 1 of 2 circle; 1 of 2 leave the map", -1, 10 + 11*mostAround},
	} {
		f := MapFigure("title", "subtitle", []*MissionMap{{Title: c.title, Grid: grid, Flights: c.flights},
			{Title: "without", Grid: grid}})
		if got := f.Panels[0].(*MissionMap).Title; got != c.want {
			t.Errorf("%q is titled %q, want %q", c.title, got, c.want)
		}
		for _, p := range f.Panels {
			frame, err := p.lay(nil)
			if err != nil {
				t.Fatal(err)
			}
			if xs := frame.xs; xs.low != c.low || xs.high != c.top {
				t.Errorf("%q: the map extends from %v to %v, want %v to %v", c.title, xs.low, xs.high, c.low, c.top)
			}
		}
		checkLayout(t, f)
	}
}
