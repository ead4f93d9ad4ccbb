package design

import (
	"context"
	"fmt"

	"veilpath/internal/option"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Question holds the guarantee, the rewards and the demands of a designer of private rewards.
type Question struct {
	Guarantee privacy.Guarantee
	Rewards   *Rewards // nil: only the noise is computed
	Seed      uint64   // random seed of the samples
	Goals     int      // largest entries of every agent to keep; if this and Avoids are 0, the tied ones
	Avoids    int      // smallest entries of every agent to keep
	Discount  float64  // of the planner; 0 for the problem's
	Eta       float64  // accuracy of the planner's values, in reward units
	Draws     int      // number of samples; 0 for 20 million entries in all, clamped to 50 to 10000 samples
	Releases  int      // releases that share the guarantee, at least 1
	MaxError  float64  // bound on the mean largest error; 0 for none
	KeepGoal  float64  // smallest probability that Goals and Avoids survive; 0 for none
}

// Rewards are the rewards to protect.
type Rewards struct {
	Name     string
	Shape    privacy.Shape
	Tables   [][]float64 // one per agent
	Ended    [][]bool    // as in privacy.Rewards
	Discount float64     // 0 when unknown
	Mission  *Mission    // nil unless the rewards are those of a goal
}

// Mission describes how rewards follow from a goal.
type Mission struct {
	Grid       *planner.Grid
	Weight     float64 // reward lost per spacing of distance to the goal
	Candidates []int   // goals that an observer of the start considers possible
}

// OfProblem returns the rewards of a problem.
func OfProblem(name string, p *planner.Problem) *Rewards {
	return &Rewards{Name: name, Shape: p.Rewards.Shape, Tables: p.Rewards.Tables, Ended: p.Rewards.Ended,
		Discount: p.Discount}
}

// entries returns the number of joint rewards that get noise. Actions that a state lacks and rewards after an
// agent's end are public and get none.
func (r *Rewards) entries() int {
	return privacy.Design{Shape: r.Shape, Rewards: r.Tables, Ended: r.Ended}.Entries()
}

// designer collects the answers.
type designer struct {
	Question
	drawn   func()  // after every sample; nil does nothing
	sigma   float64 // noise of one release
	answers table.List
}

// purposeDesign is the purpose of the random streams of this package.
const purposeDesign = 10

func (d *designer) add(name string, value any, meaning string) {
	d.answers.Add(name, value, meaning)
}

// Answer returns the numbers. It calls drawn, unless that is nil, after each of the [Question.Samples].
func (q Question) Answer(ctx context.Context, drawn func()) (table.List, error) {
	d := &designer{Question: q, drawn: drawn}
	steps := []func(context.Context) error{d.calibrations, d.releases}
	if d.Rewards != nil {
		steps = append(steps, d.damage, d.goal)
		if d.MaxError != 0 {
			steps = append(steps, d.forError)
		}
		if d.KeepGoal != 0 {
			steps = append(steps, d.forGoal)
		}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return d.answers, nil
}

// calibrations adds the sigmas of the classical and the analytic calibration.
func (d *designer) calibrations(context.Context) error {
	g := d.Guarantee
	c, err := privacy.CompareCalibrations(g.Epsilon, g.Delta, g.Adjacency)
	if err != nil {
		return err
	}
	sigma, err := g.Sigma()
	if err != nil {
		return err
	}
	d.add("epsilon", g.Epsilon, "guarantee: strength of privacy")
	d.add("delta", g.Delta, "guarantee: what P(set of releases) may exceed e^epsilon P'(set) by")
	d.add("adjacency", g.Adjacency, "guarantee: b, how far one reward may differ")
	d.add("sensitivity", g.Adjacency, "L2 sensitivity of an agent's rewards: b, as one entry differs")
	d.add("sigma_classical", c.SigmaClassical, "noise that the paper's Lemma 1 requires")
	d.add("sigma_analytic", c.SigmaAnalytic, "least noise that keeps the guarantee")
	d.add("sigma_ratio", c.SigmaClassical/c.SigmaAnalytic, "sigma_classical / sigma_analytic")
	d.add("attained_epsilon", c.AttainedEpsilon, "epsilon that the classical noise truly attains at this delta")
	d.add("calibration", string(g.Calibration), "calibration of sigma and of the numbers below")
	d.add("sigma", sigma, "noise on every reward of every agent")
	d.add("mu", g.Adjacency/sigma, "b / sigma: how well neighbouring tables can be distinguished")
	return nil
}

// releases adds the noise of several releases that share the guarantee.
func (d *designer) releases(context.Context) error {
	k := d.Releases
	if k == 1 {
		return nil
	}
	shared, err := d.Guarantee.Share(k)
	if err != nil {
		return err
	}
	d.add("flights", k, "independent releases of the same reward")
	d.add("flights_sigma", shared.Sigma, "noise that each needs for the guarantee to hold for all together; "+
		"the numbers below use it")
	d.add("flights_epsilon", shared.Epsilon, "epsilon that they attain together if each has only sigma")
	d.add("flights_allowed", shared.Allowed, "number of releases with sigma that the guarantee allows")
	return nil
}

// design returns the question as a privacy.Design.
func (d *designer) design() privacy.Design {
	design := privacy.Design{
		Shape: d.Rewards.Shape, Rewards: d.Rewards.Tables, Ended: d.Rewards.Ended, Guarantee: d.Guarantee,
		Releases: d.Releases,
		Goals:    d.Goals, Avoids: d.Avoids,
	}
	if design.Goals == 0 && design.Avoids == 0 {
		design.Goals = design.TiedGoals()
	}
	gamma := d.Discount
	if gamma == 0 {
		gamma = d.Rewards.Discount
	}
	if gamma > 0 {
		design.Solver = privacy.Convergence{Gamma: gamma, Eta: d.Eta}
	}
	return design
}

// sampledEntries is the default number of noisy entries of all samples together.
const sampledEntries = 20_000_000

// draws returns the number of samples, each with the given number of noisy entries.
func (d *designer) draws(entries int) int {
	if d.Draws > 0 {
		return d.Draws
	}
	return min(max(sampledEntries/entries, 50), 10_000)
}

// goalDraws returns the number of sampled releases that estimate how often the goal is identified.
func (d *designer) goalDraws() int { return d.draws(goalEntries * len(d.Rewards.Tables[0])) }

// Samples returns the number of samples that Answer draws.
func (q Question) Samples() int {
	d := designer{Question: q}
	switch {
	case d.Rewards == nil:
		return 0
	case d.Rewards.Mission == nil:
		return d.draws(d.Rewards.entries())
	}
	return d.draws(d.Rewards.entries()) + d.goalDraws()
}

// noise returns the random stream with the given number.
func (d *designer) noise(stream uint64) *privacy.Noise {
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: d.Seed, Purpose: purposeDesign, Cell: stream})
	return &noise
}

// damage adds how much the noise changes the rewards.
func (d *designer) damage(ctx context.Context) error {
	design := d.design()
	a, err := design.Assess()
	if err != nil {
		return err
	}
	d.sigma = a.Sigma
	shape := d.Rewards.Shape
	entries := d.Rewards.entries()
	draws := d.draws(entries)
	correlated, err := design.SimulatedMaxError(ctx, draws, d.noise(0), d.drawn)
	if err != nil {
		return err
	}
	d.add("rewards", d.Rewards.Name, "")
	d.add("agents", shape.Agents(), "who perturb their own rewards")
	d.add("joint_entries", entries, "joint states times joint actions, nm, without public entries")
	d.add("sigma_output_l1", a.OutputSigmaL1, "noise that output perturbation adds to the joint reward, the paper's bound")
	d.add("sigma_output_l2", a.OutputSigmaL2, "the same with the exact sensitivity")
	d.add("entry_error", a.EntryError, "expected error of one joint reward")
	d.add("max_error_bound", a.MaxErrorBound, "expected largest error: Theorem 3's bound")
	d.add("max_error_log_bound", a.MaxErrorLogBound, "the same: logarithmic bound")
	d.add("max_error_independent", a.MaxErrorIndependent, "the same: exact for independent entries")
	d.add("max_error_correlated", a.Sigma*correlated.Mean,
		fmt.Sprintf("the same: simulated with their correlation, %d draws", draws))
	d.add("max_error_correlated_se", a.Sigma*correlated.StandardError, "its standard error")
	d.add("goals", design.Goals, "entries of every agent that must stay its largest")
	d.add("avoids", design.Avoids, "entries of every agent that must stay its smallest")
	d.add("survival", a.TeamSurvival, "probability that all of them survive, for all agents: exact")
	d.add("survival_bound", a.TeamSurvivalBound, "the same: Theorem 5's upper bound; it is not a guarantee")
	for i := range a.Survival {
		if len(a.Survival) > 1 {
			d.add(fmt.Sprintf("survival_agent_%d", i+1), a.Survival[i], fmt.Sprintf("for agent %d alone: exact", i+1))
			d.add(fmt.Sprintf("survival_bound_agent_%d", i+1), a.SurvivalBound[i], "the same: Theorem 5's upper bound")
		}
	}
	if design.Solver.Gamma > 0 {
		d.sweeps(design, a)
	}
	return nil
}

// goal adds how well a released reward identifies the mission's goal, which the guarantee does not hide.
func (d *designer) goal(ctx context.Context) error {
	m := d.Rewards.Mission
	if m == nil {
		return nil
	}
	found, err := m.Grid.GoalPrivacy(ctx, m.Candidates, m.Weight, d.Guarantee.Delta, d.sigma, d.goalDraws(), d.noise(1),
		d.drawn)
	if err != nil {
		return err
	}
	b := d.Guarantee.Adjacency
	d.add("goal_candidates", found.Candidates, "goals that an observer of the start considers possible")
	d.add("goal_entries", found.Nearest.Entries, "rewards that the most similar other goal changes, of "+
		fmt.Sprint(len(d.Rewards.Tables[0])))
	d.add("goal_distance", found.Nearest.Distance/b,
		"L2 distance of its rewards from the goal's, in b; the guarantee covers a distance of 1")
	d.add("goal_mu", found.Nearest.Mu, "the same distance in sigma: mu of the two goals")
	d.add("goal_epsilon", found.Nearest.Epsilon, "epsilon between the two goals, at the same delta: group privacy, exact")
	d.add("goal_told", found.Nearest.Distinguished, "probability that a released reward identifies its goal; "+
		"0.5 is chance")
	d.add("goal_named", found.Named.Probability.Mean,
		fmt.Sprintf("probability that it identifies the goal among all: %d draws", found.Named.Probability.Draws))
	d.add("goal_named_se", found.Named.Probability.StandardError, "its standard error")
	d.add("goal_named_low", found.Named.Low, "the same: exact lower bound")
	d.add("goal_named_high", found.Named.High, "the same: exact upper bound")
	return nil
}

// goalEntries is roughly the number of candidates that are near enough to be compared with a released reward.
const goalEntries = 5

// sweeps adds how much longer value iteration takes with private rewards.
func (d *designer) sweeps(design privacy.Design, a privacy.Assessment) {
	d.add("gamma", design.Solver.Gamma, "discount of the planner")
	d.add("eta", design.Solver.Eta, "accuracy of its values")
	d.add("sweeps", a.Sweeps, "sweeps of value iteration without privacy, by Theorem 4's formula")
	d.add("extra_sweeps", a.ExtraSweeps.Sweeps, "expected additional sweeps: exact for independent entries")
	d.add("extra_sweeps_bound_proof", a.ExtraSweepsBoundProof, "the same: Theorem 6's bound as its proof has it")
	d.add("extra_sweeps_bound_statement", a.ExtraSweepsBoundStatement,
		"the same: as the theorem is stated, false for few entries")
}

// forError adds the smallest epsilon that keeps the mean largest error.
func (d *designer) forError(context.Context) error {
	epsilon, err := d.design().EpsilonForMaxError(d.MaxError)
	if err != nil {
		return err
	}
	d.add("max_error", d.MaxError, "bound on the mean largest error")
	d.add("epsilon_for_error", epsilon.Independent, "smallest epsilon that keeps it: exact for independent entries")
	d.add("epsilon_for_error_log_bound", epsilon.LogBound, "the same: by the logarithmic bound, safe")
	d.add("epsilon_for_error_bound", epsilon.Bound, "the same: by Theorem 3's bound (Corollary 1), safe")
	return nil
}

// forGoal adds the smallest epsilon that keeps the goals.
func (d *designer) forGoal(context.Context) error {
	epsilon, err := d.design().EpsilonForSurvival(d.KeepGoal)
	if err != nil {
		return option.Errorf("{keep-goal} %g: %w; choose a probability between them, or other {goals} and {avoids}",
			d.KeepGoal, err)
	}
	d.add("keep_goal", d.KeepGoal, "probability with which all goals and avoids must survive")
	d.add("epsilon_for_goal", epsilon, "smallest epsilon that keeps it: exact")
	return nil
}
