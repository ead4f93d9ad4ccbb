package report

import (
	"math"
	"testing"
)

// Three digits of 41.8 are one decimal. Values that are no numbers do not count, and without any there is no decimal.
func TestDecimalsOfTheLargestValue(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   int
	}{{[]float64{41.8, 3}, 1}, {[]float64{-0.052, 0.01}, 4}, {[]float64{1234}, 0}, {[]float64{0, math.NaN(), math.Inf(1)},
		0}, {nil, 0}, {[]float64{math.Inf(-1), 9.99}, 2}, {[]float64{100}, 0}} {
		if got := decimalsFor(3, c.values...); got != c.want {
			t.Errorf("%v: %d decimals, want %d", c.values, got, c.want)
		}
	}
}
