package mdp_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/planner/mdp"
)

// softModel is a random problem with some actions that states lack.
func softModel(t *testing.T, rng *rand.Rand, states, actions int) (*mdp.Model, []float64) {
	t.Helper()
	model, err := mdp.NewModel(states, actions, func(int, int) []mdp.Outcome {
		p := rng.Float64()
		return []mdp.Outcome{{State: rng.IntN(states), Probability: p}, {State: rng.IntN(states), Probability: 1 - p}}
	})
	if err != nil {
		t.Fatal(err)
	}
	rewards := make([]float64, states*actions)
	for i := range rewards {
		rewards[i] = rng.NormFloat64()
		if i%actions > 0 && rng.IntN(4) == 0 {
			rewards[i] = math.Inf(-1)
		}
	}
	return model, rewards
}

func soften(t *testing.T, law mdp.Law, rewards []float64, discount, temperature float64,
	ended ...int) mdp.SoftSolution {
	t.Helper()
	s, err := mdp.Soft(law, rewards, discount, temperature, 1e-12, ended)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// By hand: a state of three actions that stay is worth T log sum exp(r/T) at every step for ever, and they come
// in the shares of exp(r/T). One that leads there has that to come.
func TestSoftByHand(t *testing.T) {
	law, err := mdp.NewModel(2, 3, func(int, int) []mdp.Outcome {
		return []mdp.Outcome{{State: 1, Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	const discount, temperature = 0.8, 0.7
	step := temperature * math.Log(math.Exp(1/temperature)+math.Exp(2/temperature)+math.Exp(-0.5/temperature))
	first := temperature * math.Log(2*math.Exp(3/temperature))
	s := soften(t, law, []float64{3, 3, math.Inf(-1), 1, 2, -0.5}, discount, temperature)
	stay := step / (1 - discount)
	for state, want := range []float64{first + discount*stay, stay} {
		if !(math.Abs(s.Value[state]-want) <= 1e-11) || s.Bound > 1e-11 {
			t.Errorf("state %d is worth %.15g within %g, want %.15g", state, s.Value[state], s.Bound, want)
		}
	}
	of := math.Exp(step / temperature)
	want := []float64{0.5, 0.5, 0, math.Exp(1/temperature) / of, math.Exp(2/temperature) / of,
		math.Exp(-0.5/temperature) / of}
	for i, p := range s.Policy {
		if !(math.Abs(p-want[i]) <= 1e-14) {
			t.Errorf("probability %d is %.16g, want %.16g", i, p, want[i])
		}
	}
}

// The soft value is what the policy earns with T times the entropy of its actions beside, evaluated as any
// stochastic policy is, and no other policy earns more.
func TestSoftPolicyEarnsMostWithItsEntropy(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	for range 20 {
		states, actions := 2+rng.IntN(8), 1+rng.IntN(4)
		law, rewards := softModel(t, rng, states, actions)
		temperature := math.Exp(2 * rng.NormFloat64())
		s := soften(t, law, rewards, 0.9, temperature)
		earned := withEntropy(t, law, rewards, s.Policy, temperature)
		for state, v := range s.Value {
			if !(math.Abs(v-earned[state]) <= 1e-10*(1+math.Abs(v))) {
				t.Errorf("state %d is worth %.15g, its policy earns %.15g", state, v, earned[state])
			}
		}
		for range 20 {
			other := slices.Clone(s.Policy)
			for row := range slices.Chunk(other, actions) {
				sum := 0.0
				for a := range row {
					row[a] *= math.Exp(rng.NormFloat64())
					sum += row[a]
				}
				for a := range row {
					row[a] /= sum
				}
			}
			for state, v := range withEntropy(t, law, rewards, other, temperature) {
				if v > s.Value[state]+1e-10*(1+math.Abs(v)) {
					t.Errorf("another policy earns %.15g in state %d, more than %.15g", v, state, s.Value[state])
				}
			}
		}
	}
}

// withEntropy returns what a policy earns with its entropy.
func withEntropy(t *testing.T, law *mdp.Model, rewards, policy []float64, temperature float64) []float64 {
	t.Helper()
	with := slices.Clone(rewards)
	for i, p := range policy {
		if p > 0 {
			with[i] -= temperature * math.Log(p)
		}
	}
	s, err := mdp.EvaluateStochastic(law, policy, with, 0.9, 1e-13)
	if err != nil {
		t.Fatal(err)
	}
	return s.Value
}

// Where all has ended nothing is worth anything, not even the entropy.
func TestSoftWhereAllHasEnded(t *testing.T) {
	law, err := mdp.NewModel(2, 2, func(int, int) []mdp.Outcome {
		return []mdp.Outcome{{State: 1, Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	s := soften(t, law, []float64{1, 1, 0, 0}, 0.9, 2, 1)
	if s.Value[1] != 0 || !(math.Abs(s.Value[0]-(1+2*math.Log(2))) <= 1e-12) ||
		!slices.Equal(s.Policy, []float64{0.5, 0.5, 0.5, 0.5}) {
		t.Errorf("%+v", s)
	}
}

func TestSoftRefuses(t *testing.T) {
	law, rewards := softModel(t, rand.New(rand.NewPCG(33, 0)), 3, 2)
	for name, c := range map[string]struct{ discount, temperature, tolerance float64 }{
		"discount": {1, 1, 1e-9}, "temperature": {0.9, 0, 1e-9}, "tolerance": {0.9, 1, 0}, "infinite": {0.9, math.Inf(1), 1},
	} {
		if _, err := mdp.Soft(law, rewards, c.discount, c.temperature, c.tolerance, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := mdp.Soft(law, rewards[1:], 0.9, 1, 1e-9, nil); err == nil {
		t.Error("rewards that are too few: no error")
	}
}

// A solver that goes on from the values of other rewards finds what one that begins anew finds.
func TestSoftSolverForgetsOtherRewards(t *testing.T) {
	law, err := mdp.NewModel(4, 2, func(state, action int) []mdp.Outcome {
		return []mdp.Outcome{{State: (state + 1) % 4, Probability: 0.75}, {State: (3*state + action) % 4, Probability: 0.25}}
	})
	if err != nil {
		t.Fatal(err)
	}
	solver, err := mdp.NewSoftSolver(law, 0.9, 0.5, 1e-12, []int{3})
	if err != nil {
		t.Fatal(err)
	}
	for _, rewards := range [][]float64{{9, 8, 7, 6, 5, 4, 0, 0}, {-1, 2, -3, 4, 5, -6, 0, 0}} {
		got, err := solver.Solve(rewards)
		if err != nil {
			t.Fatal(err)
		}
		want, err := mdp.Soft(law, rewards, 0.9, 0.5, 1e-12, []int{3})
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Value {
			if math.Abs(got.Value[i]-want.Value[i]) > 1e-10 {
				t.Errorf("value %d is %v, want %v", i, got.Value[i], want.Value[i])
			}
		}
		for i := range want.Policy {
			if math.Abs(got.Policy[i]-want.Policy[i]) > 1e-10 {
				t.Errorf("probability %d is %v, want %v", i, got.Policy[i], want.Policy[i])
			}
		}
	}
}
