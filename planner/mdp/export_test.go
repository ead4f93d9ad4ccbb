package mdp

// NewPolicyIteration prepares a solver of a law at a discount, 0 < discount < 1.
func NewPolicyIteration(law Law, discount float64) (Solver, error) {
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	return newPolicyIteration(s), nil
}

// NewModifiedPolicyIteration prepares a solver of a law at a discount, 0 < discount < 1.
func NewModifiedPolicyIteration(law Law, discount float64) (Solver, error) {
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	return newModifiedPolicyIteration(s), nil
}

// Arcs returns the number of remaining actions in all remaining states.
func (r *Reduced) Arcs() int { return len(r.next) }

// Successor returns the intended next state of an action.
func (m *SlipModel) Successor(state, action int) int { return int(m.successor[state*m.actions+action]) }
