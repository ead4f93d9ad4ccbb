package mdp

import "fmt"

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
			"probabilities",
			states, actions, len(rowStart), len(next), len(probability))
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
