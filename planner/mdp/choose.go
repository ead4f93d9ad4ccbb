package mdp

// NewSolver returns the fastest solver of a law: exact policy iteration for deterministic transitions, policy
// iteration by elimination if a single agent's transitions stay within a narrow band of state numbers, and
// modified policy iteration otherwise and for teams.
func NewSolver(law Law, discount float64) (Solver, error) {
	if Deterministic(law) {
		if m, ok := law.(*Model); ok {
			return NewFunctional(m, discount)
		}
		sparse, err := Expand(law.(*SlipModel))
		if err != nil {
			return nil, err
		}
		return NewFunctional(sparse, discount)
	}
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	if _, team := law.(*Joint); team {
		s.useDirect() // for the evaluation of policies
		return newModifiedPolicyIteration(s), nil
	}
	if s.bandIsNarrow() {
		return newPolicyIteration(s), nil
	}
	return newModifiedPolicyIteration(s), nil
}

// Deterministic reports whether every transition of a single agent's law has one outcome. It is false for every
// team.
func Deterministic(law Law) bool {
	switch m := law.(type) {
	case *Model:
		return m.Deterministic()
	case *SlipModel:
		return m.slip == 0
	}
	return false
}
