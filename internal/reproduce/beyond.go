package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/internal/report"
	"veilpath/planner/paper"
	"veilpath/planner/privacy"
)

func computeBeyond(ctx context.Context, b *bench) (*Result, error) {
	result := &Result{Summary: prose("beyond", nil)}
	for _, step := range []func(context.Context, *Result) error{b.artefact, b.calibrations, b.tightness, b.survivalTruth,
		b.counterexample} {
		if err := step(ctx, result); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func (r *Result) find(f Finding) { r.Findings = append(r.Findings, f) }

// artefactEpsilons are the epsilons at which Example 2 is compared.
var artefactEpsilons = []float64{1, 2, 3, 5, 10}

// artefactWorlds returns settings of Example 2 in which agents start far from the goal and plan far ahead.
func artefactWorlds(s *Settings) []worldReading {
	world := s.Example2.World(s.Example2.GoalRewards[0])
	last := world.Columns*world.Rows - 1
	corner := [2]int{last, last}
	return []worldReading{{paper.SlipOtherActions, 0.95, 1, corner}, {paper.SlipOtherNeighbours, 0.9, 1, corner}}
}

func artefactSamples(s *Settings) int {
	return max(3*s.Example2.Samples/10, min(s.Example2.Samples, leastSamples))
}

// artefact finds how much of output perturbation's disadvantage is due to Theorem 2's L1 bound.
func (b *bench) artefact(ctx context.Context, result *Result) error {
	configured := teamReadings(b.Settings)[0]
	outcomes, err := b.teamOutcomes(ctx, configured, b.Example1.Samples)
	if err != nil {
		return err
	}
	f := newFinding("beyond.artefact", "problem", "", "input (%)", "output, L1 bound (%)", "output, exact (%)",
		"share that is artefact")
	problem := "Example 1, " + configured.String()
	for _, o := range outcomes {
		f.Rows = append(f.Rows, artefactRow(problem, fmt.Sprintf("N = %d", o.agents), &o))
		problem = ""
	}
	for _, world := range artefactWorlds(b.Settings) {
		problem := "Example 2, R_max = 5, " + world.String()
		for _, epsilon := range artefactEpsilons {
			o, err := b.worldOutcome(ctx, world, epsilon)
			if err != nil {
				return err
			}
			f.Rows = append(f.Rows, artefactRow(problem, fmt.Sprintf("ε = %g", epsilon), o))
			problem = ""
		}
	}
	result.find(f)
	return nil
}

func artefactRow(problem, at string, o *teamOutcome) []string {
	cell := func(e privacy.SampleMean) string { return fmt.Sprintf("%.3g ± %.2g", e.Mean, e.StandardError) }
	share := (o.output.Mean - o.outputL2.Mean) / (o.output.Mean - o.input.Mean)
	return []string{problem, at, cell(o.input), cell(o.output), cell(o.outputL2), fmt.Sprintf("%.0f %%", 100*share)}
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

// calibrations compares Lemma 1 with the exact calibration.
func (b *bench) calibrations(_ context.Context, result *Result) error {
	deltas := []float64{0.01, 0.1}
	f := newFinding("beyond.calibrations", "ε")
	for _, delta := range deltas {
		f.Header = append(f.Header, fmt.Sprintf("δ = %g: Lemma 1", delta), "exact", "ratio", "attained ε")
	}
	for _, epsilon := range []float64{0.1, 0.2, 0.5, 1, 1.3, 2, 4, 10} {
		row := []string{fmt.Sprintf("%g", epsilon)}
		for _, delta := range deltas {
			c, err := privacy.CompareCalibrations(epsilon, delta, 1)
			if err != nil {
				return err
			}
			row = append(row, fmt.Sprintf("%.3f", c.SigmaClassical), fmt.Sprintf("%.3f", c.SigmaAnalytic),
				fmt.Sprintf("%.3f", c.SigmaClassical/c.SigmaAnalytic), fmt.Sprintf("%.3f", c.AttainedEpsilon))
		}
		f.Rows = append(f.Rows, row)
	}
	chart := &report.Chart{X: report.Axis{Label: "Privacy parameter ε", Scale: report.Log},
		Y: report.Axis{Label: "Noise σ for sensitivity 1", Scale: report.Log}}
	for hue, delta := range deltas {
		classical := report.Series{Label: fmt.Sprintf("Lemma 1, δ = %g", delta), Mark: report.Bound, Hue: hue}
		exact := report.Series{Label: fmt.Sprintf("exact, δ = %g", delta), Mark: report.Exact, Hue: hue}
		for i := range 61 {
			epsilon := 0.05 * math.Pow(200, float64(i)/60)
			c, err := privacy.CompareCalibrations(epsilon, delta, 1)
			if err != nil {
				return err
			}
			classical.Add(epsilon, c.SigmaClassical)
			exact.Add(epsilon, c.SigmaAnalytic)
		}
		chart.Series = append(chart.Series, classical, exact)
	}
	drawn := newFigure("calibration", "Lemma 1 takes more noise than privacy needs, most at strong privacy",
		"Standard deviation of the noise on a query of sensitivity 1", chart)
	f.Figure = &drawn
	result.find(f)
	return nil
}

// tightnessEntries bounds the number of entries drawn in a simulation of the largest error.
const tightnessEntries = 8_000_000

// tightness compares Theorem 3's bound with the simulated error.
func (b *bench) tightness(ctx context.Context, result *Result) error {
	f := newFinding("beyond.tightness", "N", "n", "m_i", "nm", "Theorem 3", "logarithmic bound", "independent, exact",
		"as they are, simulated", "Theorem 3 / truth")
	for i, c := range []struct{ agents, states, actions int }{{2, 2, 2}, {2, 4, 2}, {2, 16, 4}, {2, 256, 5}} {
		shape, err := privacy.NewShape(c.states, slices.Repeat([]int{c.actions}, c.agents))
		if err != nil {
			return err
		}
		entries := shape.JointEntries()
		bound, err := privacy.MaxErrorBound(c.agents, entries)
		if err != nil {
			return err
		}
		logBound, err := privacy.MaxErrorLogBound(c.agents, entries)
		if err != nil {
			return err
		}
		independent, err := privacy.MaxErrorIndependent(c.agents, entries)
		if err != nil {
			return err
		}
		truth, err := shape.SimulatedMaxError(ctx, min(tightnessEntries/(c.states*c.actions*c.agents), truthDraws),
			b.noise(purposeBeyond, uint64(i)), nil)
		if err != nil {
			return err
		}
		f.Rows = append(f.Rows, []string{
			fmt.Sprint(c.agents), fmt.Sprint(c.states), fmt.Sprint(c.actions), fmt.Sprint(entries),
			fmt.Sprintf("%.3f", bound), fmt.Sprintf("%.3f", logBound), fmt.Sprintf("%.3f", independent),
			fmt.Sprintf("%.3f ± %.3f", truth.Mean, truth.StandardError), fmt.Sprintf("%.1f", bound/truth.Mean),
		})
	}
	result.find(f)
	return nil
}

// survivalTruth compares Theorem 5's bound in Example 2 with the exact probability.
func (b *bench) survivalTruth(ctx context.Context, result *Result) error {
	f := newFinding("beyond.survival", "R_max", "ε", "Theorem 5", "exact, one agent", "exact, both agents", "joint goal")
	const draws = 1500
	for i, at := range []struct{ rmax, epsilon float64 }{{5, 0.1}, {5, 1}, {5, 1.3}, {5, 2}, {50, 0.1}} {
		world := b.Example2.World(at.rmax)
		world.Agents = sweepAgents
		problem, err := world.Problem(b.Example2.Discount, make([]int, sweepAgents))
		if err != nil {
			return err
		}
		g := b.Example2.Guarantee
		g.Epsilon, g.Adjacency = at.epsilon, 1
		sigma, err := g.Sigma()
		if err != nil {
			return err
		}
		goals, err := privacy.NewGoals(problem.Rewards.Tables[0], 1, 0)
		if err != nil {
			return err
		}
		bound, err := goals.Bound(sigma)
		if err != nil {
			return err
		}
		exact, err := goals.Probability(sigma)
		if err != nil {
			return err
		}
		kept, err := problem.Rewards.SimulatedGoal(ctx, problem.Rewards.Tables, sigma, draws,
			b.noise(purposeBeyond, uint64(100+i)))
		if err != nil {
			return err
		}
		f.Rows = append(f.Rows, []string{
			fmt.Sprintf("%g", at.rmax), fmt.Sprintf("%g", at.epsilon), fmt.Sprintf("%.4f", bound), fmt.Sprintf("%.4f", exact),
			fmt.Sprintf("%.4f", exact*exact), fmt.Sprintf("%.3f ± %.3f", kept.Mean, kept.StandardError),
		})
	}
	result.find(f)
	return nil
}

// counterexample finds numbers of entries for which Theorem 6 as stated is false.
func (b *bench) counterexample(_ context.Context, result *Result) error {
	const ratio = 10 // sigma divided by the largest reward
	solver := privacy.Convergence{Gamma: sweepGamma, Eta: sweepEta}
	f := newFinding("beyond.counterexample", "nm", "truth", "bound as stated", "bound as proved", "")
	truth := report.Series{Label: "truth, exact", Mark: report.Computed, Hue: 0}
	stated := report.Series{Label: "as stated", Mark: report.Bound, Hue: 1}
	proved := report.Series{Label: "as proved", Mark: report.Bound, Hue: 2}
	for _, entries := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256} {
		extra, err := solver.ExtraSweepsIndependent(peakedJoint(entries, 1), 1, ratio)
		if err != nil {
			return err
		}
		low, err := solver.ExtraSweepsBound(privacy.Statement, 1, entries, ratio, 1)
		if err != nil {
			return err
		}
		high, err := solver.ExtraSweepsBound(privacy.Proof, 1, entries, ratio, 1)
		if err != nil {
			return err
		}
		holds := "holds"
		if extra.Sweeps > low {
			holds = "violated"
		}
		f.Rows = append(f.Rows, []string{fmt.Sprint(entries), fmt.Sprintf("%.1f", extra.Sweeps), fmt.Sprintf("%.0f", low),
			fmt.Sprintf("%.0f", high), holds})
		truth.Add(float64(entries), extra.Sweeps)
		stated.Add(float64(entries), low)
		proved.Add(float64(entries), high)
	}
	drawn := newFigure("counterexample", "Theorem 6 as stated lies below the truth for few entries",
		"Expected extra sweeps; N = 1, γ = 0.99, η = 1e-8, σ = 10 R_max",
		&report.Chart{X: report.Axis{Label: "Joint state-action pairs nm", Scale: report.Log},
			Y: report.Axis{Label: "Extra sweeps of value iteration"}, Series: []report.Series{stated, proved, truth}})
	f.Figure = &drawn
	result.find(f)
	return nil
}
