package privacy

import (
	"fmt"
	"math"
	"slices"
)

// Comparison compares the two calibrations for one guarantee.
type Comparison struct {
	// SigmaClassical is the noise of Lemma 1, SigmaAnalytic the exact noise.
	SigmaClassical, SigmaAnalytic float64
	// AttainedEpsilon is the exact epsilon of the classical noise at delta.
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

// Design is the problem of a designer of private rewards: the rewards that input perturbation protects, one
// table per agent, the guarantee, and the properties that should survive the noise.
type Design struct {
	Shape     Shape
	Rewards   [][]float64
	Ended     [][]bool // as in Rewards: where an agent has ended; its reward is publicly 0 there and has no noise
	Guarantee Guarantee
	// Goals and Avoids are the numbers of the largest and of the smallest entries of every agent's reward that
	// should keep their rank (p and q of Theorem 5).
	Goals, Avoids int
	// Solver is the value iteration that computes the policy. The zero value leaves the sweeps out of the assessment.
	Solver Convergence
	// Releases is the number of independent releases of the rewards that share the guarantee; 0 means 1. The
	// assessment concerns a single release.
	Releases int
}

// perRelease is the guarantee of a single release: k releases are as private as one release with sqrt(k) times the
// adjacency (see ReleasesSigma).
func (d Design) perRelease() Guarantee {
	g := d.Guarantee
	g.Adjacency *= math.Sqrt(float64(max(1, d.Releases)))
	return g
}

// TiedGoals returns the number of entries of an agent's rewards that equal its largest, for the agent with most
// of them.
func (d Design) TiedGoals() int {
	most := 0
	for i := range d.Rewards {
		if runs := levels(slices.Sorted(slices.Values(d.noisy(i)))); len(runs) > 0 {
			most = max(most, int(runs[len(runs)-1].count))
		}
	}
	return most
}

// Assessment is the cost of a guarantee. Errors are in reward units.
type Assessment struct {
	// Sigma is each agent's noise. OutputSigmaL1 and OutputSigmaL2 are the noise that output perturbation would
	// add to the joint reward for the same guarantee.
	Sigma, OutputSigmaL1, OutputSigmaL2 float64
	// EntryError is the expected absolute error of one joint entry in a state where no agent has ended. The other
	// three are of the largest error: Theorem 3's bound, the logarithmic bound and the exact value for
	// independent entries, which is slightly above the true value.
	EntryError, MaxErrorBound, MaxErrorLogBound, MaxErrorIndependent float64
	// Survival is, per agent, the probability that its goals and avoids survive, and SurvivalBound Theorem 5's
	// bound on it. The Team fields are for all agents together.
	Survival, SurvivalBound         []float64
	TeamSurvival, TeamSurvivalBound float64
	// Sweeps is Theorem 4's K for the true rewards, 0 without a Solver. ExtraSweeps is the expected number of
	// sweeps that privacy adds, and the last two are Theorem 6's bounds on it in both forms.
	Sweeps                                           int
	ExtraSweeps                                      Growth
	ExtraSweepsBoundStatement, ExtraSweepsBoundProof float64
}

// Assess computes the cost of the guarantee, with bounds and exact values. It forms the joint reward once; its
// time grows with the number of distinct values in the rewards (see Goals.Probability).
func (d Design) Assess() (Assessment, error) {
	if err := d.check(); err != nil {
		return Assessment{}, err
	}
	var a Assessment
	var err error
	if a.Sigma, err = d.perRelease().Sigma(); err != nil {
		return Assessment{}, err
	}
	for norm, sigma := range map[Norm]*float64{L1Bound: &a.OutputSigmaL1, ExactL2: &a.OutputSigmaL2} {
		if *sigma, err = d.perRelease().SigmaOf(OutputPerturbation{norm}, d.Shape); err != nil {
			return Assessment{}, err
		}
	}
	perSigma, err := d.errorsPerSigma()
	if err != nil {
		return Assessment{}, err
	}
	a.EntryError = a.Sigma * sqrt2OverPi / math.Sqrt(float64(d.Shape.Agents()))
	a.MaxErrorBound, a.MaxErrorLogBound = a.Sigma*perSigma.Bound, a.Sigma*perSigma.LogBound
	a.MaxErrorIndependent = a.Sigma * perSigma.Independent
	if err := d.assessSurvival(&a); err != nil {
		return Assessment{}, err
	}
	if err := d.assessSweeps(&a); err != nil {
		return Assessment{}, err
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
	return checkAtLeast("number of joint rewards with noise", d.Entries(), 1)
}

// ByMeasure is one number per measure of the largest error.
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

// team returns every agent's goals and avoids.
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
	if err := checkLeastNoise(a.Sigma, rmax); err != nil {
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

// EpsilonForMaxError returns, for each measure, the smallest epsilon, so the strongest privacy, that keeps the
// expected largest error of the joint reward at or below maxError. It ignores the guarantee's own epsilon.
func (d Design) EpsilonForMaxError(maxError float64) (ByMeasure, error) {
	if err := d.check(); err != nil {
		return ByMeasure{}, err
	}
	perSigma, err := d.errorsPerSigma()
	if err != nil {
		return ByMeasure{}, err
	}
	var epsilon ByMeasure
	for _, m := range []struct {
		perSigma float64
		epsilon  *float64
	}{{perSigma.Bound, &epsilon.Bound}, {perSigma.LogBound, &epsilon.LogBound},
		{perSigma.Independent, &epsilon.Independent}} {
		if *m.epsilon, err = EpsilonForError(d.Guarantee.Calibration, m.perSigma, maxError, d.Guarantee.Delta,
			d.perRelease().Adjacency); err != nil {
			return ByMeasure{}, err
		}
	}
	return epsilon, nil
}

// EpsilonForSurvival returns the smallest epsilon, so the strongest privacy, at which all agents' goals and
// avoids survive with at least the given probability. It ignores the guarantee's own epsilon.
func (d Design) EpsilonForSurvival(probability float64) (float64, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	team, err := d.team()
	if err != nil {
		return 0, err
	}
	return team.EpsilonForSurvival(d.Guarantee.Calibration, probability, d.Guarantee.Delta, d.perRelease().Adjacency)
}
