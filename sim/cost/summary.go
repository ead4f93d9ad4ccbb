package cost

import (
	"math"
	"slices"

	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Summary holds the cost of a mechanism at one epsilon, over the runs.
type Summary struct {
	Mechanism      string
	Epsilon, Sigma float64 // sigma is 0 for a mechanism that is not linear
	Runs           int
	Mean           float64 // relative cost of privacy
	// 95 % interval of the mean. Without a precision (see NewTally) it allows for costs up to the ceiling that no
	// run has shown (see study.MeanInterval); otherwise it is the interval of a study.Sequence. NaN below two
	// runs.
	Low, High     float64
	StandardError float64
	Largest       float64
	Free          float64 // share of the runs whose cost is 0 up to rounding
}

// Confidence is the confidence of the intervals.
const Confidence = 0.95

// free is the relative cost up to which a policy counts as optimal.
const free = 1e-9

// Facts holds the facts of a study that summaries need besides the runs.
type Facts struct {
	Mechanisms  []string    `json:"mechanisms"`
	Epsilons    []float64   `json:"epsilons"`
	Sigmas      [][]float64 `json:"sigmas"` // by mechanism and epsilon
	Value       float64     `json:"value"`  // optimal value at the start
	LargestLoss float64     `json:"largest_loss"`
	States      int         `json:"states"`
}

// Facts returns the facts of a study.
func (s *Study) Facts() (Facts, error) {
	p := s.Problem
	f := Facts{Epsilons: s.Epsilons, Value: p.Optimal.Value[p.Start], States: p.Law.States()}
	for _, m := range s.Mechanisms {
		f.Mechanisms = append(f.Mechanisms, m.Name())
	}
	var err error
	if f.Sigmas, err = s.Sigmas(); err != nil {
		return f, err
	}
	f.LargestLoss, err = LargestLoss(p)
	return f, err
}

// Ceiling returns an upper bound on the cost of any policy, relative to the optimal value.
func (f *Facts) Ceiling() float64 { return f.LargestLoss / math.Abs(f.Value) }

// Tally accumulates rows.
type Tally struct {
	facts Facts
	cells [][]cell // by mechanism and epsilon
	// sequences give intervals that are valid at every stopping time; nil if the number of runs is fixed.
	sequences [][]*study.Sequence
}

// cell holds the costs of one mechanism at one epsilon.
type cell struct {
	costs   privacy.Sample
	all     []float64
	largest float64
	free    int // number of costs that are 0 up to rounding
}

// NewTally returns an empty tally. precision is the half-width of every mean at which the study stops, as a
// share of the value; 0 for a fixed number of runs. With a precision, intervals are valid at every stopping
// time, see study.Sequence, and need a finite ceiling.
func NewTally(f Facts, precision float64) *Tally {
	t := &Tally{facts: f}
	for range f.Mechanisms {
		t.cells = append(t.cells, make([]cell, len(f.Epsilons)))
		if precision == 0 {
			continue
		}
		row := make([]*study.Sequence, len(f.Epsilons))
		for e := range row {
			row[e] = study.NewSequence(f.Ceiling(), precision, Confidence)
		}
		t.sequences = append(t.sequences, row)
	}
	return t
}

// Add counts the rows of a run, one for each epsilon, in order.
func (t *Tally) Add(rows []Row) {
	for e, row := range rows {
		for i, cost := range row.Costs {
			c := &t.cells[i][e]
			c.costs.Add(cost)
			c.all = append(c.all, cost)
			c.largest = max(c.largest, cost)
			if cost <= free {
				c.free++
			}
			if t.sequences != nil {
				t.sequences[i][e].Add(min(cost, t.facts.Ceiling())) // the ceiling is certified: more is rounding
			}
		}
	}
}

// Runs returns how many runs were added.
func (t *Tally) Runs() int { return t.cells[0][0].costs.Mean().Draws }

// Widest returns the half-width of the widest interval, infinite below two runs.
func (t *Tally) Widest() float64 {
	widest := 0.0
	for i := range t.cells {
		for e := range t.cells[i] {
			low, high := t.interval(i, e)
			widest = max(widest, (high-low)/2)
		}
	}
	return widest
}

// interval returns the interval of a mean.
func (t *Tally) interval(i, e int) (low, high float64) {
	if t.sequences != nil {
		return t.sequences[i][e].Interval()
	}
	if t.Runs() < 2 {
		return math.Inf(-1), math.Inf(1)
	}
	return study.MeanInterval(slices.Sorted(slices.Values(t.cells[i][e].all)), 0, t.facts.Ceiling(), Confidence)
}

// Summaries returns a summary for every mechanism and epsilon, in order.
func (t *Tally) Summaries() []Summary {
	var all []Summary
	f := &t.facts
	for i, mechanism := range f.Mechanisms {
		for e, epsilon := range f.Epsilons {
			c := &t.cells[i][e]
			mean := c.costs.Mean()
			s := Summary{Mechanism: mechanism, Epsilon: epsilon, Sigma: f.Sigmas[i][e], Runs: mean.Draws, Mean: mean.Mean,
				Low: math.NaN(), High: math.NaN(),
				StandardError: mean.StandardError, Largest: c.largest, Free: float64(c.free) / float64(max(mean.Draws, 1))}
			if mean.Draws > 1 {
				s.Low, s.High = t.interval(i, e)
				s.Low = max(0, s.Low)
			}
			all = append(all, s)
		}
	}
	return all
}
