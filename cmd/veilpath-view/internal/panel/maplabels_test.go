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
