package figure

import (
	"math"
	"testing"

	"veilpath/internal/plot"
)

func TestScaleFor(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Scale
	}{
		{[]float64{0.2, 4}, Linear}, {[]float64{0.1, 3}, Log}, {[]float64{0, 100}, Linear}, {[]float64{-1, 100}, Linear},
		{nil, Linear}, {[]float64{5}, Linear},
	} {
		if got := ScaleFor(c.values); got != c.want {
			t.Errorf("ScaleFor(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestSettleHoldsTheData(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		data span
		want plot.Scale
	}{
		{Axis{}, span{10, 20}, plot.Scale{Low: 9.6, High: 20.4}},
		{Axis{FromZero: true}, span{10, 20}, plot.Scale{Low: 0, High: 20.8}},
		{Axis{}, span{0.2, 4}, plot.Scale{Low: 0.2 - 0.04*3.8, High: 4 + 0.04*3.8}},
		{Axis{}, span{0.1, 10}, plot.Scale{Low: 0, High: 10 + 0.04*9.9}},
		{Axis{}, span{7, 7}, plot.Scale{Low: 3.5, High: 10.5}},
		{Axis{}, span{0, 0}, plot.Scale{Low: 0, High: 1}},
		{Axis{Scale: Log}, span{3, 3}, plot.Scale{Low: 1.5, High: 6, Log: true}},
		{Axis{Range: [2]float64{-1, 1}}, span{10, 20}, plot.Scale{Low: -1, High: 1}},
	} {
		got, err := c.axis.settle(c.data)
		if err != nil {
			t.Errorf("%+v on %v: %v", c.axis, c.data, err)
		}
		const absolute = 1e-12 // a rounding or two of values around 10
		if got.Log != c.want.Log || math.Abs(got.Low-c.want.Low) > absolute || math.Abs(got.High-c.want.High) > absolute {
			t.Errorf("%+v on %v settles on %v, want %v", c.axis, c.data, got, c.want)
		}
	}
}
