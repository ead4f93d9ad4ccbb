package mdp

import "fmt"

// SlipModel is the transition law of a vehicle that usually goes where it is sent: an action leads to its
// successor with probability 1 - slip, and with probability slip to the successor of one of the other actions,
// each equally likely. It stores only one 32-bit successor per state and action, which makes a sweep six times
// cheaper than with sparse rows and keeps a grid of a million states small.
type SlipModel struct {
	states, actions int
	slip            float64
	successor       []int32 // state*actions+action -> next state
}

// NewSlipModel builds the law from the successor of every state and action. The slip is a probability,
// 0 <= slip <= 1, and 0 when there is only one action. The error names the state and the action whose
// successor is not a state.
func NewSlipModel(states, actions int, slip float64, successor func(state, action int) int) (*SlipModel, error) {
	if err := checkShape(states, actions); err != nil {
		return nil, err
	}
	if !(slip >= 0 && slip <= 1) {
		return nil, fmt.Errorf("mdp: slip probability %v is outside [0, 1]", slip)
	}
	if actions == 1 && slip > 0 {
		return nil, fmt.Errorf("mdp: slip probability %v with a single action: there is no other action to slip "+
			"to; use 0", slip)
	}
	m := &SlipModel{states: states, actions: actions, slip: slip, successor: make([]int32, states*actions)}
	for state := range states {
		for action := range actions {
			next := successor(state, action)
			if next < 0 || next >= states {
				return nil, fmt.Errorf("mdp: state %d, action %d: successor %d is outside 0..%d", state, action, next, states-1)
			}
			m.successor[state*actions+action] = int32(next)
		}
	}
	return m, nil
}

// States returns the number of states.
func (m *SlipModel) States() int { return m.states }

// Actions returns the number of actions, the same in every state.
func (m *SlipModel) Actions() int { return m.actions }

// AppendOutcomes appends the successor with probability 1 - slip and the other actions' successors; each state
// occurs once, and states of probability zero are omitted.
func (m *SlipModel) AppendOutcomes(to []Outcome, state, action int) []Outcome {
	row := m.successor[state*m.actions : (state+1)*m.actions]
	start := len(to)
	for a, next := range row {
		p := 1 - m.slip
		if a != action {
			p = m.slip / float64(m.actions-1)
		}
		if p > 0 {
			to = addOutcome(to, start, Outcome{State: int(next), Probability: p})
		}
	}
	return to
}

// addOutcome appends an outcome, or adds its probability to an outcome with the same state in to[start:].
func addOutcome(to []Outcome, start int, o Outcome) []Outcome {
	for i := start; i < len(to); i++ {
		if to[i].State == o.State {
			to[i].Probability += o.Probability
			return to
		}
	}
	return append(to, o)
}

// Expand returns any law as a sparse Model, for example to pass a slip of 0 to NewFunctional.
func Expand(law Law) (*Model, error) {
	var buffer []Outcome
	return NewModel(law.States(), law.Actions(), func(state, action int) []Outcome {
		buffer = law.AppendOutcomes(buffer[:0], state, action)
		return buffer
	})
}
