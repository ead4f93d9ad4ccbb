package adversary

// evidence is what moves tell of every goal: sums of logarithms. What a move tells is worked out when it is first seen
// and kept while there is room, since most flights begin alike. It implements the part of GoalObserver that is the same
// for all who take moves for independent.
type evidence struct {
	logs  []float64
	tells func(state, next int, to []float64) // sets to what a move tells
	kept  map[[2]int][]float64                // by state and next
	room  int                                 // moves that may be kept beside those
	fresh []float64                           // what a move tells that is not kept
}

// mostKept and mostKeptNumbers bound what is kept, in moves and in numbers.
const (
	mostKept        = 256
	mostKeptNumbers = 1 << 21
)

func newEvidence(numbers int, tells func(state, next int, to []float64)) evidence {
	return evidence{logs: make([]float64, numbers), tells: tells, kept: map[[2]int][]float64{},
		room: min(mostKept, mostKeptNumbers/numbers)}
}

// Reset implements GoalObserver.
func (e *evidence) Reset() { clear(e.logs) }

// add counts a move.
func (e *evidence) add(state, next int) {
	told, known := e.kept[[2]int{state, next}]
	if !known {
		if e.fresh == nil {
			e.fresh = make([]float64, len(e.logs))
		}
		told = e.fresh
		e.tells(state, next, told)
		if e.room > 0 {
			e.kept[[2]int{state, next}], e.fresh = told, nil
			e.room--
		}
	}
	for i, log := range told {
		e.logs[i] += log
	}
}
