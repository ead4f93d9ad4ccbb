package paper

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/planner/mdp"
)

// Slip says where a gridworld agent goes when it slips. The paper's Example 2 only says that an agent slips
// "into a state not commanded by the action" with probability p; these are the readings that were tried.
type Slip string

// The readings of a slip with probability p. Moves off the grid stay in place.
const (
	// SlipOtherActions: p is shared equally by the outcomes of the other four actions.
	SlipOtherActions Slip = "other-actions"
	// SlipOtherNeighbours: p is shared by the neighbouring cells other than the commanded one.
	SlipOtherNeighbours Slip = "other-neighbours"
	// SlipStay: with probability p the agent does not move.
	SlipStay Slip = "stay"
	// SlipOtherNeighboursOrStay: as SlipOtherNeighbours, with the agent's own cell as one of them.
	SlipOtherNeighboursOrStay Slip = "other-neighbours-or-stay"
	// SlipSideways: p is shared by the two perpendicular moves; staying never slips.
	SlipSideways Slip = "sideways"
	// SlipAnywhere: p is shared by all cells other than the commanded one.
	SlipAnywhere Slip = "anywhere"
	// SlipEachOtherAction: each of the other four actions' outcomes has probability p.
	SlipEachOtherAction Slip = "each-other-action"
	// SlipAnyAction: p is shared by the outcomes of all five actions.
	SlipAnyAction Slip = "any-action"
	// SlipOtherActionsUnlessStaying: as SlipOtherActions; staying never slips.
	SlipOtherActionsUnlessStaying Slip = "other-actions-unless-staying"
	// SlipEachOtherNeighbour: each neighbouring cell other than the commanded one has probability p.
	SlipEachOtherNeighbour Slip = "each-other-neighbour"
	// SlipOtherMovesUnlessStaying: p is shared by the outcomes of the other three moves; staying never slips.
	SlipOtherMovesUnlessStaying Slip = "other-moves-unless-staying"
)

var slips = []Slip{
	SlipOtherActions, SlipOtherNeighbours, SlipStay, SlipOtherNeighboursOrStay, SlipSideways, SlipAnywhere,
	SlipEachOtherAction, SlipAnyAction, SlipOtherActionsUnlessStaying, SlipEachOtherNeighbour,
	SlipOtherMovesUnlessStaying,
}

// SlipNames returns the names of all readings.
func SlipNames() (names []string) {
	for _, slip := range slips {
		names = append(names, string(slip))
	}
	return names
}

// ParseSlip returns the slip with a name.
func ParseSlip(name string) (Slip, error) {
	if !slices.Contains(slips, Slip(name)) {
		return "", fmt.Errorf("paper: there is no slip %q; want one of %s", name, strings.Join(SlipNames(), ", "))
	}
	return Slip(name), nil
}

// outcomes returns the commanded cell and the cells that the agent slips to.
func (g Gridworld) outcomes(cell, action int) []mdp.Outcome {
	slips := g.slips(cell, action)
	each := g.Probability
	if shared := g.Slip != SlipEachOtherAction && g.Slip != SlipEachOtherNeighbour; shared && len(slips) > 0 {
		each /= float64(len(slips))
	}
	outcomes := []mdp.Outcome{{State: g.next(cell, action), Probability: 1 - each*float64(len(slips))}}
	for _, s := range slips {
		outcomes = addOutcome(outcomes, mdp.Outcome{State: s, Probability: each})
	}
	return outcomes
}

// slips lists the cells that a slip leads to; a repeated cell is proportionally more likely.
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

// otherNeighbours lists the neighbouring cells except the commanded one, and the agent's own cell if the slip
// includes it.
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

// addOutcome appends an outcome, or adds its probability to an outcome with the same state.
func addOutcome(to []mdp.Outcome, o mdp.Outcome) []mdp.Outcome {
	for i := range to {
		if to[i].State == o.State {
			to[i].Probability += o.Probability
			return to
		}
	}
	return append(to, o)
}
