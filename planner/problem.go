package planner

import (
	"fmt"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Problem is a decision problem whose rewards are private: an agent or a team, how it moves, what every
// agent earns, and where it starts. It is immutable and safe for concurrent use.
type Problem struct {
	Law      mdp.Law          // of the agent, or *mdp.Joint of the team
	Rewards  *privacy.Rewards // the true rewards: every agent's, and the joint one that is planned for
	Discount float64          // of future rewards, in (0, 1)
	Start    int              // the state in which costs are told
	Terminal []int32          // states in which nothing is earned, in public: no noise is left there
}

// NewProblem checks a problem's parts. There is one reward table per agent, (joint) states x its own actions,
// state-major, -Inf where a state lacks the action; they are kept and must not be changed. Terminal states are
// absorbing with rewards of 0 and known to be: a private reward is put right there.
func NewProblem(law mdp.Law, rewards [][]float64, discount float64, start int, terminal ...int32) (*Problem, error) {
	if err := mdp.CheckDiscount(discount); err != nil {
		return nil, err
	}
	if start < 0 || start >= law.States() {
		return nil, fmt.Errorf("planner: start state %d is outside 0..%d", start, law.States()-1)
	}
	shape, err := privacy.NewShape(law.States(), agentActions(law))
	if err != nil {
		return nil, err
	}
	tables, err := privacy.NewRewards(shape, rewards)
	if err != nil {
		return nil, err
	}
	if err := mdp.CheckRewards(law, tables.Joint); err != nil {
		return nil, err
	}
	p := &Problem{Law: law, Rewards: tables, Discount: discount, Start: start, Terminal: terminal}
	return p, p.checkTerminal()
}

// checkTerminal refuses terminal states in which something is earned or that are left.
func (p *Problem) checkTerminal() error {
	actions := p.Law.Actions()
	var outcomes []mdp.Outcome
	for _, s := range p.Terminal {
		if s < 0 || int(s) >= p.Law.States() {
			return fmt.Errorf("planner: terminal state %d is outside 0..%d", s, p.Law.States()-1)
		}
		for a, r := range p.Rewards.Joint[int(s)*actions : (int(s)+1)*actions] {
			outcomes = p.Law.AppendOutcomes(outcomes[:0], int(s), a)
			if r != 0 || len(outcomes) != 1 || outcomes[0].State != int(s) {
				return fmt.Errorf("planner: terminal state %d, action %d: want a reward of 0 and no other next state", s, a)
			}
		}
	}
	return nil
}

// quiet takes the noise off the terminal states.
func (p *Problem) quiet(rewards []float64) {
	actions := p.Law.Actions()
	for _, s := range p.Terminal {
		clear(rewards[int(s)*actions : (int(s)+1)*actions])
	}
}

// agentActions returns how many actions each agent has.
func agentActions(law mdp.Law) []int {
	joint, ok := law.(*mdp.Joint)
	if !ok {
		return []int{law.Actions()}
	}
	actions := make([]int, joint.Agents())
	for i := range actions {
		actions[i] = joint.Agent(i).Actions()
	}
	return actions
}

// Solved is a problem with the plan that is optimal without privacy. It is immutable and safe for
// concurrent use; each goroutine takes a Planner.
type Solved struct {
	*Problem
	Tolerance float64 // largest loss of value that a computed policy may have in any state, > 0
	Accuracy  float64 // largest error of the value of a given policy, >= 0; 0 for what rounding allows
	Optimal   Plan    // optimal for the true joint reward
}

// Plan is a policy and its value under the reward it was made for.
type Plan struct {
	Policy []int32   // action of every state
	Value  []float64 // discounted reward of following Policy, per state
	Bound  float64   // certified largest error of Value in any state, and distance from the optimum
}

// Solve solves the problem for its true rewards. It is an error if the solution is not certified to the
// tolerance.
func (p *Problem) Solve(tolerance, accuracy float64) (*Solved, error) {
	solver, err := mdp.NewSolver(p.Law, p.Discount)
	if err != nil {
		return nil, err
	}
	solution := solver.Solve(p.Rewards.Joint, nil, tolerance)
	if err := solution.Within(tolerance); err != nil {
		return nil, err
	}
	optimal := Plan{
		Policy: append([]int32(nil), solution.Policy...),
		Value:  append([]float64(nil), solution.Value...),
		Bound:  solution.Bound,
	}
	for _, s := range p.Terminal {
		optimal.Value[s] = 0 // exactly
	}
	return &Solved{Problem: p, Tolerance: tolerance, Accuracy: accuracy, Optimal: optimal}, nil
}
