package mdp

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Joint is the transition law of a multi-agent Markov decision process: N agents act at once and move
// independently, T(s, a, s') = prod_i T^i(s^i, a^i, s'^i) (arXiv 2309.12476, Definition 2). It stores only the
// agents' laws; expectations use one agent's factor at a time.
//
// Joint states and actions are numbered with agent 0 as the most significant digit: with local states
// (s_0, ..., s_{N-1}) the joint state is (...(s_0*n_1 + s_1)*n_2 + ...) + s_{N-1}, and likewise for actions.
type Joint struct {
	agents          []*Model
	states, actions int
}

// defaultJointMemory is the default limit on the bytes of a joint problem: half of a small computer's memory.
const defaultJointMemory = 4 << 30

// NewJoint joins the agents' laws. memory limits the bytes of a solver of the joint problem and its reward
// table, 0 for defaultJointMemory; the error says how many are needed.
func NewJoint(agents []*Model, memory uint64) (*Joint, error) {
	if len(agents) == 0 || slices.Contains(agents, nil) {
		return nil, errors.New("mdp: a joint model needs at least one agent, and a model for each")
	}
	if memory == 0 {
		memory = defaultJointMemory
	}
	states, actions, bytes := jointSize(agents)
	if bytes.Cmp(new(big.Int).SetUint64(memory)) > 0 || !states.IsInt64() || states.Int64() > math.MaxInt32 {
		return nil, fmt.Errorf("mdp: the joint space of %d agents has %v states x %v actions and needs %v bytes "+
			"of memory; %d bytes are allowed; use fewer or smaller agents",
			len(agents), states, actions, bytes, memory)
	}
	return &Joint{agents: agents, states: int(states.Int64()), actions: int(actions.Int64())}, nil
}

// jointSize returns the numbers of joint states and actions and the bytes of a solver and its reward table, in
// integers that do not overflow.
func jointSize(agents []*Model) (states, actions, bytes *big.Int) {
	states, actions = big.NewInt(1), big.NewInt(1)
	outcomes := big.NewInt(1)
	for _, agent := range agents {
		states.Mul(states, big.NewInt(int64(agent.states)))
		actions.Mul(actions, big.NewInt(int64(agent.actions)))
		outcomes.Mul(outcomes, big.NewInt(int64(agent.widest())))
	}
	pairs := new(big.Int).Mul(states, actions)
	// The reward table; up to three tensors of pairs/m_0 entries in the backup; per state, four values and
	// actions of the sweep and the adopted row of 12 bytes per outcome with its length, start, gain and scale.
	tensors := new(big.Int).Div(pairs, big.NewInt(int64(agents[0].actions)))
	bytes = new(big.Int).Mul(pairs, big.NewInt(8))
	bytes.Add(bytes, tensors.Mul(tensors, big.NewInt(24)))
	rows := outcomes.Mul(outcomes, big.NewInt(12))
	rows.Add(rows, big.NewInt(3*8+2*4+4+3*8))
	return states, actions, bytes.Add(bytes, rows.Mul(rows, states))
}

// Agents returns the number of agents.
func (j *Joint) Agents() int { return len(j.agents) }

// Agent returns the law of agent i.
func (j *Joint) Agent(i int) *Model { return j.agents[i] }

// States returns the number of joint states.
func (j *Joint) States() int { return j.states }

// Actions returns the number of joint actions.
func (j *Joint) Actions() int { return j.actions }

// State returns the joint state of the agents' local states.
func (j *Joint) State(local []int) int {
	state := 0
	for i, agent := range j.agents {
		state = state*agent.states + local[i]
	}
	return state
}

// LocalStates writes the agents' local states in a joint state to local and returns it.
func (j *Joint) LocalStates(state int, local []int) []int {
	for i := len(j.agents) - 1; i >= 0; i-- {
		local[i] = state % j.agents[i].states
		state /= j.agents[i].states
	}
	return local
}

// Action returns the joint action of the agents' local actions.
func (j *Joint) Action(local []int) int {
	action := 0
	for i, agent := range j.agents {
		action = action*agent.actions + local[i]
	}
	return action
}

// LocalActions writes the agents' local actions in a joint action to local and returns it.
func (j *Joint) LocalActions(action int, local []int) []int {
	for i := len(j.agents) - 1; i >= 0; i-- {
		local[i] = action % j.agents[i].actions
		action /= j.agents[i].actions
	}
	return local
}

// AppendOutcomes appends the joint next states and their probabilities, the products of the agents'
// probabilities.
func (j *Joint) AppendOutcomes(to []Outcome, state, action int) []Outcome {
	n := len(j.agents)
	states, actions := j.LocalStates(state, make([]int, n)), j.LocalActions(action, make([]int, n))
	start := len(to)
	to = append(to, Outcome{Probability: 1})
	for i, agent := range j.agents {
		next, probability := agent.Transition(states[i], actions[i])
		before := append([]Outcome(nil), to[start:]...)
		to = to[:start]
		for _, o := range before {
			for k, y := range next {
				to = append(to, Outcome{State: o.State*agent.states + int(y), Probability: o.Probability * probability[k]})
			}
		}
	}
	return to
}
