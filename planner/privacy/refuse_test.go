package privacy

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

// checkOneLine wants an error on one line that names the culprit.
func checkOneLine(t *testing.T, err error, culprit string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), culprit) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got error %v, want one line naming %q", err, culprit)
	}
}

// Arguments that make no sense are refused by name.
func TestBadInputIsRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	of := func(_ any, err error) error { return err } // the error of a call
	ctx, noise, one := context.Background(), new(Noise), shape(t, 1, []int{1})
	good := Convergence{0.9, 1e-8}
	goals, err := NewGoals([]float64{1, 1, 3}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	tied := team(t, 1, 1, []float64{1, 1, 3})
	two := shape(t, 2, []int{2, 3})
	release := func(reward []float64, grid float64, change func(*Guarantee)) error {
		g := promise
		change(&g)
		return of(Release(reward, g, grid, new(Entropy)))
	}
	same := func(*Guarantee) {}
	design := func(change func(*Design)) error {
		d := gridworldDesign(t, 1)
		change(&d)
		return of(d.Assess())
	}
	for _, c := range []struct {
		culprit string
		err     error
	}{
		{"calibration", of(Calibration("Analytic").Sigma(1, 0.1, 1))},
		{"epsilon", of(Classical.Sigma(0, 0.1, 1))}, {"epsilon", of(Classical.Sigma(-1, 0.1, 1))},
		{"epsilon", of(Analytic.Sigma(nan, 0.1, 1))}, {"epsilon", of(Analytic.Sigma(inf, 0.1, 1))},
		{"delta", of(Classical.Sigma(1, 0, 1))}, {"delta", of(Classical.Sigma(1, 0.5, 1))},
		{"delta", of(Analytic.Sigma(1, 1, 1))}, {"delta", of(Analytic.Sigma(1, nan, 1))},
		{"sensitivity", of(Analytic.Sigma(1, 0.1, 0))}, {"sensitivity", of(Analytic.Sigma(1, 0.1, nan))},
		{"sensitivity", of(Classical.Sigma(1, 0.1, inf))}, {"range", of(Classical.Sigma(1e-300, 0.1, 1e300))},
		{"epsilon", of(Delta(-1, 1, 1))}, {"sigma", of(Delta(1, 0, 1))}, {"range", of(Delta(1, 1e-300, 1e300))},
		{"sigma", of(Epsilon(0.1, nan, 1))}, {"range", of(Epsilon(1e-6, 1e300, 1e-300))},
		{"sigma", of(Classical.Epsilon(0.1, inf, 1))}, {"delta", of(Classical.Epsilon(0.6, 1, 1))},

		{"releases", of(Classical.ReleasesSigma(0, 1, 0.1, 1))}, {"releases", of(ReleasesEpsilon(-3, 0.1, 1, 1))},
		{"sigma", of(ReleasesEpsilon(3, 0.1, nan, 1))}, {"sigma", of(ReleasesAllowed(1, 0.1, inf, 1))},
		{"epsilon", of(ReleasesAllowed(0, 0.1, 1, 1))},

		{"agents", of(MaxErrorBound(0, 8))}, {"joint entries", of(MaxErrorIndependent(2, 0))},
		{"agents", of(MaxErrorLogBound(0, 8))}, {"error", of(EpsilonForError(Classical, 1, nan, 0.1, 1))},
		{"per sigma", of(EpsilonForError(Classical, 0, 1, 0.1, 1))},
		{"adjacency", of(EpsilonForError(Classical, 1, 1, 0.1, -1))}, {"agents", of(CorollaryEpsilon(1, 0.1, 1, 0, 1))},
		{"draws", of(one.SimulatedMaxError(ctx, 1, noise, nil))},

		{"gamma", of(Convergence{0, 1}.Sweeps(1))}, {"gamma", of(Convergence{1, 1}.Sweeps(1))},
		{"gamma", of(Convergence{nan, 1}.Sweeps(1))}, {"eta", of(Convergence{0.9, 0}.Sweeps(1))},
		{"reward", of(good.Sweeps(0))}, {"reward", of(good.Sweeps(inf))},
		{"form", of(good.ExtraSweepsBound("figure", 1, 1, 1, 1))}, {"agents", of(good.ExtraSweepsBound(Proof, 0, 1, 1, 1))},
		{"sigma", of(good.ExtraSweepsBound(Proof, 1, 1, 0, 1))},
		{"reward", of(good.ExtraSweepsIndependent([]float64{0, 0}, 1, 1))},
		{"sigma", of(good.ExtraSweepsIndependent([]float64{1}, 1, 1e-13))},
		{"agents", of(good.ExtraSweepsIndependent([]float64{1}, 0, 1))},
		{"draws", of(one.SimulatedExtraSweeps(ctx, []Convergence{good}, [][]float64{{1}}, 1, true, 0, noise))},

		{"empty", of(NewGoals(nil, 0, 0))}, {"entry 1", of(NewGoals([]float64{1, nan}, 1, 0))},
		{"goal entries", of(NewGoals([]float64{1, 2}, 3, 0))}, {"goal entries", of(NewGoals([]float64{1, 2}, -1, 0))},
		{"avoid entries", of(NewGoals([]float64{1, 2}, 1, 5))}, {"sigma", of(goals.Probability(0))},
		{"sigma", of(goals.Bound(inf))},
		{"survival probability", of(tied.LargestSigma(0))}, {"survival probability", of(tied.LargestSigma(nan))},
		{"survival probability", of(tied.LargestSigma(0.6))}, {"survival probability", of(tied.LargestSigma(0.1))},
		{"does not depend", of(team(t, 2, 0, []float64{1, 2}).LargestSigma(0.5))},
		{"does not depend", of(team(t, 1, 0, []float64{4, 4}).LargestSigma(0.5))}, {"agent 0", of(tied.Probability(0))},
		{"delta", of(tied.EpsilonForSurvival(Classical, 0.4, 0.6, 1))},
		{"adjacency", of(tied.EpsilonForSurvival(Classical, 0.4, 0.1, 0))},

		{"joint states", of(NewShape(0, []int{2}))}, {"agents", of(NewShape(3, nil))},
		{"agent 1", of(NewShape(3, []int{2, 0}))},
		{"1.91e+24 bytes", of(NewShape(256, slices.Repeat([]int{5}, 30)))}, {"bytes", of(NewShape(math.MaxInt/8, []int{2}))},
		{"adjacency", of(two.OutputSensitivity(0, ExactL2))}, {"norm", of(two.OutputSensitivity(1, "l3"))},
		{"entry 5", of(NewRewards(two, [][]float64{make([]float64, 4), {0, 0, 0, 0, 0, nan}}, nil))},
		{"agents", of(NewRewards(two, [][]float64{make([]float64, 4)}, nil))},
		{"agent 1", of(NewRewards(two, [][]float64{make([]float64, 4), make([]float64, 4)}, nil))},

		{"number of rewards", release(nil, 0.01, same)}, {"a reward is not finite", release([]float64{nan}, 0.01, same)},
		{"a reward is more than 2^52 steps", release([]float64{0, 1e300}, 0.01, same)},
		{"grid", release([]float64{1}, 0, same)},
		{"grid", release([]float64{1}, nan, same)}, {"grid", release([]float64{1}, 2.5, same)},
		{"grid", release([]float64{1}, 1e-9, same)},
		{"epsilon", release([]float64{1}, 0.01, func(g *Guarantee) { g.Epsilon = 0 })},
		{"to be certified", release([]float64{1}, 0.01, func(g *Guarantee) { g.Delta = 1e-310 })},
		{"adjacency", release([]float64{1}, 0.01, func(g *Guarantee) { g.Adjacency = nan })},
		{"adjacency", of(Guarantee{Epsilon: 1, Delta: 0.1, Calibration: Classical}.Grid())},

		{"agent 1", design(func(d *Design) { d.Rewards = [][]float64{gridworld(5), {1}} })},
		{"gamma", design(func(d *Design) { d.Solver.Gamma = 1 })},
		{"goal entries", design(func(d *Design) { d.Goals = 5000 })},
		{"adjacency", design(func(d *Design) { d.Guarantee.Adjacency = 0 })},
		{"error", of(gridworldDesign(t, 1).EpsilonForMaxError(-1))},
		{"probability", of(gridworldDesign(t, 1).EpsilonForSurvival(1.5))},

		{"epsilon", of(NewGeoIndistinguishable(paperLattice, 0))},
		{"epsilon", of(NewGeoIndistinguishable(paperLattice, nan))},
		{"epsilon", of(NewGaussianGoal(paperLattice, Analytic, inf, 0.01))},
		{"lattice", of(NewGeoIndistinguishable(Lattice{Columns: 0, Rows: 4}, 1))},
		{"sensitivity", of(NewGaussianGoal(Lattice{Columns: 1, Rows: 1}, Analytic, 1, 0.01))},
		{"lattice", of(NewGeoIndistinguishable(Lattice{Columns: 2, Rows: 1, Allowed: []bool{false, false}}, 1))},
	} {
		checkOneLine(t, c.err, c.culprit)
	}
}
