package mdp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// eliminationError is relative to the largest entry of the solution: the matrices below have condition
// numbers up to 2/(1 - 0.99).
const eliminationError = 1e-12

func TestBandSolverAgainstDenseElimination(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for trial := range 300 {
		states, reach := 1+rng.IntN(40), rng.IntN(12)
		model, err := NewModel(states, 1, func(s, _ int) []Outcome {
			low, high := max(0, s-reach), min(states-1, s+reach)
			p := rng.Float64()
			return []Outcome{
				{State: low + rng.IntN(high-low+1), Probability: p},
				{State: low + rng.IntN(high-low+1), Probability: 1 - p},
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		discount := []float64{0.5, 0.99}[trial%2]
		s, err := newSweeper(model, discount)
		if err != nil {
			t.Fatal(err)
		}
		rewards := make([]float64, states)
		for i := range rewards {
			rewards[i] = rng.NormFloat64()
		}
		s.rewards = rewards
		s.adopt()
		direct := newBandSolver(s.kernel, states)
		direct.factor(s.kernel)
		got := append([]float64(nil), rewards...)
		direct.solve(got)

		dense := mat.NewDense(states, states, nil)
		for i := range states {
			next, probability := model.Transition(i, 0)
			for k, n := range next {
				dense.Set(i, int(n), dense.At(i, int(n))-discount*probability[k])
			}
			dense.Set(i, i, dense.At(i, i)+1)
		}
		var want mat.VecDense
		if err := want.SolveVec(dense, mat.NewVecDense(states, rewards)); err != nil {
			t.Fatal(err)
		}
		size := mat.Norm(&want, math.Inf(1))
		for i := range got {
			if d := math.Abs(got[i] - want.AtVec(i)); !(d <= eliminationError*size) {
				t.Fatalf("trial %d (%d states, band %d): unknown %d is %v, want %v", trial, states, s.kernel.bandwidth(), i, got[i],
					want.AtVec(i))
			}
		}
	}
}
