package figure

import (
	"fmt"
	"strings"
	"testing"

	"veilpath/internal/benchmark"
)

// A panel per mission shows every way within the value, names what is on the front, and draws no row beyond.
func TestBenchmarkFigure(t *testing.T) {
	row := func(mission, way, value string, bits, cost float64) benchmark.Row {
		e := benchmark.NewEstimate(bits, 0.1)
		return benchmark.Row{Mission: mission, Way: way, Value: value, PriorBits: 4, Cost: benchmark.NewEstimate(cost, 0),
			Bits: []benchmark.Bits{{Left: e}, {Left: e}, {Left: e}}}
	}
	f := BenchmarkFigure([]benchmark.Row{row("a", "p", "1", 2, 0.1), row("a", "p", "2", 1, 0.2), row("a", "q", "", 3, 0.5),
		row("a", "r", "9", 3.5, 7), row("b", "p", "1", 1, 0)})
	if len(f.Panels) != 2 {
		t.Fatalf("%d panels, want one per mission", len(f.Panels))
	}
	chart := f.Panels[0].(*Chart)
	names := map[string]bool{}
	for _, s := range chart.Series {
		for i, x := range s.X {
			if x > 100 {
				t.Errorf("%s is drawn at %g %%", s.Label, x)
			}
			if i < len(s.Names) {
				names[s.Names[i]] = true
			}
		}
	}
	if !names["p 1"] || !names["q"] || names["p 2"] {
		t.Errorf("names %v, want those of the front", names)
	}
	checkLayout(t, f)
	var many []benchmark.Row
	for i := range 60 {
		many = append(many, row(fmt.Sprint("mission ", i), "p", "1", 2, 0.1))
	}
	if f := BenchmarkFigure(many); f.HeightInches > 100 || !strings.Contains(f.Note, "35 more missions") {
		t.Errorf("a figure of 60 missions is %g inches high; its note is %q", f.HeightInches, f.Note)
	}
}
