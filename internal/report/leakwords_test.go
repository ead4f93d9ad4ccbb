package report

import (
	"math"
	"slices"
	"testing"

	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// Sentences about leakage are short, begin with the strongest observer, and name no negative bits.
func TestLeakSentences(t *testing.T) {
	measured := func(observer string, left float64) leak.Strongest {
		return leak.Strongest{Observer: observer,
			BitsLeft: leak.Mean{SampleMean: privacy.SampleMean{Mean: left, StandardError: 0.2}}}
	}
	row := func(left float64) leak.Row {
		return leak.Row{Observer: "mechanism", Epsilon: 1, FlownKm: 50, BitsLeft: left, StandardError: 0.1}
	}
	const at = " (delta 0.01)"
	const place = "after 50 km at epsilon 1" + at + " the "
	for name, c := range map[string]struct {
		learned
		want []string
	}{
		"itself": {learned{row(2.5), 4, 0.5, 0.01, measured("mechanism", 2.6), 30, at}, []string{place +
			"observer mechanism has learned 1.50 (standard error 0.10) of the 4.00 bits about the goal, about 0.5 " +
			"bits (0.48 .. 0.52) from the reward"}},
		"not confirmed": {learned{row(2.5), 4, math.NaN(), 0.01, measured("rational", 2.6), 30, at}, []string{place +
			"observer mechanism has learned 1.50 (standard error 0.10) of the 4.00 bits about the goal"}},
		"surpassed": {learned{row(2.5), 4, 0.01, 0.01, measured("heading", 1), 30, at}, []string{place +
			"strongest observer, heading, has learned 3.00 (standard error 0.20) of the 4.00 bits about the goal " +
			"on the half of the flights that did not choose it",
			"the observer mechanism has learned 1.50 (standard error 0.10) of the 4.00 bits about the goal, almost 0 " +
				"bits (-0.01 .. 0.03) from the reward"}},
		"not shown": {learned{row(2.5), 4, -0.2, 0.25, measured("mechanism", 2.6), 30, at}, []string{place +
			"observer mechanism has learned 1.50 (standard error 0.10) of the 4.00 bits about the goal, and the flights do " +
			"not show whether it learned any from the reward (-0.69 .. 0.29)"}},
		"misled": {learned{row(4.7), 4, -0.5, 0.01, measured("heading", 4.1), 30, at}, []string{place +
			"observer mechanism is misled: it has 4.70 bits about the goal left (standard error 0.10), more than the 4.00 " +
			"before the flight", "it does worse by 0.50 bits (0.48 .. 0.52) with what it learned of the reward from 30 " +
			"policies of each goal; more policies (adversary.policies) may change this"}},
		"worse with it": {learned{row(2.5), 4, -0.5, 0.01, measured("mechanism", 2.5), 1, at}, []string{place +
			"observer mechanism has learned 1.50 (standard error 0.10) of the 4.00 bits about the goal", "it does worse by " +
			"0.50 bits (0.48 .. 0.52) with what it learned of the reward from 1 policy of each goal; more policies " +
			"(adversary.policies) may change this"}},
		"misled, not shown by the reward": {learned{row(4.7), 4, -0.5, 0.3, measured("heading", 4.1), 30, at}, []string{
			place + "observer mechanism is misled: it has 4.70 bits about the goal left (standard error 0.10), more " +
				"than the 4.00 before the flight"}},
		"misled without the reward": {learned{row(2.5), 4, 2, 0.01, measured("mechanism", 2.5), 30, at}, []string{
			place + "observer mechanism has learned 1.50 (standard error 0.10) of the 4.00 bits about the goal",
			"without the reward it would have 2.00 bits (1.98 .. 2.02) more left"}},
		"ruled out": {learned{row(math.Inf(1)), 4, math.NaN(), 0.01, measured("heading", 1), 30, at}, []string{place +
			"strongest observer, heading, has learned 3.00 (standard error 0.20) of the 4.00 bits about the goal " +
			"on the half of the flights that did not choose it",
			"the observer mechanism has infinitely many bits about the goal left, because it ruled out the true goal of a " +
				"flight"}},
	} {
		if got := c.words(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
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
