package cost

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/sim/study"
)

// Piece is a part of a run's axis of epsilon: from Low up to High a mechanism's private plan costs from Least to Most.
// The two are the same where moves are certain, and the plan has one route there.
//
// Where moves are uncertain they are what plans at both ends cost: as sigma grows, and epsilon falls, no plan of a run
// is worth more under the true reward than those before. For of two optimal plans, u + sigma w the value of either with
// u under the true reward and w under the noise, neither is worth less than the other at its own sigma, which adds up
// to w growing with sigma, and so u falling.
type Piece struct {
	Run         int
	Mechanism   int // which one of the study's
	Low, High   float64
	Least, Most float64 // relative
}

// plannedApart is how far epsilons that are planned at lie apart at most, by ratio, where moves are uncertain.
const plannedApart = 1.25

// Pieces yields the pieces of runs [first, end) on a range of epsilon that holds the study's, mechanism by mechanism
// with epsilon ascending. It ends with an error; of a mechanism that is not linear there are none, which is
// study.ErrNoAxis.
func (s *Study) Pieces(ctx context.Context, over study.Range, first, end int) iter.Seq2[[]Piece, error] {
	planned := *s
	planned.Epsilons = over.Between(s.Epsilons, plannedApart)
	return func(yield func([]Piece, error) bool) {
		sigmas, err := planned.Sigmas()
		for _, m := range s.Mechanisms {
			if err == nil && planner.LinearOf(m) == nil {
				err = fmt.Errorf("cost: mechanism %s: %w", m.Name(), study.ErrNoAxis)
			}
		}
		if err != nil {
			yield(nil, err)
			return
		}
		inOrder(ctx, &planned, sigmas, first, end, (*worker).pieces, yield)
	}
}

// pieces returns the pieces of a run.
func (w *worker) pieces(run int) (all []Piece, err error) {
	for i, m := range w.study.Mechanisms {
		z := w.draw(i, run)
		if w.axes[i] == nil {
			w.axes[i], _ = planner.NewAxis(w.study.Problem, planner.LinearOf(m)) // which there is for certain moves alone
		}
		if w.axes[i] == nil {
			all = w.bounds(run, i, z, all)
		} else if all, err = w.cut(run, i, z, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// bounds appends what plans at neighbouring epsilons say of those between.
func (w *worker) bounds(run, mechanism int, z []float64, to []Piece) []Piece {
	costs, epsilons := w.linear(mechanism, z), w.study.Epsilons
	for e := range epsilons[1:] {
		a, b := costs[e].Relative, costs[e+1].Relative // except for what a plan may lose
		to = append(to, Piece{Run: run, Mechanism: mechanism, Low: epsilons[e], High: epsilons[e+1], Least: min(a, b),
			Most: max(a, b)})
	}
	return to
}

// cut appends the pieces on which the route is one.
func (w *worker) cut(run, mechanism int, z []float64, to []Piece) ([]Piece, error) {
	s, sigmas := w.study, w.sigmas[mechanism]
	low, high := s.Epsilons[0], s.Epsilons[len(s.Epsilons)-1]
	for _, p := range slices.Backward(w.axes[mechanism].Pieces(z, slices.Min(sigmas), slices.Max(sigmas))) {
		corner, err := s.Guarantee.EpsilonOf(planner.LinearOf(s.Mechanisms[mechanism]), s.Problem.Rewards.Shape, p.Low)
		if err != nil {
			return nil, err
		}
		if corner = min(max(corner, low), high); corner > low {
			to = append(to, Piece{Run: run, Mechanism: mechanism, Low: low, High: corner, Least: p.Cost.Relative,
				Most: p.Cost.Relative})
		}
		low = corner
	}
	to[len(to)-1].High = high
	return to, nil
}

// Curve is what a mechanism costs on average along a range of epsilon: from Least to Most.
type Curve struct {
	Mechanism   string
	Epsilons    []float64
	Least, Most []float64
}

// Exact reports whether the mean of the runs is known at every epsilon.
func (c *Curve) Exact() bool { return slices.Equal(c.Least, c.Most) }

// curvePoints is how many epsilons a curve has, of equal ratio.
const curvePoints = 256

// Curves gathers the pieces of so many runs.
func Curves(pieces []Piece, mechanisms []string, over study.Range, runs int) []Curve {
	curves := make([]Curve, len(mechanisms))
	for i := range curves {
		c := &curves[i]
		*c = Curve{Mechanism: mechanisms[i], Least: make([]float64, curvePoints), Most: make([]float64, curvePoints)}
		for k := range curvePoints {
			c.Epsilons = append(c.Epsilons, over.Low*math.Pow(over.High/over.Low, float64(k)/(curvePoints-1)))
		}
		c.Epsilons[curvePoints-1] = over.High
	}
	for _, p := range pieces {
		c := &curves[p.Mechanism]
		k, _ := slices.BinarySearch(c.Epsilons, p.Low)
		for ; k < curvePoints && (c.Epsilons[k] < p.High || c.Epsilons[k] == over.High && p.High == over.High); k++ {
			c.Least[k] += p.Least / float64(runs)
			c.Most[k] += p.Most / float64(runs)
		}
	}
	return curves
}
