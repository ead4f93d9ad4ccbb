package cost

import (
	"context"
	"math"

	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Search looks for the strongest privacy that costs at most a limit: the smallest epsilon at which that is shown.
type Search struct {
	Study      Study // of one mechanism; its epsilons are ignored
	Limit      float64
	Low, High  float64 // epsilons between which to look, 0 < Low < High
	Resolution float64 // of the answer, relative, above 0
	Confidence float64 // that the answer costs at most the limit, in (0, 1)
	MostRuns   int     // of one epsilon, after which it is left undecided
	Progress   func()  // called after every run; may be nil
}

// Trial is what runs at one epsilon have shown.
type Trial struct {
	Epsilon       float64
	Runs          int
	Mean          float64 // relative cost of privacy
	Low, High     float64 // interval of the mean, see study.Sequence, at the confidence of the trial
	StandardError float64
	Decision      study.Decision
}

// Answer is what a search found.
type Answer struct {
	Epsilon float64 // the smallest that was shown to cost at most the limit; NaN when none was
	Next    float64 // the next smaller that was tried and not; NaN when all of the range cost no more
	Trials  []Trial // in the order of the search
}

// Find tries the largest epsilon and the smallest, and then halves the bracket between them on a logarithmic grid.
// Every trial does the same runs until the interval of its mean, which may be looked at after every one, is on one side
// of the limit. With the confidence asked for the answer costs at most the limit, however many epsilons were tried:
// they share the error probability. It supposes that the cost falls as epsilon grows.
func (s *Search) Find(ctx context.Context) (*Answer, error) {
	facts, err := s.Study.Facts()
	if err != nil {
		return nil, err
	}
	grid := study.NewGrid(study.Range{Low: s.Low, High: s.High}, s.Resolution)
	confidence := 1 - (1-s.Confidence)/grid.Trials()
	answer := &Answer{}
	last, next, err := grid.Halve(true, func(i int) (bool, error) {
		t, err := s.try(ctx, short(grid, i), facts.Ceiling(), confidence)
		if err != nil {
			return false, err
		}
		answer.Trials = append(answer.Trials, *t)
		return t.Decision == study.Met, nil
	})
	answer.Epsilon, answer.Next = short(grid, last), short(grid, next)
	return answer, err
}

// short is an epsilon of the grid to four digits, so that people can write it down, and an end of it as it is.
func short(grid study.Grid, i int) float64 {
	x := grid.At(i)
	if i <= 0 || i == grid.Steps {
		return x
	}
	unit := math.Pow(10, 3-math.Floor(math.Log10(x)))
	return math.Round(x*unit) / unit
}

// precisions are half-widths, in shares of the limit, at which sequences of a trial are narrowest: a wide one ends the
// trials that are far from the limit soon, a narrow one those that are near it. They share the error probability.
var precisions = [...]float64{1. / 2, 1. / 8, 1. / 32}

// trial is a trial under way.
type trial struct {
	Trial
	costs                 privacy.Sample
	limit, ceiling, alpha float64
	most                  int
	sequences             [len(precisions)]*study.Sequence
}

// try puts one epsilon to the limit.
func (s *Search) try(ctx context.Context, epsilon, ceiling, confidence float64) (*Trial, error) {
	one := s.Study
	one.Epsilons = []float64{epsilon}
	t := &trial{Trial: Trial{Epsilon: epsilon, Decision: study.Undecided}, limit: s.Limit, ceiling: ceiling,
		alpha: (1 - confidence) / float64(len(precisions)), most: s.MostRuns}
	for i, share := range precisions {
		t.sequences[i] = study.NewSequence(ceiling, share*min(s.Limit, ceiling), 1-t.alpha)
	}
	for rows, err := range one.Rows(ctx, 0, s.MostRuns) {
		if err != nil {
			return nil, err
		}
		t.count(rows[0].Costs[0])
		if s.Progress != nil {
			s.Progress()
		}
		if t.Decision != study.Undecided || t.hopeless() {
			break
		}
	}
	mean := t.costs.Mean()
	if mean.Draws > 0 {
		t.look()
	}
	t.Runs, t.Mean, t.StandardError = mean.Draws, mean.Mean, mean.StandardError
	return &t.Trial, nil
}

// count takes the cost of the next run.
func (t *trial) count(cost float64) {
	t.costs.Add(cost)
	decides := t.ceiling <= t.limit
	for _, s := range t.sequences {
		s.Add(min(cost, t.ceiling)) // the ceiling is certified, so more is rounding
		decides = decides || s.MayExclude(t.limit)
	}
	if decides {
		t.look()
	}
}

// look takes the intervals of the sequences, and decides where they are on one side of the limit.
func (t *trial) look() {
	t.Low, t.High = 0, t.ceiling
	for _, s := range t.sequences {
		low, high := s.Interval()
		t.Low, t.High = max(t.Low, low), min(t.High, high)
	}
	switch {
	case t.High <= t.limit:
		t.Decision = study.Met
	case t.Low > t.limit:
		t.Decision = study.NotMet
	}
}

// hopeless foresees, once an eighth of the most runs are done, that the rest cannot decide either, because the mean is
// too near the limit. Giving up early costs nothing but a decision.
func (t *trial) hopeless() bool {
	mean := t.costs.Mean()
	if mean.Draws < max(t.most/8, 2) {
		return false
	}
	const luck = 1.5 // standard errors that the mean may still move away from the limit
	needed := mean.StandardError * math.Sqrt(2*math.Log(2/t.alpha)*float64(mean.Draws)/float64(t.most))
	return math.Abs(mean.Mean-t.limit)+luck*mean.StandardError < needed
}
