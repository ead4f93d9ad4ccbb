package figure

import (
	"math"
	"slices"
	"testing"
)

// A line that another one hides is named with it.
func TestLinesOfTheSameValuesHaveOneName(t *testing.T) {
	line := func(label string, y ...float64) Series { return Series{Label: label, X: []float64{1, 2}, Y: y} }
	var got []Series
	for _, s := range []Series{line("geometry", 3, 2), line("moves", 3, 2), line("mechanism", 3, 1),
		line("a", math.NaN(), math.NaN()), line("b", math.NaN(), math.NaN())} {
		got = joined(got, s, " and\n")
	}
	var labels []string
	for _, s := range got {
		labels = append(labels, s.Label)
	}
	if want := []string{"geometry and\nmoves", "mechanism", "a", "b"}; !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
}
