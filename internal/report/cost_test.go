package report

import (
	"math"
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

// A panel has a legend only for lines that are there. A ceiling far above the costs does not flatten them.
func TestCostFiguresDrawWhatIsKnown(t *testing.T) {
	summary := func(mechanism string, epsilon, bound float64) cost.Summary {
		return cost.Summary{Mechanism: mechanism, Epsilon: epsilon, Mean: 0.1, Low: 0.05, High: 0.2, CostBound: bound,
			ExtraSweepsBound: bound}
	}
	all := []cost.Summary{summary("input", 1, 3), summary("input", 2, 2), summary("laplace", 1, math.Inf(1)),
		summary("laplace", 2, math.NaN())}
	all[2].Mean = 0.15
	for ceiling, lines := range map[float64]int{3: 0, 0.5: 1} {
		f := CostFigure("", "", all, nil, ceiling)
		if got := len(f.Panels[0].(*Chart).References); got != lines {
			t.Errorf("ceiling %v: %d lines, want %d", ceiling, got, lines)
		}
		for _, p := range f.Panels[1:] {
			letters, err := newLettering()
			if err != nil {
				t.Fatal(err)
			}
			if frame, err := p.lay(&sheet{lettering: letters}); err != nil || len(frame.margin) != 1 {
				t.Errorf("%d legends of one line, %v", len(frame.margin), err)
			}
		}
		checkLayout(t, f)
	}
}
