package audit

import (
	"fmt"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Inputs returns the subject's table and its neighbour, to be audited.
func (s Subject) Inputs() (Inputs, error) {
	in := Inputs{Of: string(s.Of), Seed: s.Seed, NewSampler: s.newSampler, Threshold: 0.5} // between the digits
	if err := s.check(); err != nil || s.Of != Reward {
		return in, err
	}
	in.Threshold, in.Tables = s.Guarantee.Adjacency/2, s.tables()
	if _, is := s.Mechanism.(privacy.Linear); is {
		in.Shift = s.Guarantee.Adjacency
	}
	m, is := s.Mechanism.(privacy.Distributed)
	if !is {
		return in, nil
	}
	law, err := m.Law(s.Problem.Rewards.Shape, s.Guarantee)
	pair := s.pair()
	for i, of := range pair {
		in.Laws[i] = func(v float64) float64 { return law(of, pair[0]+v) }
	}
	in.LawClaim = "a private reward is distributed as " + m.Name() + " says"
	return in, err
}

// OfMission returns the inputs and the claim of a mission whose reward a mechanism makes private. The entry that
// differs is mostRevealed.
func OfMission(m *planner.Mission, mechanism privacy.Mechanism, g privacy.Guarantee, seed uint64,
	of Publication) (Inputs, Claim, error) {
	s, claim, err := Subject{Problem: m.Solved, Mechanism: mechanism, Guarantee: g, Seed: seed, Of: of,
		Entry: mostRevealed(m, of)}.Claimed()
	if err != nil {
		return Inputs{}, Claim{}, err
	}
	in, err := s.Inputs()
	actions := m.Law.Actions()
	cell, action := m.Grid.Cell(s.Entry/actions), planner.Action(s.Entry%actions)
	in.Entry = fmt.Sprintf("%d,%d,%s", cell.Column, cell.Row, m.Grid.Moves.Word(action))
	return in, claim, err
}

// Claimed returns the subject with the noise of its guarantee, and what it promises.
func (s Subject) Claimed() (Subject, Claim, error) {
	var err error
	g := s.Guarantee
	if linear, is := s.Mechanism.(privacy.Linear); is {
		s.Sigma, err = g.SigmaOf(linear, s.Problem.Rewards.Shape)
	}
	delta := planner.PromiseOf(planner.OnReward(s.Mechanism)).Delta(g.Delta)
	return s, Claim{Epsilon: g.Epsilon, Delta: delta, Adjacency: g.Adjacency, Sigma: s.Sigma}, err
}

// mostRevealed is the entry of a mission's table about which its publication reveals most: staying at the goal,
// by the action that leads to the goal from everywhere; for a route, the move straight on from the first
// waypoint of the optimal route.
func mostRevealed(m *planner.Mission, of Publication) int {
	grid := m.Grid
	if of != Route {
		return entryOf(m, grid.Goal, planner.ToTarget)
	}
	first := grid.Next(grid.Start, planner.Action(m.Optimal.Policy[grid.Start]))
	return entryOf(m, first, straightOn(grid.Cell(first), grid.Cell(grid.Goal)))
}

func entryOf(m *planner.Mission, state int, action planner.Action) int {
	return state*m.Law.Actions() + int(action)
}

// straightOn is the action along the axis on which the goal is farther.
func straightOn(from, goal planner.Cell) planner.Action {
	dx, dy := goal.Column-from.Column, goal.Row-from.Row
	switch {
	case max(dx, -dx) >= max(dy, -dy) && dx >= 0:
		return planner.East
	case max(dx, -dx) >= max(dy, -dy):
		return planner.West
	case dy > 0:
		return planner.North
	}
	return planner.South
}
