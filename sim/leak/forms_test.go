package leak_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// tossing takes the optimal action half of the time, and otherwise any.
type tossing struct{}

func (tossing) Name() string    { return "tossing" }
func (tossing) Meaning() string { return "takes the optimal action or any" }

func (tossing) Plan(p *planner.Planner, _ privacy.Guarantee, _ *privacy.Noise) (planner.Plan, error) {
	problem := p.Problem()
	actions := problem.Law.Actions()
	policy := slices.Repeat([]float64{0.5 / float64(actions)}, len(problem.Rewards.Joint))
	for state, action := range problem.Optimal.Policy {
		policy[state*actions+int(action)] += 0.5
	}
	return planner.Plan{Stochastic: policy}, nil
}

// along takes the moves of the optimal policy, as a path.
type along struct{}

func (along) Name() string    { return "along" }
func (along) Meaning() string { return "takes the optimal policy's path" }

func (along) Plan(p *planner.Planner, _ privacy.Guarantee, _ *privacy.Noise) (planner.Plan, error) {
	problem := p.Problem()
	outcomes := problem.Law.AppendOutcomes(nil, problem.Start, int(problem.Optimal.Policy[problem.Start]))
	return planner.Plan{Path: []int32{int32(problem.Start), int32(outcomes[0].State)}}, nil
}

// formWorld is the paper's world with another mechanism and few goals.
func formWorld(t *testing.T, m planner.Mechanism) *leak.World {
	t.Helper()
	setting := world(t, 240, nil).Setting
	setting.Mechanism = m
	states, err := setting.Cells(240)
	if err != nil {
		t.Fatal(err)
	}
	w, err := leak.NewWorld(context.Background(), setting, states[:6], nil, 0, ignore)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// An observer who knows the mechanism learns how often a stochastic policy takes each move: its shares are those
// of the probabilities, within five standard deviations.
func TestObserverKnowsStochasticPolicies(t *testing.T) {
	w := formWorld(t, tossing{})
	tables, err := w.Draw(context.Background(), []float64{1}, leak.Sampling{Policies: 3000, Seed: 4}, nil, ignore)
	if err != nil {
		t.Fatal(err)
	}
	of, count := tables[0].Counts()
	actions := w.Goals[0].Mission.Law.Actions()
	chosen := make([]float64, actions)
	for goal, g := range w.Goals {
		for state := range g.Mission.Grid.States() {
			count(goal, state, chosen)
			for action, n := range chosen {
				q := 0.5 / float64(actions)
				if int32(action) == g.Mission.Optimal.Policy[state] {
					q += 0.5
				}
				if math.Abs(n-of*q) > 5*math.Sqrt(of*q*(1-q)) {
					t.Errorf("goal %d, state %d: action %d is taken %g times, want a share of %g", goal, state, action, n, q)
				}
			}
		}
	}
}

// A path of the optimal policy's moves leaks and costs what the optimal policy does; a stochastic policy leaks
// less, costs more, and its flights are the same whatever the number of workers.
func TestLeakageOfOtherForms(t *testing.T) {
	measure := func(m planner.Mechanism, epsilon float64, workers int) *leak.Result {
		return fly(t, leak.Study{Ways: []leak.Way{{World: formWorld(t, m), Epsilon: epsilon}},
			Observers: observers("moves"), Flights: 40, FlownKm: []float64{60, 120}, Seed: 2, Workers: workers})
	}
	optimal := measure(planner.Standard(), leak.Unprivate, 1)
	path := measure(along{}, 1, 1)
	toss := measure(tossing{}, 1, 1)
	other := measure(tossing{}, 1, 3)
	for k := range optimal.Rows() {
		o, p, s := optimal.Rows()[k], path.Rows()[k], toss.Rows()[k]
		if p.BitsLeft != o.BitsLeft {
			t.Errorf("the optimal path leaves %v bits, the optimal policy %v", p.BitsLeft, o.BitsLeft)
		}
		if !(s.BitsLeft > o.BitsLeft) {
			t.Errorf("a stochastic policy leaves %v bits, the optimal policy %v; want more", s.BitsLeft, o.BitsLeft)
		}
		if s.BitsLeft != other.Rows()[k].BitsLeft {
			t.Errorf("3 workers find %v bits, one %v", other.Rows()[k].BitsLeft, s.BitsLeft)
		}
	}
}
