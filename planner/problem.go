package planner

import (
	"fmt"
	"math"
	"slices"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Problem is a decision problem with private rewards: an agent or a team, its transitions, the rewards of every
// agent, and the start state. It is immutable and safe for concurrent use.
type Problem struct {
	Law      mdp.Law          // of the agent, or the *mdp.Joint of the team
	Rewards  *privacy.Rewards // the true rewards: of every agent, and the joint reward that is planned for
	Discount float64          // of future rewards, in (0, 1)
	Start    int              // the state for which costs are reported
	// Terminal lists each agent's absorbing states with reward 0, which are public; nil if there are none.
	Terminal [][]int32
	Grid     *Grid // whose waypoints the states are; nil for another problem
}

// NewProblem checks a problem's parts. There is one reward table per agent, (joint) states x the agent's
// actions, state-major, -Inf where a state does not have the action; the tables are kept and must not be
// changed. Terminal states are either one list per agent, of the agent's local states, or absent. They are
// absorbing, have reward 0 and are public: mechanisms add no noise for an agent in a terminal state.
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
	for i, table := range rewards { // values are at most the largest reward over 1 - discount
		for k, r := range table {
			if !math.IsInf(r, 0) && math.Abs(r) > LargestValue*(1-discount) {
				m := shape.Actions(i)
				return nil, &LargeRewardError{Agent: i, State: k / m, Action: k % m, Reward: r, Discount: discount}
			}
		}
	}
	if err := mdp.CheckRewards(law, tables.Joint); err != nil {
		return nil, err
	}
	return &Problem{Law: law, Rewards: tables, Discount: discount, Start: start, Terminal: terminal}, nil
}

// LargestValue bounds the absolute value of values, so that their squares are finite.
const LargestValue = 1e150

// LargeRewardError reports a reward with which values may exceed [LargestValue].
type LargeRewardError struct {
	Agent, State, Action int // Action is one of the agent's own
	Reward, Discount     float64
}

// Error says which reward it is and what to do.
func (e *LargeRewardError) Error() string {
	return fmt.Sprintf("planner: reward %g of agent %d, state %d, action %d is too large: at "+
		"discount %g values may reach %.3g, and at most %g is allowed; divide all rewards by one number",
		e.Reward, e.Agent, e.State, e.Action, e.Discount, e.Reward/(1-e.Discount), LargestValue)
}

// lacks reports whether a state does not have an action.
func (p *Problem) lacks(state, action int) bool {
	return math.IsInf(p.Rewards.Joint[state*p.Law.Actions()+action], -1)
}

// endedIn returns, by agent and (joint) state, whether the agent is in a terminal state; nil if there are no
// terminal states. It refuses terminal states that an action leaves.
func endedIn(law mdp.Law, terminal [][]int32) ([][]bool, error) {
	joint, team := law.(*mdp.Joint)
	agents := 1
	if team {
		agents = joint.Agents()
	}
	if len(terminal) > 0 && len(terminal) != agents {
		return nil, fmt.Errorf("planner: terminal states for %d agents; the problem has %d agents", len(terminal), agents)
	}
	if !slices.ContainsFunc(terminal, func(list []int32) bool { return len(list) > 0 }) {
		return nil, nil
	}
	local := make([][]bool, agents) // by agent and its own state
	for i, list := range terminal {
		agent := law
		if team {
			agent = joint.Agent(i)
		}
		var err error
		if local[i], err = terminalIn(agent, list); err != nil {
			return nil, err
		}
	}
	if !team {
		return local, nil
	}
	states := make([]int, agents)
	ended := make([][]bool, agents)
	for i := range ended {
		ended[i] = make([]bool, joint.States())
	}
	for s := range joint.States() {
		for i, at := range joint.LocalStates(s, states) {
			ended[i][s] = local[i][at]
		}
	}
	return ended, nil
}

// terminalIn marks the states of a list. It refuses states that an action leaves.
func terminalIn(law mdp.Law, list []int32) ([]bool, error) {
	terminal := make([]bool, law.States())
	var outcomes []mdp.Outcome
	for _, s := range list {
		if s < 0 || int(s) >= law.States() {
			return nil, fmt.Errorf("planner: terminal state %d is outside 0..%d", s, law.States()-1)
		}
		terminal[s] = true
		for a := range law.Actions() {
			outcomes = law.AppendOutcomes(outcomes[:0], int(s), a)
			if len(outcomes) != 1 || outcomes[0].State != int(s) {
				return nil, fmt.Errorf("planner: terminal state %d, action %d: it must lead back to the state itself", s, a)
			}
		}
	}
	return terminal, nil
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

// Solved is a problem with its optimal plan without privacy. It is immutable and safe for concurrent use; each
// goroutine needs its own Planner.
type Solved struct {
	*Problem
	Tolerance float64 // largest loss of value that a computed policy may have in any state, > 0
	Accuracy  float64 // largest error of the value of a given policy, >= 0; 0: to rounding
	Optimal   Plan    // optimal for the true joint reward
}

// Solve solves the problem for its true rewards. It returns an error if the solution is not certified to the
// tolerance.
func (p *Problem) Solve(tolerance, accuracy float64) (*Solved, error) {
	solved, err := p.solve(tolerance, 0)
	if err != nil {
		return nil, err
	}
	solved.Accuracy = accuracy
	return solved, nil
}

// solve solves the problem for its true rewards to a tolerance. If rounding does not allow that, it takes what rounding
// allows as the tolerance, up to rounded.
func (p *Problem) solve(tolerance, rounded float64) (*Solved, error) {
	solver, err := mdp.NewSolver(p.Law, p.Discount)
	if err != nil {
		return nil, err
	}
	solution := solver.Solve(p.Rewards.Joint, nil, tolerance)
	if solution.Bound > rounded {
		if err := solution.Within(tolerance); err != nil {
			return nil, err
		}
	}
	optimal := Plan{
		Policy: append([]int32(nil), solution.Policy...),
		Value:  append([]float64(nil), solution.Value...),
		Bound:  solution.Bound,
		Reward: p.Rewards.Joint,
	}
	for _, s := range p.Rewards.Over() {
		optimal.Value[s] = 0 // they are terminal for all agents
	}
	return &Solved{Problem: p, Tolerance: max(tolerance, solution.Bound), Optimal: optimal}, nil
}
