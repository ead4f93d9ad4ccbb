package study

import (
	"testing"

	"veilpath/adversary"
)

// A map has at every epsilon the mean over the runs that were flown there, each at the piece that holds the epsilon: a
// piece begins with its own epsilon.
func TestMeanMap(t *testing.T) {
	m := newMeanMap(Range{1, 4}, []float64{0.5, 0.7})
	piece := func(run int, epsilon, km float64) Sighting {
		return Sighting{Run: Run{Run: run, Epsilon: epsilon},
			ByRadius: []adversary.Detection{{DistanceKm: km}, {DistanceKm: 2 * km}}}
	}
	m.add([]Sighting{piece(0, 1, 10), piece(0, m.Epsilons[100], 20), piece(1, 1, 30)}, Range{1, 4})
	m.add([]Sighting{piece(2, m.Epsilons[50], 50)}, Range{m.Epsilons[50], m.Epsilons[150]})
	cells := m.Cells()
	for at, want := range map[int]struct {
		runs int
		km   float64
	}{0: {2, 20}, 49: {2, 20}, 50: {3, 30}, 99: {3, 30}, 100: {3, 100. / 3}, 150: {3, 100. / 3}, 151: {2, 25},
		mapColumns - 1: {2, 25}} {
		for k, c := range cells[at] {
			if c.Runs != want.runs || c.Mean.Value != want.km*float64(k+1) || c.RadiusKm != m.RadiiKm[k] ||
				c.Epsilon != m.Epsilons[at] {
				t.Errorf("column %d, radius %g: the mean of %d runs is %g, want %g of %d", at, c.RadiusKm, c.Runs, c.Mean.Value,
					want.km*float64(k+1), want.runs)
			}
		}
	}
}
