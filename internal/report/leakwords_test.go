package report

import (
	"math"
	"slices"
	"testing"

	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// A sentence about leakage has the bits of the observer and those from the reward, with their errors.
func TestLeakSentences(t *testing.T) {
	row := func(left float64) leak.Row {
		return leak.Row{Observer: "mechanism", Epsilon: 1, FlownKm: 50, BitsLeft: left, StandardError: 0.1}
	}
	const place = "after 50 km at epsilon 1 (delta 0.01) the observer mechanism has "
	for _, c := range []struct {
		row        leak.Row
		fromReward float64
		want       string
	}{
		{row(2.5), 0.5, place + "learned 1.50 (standard error 0.10) of the 4.00 bits about the goal, " +
			"0.50 (0.48 .. 0.52) of " +
			"them from the reward"},
		{row(2.5), math.NaN(), place + "learned 1.50 (standard error 0.10) of the 4.00 bits about the goal"},
		{row(math.Inf(1)), math.NaN(), place + "infinitely many bits about the goal left, " +
			"because it ruled out the true goal " +
			"of a flight"},
	} {
		from := privacy.SampleMean{Mean: c.fromReward, StandardError: 0.01}
		if got := learnedWords(c.row, 4, " (delta 0.01)", from); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

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
