package campaign

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
)

// A map draws where a flight was, also on a mission of a few km and up to its last position.
func TestMapsDrawWhatWasFlown(t *testing.T) {
	for _, spacing := range []float64{0.25, 20, 110} {
		g := &planner.Grid{Columns: 20, Rows: 17, SpacingKm: spacing}
		var flown []r3.Vec // around a corner, a tenth of a cell at a time
		for k := range 101 {
			x := spacing * float64(k) / 10
			flown = append(flown, r3.Vec{X: min(x, 5*spacing), Y: max(0, x-5*spacing)})
		}
		drawn := drawnPath(g, flown)
		corner, end := math.Inf(1), drawn[len(drawn)-1]
		for _, p := range drawn {
			corner = min(corner, r3.Norm(r3.Sub(p, r3.Vec{X: 5 * spacing})))
		}
		if corner > 0.02*spacing || end != flown[100] || len(drawn) > 10 {
			t.Errorf("cells of %v km: the path ends at %v, %v km from the corner, with %d points", spacing, end, corner,
				len(drawn))
		}
	}
}
