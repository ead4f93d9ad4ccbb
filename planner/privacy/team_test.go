package privacy

import (
	"math"
	"testing"
)

func team(t *testing.T, p, q int, rewards ...[]float64) Team {
	t.Helper()
	var all Team
	for _, r := range rewards {
		g, err := NewGoals(r, p, q)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	return all
}

func TestLargestSigma(t *testing.T) {
	for name, goals := range map[string]Team{
		"gridworld": team(t, 1, 0, gridworld(5)), "two agents": team(t, 1, 0, gridworld(5), gridworld(50)),
		"chain": team(t, 1, 1, []float64{0, 1, 2, 2.5}), "pair": team(t, 1, 0, []float64{0, 1}),
	} {
		for _, want := range []float64{0.6, 0.9, 0.999} {
			sigma, err1 := goals.LargestSigma(want)
			got, err2 := goals.Probability(sigma)
			if err1 != nil || err2 != nil || !(math.Abs(got-want) <= survivalTolerance) {
				t.Errorf("%s: sigma %g keeps the goals with %.15g, want %g (%v, %v)", name, sigma, got, want, err1, err2)
			}
		}
	}
}

// A pair survives with Phi(gap/(sqrt2 sigma)), which inverts in closed form.
func TestLargestSigmaOfAPair(t *testing.T) {
	for _, want := range []float64{0.51, 0.9, 1 - 1e-6} {
		got, err := team(t, 1, 0, []float64{0, 3}).LargestSigma(want)
		if closed := 3 / (math.Sqrt2 * normalTailInverse(1-want)); err != nil || relative(got, closed) > 1e-7 {
			t.Errorf("P=%g: %.12g, %v; want %.12g", want, got, err, closed)
		}
	}
}
