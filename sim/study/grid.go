package study

import "math"

// Decision is what runs have shown about a limit, as a sequential test decides.
type Decision string

// The decisions of a trial.
const (
	Met       Decision = "met"
	NotMet    Decision = "not met"
	Undecided Decision = "undecided"
)

// Grid is epsilons of a range, numbered from its low end, 0, to its high end, every one by the same factor above the
// one before.
type Grid struct {
	Range
	Steps int // at least 1
}

// NewGrid returns a grid of a range above 0 whose epsilons are no farther apart than the resolution, relative and above
// 0.
func NewGrid(r Range, resolution float64) Grid {
	return Grid{r, max(1, int(math.Ceil(math.Log(r.High/r.Low)/math.Log1p(resolution))))}
}

// At returns an epsilon by its number, NaN for a negative one.
func (g Grid) At(i int) float64 {
	switch {
	case i < 0:
		return math.NaN()
	case i == g.Steps:
		return g.High
	}
	return g.Low * math.Exp(float64(i)/float64(g.Steps)*math.Log(g.High/g.Low))
}

// Trials is the most that Halve tries.
func (g Grid) Trials() float64 { return 2 + math.Ceil(math.Log2(float64(g.Steps)+1)) }

// Halve finds the last epsilon from one end of the grid on that meets a demand, and the next one, which does not. It
// supposes that all before the last meet it and none behind. Both ends are tried first, then the middle of what is
// left. A number of -1 is none: no epsilon meets the demand, or all do. An error of a trial ends it.
func (g Grid) Halve(fromHigh bool, meets func(i int) (bool, error)) (last, next int, err error) {
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
