package screen

import (
	"testing"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Cells can be told apart before one of them is clicked to keep out of it.
func TestCellsAreDrawnToBeKeptOutOf(t *testing.T) {
	d := newDesk(t, 1280, 800)
	ground := d.layers[groundLayer]
	before := ground.List.Vertices()
	d.do("keepout")
	if now := ground.List.Vertices(); now <= before {
		t.Errorf("%d vertices, before %d", now, before)
	}
	d.press(ui.Escape)
	if now := ground.List.Vertices(); now != before {
		t.Errorf("%d vertices afterwards, before %d", now, before)
	}
}

// The guess says how far off it is where the pointer rests on it.
func TestGuessTellsHowFarOffItIs(t *testing.T) {
	d := newDesk(t, 1280, 800)
	f := d.Model.Flight()
	sample := f.At(60)
	d.Model.StopAt(f, sample)
	d.step(ui.Input{Outside: true})
	want := "The observer's guess after 60.0 s, off by " + chart.DistanceText(f.Errors.ErrorKm[sample])
	if hint := d.hint(d.plan.Map.Camera.Place(f.Predicted[sample])); hint != want {
		t.Errorf("the guess says %q, want %q", hint, want)
	}
}
