package reproduce

import (
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// loss is a sample of the cost of privacy in percent of the optimal value: |v_private - v_optimal|/|v_optimal| x
// 100. The fields are exported because a pool.Keeper encodes them.
type loss struct {
	Input, Output, OutputL2 float64
	OwnScore                float64 // of output perturbation, with the private policy scored on its private reward
}

// arena scores policies for private rewards in a multi-agent problem. Only one goroutine may use it.
type arena struct {
	*planner.Solved
	input, output *planner.Planner
	noise         privacy.Noise
	z             []float64 // the normals last drawn
	trail         trail     // of their plans
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
	a.trail.known = 0
}

// score plans with the drawn normals and returns the cost of the policy in percent, by the true reward and by the
// private one.
func (a *arena) score(p *planner.Planner, sigma float64) (cost, own float64) {
	private := p.PlanFrom(p.Privatize(sigma, a.z), a.trail.guess(sigma, a.Optimal.Value))
	a.trail.add(sigma, private.Value)
	own = a.percent(private.Value[a.Start])
	return a.percent(p.Cost(private.Policy).Private), own
}

// sigmas holds the noise of a guarantee for input perturbation and for output perturbation with either norm.
type sigmas struct{ input, output, outputL2 float64 }

func (a *arena) sigmas(g privacy.Guarantee) (s sigmas, err error) {
	for _, m := range []struct {
		mechanism privacy.Linear
		sigma     *float64
	}{
		{privacy.InputPerturbation{}, &s.input},
		{privacy.OutputPerturbation{Norm: privacy.L1Bound}, &s.output},
		{privacy.OutputPerturbation{Norm: privacy.ExactL2}, &s.outputL2},
	} {
		if *m.sigma, err = g.SigmaOf(m.mechanism, a.Rewards.Shape); err != nil {
			return s, err
		}
	}
	return s, nil
}

// try returns a sample from the stream at an address: input perturbation, and output perturbation with either norm
// on the same normals.
func (a *arena) try(at privacy.Address, s sigmas) (t loss) {
	a.draw(a.input, at)
	t.Input, _ = a.score(a.input, s.input)
	at.Purpose += purposeOutput
	a.draw(a.output, at)
	t.Output, t.OwnScore = a.score(a.output, s.output)
	t.OutputL2, _ = a.score(a.output, s.outputL2)
	return t
}

// trail holds the last two optimal value functions for the same normals and different sigmas. In every state the
// value is convex and piecewise linear in sigma, so a line through two values predicts a third.
type trail struct {
	sigmas [2]float64 // the most recent first
	values [2][]float64
	known  int
	line   []float64
}

func (t *trail) add(sigma float64, values []float64) {
	t.sigmas[0], t.sigmas[1] = sigma, t.sigmas[0]
	t.values[0], t.values[1] = append(t.values[1][:0], values...), t.values[0]
	t.known = min(t.known+1, 2)
}

// guess predicts the values at a sigma from the last two. If only one is known, the values without noise replace
// the other.
func (t *trail) guess(sigma float64, plain []float64) []float64 {
	if t.known == 0 {
		return plain
	}
	earlier, at := plain, 0.0
	if t.known == 2 {
		earlier, at = t.values[1], t.sigmas[1]
	}
	if t.sigmas[0] == at {
		return t.values[0]
	}
	share := (sigma - at) / (t.sigmas[0] - at)
	t.line = t.line[:0]
	for i, v := range earlier {
		t.line = append(t.line, v+share*(t.values[0][i]-v))
	}
	return t.line
}
