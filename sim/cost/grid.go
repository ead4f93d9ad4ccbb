package cost

import (
	"math"

	"veilpath/internal/table"
	"veilpath/sim/study"
)

// grid is a list of epsilons of a range, numbered from its low end, 0, to its high end, with a constant ratio
// between neighbours.
type grid struct {
	study.Range
	steps int // at least 1
}

// newGrid returns a grid of a range above 0 whose neighbours differ by at most the resolution, relative and
// above 0.
func newGrid(r study.Range, resolution float64) grid {
	return grid{r, max(1, int(math.Ceil(math.Log(r.High/r.Low)/math.Log1p(resolution))))}
}

// at returns the epsilon with a number, rounded to four digits for readability, except for the ends of the grid. It is
// NaN for a negative number.
func (g grid) at(i int) float64 {
	switch {
	case i < 0:
		return math.NaN()
	case i == 0:
		return g.Low
	case i == g.steps:
		return g.High
	}
	return table.Digits(g.Low*math.Exp(float64(i)/float64(g.steps)*math.Log(g.High/g.Low)), 4, math.Round)
}

// trials is the largest number of trials of bisect.
func (g grid) trials() float64 { return 2 + math.Ceil(math.Log2(float64(g.steps)+1)) }

// bisect finds the smallest epsilon of the grid that meets a demand, and the next smaller one, which does not. It
// assumes that all above the smallest meet it and none below it. It tries the high end and the low end first, then
// bisects. -1 means that there is no such epsilon: none meets the demand, or all do. It stops at the first error.
func (g grid) bisect(meets func(i int) (bool, error)) (smallest, next int, err error) {
	if met, err := meets(g.steps); err != nil || !met {
		return -1, g.steps, err
	}
	if met, err := meets(0); err != nil || met {
		return 0, -1, err
	}
	for smallest = g.steps; smallest-next > 1; {
		middle := (smallest + next) / 2
		met, err := meets(middle)
		switch {
		case err != nil:
			return smallest, next, err
		case met:
			smallest = middle
		default:
			next = middle
		}
	}
	return smallest, next, nil
}
