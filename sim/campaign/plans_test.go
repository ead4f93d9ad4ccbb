package campaign

import (
	"math"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/internal/table"
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
		plans, err := NewPlans(g, planner.OnReward(privacy.InputPerturbation{}), epsilons)
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
	if plans, err := NewPlans(g, planner.OnReward(privacy.InputPerturbation{}), []float64{2, -1}); err == nil {
		t.Errorf("plans for an epsilon below 0: %v", plans)
	}
}

// An answer says what the optimal policy is worth and what the private ones lose; losses within their certified error
// are 0. Without private plans the table is that of some states, evenly spread.
func TestPlanAnswers(t *testing.T) {
	law, err := mdp.NewModel(1, 1, func(int, int) []mdp.Outcome { return []mdp.Outcome{{State: 0, Probability: 1}} })
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{0}}, 0.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := configs.Load(configs.Request{})
	if err != nil {
		t.Fatal(err)
	}
	plan := func(epsilon, sigma, lost float64) cost.Plan {
		return cost.Plan{Epsilon: epsilon, Sigma: sigma, Policy: []int32{0}, Regret: []float64{lost}, RegretBound: 1e-15,
			Cost: planner.Cost{Private: 8 - lost, Absolute: lost}}
	}
	const optimal = "The optimal policy of lake.json is worth 8 from state 0, certified to 1e-12 (1 state, 1 action, " +
		"discount 0.5)."
	for _, c := range []struct {
		private []cost.Plan
		words   string
		rows    [][]string
	}{
		{nil, optimal, [][]string{{"0", "0", "8"}}},
		{[]cost.Plan{plan(1, 2.5, 5e-16)}, optimal + " The value lost to privacy is 0 % at epsilon 1 in this draw of noise.",
			[][]string{{"1", "2.5", "8", "0 %", "0"}}},
		{[]cost.Plan{plan(0.5, 0, 2), plan(4, 0, 0.25)}, optimal + " The value lost to privacy is 25 % at epsilon 0.5 and " +
			"3.1 % at epsilon 4 in this draw of noise.",
			[][]string{{"0.5", "-", "6", "25 %", "2"}, {"4", "-", "7.75", "3.1 %", "0.25"}}},
	} {
		plans := &PlanSet{Solved: &planner.Solved{Problem: p, Optimal: planner.Plan{Policy: []int32{0}, Value: []float64{8},
			Bound: 1e-12}}, Name: "lake.json", Settings: settings, Listed: 1, States: problem.Numbered(1),
			Actions: problem.Numbered(1), Private: c.private}
		a := plans.Answer()
		if got := a.Words[0]; got != c.words {
			t.Errorf("%q, want %q", got, c.words)
		}
		columns, left := a.Table.Shown(table.MostRows)
		var rows [][]string
		for i := range columns[0].Cells {
			var row []string
			for _, column := range columns {
				row = append(row, column.Cells[i])
			}
			rows = append(rows, row)
		}
		if left != 0 || !slices.EqualFunc(rows, c.rows, slices.Equal) {
			t.Errorf("%q, want %q", rows, c.rows)
		}
	}
}
