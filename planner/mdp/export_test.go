package mdp

func NewPolicyIteration(law Law, discount float64) (Solver, error) {
	return sweeping(law, discount, func(s *sweeper) Solver { return newPolicyIteration(s) })
}

func NewModifiedPolicyIteration(law Law, discount float64) (Solver, error) {
	return sweeping(law, discount, func(s *sweeper) Solver { return newModifiedPolicyIteration(s) })
}

func sweeping(law Law, discount float64, solver func(*sweeper) Solver) (Solver, error) {
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	return solver(s), nil
}

func (r *Reduced) Arcs() int                         { return len(r.next) } // remaining actions
func (m *SlipModel) Successor(state, action int) int { return int(m.successor[state*m.actions+action]) }
