package mdp

import (
	"fmt"
	"strings"
)

// GridSlip says where a gridworld agent ends up when it does not obey. The paper's Example 2 only says
// that an agent slips "into a state not commanded by the action" with probability p; the readings below are
// the ones that were tried.
type GridSlip int

// The readings of a slip with probability p. Moves off the grid stay in place.
const (
	// SlipOtherActions: p is shared equally by the outcomes of the other four actions.
	SlipOtherActions GridSlip = iota
	// SlipOtherNeighbours: p is shared by the neighbouring cells other than the commanded one.
	SlipOtherNeighbours
	// SlipStay: with probability p the agent does not move.
	SlipStay
	// SlipOtherNeighboursOrStay: as SlipOtherNeighbours, the agent's own cell being one of them.
	SlipOtherNeighboursOrStay
	// SlipSideways: p is shared by the two perpendicular moves; staying is certain.
	SlipSideways
	// SlipAnywhere: p is shared by all cells other than the commanded one.
	SlipAnywhere
	// SlipEachOtherAction: each of the other four actions' outcomes has probability p.
	SlipEachOtherAction
	// SlipAnyAction: p is shared by the outcomes of all five actions.
	SlipAnyAction
	// SlipOtherActionsUnlessStaying: as SlipOtherActions; staying is certain.
	SlipOtherActionsUnlessStaying
	// SlipEachOtherNeighbour: each neighbouring cell other than the commanded one has probability p.
	SlipEachOtherNeighbour
	// SlipOtherMovesUnlessStaying: p is shared by the outcomes of the other three moves; staying is certain.
	SlipOtherMovesUnlessStaying
)

var gridSlipNames = [...]string{
	"other-actions", "other-neighbours", "stay", "other-neighbours-or-stay", "sideways", "anywhere",
	"each-other-action", "any-action", "other-actions-unless-staying", "each-other-neighbour", "other-moves-unless-staying",
}

// String returns the name that ParseGridSlip reads.
func (g GridSlip) String() string {
	if g < 0 || int(g) >= len(gridSlipNames) {
		return fmt.Sprintf("GridSlip(%d)", int(g))
	}
	return gridSlipNames[g]
}

// ParseGridSlip returns the slip of a name.
func ParseGridSlip(name string) (GridSlip, error) {
	for i, n := range gridSlipNames {
		if n == name {
			return GridSlip(i), nil
		}
	}
	return 0, fmt.Errorf("mdp: no grid slip is called %q; they are %s", name, strings.Join(gridSlipNames[:], ", "))
}

// The actions of a gridworld agent, in the paper's order.
const (
	GridLeft = iota
	GridRight
	GridUp
	GridDown
	GridStay
	gridActions
)

// Gridworld is the paper's Example 2: agents on a grid who are rewarded for staying in cell 0 together.
// Cells are numbered row by row from the top left.
//
// The paper states neither the discount, nor the slip in full, nor the start cells. A discount of 0.85
// with SlipOtherActions and the start cells (0, 15) comes nearest to the four published curves together,
// without reproducing them; the published iteration count needs 0.99.
type Gridworld struct {
	Columns, Rows int
	Agents        int
	Slip          GridSlip
	Probability   float64 // p of the slip
	Reward        float64 // for staying in cell 0 while all are there
	OtherReward   float64 // for everything else
}

// DefaultGridworld returns Example 2 with the paper's sizes and slip probability, goal reward 5 (the
// paper's other case is 50) and the best-fitting slip.
func DefaultGridworld() Gridworld {
	return Gridworld{Columns: 4, Rows: 4, Agents: 2, Slip: SlipOtherActions, Probability: 0.1, Reward: 5, OtherReward: -1}
}

// Agent returns the law of one agent.
func (g Gridworld) Agent() (*Model, error) {
	if g.Columns < 1 || g.Rows < 1 {
		return nil, fmt.Errorf("mdp: a gridworld of %d x %d cells; both sides must be at least 1", g.Columns, g.Rows)
	}
	if g.Slip < 0 || int(g.Slip) >= len(gridSlipNames) {
		return nil, fmt.Errorf("mdp: gridworld: there is no slip number %d", int(g.Slip))
	}
	if !(g.Probability >= 0 && g.Probability <= 1) {
		return nil, fmt.Errorf("mdp: gridworld: slip probability %v is outside [0, 1]", g.Probability)
	}
	return NewModel(g.Columns*g.Rows, gridActions, g.outcomes)
}

// Joint returns the law of the team; memory is that of NewJoint.
func (g Gridworld) Joint(memory uint64) (*Joint, error) {
	agent, err := g.Agent()
	if err != nil {
		return nil, err
	}
	return NewJoint(repeat(agent, g.Agents), memory)
}

// AgentRewards returns every agent's reward table, joint states x 5.
func (g Gridworld) AgentRewards(joint *Joint) [][]float64 {
	return goalRewards(joint, 0, GridStay, g.Reward, g.OtherReward)
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

// outcomes returns the commanded cell and where the agent slips to.
func (g Gridworld) outcomes(cell, action int) []Outcome {
	slips := g.slips(cell, action)
	each := g.Probability
	if shared := g.Slip != SlipEachOtherAction && g.Slip != SlipEachOtherNeighbour; shared && len(slips) > 0 {
		each /= float64(len(slips))
	}
	outcomes := []Outcome{{State: g.next(cell, action), Probability: 1 - each*float64(len(slips))}}
	for _, s := range slips {
		outcomes = addOutcome(outcomes, 0, Outcome{State: s, Probability: each})
	}
	return outcomes
}

// slips lists the cells that a slip leads to with equal probability, repeated ones more often.
func (g Gridworld) slips(cell, action int) (cells []int) {
	outcomesOf := func(actions ...int) (cells []int) {
		for _, a := range actions {
			if a != action || g.Slip == SlipAnyAction {
				cells = append(cells, g.next(cell, a))
			}
		}
		return cells
	}
	switch g.Slip {
	case SlipOtherActionsUnlessStaying, SlipOtherMovesUnlessStaying, SlipSideways:
		if action == GridStay {
			return nil
		}
	}
	switch g.Slip {
	case SlipOtherActions, SlipEachOtherAction, SlipAnyAction, SlipOtherActionsUnlessStaying:
		return outcomesOf(GridLeft, GridRight, GridUp, GridDown, GridStay)
	case SlipOtherMovesUnlessStaying:
		return outcomesOf(GridLeft, GridRight, GridUp, GridDown)
	case SlipSideways:
		if action == GridLeft || action == GridRight {
			return outcomesOf(GridUp, GridDown)
		}
		return outcomesOf(GridLeft, GridRight)
	case SlipStay:
		return []int{cell}
	case SlipAnywhere:
		for other := range g.Columns * g.Rows {
			if other != g.next(cell, action) {
				cells = append(cells, other)
			}
		}
		return cells
	}
	return g.otherNeighbours(cell, action)
}

// otherNeighbours lists the neighbouring cells but the commanded one, and the own cell if the slip says so.
func (g Gridworld) otherNeighbours(cell, action int) (cells []int) {
	commanded := g.next(cell, action)
	for a := range gridActions {
		other := g.next(cell, a)
		own := other == cell
		if other == commanded || own && (a != GridStay || g.Slip != SlipOtherNeighboursOrStay) {
			continue
		}
		cells = append(cells, other)
	}
	return cells
}
