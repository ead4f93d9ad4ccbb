package chart

import (
	"math"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Ticks are round values, and a number is written as it is read.
func TestTicks(t *testing.T) {
	tests := []struct {
		scale ui.Scale
		most  int
		want  []float64
	}{
		{ui.Scale{High: 127}, 7, []float64{0, 20, 40, 60, 80, 100, 120}},
		{ui.Scale{Low: 210, High: 0}, 5, []float64{0, 50, 100, 150, 200}},
		{ui.Scale{Low: 0.01, High: 1000, Log: true}, 6, []float64{1000, 100, 10, 1, 0.1, 0.01}},
		{ui.Scale{Low: 0.01, High: 1000, Log: true}, 3, []float64{1000, 10, 0.1}},
	}
	for _, test := range tests {
		got := Ticks(test.scale, test.most)
		if len(got) != len(test.want) {
			t.Errorf("%+v: %v, want %v", test.scale, got, test.want)
			continue
		}
		for i := range got {
			const rounding = 1e-9 // relative
			if math.Abs(got[i]-test.want[i]) > rounding*math.Max(1, test.want[i]) {
				t.Errorf("%+v: %v, want %v", test.scale, got, test.want)
			}
		}
	}
	if Number(math.Copysign(0, -1)) != "0" || Fixed(-0.001, 2) != "0.00" {
		t.Error("a zero is written with a sign")
	}
}

// Values are found again at the places where they lie.
func TestPlacesLeadBackToValues(t *testing.T) {
	p := New(draw.Rect{X: 30, Y: 20, W: 200, H: 100}, ui.Scale{Low: 0.1, High: 10, Log: true}, ui.Scale{High: 80})
	const rounding = 1e-9
	for _, v := range []float64{0.1, 0.7, 10} {
		if got := p.XAt(p.PX(v)); math.Abs(got-v) > rounding {
			t.Errorf("%v across is found as %v", v, got)
		}
	}
	for _, v := range []float64{0, 56, 80} {
		if got := p.YAt(p.PY(v)); math.Abs(got-v) > rounding {
			t.Errorf("%v up is found as %v", v, got)
		}
	}
}
