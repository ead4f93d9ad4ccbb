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

// TwoStateTeam is the paper's Example 1: N agents with states 0 and 1 each; action a (0) keeps the state with
// probability p and action b (1) leaves it with probability p. An agent earns 5 if all agents are in state 1
// and it takes action a, and -1 otherwise.
//
// The paper states neither p nor the discount. p = 0.91 with a discount of 0.99 reproduces the published cost
// of input perturbation within sampling error, and so does p = 0.92 with 0.95: the data do not identify the two
// separately.
type TwoStateTeam struct {
	Agents      int
	Obedience   float64 // p: probability that an action has its intended outcome
	Reward      float64 // in the joint state (1, 1, ...) under action a
	OtherReward float64 // everywhere else
}

// The actions of Example 1.
const (
	TwoStateKeep  = 0 // the paper's a
	TwoStateLeave = 1 // the paper's b
)

// Agent returns the law of one agent.
func (t TwoStateTeam) Agent() (*mdp.Model, error) {
	p := t.Obedience
	if !(p >= 0 && p <= 1) {
		return nil, fmt.Errorf("paper: two-state agent: probability %v of the intended outcome is outside [0, 1]", p)
	}
	return mdp.NewModel(2, 2, func(state, action int) []mdp.Outcome {
		keep := p
		if action == TwoStateLeave {
			keep = 1 - p
		}
		return []mdp.Outcome{{State: state, Probability: keep}, {State: 1 - state, Probability: 1 - keep}}
	})
}

// Problem returns the team's problem, from the joint state in which every agent is in state 0.
func (t TwoStateTeam) Problem(discount float64) (*planner.Problem, error) {
	agent, err := t.Agent()
	if err != nil {
		return nil, err
	}
	start := make([]int, max(t.Agents, 0))
	together := slices.Repeat([]int{1}, len(start))
	return team{agent: agent, size: t.Agents, goal: together, action: TwoStateKeep, reward: t.Reward,
		other: t.OtherReward}.problem(discount, start)
}
