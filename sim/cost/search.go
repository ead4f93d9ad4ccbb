package cost

import (
	"context"
	"math"

	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Search looks for the strongest privacy whose cost is at most a limit: the smallest epsilon shown to meet the
// limit.
type Search struct {
	Study      Study // of one mechanism; its epsilons are ignored
	Limit      float64
	Low, High  float64 // ends of the range of epsilon, 0 < Low < High
	Resolution float64 // of the answer, relative, above 0
	Confidence float64 // that the answer costs at most the limit, in (0, 1)
	MostRuns   int     // of one epsilon, after which its trial stays undecided
	Progress   func()  // called after every run; may be nil
}

// Trial is the result of the runs at one epsilon.
type Trial struct {
	Epsilon       float64
	Runs          int
	Mean          float64 // relative cost of privacy
	Low, High     float64 // interval of the mean, see study.Sequence, at the confidence of the trial
	StandardError float64
	Decision      study.Decision
}

// Answer is the result of a search.
type Answer struct {
	Epsilon float64 // the smallest epsilon shown to cost at most the limit; NaN if there is none
	Next    float64 // the next smaller epsilon tried, not shown to do so; NaN if the whole range does
	Trials  []Trial // in the order of the search
}

// Find tries the largest epsilon and the smallest, and then bisects the bracket between them on a logarithmic
// grid. A trial makes runs until the interval of their mean lies on one side of the limit. The intervals are
// valid after every run, and the trials share the error probability, so the answer costs at most the limit with
// the requested confidence. Find assumes that the cost falls as epsilon grows.
func (s *Search) Find(ctx context.Context) (*Answer, error) {
	facts, err := s.Study.Facts()
	if err != nil {
		return nil, err
	}
	grid := newGrid(study.Range{Low: s.Low, High: s.High}, s.Resolution)
	confidence := 1 - (1-s.Confidence)/grid.trials()
	answer := &Answer{}
	smallest, next, err := grid.bisect(func(i int) (bool, error) {
		t, err := s.test(ctx, grid.at(i), facts.Ceiling(), confidence)
		if err != nil {
			return false, err
		}
		answer.Trials = append(answer.Trials, *t)
		return t.Decision == study.Met, nil
	})
	answer.Epsilon, answer.Next = grid.at(smallest), grid.at(next)
	return answer, err
}

// precisions are the half-widths, in shares of the limit, at which the sequences of a trial are narrowest. The
// wide ones soon end trials that are far from the limit, the narrow ones end those near it. They share the
// error probability.
var precisions = [...]float64{1. / 2, 1. / 8, 1. / 32}

// trial is a trial in progress.
type trial struct {
	Trial
	costs                 privacy.Sample
	limit, ceiling, alpha float64
	most                  int
	sequences             [len(precisions)]*study.Sequence
}

// test tests one epsilon against the limit.
func (s *Search) test(ctx context.Context, epsilon, ceiling, confidence float64) (*Trial, error) {
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
		t.add(rows[0].Costs[0])
		if s.Progress != nil {
			s.Progress()
		}
		if t.Decision != study.Undecided || t.isTooClose() {
			break
		}
	}
	mean := t.costs.Mean()
	if mean.Draws > 0 {
		t.decide()
	}
	t.Runs, t.Mean, t.StandardError = mean.Draws, mean.Mean, mean.StandardError
	return &t.Trial, nil
}

// add adds the cost of the next run.
func (t *trial) add(cost float64) {
	t.costs.Add(cost)
	mayDecide := t.ceiling <= t.limit
	for _, s := range t.sequences {
		s.Add(min(cost, t.ceiling)) // the ceiling is certified, so a larger cost is a rounding error
		mayDecide = mayDecide || s.MayExclude(t.limit)
	}
	if mayDecide {
		t.decide()
	}
}

// decide computes the intersection of the sequences' intervals and decides if it lies on one side of the limit.
func (t *trial) decide() {
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

// isTooClose reports, after an eighth of the most runs, whether the mean is so near the limit that the remaining
// runs will not decide. Stopping early affects only whether the trial is decided.
func (t *trial) isTooClose() bool {
	mean := t.costs.Mean()
	if mean.Draws < max(t.most/8, 2) {
		return false
	}
	const drift = 1.5 // standard errors by which the mean may still move away from the limit
	needed := mean.StandardError * math.Sqrt(2*math.Log(2/t.alpha)*float64(mean.Draws)/float64(t.most))
	return math.Abs(mean.Mean-t.limit)+drift*mean.StandardError < needed
}
