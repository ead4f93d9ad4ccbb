package planner

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// The optimal plan for a goal leads there on the shortest way, so its discounted reward is a sum over that way, and
// then of staying away from the true goal for ever.
func TestCostOfADecoyIsThatOfItsWay(t *testing.T) {
	spec := Spec{Columns: 9, Rows: 9, SpacingKm: 1, RewardWeight: 2, Discount: 0.9, Tolerance: 1e-9}
	mission := func(x, y float64) *Mission {
		m, err := NewMission(spec, r3.Vec{}, r3.Vec{X: x, Y: y})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	own, decoy := mission(5, 5), mission(7, 7)
	want := func(to float64) float64 { // the diagonal to (to, to) and then on the spot
		value, factor := 0.0, 1.0
		for k := 1.0; k < 2000; k++ {
			value -= factor * 2 * math.Abs(5-min(k, to)) * math.Sqrt2
			factor *= 0.9
		}
		return value
	}
	c, err := (&Decoys{Weight: spec.RewardWeight}).Cost(own, decoy)
	if err != nil {
		t.Fatal(err)
	}
	const rounding = 1e-8
	if !(math.Abs(c.Optimal-want(5)) <= rounding) || !(math.Abs(c.Private-want(7)) <= rounding) ||
		!(math.Abs(c.Relative-(want(7)-want(5))/want(5)) <= rounding) {
		t.Errorf("%+v, want %v and %v", c, want(5), want(7))
	}
	same, err := (&Decoys{Weight: spec.RewardWeight}).Cost(own, own)
	if err != nil || same.Relative > rounding {
		t.Errorf("no decoy costs %+v, %v", same, err)
	}
}
