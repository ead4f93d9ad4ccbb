package mdp

import (
	"fmt"
	"math"
)

// Outcome is one possible next state of a transition and its probability.
type Outcome struct {
	State       int
	Probability float64
}

// Model is the transition law of a finite Markov decision process, T(s, a, s'), stored in compressed
// sparse rows. It is immutable and safe for concurrent use.
type Model struct {
	states, actions int
	rowStart        []int     // row state*actions+action is next[rowStart[row]:rowStart[row+1]]
	next            []int32   // next states, in the given order
	probability     []float64 // their probabilities, each row summing to 1
}

// stochasticTolerance is the largest absolute difference between 1 and the sum of a row of probabilities. Rows
// computed in floating point from a few dozen terms differ by a few ulps; modelling errors differ by far more.
const stochasticTolerance = 1e-9

// NewModel builds a model from the outcomes of every state and action. It drops outcomes of probability zero
// and keeps repeated states; it copies a row before it requests the next one, so outcomes may return the same
// slice each time. The error names the state and the action whose outcomes are not a probability distribution
// over [0, states).
func NewModel(states, actions int, outcomes func(state, action int) []Outcome) (*Model, error) {
	if err := checkShape(states, actions); err != nil {
		return nil, err
	}
	rows := states * actions
	m := &Model{states: states, actions: actions, rowStart: make([]int, 1, rows+1), next: make([]int32, 0, rows),
		probability: make([]float64, 0, rows)}
	for state := range states {
		for action := range actions {
			if err := m.appendRow(outcomes(state, action)); err != nil {
				return nil, fmt.Errorf("mdp: state %d, action %d: %w", state, action, err)
			}
		}
	}
	return m, nil
}

func (m *Model) appendRow(outcomes []Outcome) error {
	sum := 0.0
	for _, o := range outcomes {
		if o.State < 0 || o.State >= m.states {
			return fmt.Errorf("next state %d is outside 0..%d", o.State, m.states-1)
		}
		if !(o.Probability >= 0 && o.Probability <= 1+stochasticTolerance) {
			return fmt.Errorf("probability %v of next state %d is outside [0, 1]", o.Probability, o.State)
		}
		sum += o.Probability
		if o.Probability > 0 {
			m.next = append(m.next, int32(o.State))
			m.probability = append(m.probability, o.Probability)
		}
	}
	if math.Abs(sum-1) > stochasticTolerance {
		return fmt.Errorf("probabilities sum to %v, not 1", sum)
	}
	m.rowStart = append(m.rowStart, len(m.next))
	return nil
}

// States returns the number of states.
func (m *Model) States() int { return m.states }

// Actions returns the number of actions, the same in every state.
func (m *Model) Actions() int { return m.actions }

// Transition returns the next states and their probabilities; the slices alias the model and must not be
// changed.
func (m *Model) Transition(state, action int) (next []int32, probability []float64) {
	row := state*m.actions + action
	from, to := m.rowStart[row], m.rowStart[row+1]
	return m.next[from:to], m.probability[from:to]
}

// Deterministic reports whether every transition has a single outcome.
func (m *Model) Deterministic() bool { return len(m.next) == m.states*m.actions }

// AppendOutcomes appends the outcomes of an action, as given to NewModel.
func (m *Model) AppendOutcomes(to []Outcome, state, action int) []Outcome {
	next, probability := m.Transition(state, action)
	for i, n := range next {
		to = append(to, Outcome{State: int(n), Probability: probability[i]})
	}
	return to
}

// widest returns the largest number of outcomes of a state and action.
func (m *Model) widest() int {
	widest := 0
	for row := range m.states * m.actions {
		widest = max(widest, m.rowStart[row+1]-m.rowStart[row])
	}
	return widest
}

// missing bounds the difference between 1 and the sum of a row of probabilities, as stored.
func (m *Model) missing() float64 {
	missing := 0.0
	for row := range m.states * m.actions {
		sum := 0.0
		for _, p := range m.probability[m.rowStart[row]:m.rowStart[row+1]] {
			sum += p
		}
		outcomes := float64(m.rowStart[row+1] - m.rowStart[row])
		missing = max(missing, math.Abs(sum-1)+outcomes*0x1p-53)
	}
	return missing
}

// CheckDiscount returns an error unless discount lies strictly between 0 and 1.
func CheckDiscount(discount float64) error {
	if !(discount > 0 && discount < 1) {
		return fmt.Errorf("mdp: discount %v is outside (0, 1)", discount)
	}
	return nil
}

// NewModelRows builds a model from prepared rows: row state*actions+action has the outcomes rowStart[row] to
// rowStart[row+1] of next and probability. It keeps the slices, which must not be changed. The error names the
// state and the action whose outcomes are not a probability distribution over [0, states), or are not in
// ascending order of states.
func NewModelRows(states, actions int, rowStart []int, next []int32, probability []float64) (*Model, error) {
	if err := checkShape(states, actions); err != nil {
		return nil, err
	}
	rows := states * actions
	if len(rowStart) != rows+1 || rowStart[0] != 0 || rowStart[rows] != len(next) || len(next) != len(probability) {
		return nil, fmt.Errorf("mdp: rows of %d states x %d actions do not fit %d starts, %d next states and %d "+
			"probabilities", states, actions, len(rowStart), len(next), len(probability))
	}
	m := &Model{states: states, actions: actions, rowStart: rowStart, next: next, probability: probability}
	for row := range rows {
		if err := m.checkRow(row); err != nil {
			return nil, fmt.Errorf("mdp: state %d, action %d: %w", row/actions, row%actions, err)
		}
	}
	return m, nil
}

func (m *Model) checkRow(row int) error {
	from, to := m.rowStart[row], m.rowStart[row+1]
	if from > to || to > len(m.next) {
		return fmt.Errorf("outcomes %d to %d of %d", from, to, len(m.next))
	}
	sum, last := 0.0, int32(-1)
	for i := from; i < to; i++ {
		n, p := m.next[i], m.probability[i]
		if n <= last || int(n) >= m.states {
			return fmt.Errorf("next state %d follows %d; want ascending states below %d", n, last, m.states)
		}
		if !(p > 0 && p <= 1+stochasticTolerance) {
			return fmt.Errorf("probability %v of next state %d is outside (0, 1]", p, n)
		}
		sum += p
		last = n
	}
	if !(sum >= 1-stochasticTolerance && sum <= 1+stochasticTolerance) {
		return fmt.Errorf("probabilities sum to %v, not 1", sum)
	}
	return nil
}
