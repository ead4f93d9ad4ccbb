package privacy

import (
	"fmt"
	"math"
	"slices"
)

// Comparison sets the two calibrations of one guarantee side by side.
type Comparison struct {
	// SigmaClassical and SigmaAnalytic are Lemma 1's and the exact noise.
	SigmaClassical, SigmaAnalytic float64
	// AttainedEpsilon is the privacy the classical noise truly gives at delta.
	AttainedEpsilon float64
}

// CompareCalibrations returns the noise of both calibrations for a query of the
// given L2 sensitivity; delta in (0, 1/2), where both exist.
func CompareCalibrations(epsilon, delta, sensitivity float64) (Comparison, error) {
	classical, err := Classical.Sigma(epsilon, delta, sensitivity)
	if err != nil {
		return Comparison{}, err
	}
	analytic, err := Analytic.Sigma(epsilon, delta, sensitivity)
	if err != nil {
		return Comparison{}, err
	}
	attained, err := Epsilon(delta, classical, sensitivity)
	return Comparison{classical, analytic, attained}, err
}

// Design is a designer's problem: rewards to be protected by input perturbation,
// one table per agent, the guarantee they get, and what should survive it.
type Design struct {
	Shape     Shape
	Rewards   [][]float64
	Ended     [][]bool // as in Rewards: where an agent earns 0 in public, without noise
	Guarantee Guarantee
	// Goals and Avoids are how many of the largest and of the smallest entries
	// of every agent's reward should stay what they are (p and q of Theorem 5).
	Goals, Avoids int
	// Solver is the value iteration that computes the policy. Sweeps are assessed
	// unless it is the zero value.
	Solver Convergence
	// Releases is how many independent releases of the rewards share the
	// guarantee; 0 is one. All that is assessed is of one of them.
	Releases int
}

// each is the guarantee of one of the releases: k of them are as private as one
// with sqrt(k) times the adjacency (see ReleasesSigma).
func (d Design) each() Guarantee {
	g := d.Guarantee
	g.Adjacency *= math.Sqrt(float64(max(1, d.Releases)))
	return g
}

// TiedGoals returns how many entries of an agent's rewards equal its largest, for
// the agent that has most.
func (d Design) TiedGoals() int {
	most := 0
	for i := range d.Rewards {
		if runs := levels(slices.Sorted(slices.Values(d.noisy(i)))); len(runs) > 0 {
			most = max(most, int(runs[len(runs)-1].count))
		}
	}
	return most
}

// Assessment is what a guarantee costs. Errors are in reward units.
type Assessment struct {
	// Sigma is each agent's noise; OutputSigmaL1 and OutputSigmaL2 are what
	// output perturbation would add to the joint reward for the same guarantee.
	Sigma, OutputSigmaL1, OutputSigmaL2 float64
	// EntryError is the expected absolute error of one joint entry where no agent has ended. The others
	// are of the largest: Theorem 3's bound, the logarithmic bound and the exact
	// value for independent entries, slightly above the truth.
	EntryError, MaxErrorBound, MaxErrorLogBound, MaxErrorIndependent float64
	// Survival is the probability that an agent's goals and avoids survive, and
	// SurvivalBound Theorem 5's bound on it, per agent; Team holds for all.
	Survival, SurvivalBound         []float64
	TeamSurvival, TeamSurvivalBound float64
	// Sweeps is Theorem 4's K for the true rewards, 0 without a Solver; ExtraSweeps what privacy is
	// expected to add, and the two forms of Theorem 6 what it may add at most.
	Sweeps                                           int
	ExtraSweeps                                      Growth
	ExtraSweepsBoundStatement, ExtraSweepsBoundProof float64
}

// Assess answers what the guarantee costs, with bounds and exact values. It
// forms the joint reward once; its time grows with the number of distinct values
// in the rewards (see Goals.Probability).
func (d Design) Assess() (Assessment, error) {
	if err := d.check(); err != nil {
		return Assessment{}, err
	}
	var a Assessment
	var err error
	if a.Sigma, err = d.each().Sigma(); err != nil {
		return Assessment{}, err
	}
	for _, step := range []func(*Assessment) error{d.assessOutput, d.assessErrors, d.assessSurvival, d.assessSweeps} {
		if err := step(&a); err != nil {
			return Assessment{}, err
		}
	}
	return a, nil
}

func (d Design) check() error {
	if err := d.Shape.checkRewards(d.Rewards); err != nil {
		return err
	}
	if err := d.Shape.checkEnded(d.Rewards, d.Ended); err != nil {
		return err
	}
	return checkAtLeast("number of joint rewards that get noise", d.Entries(), 1)
}

func (d Design) assessOutput(a *Assessment) error {
	for norm, sigma := range map[Norm]*float64{L1Bound: &a.OutputSigmaL1, ExactL2: &a.OutputSigmaL2} {
		g := d.each()
		sensitivity, err := d.Shape.OutputSensitivity(g.Adjacency, norm)
		if err != nil {
			return err
		}
		if *sigma, err = g.Calibration.Sigma(g.Epsilon, g.Delta, sensitivity); err != nil {
			return err
		}
	}
	return nil
}

func (d Design) assessErrors(a *Assessment) error {
	a.EntryError = a.Sigma * sqrt2OverPi / math.Sqrt(float64(d.Shape.Agents()))
	per, err := d.errorsPerSigma()
	a.MaxErrorBound, a.MaxErrorLogBound, a.MaxErrorIndependent = a.Sigma*per.Bound, a.Sigma*per.LogBound,
		a.Sigma*per.Independent
	return err
}

// ByMeasure is one number for each way to measure the largest error.
type ByMeasure struct {
	Bound, LogBound, Independent float64
}

func (d Design) errorsPerSigma() (per ByMeasure, err error) {
	agents, entries := d.Shape.Agents(), d.Entries()
	if per.Bound, err = MaxErrorBound(agents, entries); err != nil {
		return per, err
	}
	if per.LogBound, err = MaxErrorLogBound(agents, entries); err != nil {
		return per, err
	}
	per.Independent = maxErrorIndependent(d.entries())
	return per, nil
}

// team is every agent's goals and avoids.
func (d Design) team() (Team, error) {
	var team Team
	for i := range d.Rewards {
		g, err := NewGoals(d.noisy(i), d.Goals, d.Avoids)
		if err != nil {
			return nil, fmt.Errorf("agent %d: %w", i, err)
		}
		team = append(team, g)
	}
	return team, nil
}

func (d Design) assessSurvival(a *Assessment) error {
	team, err := d.team()
	if err != nil {
		return err
	}
	a.TeamSurvival, a.TeamSurvivalBound = 1, 1
	for i, g := range team {
		exact, err := g.Probability(a.Sigma)
		if err != nil {
			return fmt.Errorf("agent %d: %w", i, err)
		}
		bound, err := g.Bound(a.Sigma)
		if err != nil {
			return fmt.Errorf("agent %d: %w", i, err)
		}
		a.Survival, a.SurvivalBound = append(a.Survival, exact), append(a.SurvivalBound, bound)
		a.TeamSurvival *= exact
		a.TeamSurvivalBound *= bound
	}
	return nil
}

func (d Design) assessSweeps(a *Assessment) error {
	if d.Solver == (Convergence{}) {
		return nil
	}
	rewards, err := NewRewards(d.Shape, d.Rewards, d.Ended)
	if err != nil {
		return err
	}
	agents, entries, rmax := d.Shape.Agents(), d.Entries(), rewards.LargestAbsolute()
	if a.Sweeps, err = d.Solver.Sweeps(rmax); err != nil {
		return err
	}
	if err := checkAudible(a.Sigma, rmax); err != nil {
		return err
	}
	a.ExtraSweeps = d.Solver.growth(d.maximum(rewards.Joint, a.Sigma), rmax)
	if a.ExtraSweepsBoundStatement, err = d.Solver.ExtraSweepsBound(Statement, agents, entries, a.Sigma,
		rmax); err != nil {
		return err
	}
	a.ExtraSweepsBoundProof, err = d.Solver.ExtraSweepsBound(Proof, agents, entries, a.Sigma, rmax)
	return err
}

// EpsilonForMaxError returns the smallest epsilon, so the largest privacy, that
// keeps the expected largest error of the joint reward at or below maxError, by
// each measure of it. The guarantee's own epsilon is ignored.
func (d Design) EpsilonForMaxError(maxError float64) (ByMeasure, error) {
	if err := d.check(); err != nil {
		return ByMeasure{}, err
	}
	per, err := d.errorsPerSigma()
	if err != nil {
		return ByMeasure{}, err
	}
	var epsilon ByMeasure
	for _, m := range []struct {
		per     float64
		epsilon *float64
	}{{per.Bound, &epsilon.Bound}, {per.LogBound, &epsilon.LogBound}, {per.Independent, &epsilon.Independent}} {
		if *m.epsilon, err = EpsilonForError(d.Guarantee.Calibration, m.per, maxError, d.Guarantee.Delta,
			d.each().Adjacency); err != nil {
			return ByMeasure{}, err
		}
	}
	return epsilon, nil
}

// EpsilonForSurvival returns the smallest epsilon, so the largest privacy, at
// which all agents' goals and avoids survive with at least the given
// probability. The guarantee's own epsilon is ignored.
func (d Design) EpsilonForSurvival(probability float64) (float64, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	team, err := d.team()
	if err != nil {
		return 0, err
	}
	return team.EpsilonForSurvival(d.Guarantee.Calibration, probability, d.Guarantee.Delta, d.each().Adjacency)
}
