package reproduce

import (
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner/paper"
)

// NewSettings returns the settings from three configs: waypoints for Example 3, and one and two for Examples 1 and
// 2. Seed and workers are those of waypoints.
func NewSettings(waypoints, one, two configs.Config) (*Settings, error) {
	waypoints.Study.Axis = configs.Axis{} // the paper lists epsilons
	experiment, err := setup.Experiment(waypoints)
	if err != nil {
		return nil, err
	}
	return &Settings{
		Seed: waypoints.Study.Seed, Workers: waypoints.Study.Workers,
		Example1: TeamSettings{
			Team:   func(agents int) paper.TwoStateTeam { return setup.TwoStateTeam(one, agents) },
			Agents: one.Example1.Agents, Discount: one.Example1.Discount,
			Guarantee: one.Guarantee(), Samples: one.Study.Runs,
		},
		Example2: WorldSettings{
			World:       func(goal float64) paper.Gridworld { return setup.Gridworld(two, goal) },
			GoalRewards: two.Example2.GoalRewards, Discount: two.Example2.Discount, StartCells: two.Example2.StartCells,
			Guarantee: two.Guarantee(), Epsilons: two.Study.Epsilons, Samples: two.Study.Runs,
		},
		Example3: setup.Study(waypoints, experiment),
	}, nil
}
