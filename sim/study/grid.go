package study

import "math"

// Decision is what runs have shown about a limit, decided by a sequential test.
type Decision string

// The decisions of a trial.
const (
	Met       Decision = "met"
	NotMet    Decision = "not met"
	Undecided Decision = "undecided"
)

// Grid is a list of epsilons of a range, numbered from its low end, 0, to its high end, with a constant ratio
// between neighbours.
type Grid struct {
	Range
	Steps int // at least 1
}

// NewGrid returns a grid of a range above 0 whose neighbours differ by at most the resolution, relative and
// above 0.
func NewGrid(r Range, resolution float64) Grid {
	return Grid{r, max(1, int(math.Ceil(math.Log(r.High/r.Low)/math.Log1p(resolution))))}
}

// At returns the epsilon with a number, NaN for a negative number.
func (g Grid) At(i int) float64 {
	switch {
	case i < 0:
		return math.NaN()
	case i == g.Steps:
		return g.High
	}
	return g.Low * math.Exp(float64(i)/float64(g.Steps)*math.Log(g.High/g.Low))
}

// Trials is the largest number of trials of Bisect.
func (g Grid) Trials() float64 { return 2 + math.Ceil(math.Log2(float64(g.Steps)+1)) }

// Bisect finds the last epsilon, counted from one end of the grid, that meets a demand, and the next one, which
// does not. It assumes that all before the last meet it and none after it. It tries both ends first, then
// bisects. -1 means that there is no such epsilon: none meets the demand, or all do. It stops at the first
// error.
func (g Grid) Bisect(fromHigh bool, meets func(i int) (bool, error)) (last, next int, err error) {
	from, to := 0, g.Steps
	if fromHigh {
		from, to = to, from
	}
	if met, err := meets(from); err != nil || !met {
		return -1, from, err
	}
	if met, err := meets(to); err != nil || met {
		return to, -1, err
	}
	for last, next = from, to; last-next > 1 || next-last > 1; {
		middle := (last + next) / 2
		met, err := meets(middle)
		switch {
		case err != nil:
			return last, next, err
		case met:
			last = middle
		default:
			next = middle
		}
	}
	return last, next, nil
}
