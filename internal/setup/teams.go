package setup

import (
	"veilpath/configs"
	"veilpath/planner/paper"
)

// TwoStateTeam returns the team of Example 1 with the given number of agents.
func TwoStateTeam(c configs.Config, agents int) paper.TwoStateTeam {
	e := c.Example1
	return paper.TwoStateTeam{Agents: agents, Obedience: e.Obedience, Reward: e.GoalReward, OtherReward: e.OtherReward}
}

// Gridworld returns the gridworld of Example 2 with the given reward at the goal.
func Gridworld(c configs.Config, goalReward float64) paper.Gridworld {
	e := c.Example2
	slip, err := paper.ParseSlip(e.SlipModel)
	if err != nil {
		panic("setup: Config was not checked: " + err.Error())
	}
	return paper.Gridworld{Columns: e.Columns, Rows: e.Rows, Agents: len(e.StartCells), Slip: slip, Probability: e.Slip,
		Reward: goalReward, OtherReward: e.OtherReward}
}
