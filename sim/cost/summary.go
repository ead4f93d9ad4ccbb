package cost

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/planner/privacy"
)

// Summary is what a mechanism costs at one epsilon, over the runs.
type Summary struct {
	Mechanism      string
	Epsilon, Sigma float64
	Runs           int
	Mean           float64 // relative cost of privacy
	Low, High      float64 // interval of the mean at 95 % confidence; NaN below two runs
	StandardError  float64
	Largest        float64
	Free           float64 // share of the runs that cost nothing but rounding
	// Bounds, of what holds for any problem of this size: the largest error of a joint reward, on average (Theorem 3,
	// which Corollary 1 solves for epsilon), what that lets privacy cost at most, and how many more sweeps value
	// iteration takes on average (Theorem 6, as its proof has it). NaN where a theorem does not say.
	ErrorBound, CostBound, ExtraSweepsBound float64
}

// Confidence is that of the intervals.
const Confidence = 0.95

// free is the relative cost that counts as none.
const free = 1e-9

// Tally gathers rows.
type Tally struct {
	study  *Study
	sigmas [][]float64
	cells  [][]cell // by mechanism and epsilon
}

// cell is the costs of one mechanism at one epsilon (Welford 1962).
type cell struct {
	n             int
	mean, spread  float64
	largest, none float64
}

// NewTally begins a tally of a study.
func NewTally(s *Study) (*Tally, error) {
	sigmas, err := s.Sigmas()
	t := &Tally{study: s, sigmas: sigmas}
	for range s.Mechanisms {
		t.cells = append(t.cells, make([]cell, len(s.Epsilons)))
	}
	return t, err
}

// Add counts the rows of a run, one an epsilon in their order.
func (t *Tally) Add(rows []Row) {
	for e, row := range rows {
		for i, cost := range row.Costs {
			c := &t.cells[i][e]
			c.n++
			d := cost - c.mean
			c.mean += d / float64(c.n)
			c.spread += d * (cost - c.mean)
			c.largest = max(c.largest, cost)
			if cost <= free {
				c.none++
			}
		}
	}
}

// Runs returns how many runs were added.
func (t *Tally) Runs() int { return t.cells[0][0].n }

// Widest returns the half-width of the widest interval, infinite below two runs.
func (t *Tally) Widest() float64 {
	widest := 0.0
	for i := range t.cells {
		for e := range t.cells[i] {
			widest = max(widest, t.cells[i][e].half())
		}
	}
	return widest
}

func (c *cell) half() float64 {
	if c.n < 2 {
		return math.Inf(1)
	}
	student := distuv.StudentsT{Sigma: 1, Nu: float64(c.n - 1)}
	return student.Quantile((1+Confidence)/2) * c.standardError()
}

func (c *cell) standardError() float64 {
	n := float64(c.n)
	return math.Sqrt(c.spread / (n * (n - 1)))
}

// Summaries returns a summary for every mechanism and epsilon, in their order.
func (t *Tally) Summaries() []Summary {
	var all []Summary
	p := t.study.Problem
	optimal := math.Abs(p.Optimal.Value[p.Start])
	for i, m := range t.study.Mechanisms {
		for e, epsilon := range t.study.Epsilons {
			c := &t.cells[i][e]
			s := Summary{Mechanism: m.Name(), Epsilon: epsilon, Sigma: t.sigmas[i][e], Runs: c.n, Mean: c.mean, Low: math.NaN(), High: math.NaN(),
				StandardError: math.NaN(), Largest: c.largest, Free: c.none / float64(max(c.n, 1))}
			if c.n > 1 {
				s.StandardError = c.standardError()
				s.Low, s.High = max(0, c.mean-c.half()), c.mean+c.half()
			}
			t.bound(&s, m, optimal)
			all = append(all, s)
		}
	}
	return all
}

// bound adds the theorems' bounds. Output perturbation is one table with noise of its own: a team of one to them.
func (t *Tally) bound(s *Summary, m privacy.Mechanism, optimal float64) {
	p := t.study.Problem
	s.ErrorBound, s.CostBound, s.ExtraSweepsBound = math.NaN(), math.NaN(), math.NaN()
	shape := p.Rewards.Shape
	agents := shape.Agents()
	if m.Normals(shape) == shape.JointEntries() && agents > 1 {
		agents = 1
	}
	if constant, err := privacy.MaxErrorBound(agents, shape.JointEntries()); err == nil {
		s.ErrorBound = constant * s.Sigma
		// Either policy is worth within the error over 1 - discount of what it is worth under the other reward.
		s.CostBound = 2 * s.ErrorBound / (1 - p.Discount) / optimal
	}
	if rmax := p.Rewards.LargestAbsolute(); rmax > 0 {
		v := privacy.ValueIteration{Gamma: p.Discount, Eta: sweepAccuracy}
		if bound, err := v.ExtraSweepsBound(privacy.Proof, agents, shape.JointEntries(), s.Sigma, rmax); err == nil {
			s.ExtraSweepsBound = bound
		}
	}
}

// sweepAccuracy is that of the values that the predicted sweeps compute, in reward units, as design has it.
const sweepAccuracy = 1e-8
