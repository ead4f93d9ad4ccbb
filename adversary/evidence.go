package adversary

// evidence sums the log-likelihoods of moves for every goal. It computes those of a move when the move is first
// seen and keeps some, because most flights begin alike. It implements the common part of all GoalObservers
// that take moves as independent.
type evidence struct {
	logs    []float64
	compute func(state, next int, to []float64) // computes the log-likelihoods of a move
	kept    map[[2]int][]float64                // by state and next
	room    int                                 // number of moves that may still be kept
	fresh   []float64                           // log-likelihoods of a move that is not kept
}

// mostKept and mostKeptNumbers limit the kept moves and numbers.
const (
	mostKept        = 256
	mostKeptNumbers = 1 << 21
)

func newEvidence(numbers int, compute func(state, next int, to []float64)) evidence {
	return evidence{logs: make([]float64, numbers), compute: compute, kept: map[[2]int][]float64{},
		room: min(mostKept, mostKeptNumbers/numbers)}
}

// Reset implements GoalObserver.
func (e *evidence) Reset() { clear(e.logs) }

// See implements GoalObserver for a policy with one action per state: later visits of a state tell nothing more.
func (e *evidence) See(state, next int, again bool) {
	if !again {
		e.add(state, next)
	}
}

// LogLikelihoods implements GoalObserver.
func (e *evidence) LogLikelihoods(to []float64) { copy(to, e.logs) }

// add adds a move.
func (e *evidence) add(state, next int) {
	logs, known := e.kept[[2]int{state, next}]
	if !known {
		if e.fresh == nil {
			e.fresh = make([]float64, len(e.logs))
		}
		logs = e.fresh
		e.compute(state, next, logs)
		if e.room > 0 {
			e.kept[[2]int{state, next}], e.fresh = logs, nil
			e.room--
		}
	}
	for i, log := range logs {
		e.logs[i] += log
	}
}
