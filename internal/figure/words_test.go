package figure

import (
	"math"
	"testing"
)

// Three digits of 41.8 are one decimal, and there is always one. Values that are no numbers do not count.
func TestDecimalsOfTheLargestValue(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   int
	}{{[]float64{41.8, 3}, 1}, {[]float64{-0.052, 0.01}, 4}, {[]float64{1234}, 1}, {[]float64{0, math.NaN(), math.Inf(1)},
		1}, {nil, 1}, {[]float64{math.Inf(-1), 9.99}, 2}, {[]float64{100}, 1}} {
		if got := decimals(c.values...); got != c.want {
			t.Errorf("%v: %d decimals, want %d", c.values, got, c.want)
		}
	}
}

func TestKeysHaveNames(t *testing.T) {
	for key, want := range map[[2]string]string{{"adversary.radius_km", "km"}: "radius km",
		{"vehicle.speed_km_s", "km/s"}: "speed km/s", {"adversary.consecutive_steps", "steps"}: "consecutive steps",
		{"planner.slip", "1"}: "slip", {"adversary.observer", ""}: "observer"} {
		if got := KeyName(key[0], key[1]); got != want {
			t.Errorf("%v is named %q, want %q", key, got, want)
		}
	}
}
