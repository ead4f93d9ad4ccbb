package paper

import (
	"fmt"

	"veilpath/planner"
	"veilpath/planner/mdp"
)

// The actions of a gridworld agent, in the paper's order.
const (
	GridLeft = iota
	GridRight
	GridUp
	GridDown
	GridStay
	gridActions
)

// Gridworld is the paper's Example 2: agents on a grid, with a reward for staying in cell 0 together. Cells are
// numbered row by row from the top left.
//
// The paper does not state the discount, the details of the slip, or the start cells. A discount of 0.85 with
// SlipOtherActions and the start cells (0, 15) is nearest to the four published curves together, but does not
// reproduce them; the published iteration count needs 0.99.
type Gridworld struct {
	Columns, Rows int
	Agents        int
	Slip          Slip
	Probability   float64 // p of the slip
	Reward        float64 // for staying in cell 0 while all agents are there
	OtherReward   float64 // for everything else
}

// Agent returns the law of one agent.
func (g Gridworld) Agent() (*mdp.Model, error) {
	if g.Columns < 1 || g.Rows < 1 {
		return nil, fmt.Errorf("paper: a gridworld of %d x %d cells; both sides must be at least 1", g.Columns, g.Rows)
	}
	if _, err := ParseSlip(string(g.Slip)); err != nil {
		return nil, err
	}
	if !(g.Probability >= 0 && g.Probability <= 1) {
		return nil, fmt.Errorf("paper: gridworld: slip probability %v is outside [0, 1]", g.Probability)
	}
	return mdp.NewModel(g.Columns*g.Rows, gridActions, g.outcomes)
}

// Problem returns the team's problem, from one start cell per agent.
func (g Gridworld) Problem(discount float64, start []int) (*planner.Problem, error) {
	agent, err := g.Agent()
	if err != nil {
		return nil, err
	}
	if len(start) != g.Agents {
		return nil, fmt.Errorf("paper: gridworld: %d start cells for %d agents", len(start), g.Agents)
	}
	for _, cell := range start {
		if cell < 0 || cell >= g.Columns*g.Rows {
			return nil, fmt.Errorf("paper: gridworld: start cell %d is outside 0..%d", cell, g.Columns*g.Rows-1)
		}
	}
	return team{agent: agent, size: g.Agents, goal: make([]int, len(start)), action: GridStay, reward: g.Reward,
		other: g.OtherReward}.problem(discount, start)
}

// next returns the cell that an action commands.
func (g Gridworld) next(cell, action int) int {
	column, row := cell%g.Columns, cell/g.Columns
	switch action {
	case GridLeft:
		column--
	case GridRight:
		column++
	case GridUp:
		row--
	case GridDown:
		row++
	}
	if column < 0 || column >= g.Columns || row < 0 || row >= g.Rows {
		return cell
	}
	return row*g.Columns + column
}
