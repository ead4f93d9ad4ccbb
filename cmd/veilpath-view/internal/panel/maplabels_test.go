package panel

import (
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// A name goes beyond another where the places beside its mark would cover the flight.
func TestNamesStayOffTheFlight(t *testing.T) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	theme, list := ui.NewTheme(true), draw.NewList(atlas)
	bounds := draw.Rect{W: 1000, H: 700}
	mid := bounds.Center()
	flight := []draw.Point{{X: mid.X - 300, Y: mid.Y}, {X: mid.X + 300, Y: mid.Y}}
	names := &labels{theme: &theme, list: list, bounds: bounds,
		lines: [][]draw.Point{flight, {{X: mid.X - 300, Y: mid.Y + 15}, {X: mid.X + 300, Y: mid.Y + 15}}}}
	list.Reset(bounds, 1)
	for _, x := range []float64{mid.X + 20, mid.X - 10, mid.X - 40} {
		names.put(draw.Point{X: x, Y: mid.Y + 0.3*(x-mid.X)/30}, 10, theme.Ink, "a name that is long")
	}
	if len(names.taken) != 3 {
		t.Fatalf("%d names are placed, want 3", len(names.taken))
	}
	for _, r := range names.taken {
		if names.onLine(r) {
			t.Errorf("the name at %v lies on the flight", r)
		}
	}
}

// A name is nearer to its own sign than to another, even if it covers a line there, and at an edge it stands beside its
// mark.
func TestNamesStandByTheirSigns(t *testing.T) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	theme, list := ui.NewTheme(true), draw.NewList(atlas)
	own, other := draw.Point{X: 182, Y: 100}, draw.Point{X: 216, Y: 99}
	names := &labels{theme: &theme, list: list, bounds: draw.Rect{W: 360, H: 200}, signs: []draw.Point{own, other},
		taken: []draw.Rect{{X: 120, Y: 60, W: 115, H: 35}}, lines: [][]draw.Point{{{X: 30, Y: 132}, own}}}
	list.Reset(names.bounds, 1)
	names.put(own, 10, theme.Ink, "straight: 101.6 km")
	if len(names.names) != 1 || names.names[0].area.Away(own) > names.names[0].area.Away(other) {
		t.Errorf("beside the sign at %v, nearer than %v, stands %v", own, other, names.names)
	}
	edge := draw.Point{X: 350, Y: 50}
	names.put(edge, 10, theme.Ink, "target")
	if len(names.names) != 2 || names.names[1].area.Bottom() != 40 || names.names[1].area.Right() != 360 {
		t.Errorf("at the edge stands %v", names.names)
	}
}

// A name that the guess lies on stands above or below it, but over no other name.
func TestNamesMakeWay(t *testing.T) {
	area := func(y float64) draw.Rect { return draw.Rect{X: 100, Y: y, W: 90, H: 16} }
	own, guess := name{area: area(50), text: "recognised"}, draw.Point{X: 140, Y: 56}
	above, below := name{area: area(30), text: "hand-over"}, name{area: area(66), text: "straight"}
	for _, test := range []struct {
		others []name
		at     draw.Point
		want   float64 // its top; 0 for nowhere
	}{{nil, draw.Point{X: 40, Y: 56}, 50}, {nil, guess, 63}, {[]name{below}, guess, 33}, {[]name{above}, guess, 63},
		{[]name{above, below}, guess, 0}} {
		c := cards{names: append(test.others, own)}
		if got := c.beside(own, test.at); got.Y != test.want {
			t.Errorf("beside %v and other names %v it stands at %v, want %v", test.at, test.others, got, test.want)
		}
	}
	c := cards{names: []name{own}, signs: []draw.Rect{{X: 150, Y: 64, W: 8, H: 8}}}
	if got := c.beside(own, guess); got.Y != 33 {
		t.Errorf("beside a sign below the guess it stands at %v, want above", got)
	}
}
