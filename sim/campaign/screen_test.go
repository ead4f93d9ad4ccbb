package campaign

import (
	"math"
	"slices"
	"testing"

	"veilpath/internal/phrase"
	"veilpath/sim/study"
)

func TestTheFindingOfAStudy(t *testing.T) {
	const hides, gives, not = phrase.Hides, phrase.GivesAway, phrase.NotShown
	nan := math.NaN()
	near := &study.Summary{Epsilon: 0.2, MeanKm: 41.78, CILowKm: 38.58, CIHighKm: 44.91}
	far := &study.Summary{Epsilon: 4, MeanKm: 57.71, CILowKm: 55.6, CIHighKm: 59.2}
	never := &study.Summary{Epsilon: 4, CIHighKm: 3}
	for _, c := range []struct {
		finding
		want string
	}{
		{finding{Effects: []phrase.Effect{hides, hides}, Least: near, Most: far, PlannedKm: 60.77, DirectKm: 101.55},
			`Noise hides the destination from the observer "b" (radius 0.7 km): it is recognised 41.8 km (38.6 .. 44.9) ` +
				`from the target at epsilon 0.2 and 57.7 km at epsilon 4, without noise 60.8 km, on a straight flight 101.5 km.`},
		{finding{Effects: []phrase.Effect{hides, not}, Least: near, Most: far, PlannedKm: 60.77, DirectKm: nan},
			`Noise hides the destination from the observer "b" (radius 0.7 km) at 1 of 2 epsilons: it is recognised ` +
				`41.8 km (38.6 .. 44.9) from the target at epsilon 0.2 and 57.7 km at epsilon 4, without noise 60.8 km.`},
		{finding{Effects: []phrase.Effect{gives}, Least: near, Most: near, PlannedKm: 20, DirectKm: nan},
			`Noise gives the destination away to the observer "b" (radius 0.7 km): it is recognised 41.8 km ` +
				`(38.6 .. 44.9) from the target at epsilon 0.2, without noise 20.0 km.`},
		{finding{Effects: []phrase.Effect{not, not}, Least: near, Most: never, PlannedKm: 0, DirectKm: nan},
			`Noise is not shown to hide the destination from the observer "b" (radius 0.7 km) or to give it away: it is ` +
				`recognised 41.8 km (38.6 .. 44.9) from the target at epsilon 0.2 and never at epsilon 4, without noise never.`},
		{finding{Effects: []phrase.Effect{hides, gives}, Least: never, Most: never, PlannedKm: 5, DirectKm: nan},
			`Noise hides the destination from the observer "b" (radius 0.7 km) at 1 of 2 epsilons and gives it away at 1 ` +
				`of 2 epsilons: it is never recognised at epsilon 4, without noise 5.0 km.`},
	} {
		c.Cause, c.Observer, c.RadiusKm = "Noise", "b", 0.7
		if got := c.sentence(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestEpsilonsOnScreen(t *testing.T) {
	steps := make([]float64, 20)
	for i := range steps {
		steps[i] = float64(i+1) / 5
	}
	for _, c := range []struct{ all, want []float64 }{
		{steps, []float64{0.2, 0.6, 1, 2, 4}},
		{[]float64{0.3, 7}, []float64{0.3, 7}},
		{[]float64{1, 1.1, 1.2, 1.3, 1.4, 1.5}, []float64{1, 1.5}},
	} {
		if got := shownEpsilons(c.all); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.all, got, c.want)
		}
	}
}

func TestTwoKindsOfFlight(t *testing.T) {
	twenty := append(slices.Repeat([]float64{60.5, 60.8}, 8), 15, 17, 20, 22)
	slices.Sort(twenty)
	near, far, divided := twoKinds(twenty)
	if !divided || len(near) != 4 || len(far) != 16 || kindText(far) != "60 to 61 km" || kindText(near) != "15 to 22 km" {
		t.Errorf("%v and %v", near, far)
	}
	for _, one := range [][]float64{nil, {5}, {206.01, 206.02}, {10, 11, 12, 13, 14, 15}} {
		if _, _, divided := twoKinds(one); divided {
			t.Errorf("%v has two kinds", one)
		}
	}
}

// There is no difference between a flight that is recognised and one that never is.
func TestNoChangeFromOrToNever(t *testing.T) {
	for _, c := range []struct{ from, to, want float64 }{{60, 40, -20}, {0, 40, math.NaN()}, {40, 0, math.NaN()},
		{math.NaN(), 4, math.NaN()}} {
		if got := between(c.from, c.to); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v: %v", c, got)
		}
	}
}
