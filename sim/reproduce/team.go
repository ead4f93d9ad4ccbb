package reproduce

import (
	"context"
	"fmt"
	"math"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// trial is one sample of what privacy costs, in percent of the optimal value: |v_private - v_optimal|/|v_optimal| x 100.
type trial struct {
	input, output, outputL2 float64
	ownScore                float64 // of output perturbation, the private policy being scored on its private reward
}

// arena is a multi-agent problem in which policies from private rewards are scored. It serves one goroutine.
type arena struct {
	joint    *mdp.Joint
	shape    privacy.Shape
	rewards  [][]float64 // the agents' true rewards
	truth    []float64   // the joint one
	start    int
	optimal  float64   // value at the start
	values   []float64 // optimal values
	worst    float64   // of all policies, the least value at the start
	solver   mdp.Solver
	scorer   *mdp.Evaluator
	private  [][]float64
	table    []float64
	noise    privacy.Noise
	accuracy float64 // of values
}

// relativeAccuracy of values within the range that values can take: far below any sampling error.
const relativeAccuracy = 1e-7

func newArena(joint *mdp.Joint, rewards [][]float64, discount float64, start int) (*arena, error) {
	a := &arena{joint: joint, rewards: rewards, start: start}
	actions := make([]int, joint.Agents())
	for i := range actions {
		actions[i] = joint.Agent(i).Actions()
		a.private = append(a.private, make([]float64, len(rewards[i])))
	}
	var err error
	if a.shape, err = privacy.NewShape(joint.States(), actions); err != nil {
		return nil, err
	}
	a.truth, a.table = make([]float64, a.shape.JointEntries()), make([]float64, a.shape.JointEntries())
	if err := a.shape.Joint(a.truth, rewards); err != nil {
		return nil, err
	}
	if a.solver, err = mdp.NewModifiedPolicyIteration(joint, discount); err != nil {
		return nil, err
	}
	if a.scorer, err = mdp.NewEvaluator(joint, discount); err != nil {
		return nil, err
	}
	a.accuracy = relativeAccuracy * a.shape.LargestAbsolute(rewards) / (1 - discount)
	for i, r := range a.truth {
		a.table[i] = -r
	}
	a.worst = -a.solver.Solve(a.table, nil, a.accuracy).Value[start]
	best := a.solver.Solve(a.truth, nil, a.accuracy)
	a.values = append(a.values, best.Value...)
	a.optimal = a.values[start]
	return a, nil
}

// ceiling is what no policy can cost more than, in percent.
func (a *arena) ceiling() float64 { return a.cost(a.worst) }

// cost is that of a value at the start, in percent.
func (a *arena) cost(value float64) float64 {
	return 100 * math.Abs(value-a.optimal) / math.Abs(a.optimal)
}

// plan solves for the private reward in the table and scores the policy, by the true reward and by the private one.
func (a *arena) plan() (cost, own float64) {
	private := a.solver.Solve(a.table, a.values, a.accuracy)
	own = a.cost(private.Value[a.start])
	return a.cost(a.scorer.Evaluate(private.Policy, a.truth, a.accuracy).Value[a.start]), own
}

// input plans with every agent's reward perturbed.
func (a *arena) input(sigma float64) (float64, error) {
	if err := a.shape.InputPerturbation(a.table, a.private, a.rewards, sigma, &a.noise); err != nil {
		return 0, err
	}
	cost, _ := a.plan()
	return cost, nil
}

// output plans with the joint reward perturbed.
func (a *arena) output(sigma float64) (cost, own float64, err error) {
	if err := a.shape.OutputPerturbation(a.table, a.rewards, sigma, &a.noise); err != nil {
		return 0, 0, err
	}
	cost, own = a.plan()
	return cost, own, nil
}

// sigmas is the noise of a guarantee: of input perturbation, and of output perturbation with either norm.
type sigmas struct{ input, output, outputL2 float64 }

func (a *arena) sigmas(g privacy.Guarantee) (s sigmas, err error) {
	if s.input, err = g.Sigma(); err != nil {
		return s, err
	}
	for norm, sigma := range map[privacy.Norm]*float64{privacy.L1Bound: &s.output, privacy.ExactL2: &s.outputL2} {
		sensitivity, err := a.shape.OutputSensitivity(g.Adjacency, norm)
		if err != nil {
			return s, err
		}
		if *sigma, err = g.Calibration.Sigma(g.Epsilon, g.Delta, sensitivity); err != nil {
			return s, err
		}
	}
	return s, nil
}

// try draws one sample from the stream at an address: input perturbation, then output perturbation with either norm
// on the same normals.
func (a *arena) try(at privacy.Address, s sigmas) (t trial, err error) {
	a.noise.Seek(at)
	if t.input, err = a.input(s.input); err != nil {
		return t, err
	}
	at.Purpose++
	a.noise.Seek(at)
	if t.output, t.ownScore, err = a.output(s.output); err != nil {
		return t, err
	}
	a.noise.Seek(at)
	t.outputL2, _, err = a.output(s.outputL2)
	return t, err
}

// teamReading is one setting of Example 1.
type teamReading struct {
	obedience, discount, adjacency float64
}

func (r teamReading) String() string {
	return fmt.Sprintf("p = %g, γ = %g, b = %g", r.obedience, r.discount, r.adjacency)
}

// teamOutcome is what a setting comes to for one number of agents.
type teamOutcome struct {
	agents                            int
	input, output, outputL2, ownScore privacy.Estimate
	ceiling                           float64 // what no policy can cost more than, percent
	floor                             float64 // the simple bound on that: no reward is below the least one
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
			joint, err := team.Joint(0)
			if err != nil {
				return nil, err
			}
			return newArena(joint, team.AgentRewards(joint), r.discount, team.Start())
		}
		trials := make([]trial, samples)
		err := b.sample(ctx, samples, func() (func(int) error, error) {
			a, err := build()
			if err != nil {
				return nil, err
			}
			s, err := a.sigmas(guarantee)
			return func(i int) (err error) {
				trials[i], err = a.try(privacy.Address{Seed: b.Seed, Cell: uint64(agents), Run: uint64(i), Purpose: purposeTeam}, s)
				return err
			}, err
		})
		if err != nil {
			return nil, err
		}
		a, err := build()
		if err != nil {
			return nil, err
		}
		o := summarise(trials)
		o.agents, o.ceiling = agents, a.ceiling()
		o.floor = a.cost(team.OtherReward / (1 - r.discount))
		o.perStep = (1 - r.discount) * a.optimal
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// summarise averages trials.
func summarise(trials []trial) (o teamOutcome) {
	column := make([]float64, len(trials))
	for _, c := range []struct {
		to *privacy.Estimate
		of func(*trial) float64
	}{
		{&o.input, func(t *trial) float64 { return t.input }},
		{&o.output, func(t *trial) float64 { return t.output }},
		{&o.outputL2, func(t *trial) float64 { return t.outputL2 }},
		{&o.ownScore, func(t *trial) float64 { return t.ownScore }},
	} {
		for i := range trials {
			column[i] = c.of(&trials[i])
		}
		*c.to = meanOf(column)
	}
	return o
}
