package mdp

// NewPolicyIteration prepares a solver of a law at a discount, 0 < discount < 1.
func NewPolicyIteration(law Law, discount float64) (*PolicyIteration, error) {
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	return newPolicyIteration(s), nil
}

// NewModifiedPolicyIteration prepares a solver of a law at a discount, 0 < discount < 1.
func NewModifiedPolicyIteration(law Law, discount float64) (*ModifiedPolicyIteration, error) {
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	return newModifiedPolicyIteration(s), nil
}
