package campaign

import (
	"slices"
	"testing"

	"veilpath/sim/cost"
)

// The answer and the figure's title begin with the smallest mean cost at the strongest and at the weakest privacy. The
// table has a row per epsilon: of one mechanism what its runs came to, of several a mean for each.
func TestCostAnswers(t *testing.T) {
	// study returns a study of one run, which has these costs by epsilon and mechanism.
	study := func(mechanisms []string, costs ...[]float64) *Costs {
		f := cost.Facts{Mechanisms: mechanisms, Sigmas: [][]float64{{0, 0}, {0, 0}}, Value: -8,
			LargestLoss: 8, Epsilons: []float64{0.2, 4}[:len(costs)]}
		s := &Costs{asked: costsAsked{Problem: "lake.json", Start: "s4", Delta: 0.01, Adjacency: 1, Facts: f},
			tally: cost.NewTally(f, 0)}
		var rows []cost.Row
		for e, c := range costs {
			rows = append(rows, cost.Row{Epsilon: f.Epsilons[e], Values: make([]float64, len(c)), Costs: c})
		}
		s.tally.Add(rows)
		return s
	}
	one, two := []string{"input"}, []string{"input", "laplace"}
	for _, c := range []struct {
		costs              *Costs
		words, title, note string
		rows               [][]string
	}{
		{study(one, []float64{0.25}),
			"The value lost to privacy is 25.0 % at epsilon 0.2; without privacy lake.json is worth -8 from state s4.",
			"The value lost to privacy is 25.0 % at ε = 0.2",
			"1 run per epsilon, delta 0.01, adjacency 1, mechanism input.",
			[][]string{{"0.2", "25.0 %", "-", "25 %", "0 %"}}},
		{study(one, []float64{1.25}, []float64{0}),
			"The value lost to privacy is 125 % at epsilon 0.2 and 0 % at epsilon 4; without privacy lake.json is worth -8 " +
				"from state s4.",
			"The value lost to privacy is 125 % at ε = 0.2 and 0 % at ε = 4",
			"1 run per epsilon, delta 0.01, adjacency 1, mechanism input.",
			[][]string{{"0.2", "125 %", "-", "125 %", "0 %"}, {"4", "0 %", "-", "0 %", "100 %"}}},
		{study(two, []float64{0.25, 0.2}, []float64{0.012, 0.02}),
			"The value lost to privacy is 20.0 % at epsilon 0.2 (laplace) and 1.20 % at epsilon 4 (input); without privacy " +
				"lake.json is worth -8 from state s4.",
			"The value lost to privacy is 20.0 % at ε = 0.2 (laplace) and 1.20 % at ε = 4 (input)",
			"1 run per epsilon, delta 0.01, adjacency 1, mechanisms input and laplace.",
			[][]string{{"0.2", "25.0 %", "20.0 %"}, {"4", "1.20 %", "2.00 %"}}},
	} {
		if got := c.costs.words(); got != c.words {
			t.Errorf("%q, want %q", got, c.words)
		}
		if got := c.costs.title(); got != c.title {
			t.Errorf("%q, want %q", got, c.title)
		}
		if got := c.costs.note(); got != c.note {
			t.Errorf("%q, want %q", got, c.note)
		}
		if got := c.costs.screenTable().Rows; !slices.EqualFunc(got, c.rows, slices.Equal) {
			t.Errorf("%q, want %q", got, c.rows)
		}
	}
	// Two runs leave the mean of costs from 0 to 1 nearly unknown, so that it has no decimals.
	s := study(one, []float64{0.25})
	s.tally.Add([]cost.Row{{Run: 1, Epsilon: 0.2, Values: []float64{0}, Costs: []float64{0.35}}})
	low, high := s.Summaries()[0].Low, s.Summaries()[0].High
	if row := s.screenTable().Rows[0]; row[1] != "30 %" || row[2] == "-" || !(low < 0.3 && high > 0.35) {
		t.Errorf("%q of the interval %v .. %v", row, low, high)
	}
}
