//go:build long

package leak_test

import (
	"context"
	"math"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/sim/leak"
)

// Over a table of rewards of the paper's mission, the distances agree with those of another program, which drew other
// noise: means over four policies of a standard deviation of at most 0.005. The difference is within two of its
// standard errors, except of these. One route may differ by 0.01: the other program's numbers are 0.006 larger also
// without noise, where nothing is drawn, and it does not say when a flight ends, where here it stays at its goal for
// ever. The policy at epsilon 4 may differ by three standard errors: the other program has 0.680, which is above both
// its 0.676 at epsilon 1 and its 0.672 without noise, between which the 0.674 of this one lies.
func TestRewardsAreThoseOfAnotherProgram(t *testing.T) {
	c := configs.Default()
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := [][]float64{{0.456, 0.688, 0.687, 0.651, 0.592}, {0.138, 0.676, 0.686, 0.630, 0.582},
		{0.042, 0.680, 0.686, 0.640, 0.619}, {0, 0.672, 0.687, nan, nan}}
	wantPearson := []float64{0.06, 0.09, 0.08, 0.10} // of the policy, to two digits
	const draws, policy, route = 10, 1, 2
	s := leak.Rewards{Problem: e.Mission.Solved, Mechanism: planner.Standard(), Guarantee: e.Guarantee, Draws: draws,
		Epsilons: []float64{0.2, 1, 4, leak.Unprivate}, Seed: c.Study.Seed}
	rows, err := s.Measure(context.Background(), ignore, ignore)
	if err != nil {
		t.Fatal(err)
	}
	n := len(leak.Sightings())
	for i, row := range rows {
		other := want[i/n][i%n]
		const quantile, reference = 2.262, 0.005 / 2 // Student's at 9 degrees of freedom; the other's standard error
		standardError := (row.Distance.High - row.Distance.Low) / 2 / quantile
		allowed := 2 * math.Hypot(standardError, reference)
		switch i {
		case route, n + route, 2*n + route, 3*n + route:
			allowed = 0.01
		case 2*n + policy:
			allowed = 3 * reference
		}
		t.Logf("epsilon %g, %s: %.4f, %.3f", row.Epsilon, row.Seen, row.Distance.Mean, other)
		if math.Abs(row.Distance.Mean-other) > allowed {
			t.Errorf("epsilon %g, %s: %+v, another program %v", row.Epsilon, row.Seen, row.Distance, other)
		}
		if i%n == policy && math.Abs(row.Pearson.Mean-wantPearson[i/n]) > 0.015 {
			t.Errorf("epsilon %g: %+v, another program %v", row.Epsilon, row.Pearson, wantPearson[i/n])
		}
	}
}
