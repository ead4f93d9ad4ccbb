package policies

import (
	"math"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/sim/cost"
)

// Plans of a problem are the optimal one and one for every epsilon, each at its own noise; what the mechanism cannot be
// calibrated to is an error.
func TestPlansForEveryEpsilon(t *testing.T) {
	law, err := mdp.NewModel(2, 2, func(_, a int) []mdp.Outcome { return []mdp.Outcome{{State: a, Probability: 1}} })
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{0, 1, 2, 0}}, 0.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := configs.Load(configs.Request{})
	if err != nil {
		t.Fatal(err)
	}
	g := &setup.Input{Instance: &problem.Instance{Problem: p, States: problem.Numbered(2), Actions: problem.Numbered(2),
		Listed: 2},
		Name: "p", Settings: settings, Tolerance: 1e-9}
	// Going back and forth earns 1 and 2 in turn: 1 + 1 + 1/4 + 1/4 + ... at the start.
	for _, epsilons := range [][]float64{nil, {2}, {0.5, 4}} {
		plans, err := New(g, planner.OnReward(privacy.InputPerturbation{}), epsilons)
		if err != nil {
			t.Fatal(err)
		}
		if len(plans.Private) != len(epsilons) || math.Abs(plans.Optimal.Value[0]-8./3) > 1e-8 || plans.Listed != 2 ||
			plans.Grid != nil || plans.Name != "p" {
			t.Errorf("epsilons %v: %d plans beside %v", epsilons, len(plans.Private), plans.Optimal)
		}
		for i, private := range plans.Private {
			sigma, err := settings.Config.Guarantee().At(epsilons[i]).Sigma()
			if err != nil || private.Epsilon != epsilons[i] || math.Abs(private.Sigma/sigma-1) > 1e-12 {
				t.Errorf("plan %d is of epsilon %g and sigma %g, want %g and %g", i, private.Epsilon, private.Sigma, epsilons[i],
					sigma)
			}
		}
	}
	if plans, err := New(g, planner.OnReward(privacy.InputPerturbation{}), []float64{2, -1}); err == nil {
		t.Errorf("plans for an epsilon below 0: %v", plans)
	}
}

// Values and regrets that are 0 within their certified error are printed as 0.
func TestNumbersWithinTheirErrorArePrintedAsZero(t *testing.T) {
	law, err := mdp.NewModel(1, 1, func(int, int) []mdp.Outcome { return []mdp.Outcome{{State: 0, Probability: 1}} })
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{0}}, 0.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	optimal := planner.Plan{Policy: []int32{0}, Value: []float64{2e-13}, Bound: 1e-12}
	plans := &Policies{Solved: &planner.Solved{Problem: p, Optimal: optimal}, Listed: 1,
		States: problem.Numbered(1), Actions: problem.Numbered(1),
		Private: []cost.Plan{{Epsilon: 1, Policy: []int32{0}, Regret: []float64{5e-16}, RegretBound: 1e-15}}}
	for _, want := range []string{"0", "0.25"} {
		section := plans.Sections(false)[0]
		columns, _ := section.Table.Shown(0)
		for _, c := range columns {
			if c.Heading == "value" && c.Cells[0] != "0" || c.Heading == "regret" && c.Cells[0] != want {
				t.Errorf("the %s is printed as %v, want %s", c.Heading, c.Cells, want)
			}
		}
		if !strings.Contains(section.Text, "in any state is "+want+".\n") {
			t.Errorf("%q does not have the regret %s", section.Text, want)
		}
		plans.Private[0].Regret[0] = 0.25
	}
}
