package mdp

// GaussSeidel is value iteration in place: a state uses the new values of the states before it, and
// what its own probability of staying would bring later is taken at once (Puterman 1994, Section 6.3.3;
// the latter is the Jacobi splitting of his Section 6.3.4 applied to it). Sweeps alternate in direction.
type GaussSeidel struct{ *sweeper }

// NewGaussSeidel prepares a solver of a law at a discount, 0 < discount < 1.
func NewGaussSeidel(law Law, discount float64) (*GaussSeidel, error) {
	s, err := newSweeper(law, discount)
	if err != nil {
		return nil, err
	}
	return &GaussSeidel{s}, nil
}

// relaxations is how many sweeps in place follow each plain one, which certifies.
const relaxations = 4

// Solve implements Solver.
func (s *GaussSeidel) Solve(rewards, guess []float64, tolerance float64) Solution {
	s.load(rewards, guess)
	for {
		for i := range relaxations {
			s.relax(i%2 == 1)
		}
		p := s.backup()
		if s.settled(p, tolerance, false) {
			return s.solution(p, false)
		}
		s.advance()
	}
}
