// Package cost measures what privacy costs: the share of a problem's optimal value at the start that is lost by
// policies planned for private rewards, over epsilon and for several mechanisms with the same noise (arXiv
// 2309.12476, Section 6). It works for any problem of package planner. A run is one draw of noise, which all
// epsilons and mechanisms share. It does not depend on the number of runs or on the worker.
//
// The example of Study is the shortest complete program. Table makes a table of its summaries, and package
// campaign keeps costs in folders.
package cost

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"veilpath/internal/option"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Study is the setup of a measurement.
type Study struct {
	Problem    *planner.Solved
	Mechanisms []planner.Mechanism
	Guarantee  privacy.Guarantee // its epsilon is unused
	Epsilons   []float64
	Seed       uint64
	Workers    int // goroutines; 0 for as many as there are cores
	// Stream returns the address of the noise of a mechanism's run; nil for the study's own addresses. Each
	// mechanism reads the stream from its beginning at every epsilon.
	Stream func(mechanism planner.Mechanism, run int) privacy.Address
	// Kept, if not nil, stores completed runs, from which an interrupted study resumes.
	Kept *pieces.Work
}

// purpose separates the noise of these studies from all other noise.
const purpose = 301

// Row is the result of one run at one epsilon.
type Row struct {
	Run     int
	Epsilon float64
	Values  []float64 // true value at the start of every mechanism's private policy
	Costs   []float64 // relative: the distances of Values from the optimal value, divided by its magnitude
}

// parallelStates is the number of states from which on one problem keeps all cores busy.
const parallelStates = 6000

// Rows makes runs [first, end) in order and yields the rows of each, in the order of epsilons. It stops after
// an error.
func (s *Study) Rows(ctx context.Context, first, end int) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		sigmas, err := s.Sigmas()
		if err != nil {
			yield(nil, err)
			return
		}
		inOrder(ctx, s, sigmas, first, end, (*worker).rows, yield)
	}
}

// inOrder yields the results of runs [first, end) in order. The size of the problem decides between many
// workers and many cores for one worker.
func inOrder[T any](ctx context.Context, s *Study, sigmas [][]float64, first, end int,
	do func(*worker, int) ([]T, error), yield func([]T, error) bool) {
	workers, cores := pool.Workers(s.Workers), 1
	if s.Problem.Law.States() >= parallelStates {
		workers, cores = 1, workers
	}
	perPiece := s.runsPerPiece()
	newWork := func() pool.Work[int, [][]T] {
		w, err := s.newWorker(sigmas, cores)
		return func(ctx context.Context, piece int, _ [][]T) (all [][]T, _ error) {
			if err != nil {
				return nil, err
			}
			for run := first + piece*perPiece; run < min(first+(piece+1)*perPiece, end) && ctx.Err() == nil; run++ {
				made, err := do(w, run)
				if err != nil {
					return nil, err
				}
				all = append(all, made)
			}
			return all, ctx.Err()
		}
	}
	batches := pool.Numbers(0, (end-first+perPiece-1)/perPiece)
	for result, err := range pieces.Ordered(ctx, s.Kept, workers, batches, newWork) {
		if err != nil {
			yield(nil, err)
			return
		}
		for _, made := range result.Value {
			if !yield(made, nil) {
				return
			}
		}
	}
}

// runsPerPiece returns how many runs form a piece of work. Runs of small problems are combined, so that storing
// them takes little time compared with making them.
func (s *Study) runsPerPiece() int { return min(max(1, 4096/s.Problem.Law.States()), 64) }

// Sigmas returns the standard deviation of the noise of every mechanism at every epsilon, 0 for mechanisms that
// are not linear.
func (s *Study) Sigmas() ([][]float64, error) {
	var all [][]float64
	for _, m := range s.Mechanisms {
		var sigmas []float64
		for _, epsilon := range s.Epsilons {
			sigma, err := sigmaOf(m, s.Guarantee.At(epsilon), s.Problem)
			if err != nil {
				return nil, err
			}
			sigmas = append(sigmas, sigma)
		}
		all = append(all, sigmas)
	}
	return all, nil
}

// sigmaOf returns the standard deviation of a mechanism's noise on rewards, 0 if it is not linear.
func sigmaOf(m planner.Mechanism, g privacy.Guarantee, p *planner.Solved) (float64, error) {
	linear := planner.LinearOf(m)
	if linear == nil {
		return 0, nil
	}
	return g.SigmaOf(linear, p.Rewards.Shape)
}

// worker makes runs in its own buffers.
type worker struct {
	study    *Study
	sigmas   [][]float64
	planners []*planner.Planner
	// by mechanism; nil if it is not linear, transitions are uncertain or there are few epsilons
	axes  []*planner.Axis
	noise privacy.Noise
	z     []float64
}

func (s *Study) newWorker(sigmas [][]float64, cores int) (*worker, error) {
	w := &worker{study: s, sigmas: sigmas}
	for _, m := range s.Mechanisms {
		p, err := planner.NewPlanner(s.Problem, planner.LinearOf(m))
		if err != nil {
			return nil, err
		}
		p.LimitCores(cores)
		w.planners = append(w.planners, p)
		var axis *planner.Axis
		if len(s.Epsilons) >= planner.ManyPlans {
			axis, _ = planner.NewAxis(s.Problem, planner.LinearOf(m)) // nil for uncertain transitions
		}
		w.axes = append(w.axes, axis)
		w.z = append(w.z, make([]float64, max(0, p.Normals()-len(w.z)))...)
	}
	return w, nil
}

// rows returns the rows of a run.
func (w *worker) rows(run int) ([]Row, error) {
	s := w.study
	rows := make([]Row, len(s.Epsilons))
	for e, epsilon := range s.Epsilons {
		rows[e] = Row{Run: run, Epsilon: epsilon, Values: make([]float64, len(s.Mechanisms)),
			Costs: make([]float64, len(s.Mechanisms))}
	}
	for i := range w.planners {
		costs, err := w.costs(i, run)
		if err != nil {
			return nil, err
		}
		for e, cost := range costs {
			rows[e].Values[i], rows[e].Costs[i] = cost.Private, cost.Relative
		}
	}
	return rows, nil
}

// draw returns the normals of a linear mechanism's run. They are valid until the next call.
func (w *worker) draw(mechanism, run int) []float64 {
	z := w.z[:w.planners[mechanism].Normals()]
	w.noise.Seek(w.study.address(w.study.Mechanisms[mechanism], run))
	w.noise.Normals(z)
	return z
}

// costs returns the costs of a mechanism's private plans in a run, by epsilon.
func (w *worker) costs(mechanism, run int) ([]planner.Cost, error) {
	m, p, s := w.study.Mechanisms[mechanism], w.planners[mechanism], w.study
	if planner.LinearOf(m) != nil {
		return w.linear(mechanism, w.draw(mechanism, run)), nil
	}
	costs := make([]planner.Cost, len(s.Epsilons))
	for e, epsilon := range s.Epsilons {
		w.noise.Seek(s.address(m, run))
		plan, err := p.PlanBy(m, s.Guarantee.At(epsilon), &w.noise)
		if err != nil {
			return nil, fmt.Errorf("cost: run %d: %w", run, err)
		}
		costs[e] = p.CostOf(&plan)
	}
	return costs, nil
}

// linear returns the costs of a linear mechanism for the normals of a run. For deterministic transitions it
// reads them from the pieces of the run's axis.
func (w *worker) linear(mechanism int, z []float64) []planner.Cost {
	p, sigmas := w.planners[mechanism], w.sigmas[mechanism]
	var pieces []planner.Piece
	if axis := w.axes[mechanism]; axis != nil {
		pieces = axis.Pieces(z, slices.Min(sigmas), slices.Max(sigmas))
	}
	costs := make([]planner.Cost, len(sigmas))
	for e, sigma := range sigmas {
		if piece := planner.PieceAt(pieces, sigma); piece != nil {
			costs[e] = piece.Cost
		} else {
			costs[e] = p.Cost(p.Plan(p.Privatize(sigma, z)).Policy)
		}
	}
	return costs
}

func (s *Study) address(m planner.Mechanism, run int) privacy.Address {
	if s.Stream != nil {
		return s.Stream(m, run)
	}
	return privacy.Address{Seed: s.Seed, Run: uint64(run), Purpose: purpose}
}

// LargestLoss returns an upper bound on the loss of any policy at the start of a problem: that of the worst policy.
func LargestLoss(p *planner.Solved) (float64, error) {
	solver, err := mdp.NewSolver(p.Law, p.Discount)
	if err != nil {
		return 0, err
	}
	losses := make([]float64, len(p.Rewards.Joint))
	for i, r := range p.Rewards.Joint {
		if losses[i] = -r; math.IsInf(r, -1) {
			losses[i] = r // the state does not have the action
		}
	}
	worst := solver.Solve(losses, nil, p.Tolerance)
	return math.Abs(-worst.Value[p.Start]-p.Optimal.Value[p.Start]) + worst.Bound + p.Optimal.Bound, nil
}

// SolveAccurately solves a problem as accurately as rounding allows, so that an optimal policy costs 0.
// tolerance is the accuracy that the caller needs.
func SolveAccurately(p *planner.Problem, tolerance float64) (*planner.Solved, error) {
	solved, err := p.Solve(tolerance/100, 0)
	for wider := tolerance / 10; err != nil && wider <= 1e3*tolerance; wider *= 10 {
		solved, err = p.Solve(wider, 0)
	}
	if err != nil {
		return nil, err
	}
	const many = 1000 // rounding errors are far below the tolerance there
	if p.Law.States() > many {
		solved.Accuracy = tolerance / 100
	}
	return exact(solved)
}

// zeroShare is the share of the largest value of any state below which the value at the start is 0 to rounding.
const zeroShare = 1e-9

// CheckValue returns an error if the optimal value at the start is 0 to rounding, so that no cost is a share of it.
func CheckValue(p *planner.Solved) error {
	largest := 0.0
	for _, v := range p.Optimal.Value {
		largest = max(largest, math.Abs(v))
	}
	if math.Abs(p.Optimal.Value[p.Start]) > zeroShare*largest {
		return nil
	}
	return option.Errorf("the optimal value at the start is 0, so no cost is a share of it; name another {start}")
}

// exact replaces the optimal value by the value of the optimal policy, evaluated like the private policies, so
// that an optimal policy costs 0 whatever the tolerance of the solution.
func exact(p *planner.Solved) (*planner.Solved, error) {
	own, err := planner.NewPlanner(p, nil)
	if err != nil {
		return nil, err
	}
	refined := *p
	refined.Optimal.Value = append([]float64(nil), p.Optimal.Value...)
	cost := own.Cost(p.Optimal.Policy)
	refined.Optimal.Value[p.Start] = cost.Private
	// The policy's value is as near to the solved value as the optimum is, and the evaluation adds the rest of
	// the error.
	refined.Optimal.Bound += cost.Bound
	return &refined, nil
}
