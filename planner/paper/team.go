package paper

import (
	"fmt"
	"slices"

	"veilpath/planner"
	"veilpath/planner/mdp"
)

// team is a team of equal agents that all earn reward for one action in one joint state, and other everywhere
// else.
type team struct {
	agent         *mdp.Model
	size          int
	goal          []int // the agents' states in the rewarded joint state
	action        int   // the rewarded local action
	reward, other float64
}

// problem joins the agents, which start in the given states.
func (t team) problem(discount float64, start []int) (*planner.Problem, error) {
	if t.size < 1 {
		return nil, fmt.Errorf("paper: a team of %d agents; it needs at least one", t.size)
	}
	joint, err := mdp.NewJoint(slices.Repeat([]*mdp.Model{t.agent}, t.size), 0)
	if err != nil {
		return nil, err
	}
	rewards := make([][]float64, t.size)
	for i := range rewards {
		rewards[i] = slices.Repeat([]float64{t.other}, joint.States()*t.agent.Actions())
		rewards[i][joint.State(t.goal)*t.agent.Actions()+t.action] = t.reward
	}
	return planner.NewProblem(joint, rewards, discount, joint.State(start))
}
