package campaign

import (
	"slices"
	"testing"

	"veilpath/sim/record"
)

// Numbers stand along an axis where they are, words one above the other, the first of them on top.
func TestSweptAxis(t *testing.T) {
	places, names := sweptAxis(&record.Swept{Key: "adversary.observer", Values: []any{"ballistic", "heading"}})
	if !slices.Equal(places, []float64{2, 1}) || !slices.Equal(names, []string{"heading", "ballistic"}) {
		t.Errorf("words are at %v, called %q from below", places, names)
	}
	places, names = sweptAxis(&record.Swept{Key: "vehicle.speed_km_s", Values: []any{1.5, int64(2)}, Unit: "km/s"})
	if !slices.Equal(places, []float64{1.5, 2}) || names != nil {
		t.Errorf("numbers are at %v, called %q", places, names)
	}
}
