package privacy

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

// Two agents of two actions in three states. The first has ended in the last two, the second in the last one.
func ending(t *testing.T) *Rewards {
	t.Helper()
	r, err := NewRewards(shape(t, 3, []int{2, 2}), [][]float64{{1, 2, 0, 0, 0, 0}, {3, 4, 5, 6, 0, 0}},
		[][]bool{{false, true, true}, {false, false, true}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The private reward by hand: means of what agents earn, and of the noise of those that go on.
func TestNoNoiseOfAnAgentThatHasEnded(t *testing.T) {
	r := ending(t)
	const sigma = 2
	z := []float64{1, 10, 100, 1000, 1e4, 1e5, -1, -10, -100, -1000, -1e4, -1e5}
	private := make([]float64, 12)
	InputPerturbation{}.Perturb(private, r, sigma, z)
	input := []float64{
		(1 + 3) / 2., (1 + 4 + 2*(1-10)) / 2., (2 + 3 + 2*(10-1)) / 2., (2 + 4) / 2., // opposite noise in the first and last
		(5 - 2*100) / 2., (6 - 2*1000) / 2., (5 - 2*100) / 2., (6 - 2*1000) / 2., // the second agent's noise alone
		0, 0, 0, 0,
	}
	if !slices.Equal(private, input) {
		t.Errorf("input: %v, want %v", private, input)
	}
	for _, norm := range []Norm{ExactL2, L1Bound} {
		OutputPerturbation{norm}.Perturb(private, r, sigma, z)
		output := []float64{2 + 2, 2.5 + 20, 2.5 + 200, 3 + 2000, 2.5 + 2e4, 3 + 2e5, 2.5 - 2, 3 - 20, 0, 0, 0, 0}
		if !slices.Equal(private, output) {
			t.Errorf("output: %v, want %v", private, output)
		}
	}
	one, err := NewRewards(shape(t, 2, []int{2}), [][]float64{{1, 2, 0, 0}}, [][]bool{{false, true}})
	if err != nil {
		t.Fatal(err)
	}
	InputPerturbation{}.Perturb(private[:4], one, sigma, z[:4])
	if want := []float64{3, 22, 0, 0}; !slices.Equal(private[:4], want) {
		t.Errorf("one agent: %v, want %v", private[:4], want)
	}
}

func TestWhatEndedEarnsNothing(t *testing.T) {
	s := shape(t, 2, []int{1, 1})
	for want, ended := range map[string][][]bool{"agent 0 has ended in state 1, but its reward for action 0 is " +
		"not 0": {{false,
		true}, nil}, "ends for 1 states": {nil, {true}}, "ends of 1 agents": {nil}} {
		if _, err := NewRewards(s, [][]float64{{0, 1}, {0, 0}}, ended); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// What a design predicts of agents that end or lack actions is what draws of the mechanism show, and where there are
// two entries, of noise s and t, their largest error is sqrt(2/pi (s^2+t^2)) on average.
func TestDesignOfAgentsThatEnd(t *testing.T) {
	inf := math.Inf(-1)
	s := shape(t, 3, []int{1, 2})
	tables := [][]float64{{1, 0, 0}, {0.5, inf, inf, 0.25, 0, 0}}
	ended := [][]bool{{false, true, true}, {false, false, true}}
	d := Design{Shape: s, Rewards: tables, Ended: ended, Goals: 1, Solver: Convergence{0.9, 1e-6},
		Guarantee: Guarantee{Epsilon: 1, Delta: 0.1, Adjacency: 1, Calibration: Classical}}
	a, err := d.Assess()
	if err != nil {
		t.Fatal(err)
	}
	if d.Entries() != 2 {
		t.Errorf("%d entries with noise, want 2", d.Entries())
	}
	closed := math.Sqrt(2/math.Pi*(1./2+1./4)) * a.Sigma
	if !(math.Abs(a.MaxErrorIndependent-closed) <= 1e-12*closed) { // of the quadrature
		t.Errorf("largest error %v, want %v", a.MaxErrorIndependent, closed)
	}
	if a.MaxErrorBound < closed || a.MaxErrorLogBound < closed {
		t.Errorf("bounds %v and %v on %v", a.MaxErrorBound, a.MaxErrorLogBound, closed)
	}
	if pair := normalTail(-0.25 / (math.Sqrt2 * a.Sigma)); len(a.Survival) != 2 || a.Survival[0] != 1 ||
		!(math.Abs(a.Survival[1]-pair) <= 1e-12) {
		t.Errorf("survival %v, want 1 and %v", a.Survival, pair)
	}
	r, err := NewRewards(s, tables, ended)
	if err != nil {
		t.Fatal(err)
	}
	var n Noise
	n.Seek(Address{Seed: 4})
	const count = 20_000
	var largest, sweeps Sample
	z, private := make([]float64, InputPerturbation{}.Normals(s)), make([]float64, s.JointEntries())
	for range count {
		n.Normals(z)
		InputPerturbation{}.Perturb(private, r, a.Sigma, z)
		moved := 0.0
		for i, x := range private {
			if !math.IsInf(x, -1) {
				moved = max(moved, math.Abs(x-r.Joint[i]))
			}
		}
		largest.Add(moved)
		sweeps.Add(d.Solver.sweeps(largestAbsolute(private)) - d.Solver.sweeps(r.LargestAbsolute()))
	}
	simulated, err := d.SimulatedMaxError(context.Background(), count, &n, nil)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		got  SampleMean
		want float64
	}{"largest error": {largest.Mean(), closed}, "simulated": {simulated, closed / a.Sigma},
		"sweeps": {sweeps.Mean(), a.ExtraSweeps.WithoutCeilings}} {
		if !(math.Abs(c.got.Mean-c.want) <= 4.5*c.got.StandardError) { // once in 10^5 seeds
			t.Errorf("%s: %v +- %v of draws, predicted %v", what, c.got.Mean, c.got.StandardError, c.want)
		}
	}
}
