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

// Piece is a part of a run's axis of epsilon: from Low to High, a mechanism's private plan costs between Least
// and Most. The two are equal if transitions are deterministic; the plan then has one route on the piece.
//
// If transitions are uncertain, Least and Most are the costs of the plans at both ends. This is correct because
// the true value of a run's plan never grows as sigma grows and epsilon falls. Proof: let u be a plan's value
// on the true reward and w its value on the noise alone, so that its value at sigma is u + sigma w. Each of two
// optimal plans is at least as good as the other at its own sigma. Adding the two inequalities shows that w
// grows with sigma, and so u falls.
type Piece struct {
	Run         int
	Mechanism   int // index in Mechanisms
	Low, High   float64
	Least, Most float64 // relative
}

// plannedApart is the largest ratio of neighbouring epsilons that are planned at, if transitions are uncertain.
const plannedApart = 1.25

// Pieces yields the pieces of runs [first, end) on a range of epsilon that contains the study's epsilons, by
// mechanism and ascending epsilon. It stops after an error. A mechanism that is not linear has no pieces: the
// error is study.ErrNoAxis.
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
			w.axes[i], _ = planner.NewAxis(w.study.Problem, planner.LinearOf(m)) // nil for uncertain transitions
		}
		if w.axes[i] == nil {
			all = w.boundedPieces(run, i, z, all)
		} else if all, err = w.exactPieces(run, i, z, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// boundedPieces appends pieces whose bounds are the costs of the plans at neighbouring epsilons.
func (w *worker) boundedPieces(run, mechanism int, z []float64, to []Piece) []Piece {
	costs, epsilons := w.linear(mechanism, z), w.study.Epsilons
	for e := range epsilons[1:] {
		a, b := costs[e].Relative, costs[e+1].Relative // up to the error that a plan's value may have
		to = append(to, Piece{Run: run, Mechanism: mechanism, Low: epsilons[e], High: epsilons[e+1], Least: min(a, b),
			Most: max(a, b)})
	}
	return to
}

// exactPieces appends the pieces of constant route.
func (w *worker) exactPieces(run, mechanism int, z []float64, to []Piece) ([]Piece, error) {
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

// Curve is the mean cost of a mechanism along a range of epsilon: between Least and Most.
type Curve struct {
	Mechanism   string
	Epsilons    []float64
	Least, Most []float64
}

// Exact reports whether the mean of the runs is exact at every epsilon.
func (c *Curve) Exact() bool { return slices.Equal(c.Least, c.Most) }

// curvePoints is the number of epsilons of a curve, in geometric sequence.
const curvePoints = 256

// Curves averages the pieces of a number of runs.
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
