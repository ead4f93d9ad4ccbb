package figure

import (
	"math"
	"testing"

	"veilpath/sim/study"
)

// Every observer has a line with intervals and its flight without noise in the same colour, and the title is of the
// strongest privacy, without which no figure is drawn.
func TestObserversFigure(t *testing.T) {
	var observers []Observed
	for i, name := range []string{"ballistic", "heading", "velocity", "goal", "late", "early"} {
		at := func(epsilon, km float64) study.Summary {
			return study.Summary{Epsilon: epsilon, Runs: 9, MeanKm: km, CILowKm: km - 1, CIHighKm: km + 1,
				PlannedKm: 100 + float64(i), DirectKm: math.NaN()}
		}
		observers = append(observers, Observed{Name: name, Summaries: []study.Summary{at(study.None(), 0),
			at(4, 90), at(0.2, 40+float64(i))}})
	}
	f, err := ObserversFigure(observers, "9 runs")
	if err != nil {
		t.Fatal(err)
	}
	want := `At ε = 0.2 recognised on average 45.0 km (44.0 .. 46.0) by "early", 40.0 km (39.0 .. 41.0) by "ballistic"`
	if f.Title != want {
		t.Errorf("title %q, want %q", f.Title, want)
	}
	lines := 0
	for _, p := range f.Panels {
		series := p.(*Chart).Series
		for k := 0; k < len(series); k += 2 {
			mean, planned := series[k], series[k+1]
			if mean.Label != observers[lines].Name || mean.Y[0] != 40+float64(lines) || mean.Low[1] != 89 ||
				planned.Y[0] != 100+float64(lines) || planned.Hue != mean.Hue || planned.Mark != Bound {
				t.Errorf("observer %d: %+v, %+v", lines, mean, planned)
			}
			lines++
		}
	}
	if lines != len(observers) {
		t.Errorf("%d observers are drawn, want %d", lines, len(observers))
	}
	checkLayout(t, f)
	observers[1].Summaries = observers[1].Summaries[:1]
	if _, err := ObserversFigure(observers, ""); err == nil {
		t.Error("an observer of flights without noise is drawn over epsilon")
	}
}
