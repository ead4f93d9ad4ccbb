package figure

import (
	"slices"
	"testing"

	"veilpath/sim/cost"
)

// Mechanisms with the same costs share a line with both names; others have separate lines.
func TestMechanismsThatCostTheSameShareALine(t *testing.T) {
	at := func(mechanism string, mean float64) []cost.Summary {
		return []cost.Summary{{Mechanism: mechanism, Epsilon: 1, Mean: mean}, {Mechanism: mechanism, Epsilon: 2}}
	}
	along := func(mechanism string, most float64) cost.Curve {
		return cost.Curve{Mechanism: mechanism, Epsilons: []float64{1, 2}, Least: []float64{0.5, 0}, Most: []float64{most, 0}}
	}
	f := CostFigure("", "", slices.Concat(at("input", 0.5), at("output", 0.5), at("exponential", 0.6)),
		[]cost.Curve{along("input", 0.5), along("output", 0.5), along("exponential", 0.7)})
	var labels []string
	for _, s := range f.Panels[0].(*Chart).Series {
		labels = append(labels, s.Label)
		if s.Label == "exponential" && s.Hue != 2 {
			t.Errorf("the third mechanism has hue %d", s.Hue)
		}
	}
	if want := []string{"input, output", "exponential", "input, output,\nthese runs at every ε",
		"exponential,\nbounds of these runs\nat every ε"}; len(f.Panels) != 1 || !slices.Equal(labels, want) {
		t.Errorf("%d panels, %q, want %q", len(f.Panels), labels, want)
	}
	checkLayout(t, f)
}
