package planner

import (
	"fmt"

	"veilpath/planner/privacy"
)

// Decoys draw a cell to plan for in place of the goal.
type Decoys struct {
	Missions  []*Mission // one for every cell as the goal, in order; nil for cells that are never drawn
	Weight    float64    // reward lost per spacing of distance
	Mechanism func(epsilon float64) (privacy.GoalMechanism, error)
}

// Draw returns the mission that is planned for in place of m. u is uniform in [0, 1).
func (d *Decoys) Draw(m *Mission, epsilon, u float64) (*Mission, error) {
	probabilities, err := d.Probabilities(m.Grid.Goal, epsilon)
	if err != nil {
		return nil, err
	}
	return d.Missions[privacy.DrawFrom(probabilities, u)], nil
}

// Probabilities returns the probability of every cell to be drawn for a goal.
func (d *Decoys) Probabilities(goal int, epsilon float64) ([]float64, error) {
	mechanism, err := d.Mechanism(epsilon)
	if err != nil {
		return nil, fmt.Errorf("planner: %w", err)
	}
	probabilities := make([]float64, len(d.Missions))
	mechanism.Probabilities(probabilities, goal)
	return probabilities, nil
}

// Delta returns the delta at every epsilon. Without decoys (nil) it is that of the promise of m for the guarantee g;
// otherwise it is that of the mechanism that draws the goal.
func (d *Decoys) Delta(g privacy.Guarantee, m Mechanism) float64 {
	if d == nil {
		return PromiseOf(m).Delta(g.Delta)
	}
	mechanism, err := d.Mechanism(1)
	if err != nil {
		panic("planner: a mechanism at epsilon 1: " + err.Error()) // its settings have been checked
	}
	return mechanism.Delta()
}

// Next returns the state that the plan for a cell commands in a state, or -1 for a cell that is never drawn.
func (d *Decoys) Next(cell, state int) int {
	m := d.Missions[cell]
	if m == nil {
		return -1
	}
	return m.Grid.Next(state, Action(m.Optimal.Policy[state]))
}

// Lattice returns the grid's cells as goal mechanisms take them: a cell's number is its state, and only cells
// that can be reached from the start are allowed.
func (g *Grid) Lattice() privacy.Lattice {
	l := privacy.Lattice{Columns: g.Columns, Rows: g.Rows}
	if g.closed != nil {
		l.Allowed = g.reached()
	}
	return l
}

// Cost returns the cost to mission m of following the optimal plan of a decoy, which differs only in the goal. It
// compares that plan's value at the start, under m's own reward, with the value of m's optimal plan.
func (d *Decoys) Cost(m, decoy *Mission) (Cost, error) {
	rewards := m.Grid.rewardsOf(d.Weight, decoy.Grid)
	problem, err := NewProblem(decoy.Law, [][]float64{rewards}, m.Discount, m.Start)
	if err != nil {
		return Cost{}, err
	}
	p, err := NewPlanner(&Solved{Problem: problem, Tolerance: m.Tolerance, Accuracy: m.Accuracy, Optimal: m.Optimal}, nil)
	if err != nil {
		return Cost{}, err
	}
	p.LimitCores(1)
	return p.Cost(decoy.Optimal.Policy), nil
}
