package leaks

import (
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/report"
	"veilpath/sim/campaign"
)

// The curve of a study of leakage ends with the mission, or with the largest requested distance, and has a round step.
func TestCurveEndsWithTheMission(t *testing.T) {
	for _, c := range []struct {
		missionKm float64
		at        []float64
		step, end float64
		points    int
	}{
		{206.4, []float64{50}, 5, 205, 42},
		{12.7, []float64{4, 8}, 0.2, 12.6, 64},
		{12.7, []float64{4.1}, 0.2, 12.6, 65},
		{2051.8, []float64{100}, 50, 2050, 42},
		{12.7, []float64{200}, 5, 200, 41},
		{0.05, []float64{0.01}, 0.001, 0.05, 51},
	} {
		got := curveKm(c.at, c.missionKm)
		if len(got) != c.points || got[len(got)-1] != c.end || !slices.Contains(got, c.step) || !slices.IsSorted(got) ||
			!slices.Contains(got, c.at[0]) || got[0] != 0 {
			t.Errorf("%g km: %v", c.missionKm, got)
		}
	}
	if km := configs.Default().DirectKm(); !(km > 206 && km < 207) { // hypot(200, 50, 10)
		t.Errorf("the paper's mission is %g km long", km)
	}
}

// The figure and the page of a study of leakage are titled with the first sentence of the answer.
func TestTitleOfLeakageIsTheFirstSentence(t *testing.T) {
	settings, err := configs.Load(configs.Request{Sets: []string{"adversary.candidates=16:11,3:15,15:3"}})
	if err != nil {
		t.Fatal(err)
	}
	p := &campaign.Program{Version: "1"}
	l, err := New(t.Context(), p, Request{Settings: settings, Observers: "geometry,moves", Epsilons: "0.2,1,4",
		Flights: 4, At: "50", Radii: "25"})
	if err == nil {
		err = l.Do(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if first := l.Words()[0]; !strings.Contains(first, "at epsilon 0.2 ") ||
		l.found.figure.Title != report.Sentence(first) {
		t.Errorf("title %q, first sentence %q", l.found.figure.Title, first)
	}
}
