package audit

import (
	"testing"
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
