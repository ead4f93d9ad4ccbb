package planner_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

func ExampleNewMission() {
	mission, err := planner.NewMission(planner.Spec{
		Columns: 5, Rows: 4, SpacingKm: 10, RewardWeight: 1, Discount: 0.9, Tolerance: 1e-9,
	}, r3.Vec{Z: 3}, r3.Vec{X: 40, Y: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	route := planner.Route{Grid: mission.Grid, Policy: mission.Optimal.Policy}
	for state := route.First(); ; state = route.Next(0, state) {
		fmt.Println(mission.Grid.Cell(state), route.Position(state))
		if state == mission.Grid.Goal {
			break
		}
	}
	fmt.Printf("worth %.4f\n", mission.Optimal.Value[mission.Grid.Start])
	// Output:
	// {0 0} {0 0 3}
	// {1 1} {10 10 3}
	// {2 2} {20 20 3}
	// {3 2} {30 20 3}
	// {4 2} {40 20 3}
	// worth -5.7723
}

// A reward is privatized with noise z, planned for, and the plan judged on the true reward.
func ExamplePlanner() {
	mission, err := planner.NewMission(planner.Spec{
		Columns: 2, Rows: 1, SpacingKm: 1, RewardWeight: 1, Discount: 0.5, Tolerance: 1e-9,
	}, r3.Vec{}, r3.Vec{X: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := planner.NewPlanner(mission.Solved, privacy.InputPerturbation{})
	if err != nil {
		fmt.Println(err)
		return
	}
	z := make([]float64, len(mission.Rewards.Joint))
	z[planner.North] = 3 // staying at the start looks good
	plan := p.Plan(p.Privatize(1, z))
	fmt.Println(mission.Grid.Moves.Name(planner.Action(plan.Policy[0])), plan.Value[0], mission.Optimal.Value[0])
	// Output: north 4 0
}

// A user's own problem: one choice, to stay at work for 1 a step or to leave for a place that earns 2.
func ExampleNewProblem() {
	const stay, leave = 0, 1
	law, err := mdp.NewModel(2, 2, func(state, action int) []mdp.Outcome {
		if state == 0 && action == leave {
			return []mdp.Outcome{{State: 1, Probability: 0.8}, {State: 0, Probability: 0.2}}
		}
		return []mdp.Outcome{{State: state, Probability: 1}}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	problem, err := planner.NewProblem(law, [][]float64{{1, 0, 2, 2}}, 0.9, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	solved, err := problem.Solve(1e-9, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := planner.NewPlanner(solved, privacy.InputPerturbation{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("leaving is worth %.3f\n", solved.Optimal.Value[0])
	fmt.Printf("staying costs %.1f %% of it\n", 100*p.CostOfPrivacy([]int32{stay, stay}))
	// Output:
	// leaving is worth 17.561
	// staying costs 43.1 % of it
}

// One draw of noise decides the route at every sigma.
func ExampleAxis() {
	mission, err := planner.NewMission(planner.Spec{
		Columns: 3, Rows: 1, SpacingKm: 1, RewardWeight: 1, Discount: 0.5, Tolerance: 1e-9,
	}, r3.Vec{}, r3.Vec{X: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	axis, err := planner.NewAxis(mission.Solved, privacy.InputPerturbation{})
	if err != nil {
		fmt.Println(err)
		return
	}
	z := make([]float64, len(mission.Rewards.Joint))
	z[planner.North], z[planner.East] = 2, 0.5 // staying at the start looks good, and going east a little
	for _, piece := range axis.Pieces(z, 0.1, 3) {
		fmt.Printf("sigma %.1f to %.1f: %s\n", piece.Low, piece.High,
			mission.Grid.Moves.Name(planner.Action(piece.Policy[mission.Start])))
	}
	// Output:
	// sigma 0.1 to 0.9: east
	// sigma 0.9 to 3.0: north
}
