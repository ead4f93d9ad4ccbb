package adversary

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Goals lie 5, 1 and 3 km from the target. The radius contains half of the posterior, or more.
func TestSpreadContainsHalfOfThePosterior(t *testing.T) {
	goals := []Candidate{{TargetKm: r3.Vec{X: 5}}, {TargetKm: r3.Vec{Y: -1}}, {TargetKm: r3.Vec{Z: 3}}}
	s := NewSurroundings(goals, r3.Vec{})
	for _, c := range []struct {
		posterior []float64
		want      float64
	}{
		{[]float64{0.25, 0.5, 0.25}, 1},
		{[]float64{0.5, 0.25, 0.25}, 3},
		{[]float64{0.75, 0.125, 0.125}, 5},
		{[]float64{0.25, 0.125, 0}, math.Inf(1)},
	} {
		if got := s.spread(c.posterior); got != c.want {
			t.Errorf("%v: %v km, want %v", c.posterior, got, c.want)
		}
	}
}
