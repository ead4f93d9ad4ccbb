package planner_test

import (
	"math"
	"strings"
	"testing"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// constant replaces every reward by one number.
type constant float64

func (constant) Name() string    { return "constant" }
func (constant) Meaning() string { return "all rewards are one number" }

func (c constant) Privatize(dst []float64, r *privacy.Rewards, _ privacy.Guarantee, _ *privacy.Noise) error {
	for i, reward := range r.Joint {
		if dst[i] = float64(c); math.IsInf(reward, -1) && c < 8 {
			dst[i] = reward
		}
	}
	return nil
}

// A mechanism on rewards need not know where agents have ended: nothing is earned there in its plan either. It may not
// give an action to a state that lacks it, nor rewards that are too large to be planned for.
func TestMechanismOnRewards(t *testing.T) {
	law, err := mdp.NewModel(3, 2, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: min(s+a, 2), Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	problem, err := planner.NewProblem(law, [][]float64{{-1, -1, math.Inf(-1), -1, 0, 0}}, 0.5, 0, []int32{2})
	if err != nil {
		t.Fatal(err)
	}
	solved, err := problem.Solve(1e-9, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewPlanner(solved, nil)
	if err != nil {
		t.Fatal(err)
	}
	var noise privacy.Noise
	plan, err := p.PlanBy(planner.OnReward(constant(1)), privacy.Guarantee{Epsilon: 1}, &noise)
	// Waiting in the first state earns 1 for ever, and going on earns it twice.
	if err != nil || plan.Policy[0] != 0 || plan.Policy[1] != 1 || plan.Reward[4] != 0 || plan.Reward[5] != 0 ||
		!(math.Abs(plan.Value[0]-2) <= 1e-9) || !(math.Abs(plan.Value[1]-1) <= 1e-9) || plan.Value[2] != 0 {
		t.Errorf("%+v, %v", plan, err)
	}
	for _, c := range []constant{8, 1e200, constant(math.NaN())} {
		_, err := p.PlanBy(planner.OnReward(c), privacy.Guarantee{Epsilon: 1}, &noise)
		want := "state 0, action 0"
		if c == 8 {
			want = "state 1, action 0" // which it lacks
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("rewards of %g: %v", float64(c), err)
		}
	}
}

// A mechanism is linear where it is on rewards and its mechanism is; linear ones alone have an axis.
func TestLinearOf(t *testing.T) {
	veiled := struct{ planner.Mechanism }{planner.Standard()}
	for _, m := range []planner.Mechanism{nil, planner.OnReward(constant(1)), veiled} {
		if linear := planner.LinearOf(m); linear != nil {
			t.Errorf("%v is said to be %v", m, linear)
		}
	}
	if planner.LinearOf(planner.Standard()) != (privacy.InputPerturbation{}) {
		t.Error("the standard mechanism is not linear")
	}
	if _, err := planner.NewAxis(nil, nil); err == nil {
		t.Error("an axis without a linear mechanism")
	}
}
