package planner_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
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
	for state := route.First(); ; state = route.Next(state) {
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
	fmt.Println(planner.Action(plan.Policy[0]), plan.Value[0], mission.Optimal.Value[0])
	// Output: north 4 0
}
