package report

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
		title     string
		labels    []string // from the top down
	}{
		"all": {attributed(100, 60, 70, tenfold, 4, 1, 2),
			"What moves recognition: hand-over -40.0 km, waypoints +10.0 km, noise -60.0 to -30.0 km",
			[]string{"100.0 km", "60.0 km (-40.0)", "70.0 km (+10.0)", "40.0 km (-30.0)", "20.0 km (-50.0)", "10.0 km (-60.0)"}},
		// The title is of all seven epsilons, of which four are drawn, and nothing is -0.0.
		"more than are drawn": {attributed(unknown, unknown, 20, func(epsilon float64) float64 {
			return map[float64]float64{1: 19.99, 2: 20, 4: 90, 8: 20, 16: 20, 32: 20, 64: 20}[epsilon]
		}, 1, 2, 4, 8, 16, 32, 64), "What moves recognition: noise 0.0 to +70.0 km",
			[]string{"20.0 km", "20.0 km (0.0)", "20.0 km (0.0)", "90.0 km (+70.0)", "20.0 km (0.0)"}},
		"blocked": {attributed(unknown, unknown, 20, tenfold, 4), "What moves recognition: noise +20.0 km",
			[]string{"20.0 km", "40.0 km (+20.0)"}},
		"without noise": {attributed(100, 60, 0, func(float64) float64 { return 0 }, study.None()),
			"What moves recognition: hand-over -40.0 km, waypoints -60.0 km",
			[]string{"100.0 km", "60.0 km (-40.0)", "never (-60.0)"}},
		"near": {attributed(unknown, unknown, 0.5, tenfold, 0.02), "What moves recognition: noise -0.300 km",
			[]string{"0.500 km", "0.200 km (-0.300)"}},
		"blocked without noise": {attributed(unknown, unknown, 20, tenfold, study.None()),
			"Where the destination is recognised", []string{"20.0 km"}},
	} {
		f, err := AttributionFigure([]Attributed{{Summaries: c.summaries}})
		if err != nil {
			t.Fatal(err)
		}
		points := f.Panels[0].(*Chart).Series[0]
		if f.Title != c.title || !slices.Equal(points.Names, c.labels) {
			t.Errorf("%s: %q with %q, want %q with %q", name, f.Title, points.Names, c.title, c.labels)
		}
	}
}

// A panel shows the smallest and largest of many epsilons and two between them at roughly equal ratios.
func TestAttributionSpreadsItsEpsilons(t *testing.T) {
	for _, c := range []struct{ given, shown []float64 }{
		{[]float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4}, []float64{6.4, 1.6, 0.4, 0.1}},
		{[]float64{0.3, 0.6, 1.2, 2.4, 4.8, 9.6, 19.2}, []float64{19.2, 4.8, 1.2, 0.3}},
		{[]float64{0.001, 0.01, 0.1, 1, 10, 100, 1000}, []float64{1000, 10, 0.1, 0.001}},
		{[]float64{1, 97, 98, 99, 100}, []float64{100, 1}},
		{[]float64{study.None(), 3, 1, 4, 2}, []float64{4, 3, 2, 1}},
	} {
		var shown []float64
		for _, s := range weakestFirst(attributed(1, 1, 1, func(float64) float64 { return 1 }, c.given...)) {
			shown = append(shown, s.Epsilon)
		}
		if !slices.Equal(shown, c.shown) {
			t.Errorf("of %v shown %v, want %v", c.given, shown, c.shown)
		}
	}
}
