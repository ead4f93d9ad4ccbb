package figure

import (
	"math"
	"strings"
	"testing"

	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// releasesOf returns rows of some observers and epsilons. left gives the bits that are left after some flights.
func releasesOf(observers []string, epsilons []float64,
	left func(epsilon float64, flights int, reused bool) float64) []leak.ReleasesRow {
	var rows []leak.ReleasesRow
	for _, o := range observers {
		for _, e := range epsilons {
			for _, n := range []int{1, 2, 4} {
				row := leak.ReleasesRow{Observer: o, Epsilon: e, Flights: n, ComposedEpsilon: e * float64(n)}
				row.Fresh.SampleMean = privacy.SampleMean{Mean: left(e, n, false), StandardError: 0.1}
				row.Reused.SampleMean = privacy.SampleMean{Mean: left(e, n, true), StandardError: 0.1}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// Lines of releases that coincide except for rounding are drawn once with all their names; others are separate.
func TestReleasesThatCoincideAreNamed(t *testing.T) {
	same := func(e float64, _ int, reused bool) float64 {
		if reused {
			e += 3
		}
		return 3 * (1 + 1e-15*e)
	}
	differ := func(e float64, n int, reused bool) float64 {
		if reused {
			n = 1
		}
		return 5 - e - 0.1*float64(n)
	}
	for name, c := range map[string]struct {
		left  func(float64, int, bool) float64
		lines int
	}{"one line": {same, 1}, "four": {differ, 4}} {
		f := ReleasesFigure(releasesOf([]string{"heading", "mechanism"}, []float64{0.2, 1}, c.left), 8.4)
		checkLayout(t, f)
		if len(f.Panels) != 3 {
			t.Fatalf("%s: %d panels, want one for each of two observers and one for the guarantee", name, len(f.Panels))
		}
		for _, p := range f.Panels[:2] {
			series := p.(*Chart).Series
			labels := ""
			for _, s := range series {
				labels += s.Label + "\n"
			}
			for _, want := range []string{"new noise, ε = 0.2", "one release, ε = 0.2", "new noise, ε = 1",
				"one release, ε = 1"} {
				if len(series) != c.lines || !strings.Contains(labels, want) {
					t.Errorf("%s: %d lines named %q, want %d, and %q among them", name, len(series), labels, c.lines, want)
				}
			}
		}
	}
}

// An epsilon has one colour. If there are more epsilons than colours, the subtitle says how many are drawn.
func TestReleasesOfManyEpsilons(t *testing.T) {
	epsilons := []float64{0.1, 0.2, 0.5, 1, 2, 4, 8}
	f := ReleasesFigure(releasesOf([]string{"mechanism"}, epsilons,
		func(e float64, n int, reused bool) float64 { return 5 - 0.1*e*float64(n) }), 8.4)
	checkLayout(t, f)
	if !strings.Contains(f.Subtitle, "5 of 7 epsilons") {
		t.Errorf("the subtitle is %q", f.Subtitle)
	}
	for _, p := range f.Panels {
		hueOf := map[string]int{}
		for _, s := range p.(*Chart).Series {
			_, epsilon, _ := strings.Cut(s.Label, "ε = ")
			if hue, ok := hueOf[epsilon]; ok && hue != s.Hue {
				t.Errorf("%s has two colours", s.Label)
			}
			hueOf[epsilon] = s.Hue
		}
		if len(hueOf) != 5 {
			t.Errorf("%d epsilons are drawn", len(hueOf))
		}
	}
}

// Without a composed guarantee its panel is missing, and the last panel has the axis of flights.
func TestReleasesWithoutAGuarantee(t *testing.T) {
	rows := releasesOf([]string{"mechanism"}, []float64{1}, func(float64, int, bool) float64 { return 2 })
	for i := range rows {
		rows[i].ComposedEpsilon = math.NaN()
	}
	f := ReleasesFigure(rows, 8.4)
	checkLayout(t, f)
	if last := f.Panels[len(f.Panels)-1].(*Chart); len(f.Panels) != 1 || last.X.Label == "" {
		t.Errorf("%d panels, the last over %q", len(f.Panels), last.X.Label)
	}
}

// Every sighting has a line over the epsilons, those without a known distance none, and without an epsilon there is no
// figure.
func TestRewardsFigure(t *testing.T) {
	var rows []leak.RewardsRow
	for _, e := range []float64{0.2, 1, math.Inf(1)} {
		for i, s := range leak.Sightings() {
			d := 0.6 + float64(i)/50
			rows = append(rows, leak.RewardsRow{Epsilon: e, Seen: s.Name, Distance: leak.Interval{Mean: d, Low: d - 0.01,
				High: d + 0.01}})
		}
	}
	rows[0].Distance.Mean, rows[5].Distance.Mean = math.NaN(), math.NaN()
	f := RewardsFigure(rows, "The finding")
	if chart := f.Panels[0].(*Chart); len(chart.Series) != 4 || len(chart.Series[0].X) != 2 {
		t.Errorf("%+v", chart.Series)
	}
	checkLayout(t, f)
	if f := RewardsFigure(rows[10:], ""); f != nil {
		t.Errorf("without noise: %+v", f)
	}
}
