package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// loss is a sample of the cost of privacy in percent of the optimal value: |v_private - v_optimal|/|v_optimal| x
// 100.
type loss struct {
	Input, Output, OutputL2 float64
	OwnScore                float64 // of output perturbation, with the private policy scored on its private reward
}

// arena scores policies for private rewards in a multi-agent problem. Only one goroutine may use it.
type arena struct {
	*planner.Solved
	worst         float64 // smallest value at the start of all policies
	input, output *planner.Planner
	noise         privacy.Noise
	z             []float64 // the normals last drawn
	trail         trail     // of their plans
}

// relativeAccuracy is the accuracy of values relative to their possible range. It is far below any sampling error.
const relativeAccuracy = 1e-7

// newArena solves a problem for the best and the worst policy.
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
	if a.output, err = planner.NewPlanner(solved, privacy.OutputPerturbation{Norm: privacy.ExactL2}); err != nil {
		return nil, err
	}
	solver, err := mdp.NewSolver(problem.Law, problem.Discount)
	if err != nil {
		return nil, err
	}
	losses := make([]float64, len(problem.Rewards.Joint))
	for i, r := range problem.Rewards.Joint {
		losses[i] = -r
	}
	a.worst = -solver.Solve(losses, nil, accuracy).Value[problem.Start]
	return a, nil
}

// optimal returns the value at the start without privacy.
func (a *arena) optimal() float64 { return a.Optimal.Value[a.Start] }

// ceiling returns the largest possible cost of a policy, in percent.
func (a *arena) ceiling() float64 { return a.percent(a.worst) }

// percent returns the cost of a value at the start, in percent.
func (a *arena) percent(value float64) float64 {
	return 100 * math.Abs(value-a.optimal()) / math.Abs(a.optimal())
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

// teamReading is a setting of Example 1.
type teamReading struct {
	obedience, discount, adjacency float64
}

func (r teamReading) String() string {
	return fmt.Sprintf("p = %g, γ = %g, b = %g", r.obedience, r.discount, r.adjacency)
}

// teamOutcome is the result of a setting for one number of agents.
type teamOutcome struct {
	agents                            int
	input, output, outputL2, ownScore privacy.SampleMean
	ceiling                           float64 // largest possible cost of a policy, percent
	floor                             float64 // bound on ceiling from the smallest reward, percent
	perStep                           float64 // optimal value per step, (1-gamma) v
}

// teamOutcomes samples Example 1 in a setting.
func (b *bench) teamOutcomes(ctx context.Context, r teamReading, samples int) ([]teamOutcome, error) {
	var outcomes []teamOutcome
	for _, agents := range b.Example1.Agents {
		team := b.Example1.Team(agents)
		team.Obedience = r.obedience
		guarantee := b.Example1.Guarantee
		guarantee.Adjacency = r.adjacency
		build := func() (*arena, error) {
			return newArena(team.Problem(r.discount))
		}
		losses := make([]loss, samples)
		err := sample(ctx, b, losses, func() (func(int) (loss, error), error) {
			a, err := build()
			if err != nil {
				return nil, err
			}
			s, err := a.sigmas(guarantee)
			return func(i int) (loss, error) {
				return a.try(teamNoise(b.Seed, agents, i, false), s), nil
			}, err
		})
		if err != nil {
			return nil, err
		}
		a, err := build()
		if err != nil {
			return nil, err
		}
		o := summarise(losses)
		o.agents, o.ceiling = agents, a.ceiling()
		o.floor = a.percent(team.OtherReward / (1 - r.discount))
		o.perStep = (1 - r.discount) * a.optimal()
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// summarise averages losses.
func summarise(losses []loss) (o teamOutcome) {
	column := make([]float64, len(losses))
	for _, c := range []struct {
		to *privacy.SampleMean
		of func(*loss) float64
	}{
		{&o.input, func(t *loss) float64 { return t.Input }},
		{&o.output, func(t *loss) float64 { return t.Output }},
		{&o.outputL2, func(t *loss) float64 { return t.OutputL2 }},
		{&o.ownScore, func(t *loss) float64 { return t.OwnScore }},
	} {
		for i := range losses {
			column[i] = c.of(&losses[i])
		}
		*c.to = meanOf(column)
	}
	return o
}
