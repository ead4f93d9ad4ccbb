package study

import (
	"math"
	"reflect"
	"testing"
)

// Every field of a run but its epsilon and number is a metric, once; every number of a summary but its
// epsilon, sigma and runs a statistic.
func TestMetricsAndStatisticsCoverTheirStructs(t *testing.T) {
	fields := map[string]string{} // the metric of each
	for _, m := range Metrics() {
		var r Run
		m.Set(&r, 1)
		if at := reflect.ValueOf(r); m.Value(&r) != 1 || r == (Run{}) {
			t.Errorf("%s holds nothing", m.Name)
		} else {
			for i := range at.NumField() {
				if name := at.Type().Field(i).Name; !at.Field(i).IsZero() {
					if fields[name] != "" {
						t.Errorf("%s is where %s is", m.Name, fields[name])
					}
					fields[name] = m.Name
				}
			}
		}
		if m.Name == "" || m.Meaning == "" {
			t.Errorf("metric %+v lacks a name or a meaning", m)
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Run]()) {
		isKey := field.Name == "Epsilon" || field.Name == "Run" || field.Name == "Flight"
		if (fields[field.Name] != "") == isKey {
			t.Errorf("field %s: metric %q, a key %v", field.Name, fields[field.Name], isKey)
		}
	}
	var s Summary
	statistics := map[any]bool{}
	for _, m := range Statistics() {
		at := m.Of(&s)
		if statistics[at] {
			t.Errorf("%s is where another statistic is", m.Name)
		}
		if statistics[at] = true; m.Name == "" || m.Unit == "" || m.Meaning == "" {
			t.Errorf("statistic %+v lacks a name, a unit or a meaning", m)
		}
	}
	missing := func(of any, have map[any]bool, keys ...string) {
		fields := reflect.ValueOf(of).Elem()
		for i := range fields.NumField() {
			name := fields.Type().Field(i).Name
			isKey := false
			for _, k := range keys {
				isKey = isKey || k == name
			}
			if have[fields.Field(i).Addr().Interface()] == isKey {
				t.Errorf("field %s of %T: listed %v, a key %v", name, of, !isKey, isKey)
			}
		}
	}
	missing(&s, statistics, "Epsilon", "Sigma", "Runs", "Without")
}

// Four flights by hand: distances 1, 2, 3 and 4 km, the last of which fell back.
func TestSummaryByHand(t *testing.T) {
	tally := NewTally([]float64{1}, []float64{2})
	for i := range 4 {
		tally.Add([]Run{{Epsilon: 1, Run: i, DetectionKm: float64(i + 1), Detected: i > 0, BeforeHandover: i == 1,
			Fallback: i == 3, TimedOut: i > 1, CostOfPrivacy: float64(i) / 4, PathOverhead: float64(2 * i),
			PlannedKm: 6, HandoverOnlyKm: 7, DirectKm: []float64{8, 9, math.NaN(), 10}[i],
			DirectOverhead: []float64{1, 2, 3, math.NaN()}[i]}})
	}
	got := tally.Summaries()[0]
	low, high := MeanInterval([]float64{1, 2, 3, 4}, 0, math.Inf(1), Confidence) // which has tests of its own
	want := Summary{Epsilon: 1, Sigma: 2, Runs: 4, MeanKm: 2.5, CILowKm: low, CIHighKm: high,
		MedianKm: 2.5, P10Km: 1.3, P90Km: 3.7, StdKm: math.Sqrt(5. / 3), MeanWithoutFallbackKm: 2,
		MeanWithoutTimeoutKm:   1.5,
		DetectedBeforeHandover: 0.25, NeverDetected: 0.25, Fallback: 0.25, TimedOut: 0.5, CostOfPrivacy: 0.375,
		PathOverhead: 3,
		PlannedKm:    6, HandoverOnlyKm: 7, DirectKm: 9, DirectOverhead: 2, NoiseKm: -3.5, NoiseLowKm: low - 6,
		NoiseHighKm: high - 6, HiddenUntilKm: 3, HiddenShare: 0.75} // half of 6 km, and three of the four flights
	for _, s := range Statistics() {
		if g, w := *s.Of(&got), *s.Of(&want); math.Abs(g-w) > 1e-8 {
			t.Errorf("%s is %.10g, want %.10g", s.Name, g, w)
		}
	}
	lost := NewTally([]float64{1}, []float64{2})
	lost.Add([]Run{{Epsilon: 1, Fallback: true}})
	if mean := lost.Summaries()[0].MeanWithoutFallbackKm; !math.IsNaN(mean) {
		t.Errorf("the mean of no flight is %g", mean)
	}
}

// The usual distance for the share of hidden flights is half of that of the direct flight or, without one, of the
// planned flight, rounded to a multiple of 5 of its second digit.
func TestTheUsualDistanceOfHiding(t *testing.T) {
	for _, c := range []struct{ directKm, plannedKm, want float64 }{
		{101.55, 60.77, 50}, {math.NaN(), 60.77, 30}, {206, 1, 100}, {16.5, 18.8, 8.5}, {0, 2.3, 1}, {0.02, 0, 0.01},
	} {
		if got := usualHiddenKm(c.directKm, c.plannedKm); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%+v: %g", c, got)
		}
	}
	if got := usualHiddenKm(math.NaN(), 0); !math.IsNaN(got) {
		t.Errorf("without any distance: %g", got)
	}
}
