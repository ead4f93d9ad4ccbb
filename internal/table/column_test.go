package table

import (
	"encoding/json"
	"math"
	"testing"
)

// In JSON, +Inf is "none" in a column with None, such as epsilon. All other values that are not finite are null.
func TestNoneIsOfEpsilonsAlone(t *testing.T) {
	own := func(x *float64) float64 { return *x }
	epsilon, other := Column[float64]{Value: own, None: "none"}, Column[float64]{Value: own}
	for _, c := range []struct {
		column *Column[float64]
		x      float64
		json   string
		text   string
	}{
		{&epsilon, 0.25, "0.25", "0.25"}, {&epsilon, math.Inf(1), `"none"`, "none"},
		{&other, 0.25, "0.25", "0.25"}, {&other, math.Inf(1), "null", "+Inf"}, {&other, math.NaN(), "null", ""},
	} {
		text, err := json.Marshal(c.column.JSON(&c.x))
		if err != nil || string(text) != c.json || c.column.text(&c.x) != c.text {
			t.Errorf("%g, None %q: JSON %s, text %q, %v", c.x, c.column.None, text, c.column.text(&c.x), err)
		}
	}
}

// Distances in km that are shown with two decimals take others; all else stays, and so do the columns given.
func TestDistancesTakeOtherDecimals(t *testing.T) {
	own := func(x *float64) float64 { return *x }
	columns := []Column[float64]{{Unit: "km", Format: "%.2f", Value: own}, {Unit: "bit", Format: "%.2f", Value: own},
		{Unit: "km", Format: "%.2f .. %.2f", Value: own, End: own}, {Unit: "km", Format: "%.4g", Value: own}}
	x := 0.02134
	for i, want := range []string{"0.0213", "0.02", "0.0213 .. 0.0213", "0.02134"} {
		if got := InKm(columns, 4)[i].Shown(&x); got != want {
			t.Errorf("column %d: %s, want %s", i, got, want)
		}
	}
	if got := columns[0].Shown(&x); got != "0.02" {
		t.Errorf("the column given shows %s", got)
	}
}

// Digits keeps so many digits, whole ones too, and rounds as it is told.
func TestDigits(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		round  func(float64) float64
		want   float64
	}{
		{0.012345, 3, math.Floor, 0.0123}, {0.012345, 3, math.Ceil, 0.0124}, {0.012345, 4, math.Round, 0.01235},
		{9.996, 3, math.Round, 10}, {1, 4, math.Floor, 1}, {98765, 2, math.Floor, 98000}, {98765, 2, math.Ceil, 99000},
		{123.99, 3, math.Floor, 123}, {0.3, 3, math.Ceil, 0.3},
	} {
		if got := Digits(c.x, c.digits, c.round); got != c.want {
			t.Errorf("%v with %d digits is %v, want %v", c.x, c.digits, got, c.want)
		}
	}
}
