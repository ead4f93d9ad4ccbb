package leak

import (
	"math"
	"testing"
)

// The jackknife of a mean is its standard error, to the last digit; a difference of two readings leaves out the same
// group of both.
func TestJackknifeOfAMeanIsItsStandardError(t *testing.T) {
	values := []float64{3, 1, 4, 1, 5, 9, 2, 6}
	n, sum, squares := float64(len(values)), 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += v * v
	}
	mean := reading{all: sum / n}
	for _, v := range values {
		mean.without = append(mean.without, (sum-v)/(n-1))
	}
	want := math.Sqrt((squares - sum*sum/n) / (n - 1) / n)
	const rounding = 1e-12
	var e, difference, nothing estimator
	for _, offset := range []float64{-2, 0, 2} {
		r := mean.minus(reading{all: offset})
		e.add(r)
		difference.add(r.minus(mean))
		nothing.add(reading{all: offset})
	}
	got := e.mean()
	if math.Abs(got.PoliciesError-want) > rounding ||
		math.Abs(got.StandardError-math.Hypot(want, 2/math.Sqrt(3))) > rounding || math.Abs(got.Mean-sum/n) > rounding {
		t.Errorf("%+v, want the mean %v with a policies' error of %v", got, sum/n, want)
	}
	if d := difference.mean(); math.Abs(d.PoliciesError) > rounding ||
		math.Abs(d.StandardError-2/math.Sqrt(3)) > rounding {
		t.Errorf("a difference in which policies cancel: %+v", d)
	}
	if d := nothing.mean(); d.PoliciesError != 0 {
		t.Errorf("an observer without policies: %+v", d)
	}
}

// One flight whose goal was ruled out leaves infinitely many bits, however many other flights there are.
func TestAMeanWithAnInfiniteReading(t *testing.T) {
	var e estimator
	for _, bits := range []float64{1, math.Inf(1), 2, math.Inf(1)} {
		e.add(reading{all: bits})
	}
	if got := e.left(); !math.IsInf(got.Mean, 1) || !math.IsNaN(got.StandardError) {
		t.Errorf("%v with a standard error of %v; want infinity, and none", got.Mean, got.StandardError)
	}
}
