package figure

import (
	"math"
	"slices"
	"testing"

	"veilpath/sim/study"
)

// attributed returns the summaries of a study whose mean detection distance is noisy(epsilon), km.
func attributed(direct, handover, planned float64, noisy func(epsilon float64) float64,
	epsilons ...float64) []study.Summary {
	var all []study.Summary
	for _, e := range epsilons {
		all = append(all, study.Summary{Epsilon: e, Runs: 9, DirectKm: direct, HandoverOnlyKm: handover, PlannedKm: planned,
			MeanKm: noisy(e), NoiseKm: noisy(e) - planned, NoiseLowKm: noisy(e) - planned, NoiseHighKm: noisy(e) - planned,
			CILowKm: noisy(e), CIHighKm: noisy(e)})
	}
	return all
}

// The studies have the detection distances 100 km on the direct flight, 60 with the hand-over, 70 along the
// waypoints, and 10 epsilon with noise.
func TestAttribution(t *testing.T) {
	tenfold := func(epsilon float64) float64 { return 10 * epsilon }
	unknown := math.NaN()
	for name, c := range map[string]struct {
		summaries []study.Summary
		labels    []string // from the top down
	}{
		"all": {attributed(100, 60, 70, tenfold, 4, 1, 2),
			[]string{"100.0 km", "60.0 km (-40.0)", "70.0 km (+10.0)", "40.0 km (-30.0)", "20.0 km (-50.0)", "10.0 km (-60.0)"}},
		// Four of seven epsilons are drawn, and nothing is -0.0.
		"more than are drawn": {attributed(unknown, unknown, 20, func(epsilon float64) float64 {
			return map[float64]float64{1: 19.99, 2: 20, 4: 90, 8: 20, 16: 20, 32: 20, 64: 20}[epsilon]
		}, 1, 2, 4, 8, 16, 32, 64),
			[]string{"20.0 km", "20.0 km (0.0)", "20.0 km (0.0)", "90.0 km (+70.0)", "20.0 km (0.0)"}},
		"blocked": {attributed(unknown, unknown, 20, tenfold, 4),
			[]string{"20.0 km", "40.0 km (+20.0)"}},
		"without noise": {attributed(100, 60, 0, func(float64) float64 { return 0 }, study.None()),
			[]string{"100.0 km", "60.0 km (-40.0)", "never (-60.0)"}},
		"near": {attributed(unknown, unknown, 0.5, tenfold, 0.02),
			[]string{"0.500 km", "0.200 km (-0.300)"}},
		"blocked without noise": {attributed(unknown, unknown, 20, tenfold, study.None()), []string{"20.0 km"}},
	} {
		f, err := AttributionFigure([]Attributed{{Summaries: c.summaries}})
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, s := range f.Panels[0].(*Chart).Series {
			if s.Mark == Exact {
				labels = append(labels, s.Names[1])
			}
		}
		if !slices.Equal(labels, c.labels) {
			t.Errorf("%s: %q, want %q", name, labels, c.labels)
		}
		checkLayout(t, f)
	}
}

// Every bar has its label beside it, in its row, also where the bars end far to the right.
func TestAttributionLabelsStandInTheirRows(t *testing.T) {
	all := attributed(16.5, 18.6, 18.8, func(epsilon float64) float64 { return 13.9 + 0.4*epsilon }, 0.2, 1, 5)
	for i := range all {
		all[i].CILowKm, all[i].CIHighKm = all[i].MeanKm-1.2, all[i].MeanKm+1.6
	}
	f, err := AttributionFigure([]Attributed{{Summaries: all}})
	if err != nil {
		t.Fatal(err)
	}
	c := &tracer{}
	l, err := f.lay(c)
	if err != nil {
		t.Fatal(err)
	}
	l.draw(c)
	for name, label := range map[string]string{
		"with noise, ε = 0.2": "14.0 km (-4.8)", "with noise, ε = 1": "14.3 km (-4.5)",
		"with noise, ε = 5": "15.9 km (-2.9)", "along the waypoints": "18.8 km (+0.2)"} {
		row, at := slices.Index(c.words, name), slices.Index(c.words, label)
		if row < 0 || at < 0 || math.Abs(c.texts[row].Center().Y-c.texts[at].Center().Y) > 1 {
			t.Errorf("%q does not stand beside %q: %q", label, name, c.words)
		}
	}
}

// A panel shows the smallest and largest of many epsilons and two between them at roughly equal ratios.
func TestAttributionSpreadsItsEpsilons(t *testing.T) {
	for _, c := range []struct{ given, shown []float64 }{
		{[]float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4}, []float64{0.1, 0.4, 1.6, 6.4}},
		{[]float64{0.001, 0.01, 0.1, 1, 10, 100, 1000}, []float64{0.001, 0.1, 10, 1000}},
		{[]float64{1, 97, 98, 99, 100}, []float64{1, 97, 100}},
		{[]float64{study.None(), 3, 1, 4, 2}, []float64{1, 2, 3, 4}},
	} {
		var shown []float64
		for _, s := range someNoisy(attributed(1, 1, 1, func(float64) float64 { return 1 }, c.given...)) {
			shown = append(shown, s.Epsilon)
		}
		if !slices.Equal(shown, c.shown) {
			t.Errorf("of %v shown %v, want %v", c.given, shown, c.shown)
		}
	}
}
