package reproduce

import (
	"context"
	"fmt"
	"io"
	"slices"

	"veilpath/internal/table"
	"veilpath/planner/paper"
	"veilpath/planner/privacy"
)

// FindingsName is the name of the file from WriteFindings.
const FindingsName = "beyond.csv"

// Finding is a number that the paper does not have.
type Finding struct {
	Name     string // of the finding, such as "tightness of Theorem 3"
	Setting  string
	Quantity string
	Value    float64
	SE       float64 // standard error; 0 for a closed form
}

// FindingColumns returns the columns of findings.
func FindingColumns() []table.Column[Finding] {
	return []table.Column[Finding]{
		{Heading: "finding", Lead: true, Text: func(f *Finding) string { return f.Name }},
		{Heading: "setting", Lead: true, Text: func(f *Finding) string { return f.Setting }},
		{Heading: "quantity", Lead: true, Text: func(f *Finding) string { return f.Quantity }},
		{Heading: "value", Format: "%.4g", Value: func(f *Finding) float64 { return f.Value }},
		{Heading: "standard error", Format: "%.2g", Value: func(f *Finding) float64 { return f.SE }},
	}
}

// Findings returns the findings of results.
func Findings(results []*Result) (all []Finding) {
	for _, r := range results {
		all = append(all, r.Findings...)
	}
	return all
}

// WriteFindings writes the findings as CSV.
func WriteFindings(w io.Writer, results []*Result) error {
	s := table.New("finding", "setting", "quantity", "value", "standard_error")
	for _, f := range Findings(results) {
		s.Rows = append(s.Rows, table.Row{f.Name, f.Setting, f.Quantity, number(f.Value), number(f.SE)})
	}
	return s.WriteCSV(w)
}

// beyond computes results that the paper does not have: how much of a published effect is due to the calibration, how
// tight the bounds are in the paper's examples, and where a statement does not hold.
func (b *bench) beyond(ctx context.Context) (all []Finding, err error) {
	for _, step := range []func(context.Context) ([]Finding, error){b.artefact, b.calibrations, b.tightness, b.survival,
		b.counterexample} {
		found, err := step(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// artefactEpsilons are the epsilons at which Example 2 is compared.
var artefactEpsilons = []float64{1, 2, 3, 5, 10}

// artefactWorlds returns settings of Example 2 in which agents start far from the goal and plan far ahead.
func artefactWorlds(s *Settings) []worldReading {
	world := s.Example2.World(s.Example2.GoalRewards[0])
	last := world.Columns*world.Rows - 1
	corner := [2]int{last, last}
	return []worldReading{{paper.SlipOtherActions, 0.95, 1, corner}, {paper.SlipOtherNeighbours, 0.9, 1, corner}}
}

// artefactSamples returns three tenths of the samples of Example 2, which are long to draw.
func artefactSamples(s *Settings) int {
	return max(3*s.Example2.Samples/10, min(s.Example2.Samples, leastSamples))
}

// beyondUnits returns the number of samples that beyond draws.
func beyondUnits(s *Settings) int {
	return len(s.Example1.Agents)*s.Example1.Samples + len(artefactWorlds(s))*len(artefactEpsilons)*artefactSamples(s)
}

// artefact finds how much of output perturbation's cost is due to Theorem 2, which bounds the L2 sensitivity of the
// joint reward by its L1 norm, b mu/N. The L2 norm is b sqrt(mu)/N and needs sqrt(mu) times less noise.
func (b *bench) artefact(ctx context.Context) (all []Finding, err error) {
	add := func(setting string, o *teamOutcome) {
		for _, q := range []struct {
			name string
			mean privacy.SampleMean
		}{{"input (%)", o.input}, {"output, L1 bound (%)", o.output}, {"output, exact L2 (%)", o.outputL2}} {
			all = append(all, Finding{"cost of output perturbation", setting, q.name, q.mean.Mean, q.mean.StandardError})
		}
	}
	configured := teamReadings(b.Settings)[0]
	outcomes, err := b.teamOutcomes(ctx, configured)
	if err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		add(fmt.Sprintf("Example 1, %s, N = %d", configured, o.agents), &o)
	}
	for _, world := range artefactWorlds(b.Settings) {
		for _, epsilon := range artefactEpsilons {
			o, err := b.worldOutcome(ctx, world, epsilon)
			if err != nil {
				return nil, err
			}
			add(fmt.Sprintf("Example 2, R_max = 5, %s, ε = %g", world, epsilon), o)
		}
	}
	return all, nil
}

// worldOutcome samples Example 2 with the first goal reward at an epsilon.
func (b *bench) worldOutcome(ctx context.Context, r worldReading, epsilon float64) (*teamOutcome, error) {
	losses := make([]loss, artefactSamples(b.Settings))
	err := sample(ctx, b, losses, func() (func(int) (loss, error), error) {
		a, err := r.arena(b.Example2.World(b.Example2.GoalRewards[0]))
		if err != nil {
			return nil, err
		}
		g := b.Example2.Guarantee
		g.Epsilon, g.Adjacency = epsilon, r.adjacency
		s, err := a.sigmas(g)
		return func(i int) (loss, error) {
			return a.try(privacy.Address{Seed: b.Seed, Run: uint64(i), Purpose: purposeBeyond}, s), nil
		}, err
	})
	o := summarise(losses)
	return &o, err
}

// calibrations compares Lemma 1's noise for sensitivity 1 with the exact calibration (Balle and Wang 2018), and says
// which epsilon Lemma 1's noise gives.
func (b *bench) calibrations(context.Context) (all []Finding, err error) {
	for _, delta := range []float64{0.01, 0.1} {
		for _, epsilon := range []float64{0.1, 0.2, 0.5, 1, 1.3, 2, 4, 10} {
			c, err := privacy.CompareCalibrations(epsilon, delta, 1)
			if err != nil {
				return nil, err
			}
			const name = "noise of Lemma 1"
			setting := fmt.Sprintf("δ = %g, ε = %g", delta, epsilon)
			all = append(all, Finding{name, setting, "σ of Lemma 1", c.SigmaClassical, 0},
				Finding{name, setting, "σ, exact", c.SigmaAnalytic, 0},
				Finding{name, setting, "ε that Lemma 1 attains", c.AttainedEpsilon, 0})
		}
	}
	return all, nil
}

// tightnessEntries bounds the number of entries drawn in a simulation of the largest error.
const tightnessEntries = 8_000_000

// tightness compares Theorem 3's bound on the largest error with a logarithmic bound, which holds for any correlation,
// with independent entries, and with the simulated error, in units of sigma.
func (b *bench) tightness(ctx context.Context) (all []Finding, err error) {
	for i, c := range []struct{ agents, states, actions int }{{2, 2, 2}, {2, 4, 2}, {2, 16, 4}, {2, 256, 5}} {
		shape, err := privacy.NewShape(c.states, slices.Repeat([]int{c.actions}, c.agents))
		if err != nil {
			return nil, err
		}
		const name = "tightness of Theorem 3"
		setting := fmt.Sprintf("N = %d, n = %d, m_i = %d", c.agents, c.states, c.actions)
		for _, bound := range []struct {
			name string
			of   func(agents, entries int) (float64, error)
		}{
			{"Theorem 3", privacy.MaxErrorBound}, {"logarithmic bound", privacy.MaxErrorLogBound},
			{"independent, exact", privacy.MaxErrorIndependent},
		} {
			value, err := bound.of(c.agents, shape.JointEntries())
			if err != nil {
				return nil, err
			}
			all = append(all, Finding{name, setting, bound.name, value, 0})
		}
		draws := min(tightnessEntries/(c.states*c.actions*c.agents), truthDraws)
		truth, err := shape.SimulatedMaxError(ctx, draws, b.noise(purposeBeyond, uint64(i)), nil)
		if err != nil {
			return nil, err
		}
		all = append(all, Finding{name, setting, "as they are, simulated", truth.Mean, truth.StandardError})
	}
	return all, nil
}

// survival compares Theorem 5's bound in Example 2 with the exact probability that an agent's goal stays its largest
// reward, and with the simulated one of the joint goal. The theorem is an upper bound; the text reads it as a lower
// one.
func (b *bench) survival(ctx context.Context) (all []Finding, err error) {
	const draws = 1500
	for i, at := range []struct{ rmax, epsilon float64 }{{5, 0.1}, {5, 1}, {5, 1.3}, {5, 2}, {50, 0.1}} {
		world := b.Example2.World(at.rmax)
		world.Agents = sweepAgents
		problem, err := world.Problem(b.Example2.Discount, make([]int, sweepAgents))
		if err != nil {
			return nil, err
		}
		sigma, err := b.worldSigma(1, at.epsilon)
		if err != nil {
			return nil, err
		}
		goals, err := privacy.NewGoals(problem.Rewards.Tables[0], 1, 0)
		if err != nil {
			return nil, err
		}
		bound, err := goals.Bound(sigma)
		if err != nil {
			return nil, err
		}
		exact, err := goals.Probability(sigma)
		if err != nil {
			return nil, err
		}
		kept, err := problem.Rewards.SimulatedGoal(ctx, problem.Rewards.Tables, sigma, draws,
			b.noise(purposeBeyond, uint64(100+i)))
		if err != nil {
			return nil, err
		}
		const name = "Theorem 5 in Example 2"
		setting := fmt.Sprintf("R_max = %g, ε = %g", at.rmax, at.epsilon)
		all = append(all, Finding{name, setting, "Theorem 5", bound, 0}, Finding{name, setting, "one agent, exact", exact, 0},
			Finding{name, setting, "joint goal, simulated", kept.Mean, kept.StandardError})
	}
	return all, nil
}

// counterexample computes the expected extra sweeps of one agent with noise of ten times the largest reward. Below
// about ten entries the exact number exceeds Theorem 6 as stated, which omits the mean of the folded normal that its
// proof has.
func (b *bench) counterexample(context.Context) (all []Finding, err error) {
	const ratio = 10 // sigma divided by the largest reward
	solver := privacy.Convergence{Gamma: sweepGamma, Eta: sweepEta}
	for _, entries := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256} {
		extra, err := solver.ExtraSweepsIndependent(peakedJoint(entries, 1), 1, ratio)
		if err != nil {
			return nil, err
		}
		stated, err := solver.ExtraSweepsBound(privacy.Statement, 1, entries, ratio, 1)
		if err != nil {
			return nil, err
		}
		proved, err := solver.ExtraSweepsBound(privacy.Proof, 1, entries, ratio, 1)
		if err != nil {
			return nil, err
		}
		const name = "extra sweeps of Theorem 6"
		setting := fmt.Sprintf("nm = %d", entries)
		all = append(all, Finding{name, setting, "exact", extra.Sweeps, 0}, Finding{name, setting, "as stated", stated, 0},
			Finding{name, setting, "as proved", proved, 0})
	}
	return all, nil
}
