package report

import (
	"slices"
	"testing"

	"veilpath/sim/cost"
)

// Mechanisms with the same costs share a line with both names; others have separate lines.
func TestMechanismsThatCostTheSameShareALine(t *testing.T) {
	at := func(mechanism string, mean float64) []cost.Summary {
		return []cost.Summary{{Mechanism: mechanism, Epsilon: 1, Mean: mean, CostBound: 3, ExtraSweepsBound: 2},
			{Mechanism: mechanism, Epsilon: 2, CostBound: 1, ExtraSweepsBound: 1}}
	}
	along := func(mechanism string, most float64) cost.Curve {
		return cost.Curve{Mechanism: mechanism, Epsilons: []float64{1, 2}, Least: []float64{0.5, 0}, Most: []float64{most, 0}}
	}
	f := CostFigure("", "", slices.Concat(at("input", 0.5), at("output", 0.5), at("exponential", 0.6)),
		[]cost.Curve{along("input", 0.5), along("output", 0.5), along("exponential", 0.7)}, 1)
	for i, want := range [][]string{
		{"input, output", "exponential", "input, output,\nthese runs at every ε",
			"exponential,\nbounds of these runs\nat every ε"},
		{"input, output, exponential"},
		{"input, output, exponential"},
	} {
		var labels []string
		for _, s := range f.Panels[i].(*Chart).Series {
			labels = append(labels, s.Label)
			if s.Label == "exponential" && s.Hue != 2 {
				t.Errorf("panel %d: the third mechanism has hue %d", i, s.Hue)
			}
		}
		if !slices.Equal(labels, want) {
			t.Errorf("panel %d: %q, want %q", i, labels, want)
		}
	}
}
