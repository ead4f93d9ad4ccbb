package audit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The ends of a row are its largest component and the smallest of the others.
func TestEndsOfRows(t *testing.T) {
	for _, c := range []struct {
		row      []float64
		from, to int
	}{{[]float64{0.5, 0.5}, 0, 1}, {[]float64{0.2, 0.3, 0.5}, 2, 0}, {[]float64{0.5, 0.2, 0.3}, 0, 1},
		{[]float64{0.3, 0.5, 0.2}, 1, 2}} {
		if from, to := ends(c.row); from != c.from || to != c.to {
			t.Errorf("%v: from %d to %d, want %d and %d", c.row, from, to, c.from, c.to)
		}
	}
}

// A reading takes off the noise of another entry, also of the first one, or the mean of all others.
func TestReadingsOfOthers(t *testing.T) {
	noise := []float64{7, 8, 10}
	for other, want := range map[int]float64{0: 7, 2: 10, -1: 8.5} {
		if got := (&reading{entry: 1, of: other}).others(noise); got != want {
			t.Errorf("entry %d: %v, want %v", other, got, want)
		}
	}
}

// Numbers that tell nothing have a probability of 1, also where two events share it.
func TestProbabilitiesAreAtMostOne(t *testing.T) {
	c := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1, Sigma: 2}
	same := make([]float64, LeastSamples)
	for i := range same {
		same[i] = float64(i)
	}
	e, err := c.Compare(Samples{A: same, B: same, Threshold: 0.5, Shift: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range e.tests(c) {
		if !(test.P >= 0 && test.P <= 1) {
			t.Errorf("%s: a probability of %v", test.Name, test.P)
		}
	}
}

// No test of the promised trade-off curve tells two tables apart more often than Told says, and one does.
func TestMostThatTablesAreToldApart(t *testing.T) {
	for _, c := range []Claim{{Epsilon: 1, Delta: 0.01, Adjacency: 1, Sigma: 2}, {Epsilon: 0.5, Adjacency: 1},
		{Epsilon: 2, Delta: 0.1, Adjacency: 1}} {
		most := 0.0
		const steps = 10_000
		for i := 1; i < steps; i++ {
			falsePositive := float64(i) / steps
			most = max(most, 1-(falsePositive+c.FalseNegative(falsePositive))/2)
		}
		if got := c.Told(); math.Abs(got-most) > 1e-4 { // a step
			t.Errorf("%+v: %v, by steps %v", c, got, most)
		}
	}
}

// Normals a standard deviation apart are told apart by the value halfway as often as half a deviation is not exceeded.
func TestToldApart(t *testing.T) {
	var s Samples
	const n = 1000
	for i := range n {
		z := distuv.UnitNormal.Quantile((float64(i) + 0.5) / n)
		s.add(z, false)
		s.add(z+1, true)
	}
	s.Threshold = 0.5
	e, err := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1, Sigma: 1}.Compare(s)
	if err != nil {
		t.Fatal(err)
	}
	want := distuv.UnitNormal.CDF(0.5)
	if got, low, high := e.Told(); math.Abs(got-want) > 1/float64(n) || !(low < want-0.02 && low > want-0.05) ||
		!(high > want+0.02 && high < want+0.05) {
		t.Errorf("%v (%v .. %v), want %v", got, low, high, want)
	}
}
