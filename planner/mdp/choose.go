package mdp

// NewSolver returns the fastest solver of a law: exact policy iteration when every transition is
// certain, policy iteration by elimination when an agent's transitions stay within a narrow band of
// state numbers, and modified policy iteration otherwise and for teams.
func NewSolver(law Law, discount float64) (Solver, error) {
	if Certain(law) {
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
		s.useDirect() // to evaluate policies
		return newModifiedPolicyIteration(s), nil
	}
	if s.bandIsNarrow() {
		return newPolicyIteration(s), nil
	}
	return newModifiedPolicyIteration(s), nil
}

// Certain reports whether every transition of an agent's law is certain. A team's counts as uncertain.
func Certain(law Law) bool {
	switch m := law.(type) {
	case *Model:
		return m.Deterministic()
	case *SlipModel:
		return m.slip == 0
	}
	return false
}
