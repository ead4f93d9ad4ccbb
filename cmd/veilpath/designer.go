package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"veilpath/planner/privacy"
)

// designer gathers the answers to a designer's questions.
type designer struct {
	flags     designFlags
	guarantee privacy.Guarantee
	problem   *problem // nil when only the noise is asked for
	seed      uint64
	answers   []answer
}

// purposeDesign names the stream of the noise that design samples.
const purposeDesign = 10

func (d *designer) add(name string, value any, meaning string) {
	d.answers = append(d.answers, answer{name, value, meaning})
}

// answer answers what the flags ask.
func (d *designer) answer(cmd *cobra.Command) error {
	steps := []func() error{d.noise, d.campaign}
	if d.problem != nil {
		steps = append(steps, d.damage)
		if cmd.Flag("max-error").Changed {
			steps = append(steps, d.forError)
		}
		if cmd.Flag("keep-goal").Changed {
			steps = append(steps, d.forGoal)
		}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// noise compares the calibrations.
func (d *designer) noise() error {
	g := d.guarantee
	c, err := privacy.CompareCalibrations(g.Epsilon, g.Delta, g.Adjacency)
	if err != nil {
		return err
	}
	sigma, err := g.Sigma()
	if err != nil {
		return err
	}
	d.add("epsilon", g.Epsilon, "guarantee: strength of privacy")
	d.add("delta", g.Delta, "guarantee: probability with which epsilon may fail")
	d.add("adjacency", g.Adjacency, "guarantee: b, how far one reward may differ")
	d.add("sensitivity", g.Adjacency, "L2 sensitivity of an agent's rewards: b, as one entry differs")
	d.add("sigma_classical", c.SigmaClassical, "noise that the paper's Lemma 1 takes")
	d.add("sigma_analytic", c.SigmaAnalytic, "least noise that keeps the guarantee")
	d.add("sigma_ratio", c.SigmaClassical/c.SigmaAnalytic, "how many times too large the former is")
	d.add("attained_epsilon", c.AttainedEpsilon, "epsilon that the classical noise truly attains at this delta")
	d.add("calibration", string(g.Calibration), "of all that follows")
	d.add("sigma", sigma, "noise on every reward of every agent")
	return nil
}

// campaign shares the guarantee among several releases.
func (d *designer) campaign() error {
	k, g := d.flags.flights, d.guarantee
	if k == 1 {
		return nil
	}
	alone, err := g.Sigma()
	if err != nil {
		return err
	}
	each, err := g.Calibration.CampaignSigma(k, g.Epsilon, g.Delta, g.Adjacency)
	if err != nil {
		return err
	}
	spent, err := privacy.CampaignEpsilon(k, g.Delta, alone, g.Adjacency)
	if err != nil {
		return err
	}
	most, err := privacy.CampaignReleases(g.Epsilon, g.Delta, alone, g.Adjacency)
	if err != nil {
		return err
	}
	d.add("flights", k, "independent releases of the same reward")
	d.add("flights_sigma", each, "noise that each needs for the guarantee to hold for all together, taken for all that follows")
	d.add("flights_epsilon", spent, "epsilon that they attain together if each has sigma only")
	d.add("flights_allowed", most, "how many releases with sigma the guarantee allows")
	return nil
}

// design is the problem as the privacy package takes it.
func (d *designer) design() privacy.Design {
	goals := d.flags.goals
	if goals == 0 && d.flags.avoids == 0 {
		goals = d.problem.largestTies()
	}
	gamma := d.flags.gamma
	if gamma == 0 {
		gamma = d.problem.discount
	}
	guarantee := d.guarantee
	guarantee.Adjacency *= math.Sqrt(float64(d.flags.flights)) // k releases are as private as one with sqrt(k) times the adjacency
	return privacy.Design{
		Shape: d.problem.shape, Rewards: d.problem.rewards, Guarantee: guarantee, Goals: goals, Avoids: d.flags.avoids,
		Solver: privacy.ValueIteration{Gamma: gamma, Eta: d.flags.eta},
	}
}

// sampledEntries is how many noisy entries the correlated error is sampled from by default.
const sampledEntries = 20_000_000

// damage tells what the noise does to the rewards.
func (d *designer) damage() error {
	design := d.design()
	swept := design.Solver.Gamma > 0
	if !swept {
		design.Solver.Gamma = 0.5 // assessed along with the rest, and not reported
	}
	a, err := design.Assess()
	if err != nil {
		return err
	}
	shape := d.problem.shape
	draws := d.flags.draws
	if draws == 0 {
		draws = min(max(sampledEntries/shape.JointEntries(), 50), 10_000)
	}
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: d.seed, Purpose: purposeDesign})
	correlated, err := shape.SimulatedMaxError(draws, &noise)
	if err != nil {
		return err
	}
	d.add("rewards", d.problem.name, "")
	d.add("agents", shape.Agents(), "who perturb their own rewards")
	d.add("joint_entries", shape.JointEntries(), "joint states times joint actions, nm")
	d.add("sigma_output_l1", a.OutputSigmaL1, "noise that output perturbation adds to the joint reward, the paper's bound")
	d.add("sigma_output_l2", a.OutputSigmaL2, "the same with the exact sensitivity")
	d.add("entry_error", a.EntryError, "expected error of one joint reward")
	d.add("max_error_bound", a.MaxErrorBound, "expected largest error: Theorem 3's bound")
	d.add("max_error_log_bound", a.MaxErrorLogBound, "the same: logarithmic bound")
	d.add("max_error_independent", a.MaxErrorIndependent, "the same: exact, were the entries independent")
	d.add("max_error_correlated", a.Sigma*correlated.Mean, fmt.Sprintf("the same: simulated as they are, %d draws", draws))
	d.add("max_error_correlated_se", a.Sigma*correlated.StandardError, "its standard error")
	d.add("goals", design.Goals, "entries of every agent that must stay its largest")
	d.add("avoids", design.Avoids, "entries of every agent that must stay its smallest")
	d.add("survival", a.TeamSurvival, "probability that they do, for all agents: exact")
	d.add("survival_bound", a.TeamSurvivalBound, "the same: Theorem 5's upper bound, no assurance")
	for i := range a.Survival {
		if len(a.Survival) > 1 {
			d.add(fmt.Sprintf("survival_agent_%d", i+1), a.Survival[i], fmt.Sprintf("for agent %d alone: exact", i+1))
			d.add(fmt.Sprintf("survival_bound_agent_%d", i+1), a.SurvivalBound[i], "the same: Theorem 5's upper bound")
		}
	}
	if swept {
		d.sweeps(design, a)
	}
	return nil
}

// sweeps tells how much longer value iteration takes.
func (d *designer) sweeps(design privacy.Design, a privacy.Assessment) {
	d.add("gamma", design.Solver.Gamma, "discount of the planner")
	d.add("eta", design.Solver.Eta, "accuracy of its values")
	d.add("sweeps", a.Sweeps, "of value iteration without privacy, by Theorem 4's formula")
	d.add("extra_sweeps", a.ExtraSweeps.Sweeps, "expected in addition: exact, were the entries independent")
	d.add("extra_sweeps_bound_proof", a.ExtraSweepsBoundProof, "the same: Theorem 6's bound as its proof has it")
	d.add("extra_sweeps_bound_statement", a.ExtraSweepsBoundStatement, "the same: as the theorem is stated, false for few entries")
}

// forError finds the most privacy that keeps the error.
func (d *designer) forError() error {
	epsilon, err := d.design().EpsilonForMaxError(d.flags.maxError)
	if err != nil {
		return err
	}
	d.add("max_error", d.flags.maxError, "largest error to be kept to on average")
	d.add("epsilon_for_error", epsilon.Independent, "smallest epsilon that does: exact, were the entries independent")
	d.add("epsilon_for_error_log_bound", epsilon.LogBound, "the same: by the logarithmic bound, safe")
	d.add("epsilon_for_error_bound", epsilon.Bound, "the same: by Theorem 3's bound (Corollary 1), safe")
	return nil
}

// forGoal finds the most privacy that keeps the goals.
func (d *designer) forGoal() error {
	epsilon, err := d.design().EpsilonForSurvival(d.flags.keepGoal)
	if err != nil {
		return fmt.Errorf("--keep-goal %g: %w; ask for a probability in between, or for other --goals and --avoids", d.flags.keepGoal, err)
	}
	d.add("keep_goal", d.flags.keepGoal, "probability with which all goals and avoids must survive")
	d.add("epsilon_for_goal", epsilon, "smallest epsilon that does: exact")
	return nil
}
