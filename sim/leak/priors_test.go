package leak_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/leak"
)

// fewGoals is the paper's world with goals on some columns of the row of its own, the own one first, and of some
// weights.
func fewGoals(t testing.TB, weights []float64, columns ...int) *leak.World {
	t.Helper()
	setting, err := setup.Leak(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	var states []int
	for _, column := range columns {
		states = append(states, 11*20+column)
	}
	w, err := leak.NewWorld(context.Background(), setting, states, weights, 1, ignore)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The prior counts once, however many flights are seen. Geometry either rules a goal out or not, so that of flights
// which are all the same those after the first tell it nothing, and what it has left is known in closed form.
func TestThePriorCountsOnceOverSeveralFlights(t *testing.T) {
	weights := []float64{8, 1, 4, 3}
	w := fewGoals(t, weights, 16, 15, 17, 8)
	s := leak.Releases{Study: leak.Study{Ways: leak.Ways([]float64{leak.Unprivate}, leak.Way{World: w}),
		Observers: observers("geometry"),
		OwnGoal:   true, Flights: 2, Seed: 3}, Counts: []int{1, 2, 5}}
	rows, err := s.Fly(context.Background(), ignore)
	if err != nil {
		t.Fatal(err)
	}
	const rounding = 1e-9
	// Before its hand-over a flight comes within the distance of no goal that is farther along than its own.
	possible := []float64{}
	for subset := range 1 << (len(weights) - 1) {
		sum := weights[0]
		for i := range len(weights) - 1 {
			if subset>>i&1 == 1 {
				sum += weights[i+1]
			}
		}
		possible = append(possible, -math.Log2(weights[0]/sum))
	}
	first := rows[0].Fresh.Mean
	if !slices.ContainsFunc(possible, func(bits float64) bool { return math.Abs(bits-first) < rounding && bits > 0.1 }) {
		t.Errorf("%v bits left after a flight, want one of %v", first, possible)
	}
	for _, row := range rows {
		if math.Abs(row.Fresh.Mean-first) > rounding {
			t.Errorf("%v bits left after %d flights that are the same, want %v", row.Fresh.Mean, row.Flights, first)
		}
	}
}

// The mission's own goal lies where its target is, also off the lattice; every other lies at its cell, as high as that.
func TestTargetsOfGoals(t *testing.T) {
	target := [3]float64{3, -4, 1}
	w := world(t, 150, func(c *configs.Config) { c.TargetKm = target })
	if w.Own < 0 || w.Goals[w.Own].TargetKm != (r3.Vec{X: 3, Y: -4, Z: 1}) {
		t.Fatalf("own goal %d", w.Own)
	}
	for i, g := range w.Goals {
		// The lattice of 12.5 km starts at (-200, -50) in column 0 and row 7.
		want := r3.Vec{X: -200 + 12.5*float64(g.State%20), Y: -50 + 12.5*float64(g.State/20-7), Z: 1}
		if i == w.Own {
			continue
		}
		if r3.Norm(r3.Sub(g.TargetKm, want)) > 1e-9 {
			t.Errorf("goal of state %d lies at %v, want %v", g.State, g.TargetKm, want)
		}
	}
}
