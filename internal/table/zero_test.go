package table

import "testing"

// A number that rounds to zero has no sign.
func TestZeroHasNoSign(t *testing.T) {
	for _, c := range []struct {
		format string
		value  float64
		want   string
	}{
		{"%.2f", -0.001, "0.00"}, {"%.2f", -0.01, "-0.01"}, {"%.1p %%", -0.0001, "0.0 %"}, {"%.3g", -1e-9, "-1e-09"},
		{"%.2f", 0.001, "0.00"}, {"%.0f", -0.4, "0"},
	} {
		column := Column[float64]{Format: c.format, Value: func(x *float64) float64 { return *x }}
		if got := column.Shown(&c.value); got != c.want {
			t.Errorf("%s of %g is %q, want %q", c.format, c.value, got, c.want)
		}
	}
}
