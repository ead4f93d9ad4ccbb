package costs

import (
	"testing"

	"veilpath/sim/cost"
)

// An answer begins with the smallest mean cost at the strongest and at the weakest privacy; so does the figure's title.
func TestSmallestCosts(t *testing.T) {
	summary := func(mechanism string, epsilon, mean float64) cost.Summary {
		return cost.Summary{Mechanism: mechanism, Epsilon: epsilon, Mean: mean, Low: mean / 2, High: 2 * mean}
	}
	input := []cost.Summary{summary("input", 0.2, 0.25), summary("input", 4, 0.012)}
	for _, c := range []struct {
		all         []cost.Summary
		said, title string
	}{
		{input[:1], "Privacy costs 25.00 % (12.50 .. 50.00) of the value at epsilon 0.2 with input.",
			"Privacy costs 25 % of the value at ε = 0.2 (input)"},
		{input, "Privacy costs 25.00 % (12.50 .. 50.00) of the value at epsilon 0.2 with input and " +
			"1.20 % (0.60 .. 2.40) of " +
			"the value at epsilon 4 with input.",
			"Privacy costs 25 % of the value at ε = 0.2 (input) and 1.2 % of the value at ε = 4 (input)"},
		{append(input, summary("laplace", 0.2, 0.2), summary("laplace", 4, 0.02)),
			"Privacy costs 20.00 % (10.00 .. 40.00) of the value at epsilon 0.2 with laplace and 1.20 % (0.60 .. 2.40) of the " +
				"value at epsilon 4 with input.",
			"Privacy costs 20 % of the value at ε = 0.2 (laplace) and 1.2 % of the value at ε = 4 (input)"},
	} {
		if got := cheapest(c.all); got != c.said {
			t.Errorf("%q, want %q", got, c.said)
		}
		if got := costTitle(c.all); got != c.title {
			t.Errorf("%q, want %q", got, c.title)
		}
	}
}
