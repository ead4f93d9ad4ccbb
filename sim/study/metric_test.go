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
		NoiseHighKm: high - 6}
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
