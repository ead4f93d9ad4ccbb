package reproduce

import (
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// arena scores policies for private rewards in a multi-agent problem. Only one goroutine may use it.
type arena struct {
	*planner.Solved
	input, output *planner.Planner
	noise         privacy.Noise
	z             []float64 // the normals last drawn
}

// relativeAccuracy is the accuracy of values relative to their possible range. It is far below any sampling error.
const relativeAccuracy = 1e-7

// newArena solves a problem.
func newArena(problem *planner.Problem, err error) (*arena, error) {
	if err != nil {
		return nil, err
	}
	accuracy := relativeAccuracy * problem.Rewards.LargestAbsolute() / (1 - problem.Discount)
	solved, err := problem.Solve(accuracy, accuracy)
	if err != nil {
		return nil, err
	}
	a := &arena{Solved: solved}
	if a.input, err = planner.NewPlanner(solved, privacy.InputPerturbation{}); err != nil {
		return nil, err
	}
	a.output, err = planner.NewPlanner(solved, privacy.OutputPerturbation{Norm: privacy.ExactL2})
	return a, err
}

// percent returns the cost of a value at the start, in percent of the optimal value.
func (a *arena) percent(value float64) float64 {
	optimal := a.Optimal.Value[a.Start]
	return 100 * math.Abs(value-optimal) / math.Abs(optimal)
}

// draw draws the normals of a private reward from the stream at an address.
func (a *arena) draw(p *planner.Planner, at privacy.Address) {
	a.z = slices.Grow(a.z[:0], p.Normals())[:p.Normals()]
	a.noise.Seek(at)
	a.noise.Normals(a.z)
}

// score plans with the drawn normals and returns the cost of the policy in percent.
func (a *arena) score(p *planner.Planner, sigma float64) float64 {
	return a.percent(p.Cost(p.Replan(p.Privatize(sigma, a.z)).Policy).Private)
}

// sigmas holds the noise of a guarantee for input perturbation and for output perturbation.
type sigmas struct{ input, output float64 }

func (a *arena) sigmas(g privacy.Guarantee) (s sigmas, err error) {
	if s.input, err = g.SigmaOf(privacy.InputPerturbation{}, a.Rewards.Shape); err == nil {
		s.output, err = g.SigmaOf(privacy.OutputPerturbation{Norm: privacy.L1Bound}, a.Rewards.Shape)
	}
	return s, err
}
