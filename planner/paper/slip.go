package paper

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/planner/mdp"
)

// Slip says where a gridworld agent goes when it slips. The paper's Example 2 only says that an agent slips
// "into a state not commanded by the action" with probability p.
type Slip string

// The readings of a slip with probability p. Moves off the grid stay in place.
const (
	SlipOtherActions Slip = "other-actions" // p is shared equally by the outcomes of the other four actions
	SlipStay         Slip = "stay"          // with probability p the agent does not move
)

// SlipNames returns the names of all readings.
func SlipNames() []string { return []string{string(SlipOtherActions), string(SlipStay)} }

// ParseSlip returns the slip with a name.
func ParseSlip(name string) (Slip, error) {
	if !slices.Contains(SlipNames(), name) {
		return "", fmt.Errorf("paper: there is no slip %q; want one of %s", name, strings.Join(SlipNames(), ", "))
	}
	return Slip(name), nil
}

// outcomes returns the commanded cell and the cells that the agent slips to.
func (g Gridworld) outcomes(cell, action int) []mdp.Outcome {
	slips := []int{cell}
	if g.Slip == SlipOtherActions {
		slips = nil
		for a := range gridActions {
			if a != action {
				slips = append(slips, g.next(cell, a))
			}
		}
	}
	each := g.Probability / float64(len(slips))
	outcomes := []mdp.Outcome{{State: g.next(cell, action), Probability: 1 - each*float64(len(slips))}}
	for _, s := range slips {
		if i := slices.IndexFunc(outcomes, func(o mdp.Outcome) bool { return o.State == s }); i >= 0 {
			outcomes[i].Probability += each
		} else {
			outcomes = append(outcomes, mdp.Outcome{State: s, Probability: each})
		}
	}
	return outcomes
}
