package planner

import (
	"fmt"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Problem is a decision problem whose rewards are private: an agent or a team, how it moves, what every
// agent earns, and where it starts. It is immutable and safe for concurrent use.
type Problem struct {
	Law      mdp.Law          // of the agent, or *mdp.Joint of the team
	Rewards  *privacy.Rewards // the true rewards: every agent's, where it has ended, and the joint one that is planned for
	Discount float64          // of future rewards, in (0, 1)
	Start    int              // the state in which costs are told
	// by agent, of its own states: absorbing, with rewards of 0, in public; nil where none has any
	Terminal [][]int32
}

// NewProblem checks a problem's parts. There is one reward table per agent, (joint) states x its own actions,
// state-major, -Inf where a state lacks the action; they are kept and must not be changed. Terminal states, a list for
// each agent of its own states or no list at all, are absorbing with rewards of 0 and known to be: mechanisms add no
// noise of an agent that is in one.
func NewProblem(law mdp.Law, rewards [][]float64, discount float64, start int, terminal ...[]int32) (*Problem, error) {
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
	ended, err := endedIn(law, terminal)
	if err != nil {
		return nil, err
	}
	tables, err := privacy.NewRewards(shape, rewards, ended)
	if err != nil {
		return nil, err
	}
	if err := checkSizes(rewards, agentActions(law), discount); err != nil {
		return nil, err
	}
	if err := mdp.CheckRewards(law, tables.Joint); err != nil {
		return nil, err
	}
	return &Problem{Law: law, Rewards: tables, Discount: discount, Start: start, Terminal: terminal}, nil
}

// LargestValue bounds the size of values: their squares are finite numbers.
const LargestValue = 1e150

// LargeRewardError is a reward with which values may exceed [LargestValue].
type LargeRewardError struct {
	Agent, State, Action int // its own action
	Reward, Discount     float64
}

// Error says which reward it is and what to do.
func (e *LargeRewardError) Error() string {
	return fmt.Sprintf("planner: reward %g of agent %d, state %d, action %d is too large to be planned with: at "+
		"discount %g values may reach %.3g, and the largest is %g; divide all rewards by one number",
		e.Reward, e.Agent, e.State, e.Action, e.Discount, e.Reward/(1-e.Discount), LargestValue)
}

// checkSizes refuses the first reward that is too large. Values are at most the largest reward over 1 - discount.
func checkSizes(rewards [][]float64, actions []int, discount float64) error {
	for i, table := range rewards {
		for k, r := range table {
			if !math.IsInf(r, 0) && math.Abs(r) > LargestValue*(1-discount) {
				return &LargeRewardError{Agent: i, State: k / actions[i], Action: k % actions[i], Reward: r, Discount: discount}
			}
		}
	}
	return nil
}

// endedIn returns by agent and (joint) state where agents are in terminal states of theirs, nil where none has any. It
// refuses terminal states that are left.
func endedIn(law mdp.Law, terminal [][]int32) ([][]bool, error) {
	joint, team := law.(*mdp.Joint)
	agents := 1
	if team {
		agents = joint.Agents()
	}
	if len(terminal) > 0 && len(terminal) != agents {
		return nil, fmt.Errorf("planner: terminal states of %d agents given; there are %d", len(terminal), agents)
	}
	if !slices.ContainsFunc(terminal, func(list []int32) bool { return len(list) > 0 }) {
		return nil, nil
	}
	own := make([][]bool, agents)
	for i, list := range terminal {
		of := law
		if team {
			of = joint.Agent(i)
		}
		var err error
		if own[i], err = terminalIn(of, list); err != nil {
			return nil, err
		}
	}
	if !team {
		return own, nil
	}
	local := make([]int, agents)
	ended := make([][]bool, agents)
	for i := range ended {
		ended[i] = make([]bool, joint.States())
	}
	for s := range joint.States() {
		for i, at := range joint.LocalStates(s, local) {
			ended[i][s] = own[i][at]
		}
	}
	return ended, nil
}

// terminalIn returns which states of an agent are in a list, and refuses those that are left.
func terminalIn(law mdp.Law, list []int32) ([]bool, error) {
	is := make([]bool, law.States())
	var outcomes []mdp.Outcome
	for _, s := range list {
		if s < 0 || int(s) >= law.States() {
			return nil, fmt.Errorf("planner: terminal state %d is outside 0..%d", s, law.States()-1)
		}
		is[s] = true
		for a := range law.Actions() {
			outcomes = law.AppendOutcomes(outcomes[:0], int(s), a)
			if len(outcomes) != 1 || outcomes[0].State != int(s) {
				return nil, fmt.Errorf("planner: terminal state %d, action %d: want no other next state", s, a)
			}
		}
	}
	return is, nil
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
		Reward: p.Rewards.Joint,
	}
	for _, s := range p.Rewards.Over() {
		optimal.Value[s] = 0 // exactly
	}
	return &Solved{Problem: p, Tolerance: tolerance, Accuracy: accuracy, Optimal: optimal}, nil
}
