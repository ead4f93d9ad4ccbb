package study_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"veilpath/sim/study"
)

// The mean at every epsilon of the curve is that of the runs' pieces there, by hand.
func TestMeanCurveByHand(t *testing.T) {
	axis := study.Range{Low: 1, High: 4}
	c := study.NewMeanCurve(axis, 0)
	c.Add([]study.Run{{Run: 0, Epsilon: 1, DetectionKm: 10}, {Run: 0, Epsilon: 2, DetectionKm: 30},
		{Run: 1, Epsilon: 1, DetectionKm: 20}})
	c.Add([]study.Run{ // and some that lie beyond both ends
		{Run: 2, Epsilon: 0.3, DetectionKm: 77}, {Run: 2, Epsilon: 0.9, DetectionKm: 3},
		{Run: 2, Epsilon: 2.000001, DetectionKm: 6},
		{Run: 2, Epsilon: 3, DetectionKm: 9}, {Run: 2, Epsilon: 5, DetectionKm: 50},
	})
	curve := c.Curve(0.95)
	if curve.Runs != 3 || curve.Low != nil {
		t.Errorf("%d runs, band %v", curve.Runs, curve.Low)
	}
	for i, epsilon := range curve.Epsilons {
		sum := 10.0 + 20
		if epsilon >= 2 {
			sum += 20
		}
		switch {
		case epsilon >= 3:
			sum += 9
		case epsilon >= 2.000001:
			sum += 6
		default:
			sum += 3
		}
		if math.Abs(curve.Mean[i]-sum/3) > 1e-12 {
			t.Errorf("epsilon %g: %g, want %g", epsilon, curve.Mean[i], sum/3)
		}
	}
}

// For flights of two kinds, at 0 and at the farthest, the ends of the band are those of Clopper and Pearson at the
// confidence that it has at any one epsilon, to 3 % of their error probability.
func TestBandOfTwoKindsIsClopperAndPearsons(t *testing.T) {
	const n, farthest = 40, 80.0
	for _, k := range []int{4, 20, 39} {
		c := study.NewMeanCurve(study.Range{Low: 1, High: 4}, 0)
		for run := range n {
			km := 0.0
			if run < k {
				km = farthest
			}
			c.Add([]study.Run{{Run: run, Epsilon: 1, DetectionKm: km}})
		}
		curve := c.Curve(0.95)
		outside := (1 - curve.PointwiseCoverage) / 2
		for i := range curve.Epsilons {
			below := mathext.RegIncBeta(float64(k), float64(n-k+1), curve.Low[i]/farthest)
			above := 1 - mathext.RegIncBeta(float64(k+1), float64(n-k), curve.High[i]/farthest)
			if math.Abs(below-outside) > 0.03*outside || math.Abs(above-outside) > 0.03*outside {
				t.Fatalf("%d of %d: %g .. %g fail with %.5f and %.5f, want %.5f", k, n, curve.Low[i], curve.High[i], below, above,
					outside)
			}
		}
	}
}
