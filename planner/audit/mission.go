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

// OfProblem returns the inputs and the claim of a problem whose reward a mechanism makes private. The entry that
// differs is mostRevealed.
func OfProblem(p *planner.Solved, mechanism privacy.Mechanism, g privacy.Guarantee, seed uint64,
	of Publication) (Inputs, Claim, error) {
	s, claim, err := Subject{Problem: p, Mechanism: mechanism, Guarantee: g, Seed: seed, Of: of,
		Entry: mostRevealed(p, of)}.Claimed()
	if err != nil {
		return Inputs{}, Claim{}, err
	}
	in, err := s.Inputs()
	if p.Grid != nil {
		cell, action := p.Grid.Cell(s.Entry/p.Law.Actions()), planner.Action(s.Entry%p.Law.Actions())
		in.Entry = fmt.Sprintf("%d,%d,%s", cell.Column, cell.Row, p.Grid.Moves.Word(action))
	}
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
// waypoint of the optimal route. Of another problem it is the optimal action at the start.
func mostRevealed(p *planner.Solved, of Publication) int {
	state, action := p.Start, planner.Action(p.Optimal.Policy[p.Start])
	switch grid := p.Grid; {
	case grid == nil:
	case of == Route:
		state = grid.Next(state, action)
		action = straightOn(grid.Cell(state), grid.Cell(grid.Goal))
	default:
		state, action = grid.Goal, planner.ToTarget
	}
	return state*p.Law.Actions() + int(action)
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
