package audit_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/planner"
	"veilpath/planner/audit"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// promised is what the mechanisms are audited for.
var promised = privacy.Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 1, Calibration: privacy.Analytic,
	Range: privacy.Range{Low: -3, High: 1}, Rows: privacy.Rows{Adjacency: 0.3, Uniform: 0.5}}

// corridor is a problem of four states in a row, of which the last is the best. A move to one side leads to the
// other in one of ten.
func corridor(t testing.TB) *planner.Solved {
	t.Helper()
	law, err := mdp.NewModel(4, 2, func(s, a int) []mdp.Outcome {
		forth, back := min(3, max(0, s+2*a-1)), min(3, max(0, s-2*a+1))
		return []mdp.Outcome{{State: forth, Probability: 0.9}, {State: back, Probability: 0.1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{-3, -2, -1, 0.5, -1, 0, -2, 1}}, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	solved, err := p.Solve(1e-9, 0)
	if err != nil {
		t.Fatal(err)
	}
	return solved
}

// audits is one mechanism to be audited: judge makes one audit of it, or of it with half of its noise.
type audits struct {
	name  string
	judge func(t testing.TB, halved bool, seed uint64, samples int) *audit.Report
}

// weak is a mechanism that gives another guarantee than it is asked for.
type weak struct {
	privacy.Distributed
	given privacy.Guarantee
}

func (w weak) Privatize(dst []float64, r *privacy.Rewards, _ privacy.Guarantee, noise *privacy.Noise) error {
	return w.Distributed.Privatize(dst, r, w.given, noise)
}

// weakBounded is one that keeps to a range.
type weakBounded struct{ weak }

func (weakBounded) Confined() {}

// halfNoise returns the subject with half of its noise.
func halfNoise(t testing.TB, s audit.Subject) audit.Subject {
	t.Helper()
	g := s.Guarantee
	switch m := s.Mechanism.(type) {
	case privacy.Linear:
		s.Sigma /= 2
	case privacy.Laplace:
		s.Mechanism = weak{m, g.At(2 * g.Epsilon)}
	case privacy.BoundedGaussian:
		sigma, err := m.Sigma(s.Problem.Rewards.Shape, g)
		if err != nil {
			t.Fatal(err)
		}
		epsilon, err := m.Epsilon(s.Problem.Rewards.Shape, g, sigma/2)
		if err != nil {
			t.Fatal(err)
		}
		s.Mechanism = weakBounded{weak{m, g.At(epsilon)}}
	default:
		t.Fatalf("%s: which noise is half of it?", m.Name())
	}
	return s
}

// onRewards audits a mechanism on rewards, by the entry of going on at the end of a corridor.
func onRewards(m privacy.Mechanism) audits {
	return audits{m.Name(), func(t testing.TB, halved bool, seed uint64, samples int) *audit.Report {
		t.Helper()
		problem := corridor(t)
		s := audit.Subject{Problem: problem, Mechanism: m, Guarantee: promised, Seed: seed, Of: audit.Reward, Entry: 7}
		s, claim, err := s.Claimed()
		if err != nil {
			t.Fatal(err)
		}
		if halved {
			s = halfNoise(t, s)
		}
		in, err := s.Inputs()
		if err != nil {
			t.Fatal(err)
		}
		return auditOf(t, in, claim, samples, 30)
	}}
}

// onRows audits a mechanism on rows of probabilities.
func onRows(m planner.RowMechanism) audits {
	return audits{m.Name(), func(t testing.TB, halved bool, seed uint64, samples int) *audit.Report {
		t.Helper()
		var release func(rows []planner.Row, noise *privacy.Noise) ([][]float64, error)
		if halved {
			// The variance of a component is in proportion to 1/(k+1).
			d, err := promised.Dirichlet(2)
			if err != nil {
				t.Fatal(err)
			}
			d.Concentration = 4*d.Concentration + 3
			release = func(rows []planner.Row, noise *privacy.Noise) ([][]float64, error) {
				private := make([][]float64, len(rows))
				for i, r := range rows {
					private[i] = make([]float64, len(r.Of))
					d.Draw(private[i], r.Probabilities, noise)
				}
				return private, nil
			}
		}
		in, claim, err := audit.OfRows(corridor(t), m, promised, seed, release)
		if err != nil {
			t.Fatal(err)
		}
		return auditOf(t, in, claim, samples, 0)
	}}
}

// halfGoal is a mechanism that draws the goal with half of its noise: at twice the epsilon, or with half of the sigma.
func halfGoal(t testing.TB, m privacy.GoalMechanism) privacy.GoalMechanism {
	t.Helper()
	switch m := m.(type) {
	case privacy.GeoIndistinguishable:
		m.Epsilon *= 2
		return m
	case privacy.GaussianGoal:
		m.Sigma /= 2
		return m
	}
	t.Fatalf("%s: which noise is half of it?", m.Name())
	return nil
}

// onGoals audits a mechanism that draws the goal, on a lattice of which a corner may not be drawn.
func onGoals(name string) audits {
	lattice := privacy.Lattice{Columns: 7, Rows: 5, Allowed: slices.Repeat([]bool{true}, 35)}
	lattice.Allowed[34] = false
	return audits{name, func(t testing.TB, halved bool, seed uint64, samples int) *audit.Report {
		t.Helper()
		m, err := privacy.NewGoalMechanism(name, lattice, promised)
		if err != nil {
			t.Fatal(err)
		}
		drawn := m
		if halved {
			drawn = halfGoal(t, m)
		}
		in, claim, err := audit.OfGoal(m, drawn, lattice, 9, seed)
		if err != nil {
			t.Fatal(err)
		}
		return auditOf(t, in, claim, samples, 0)
	}}
}

// The neighbour of a goal is a cell beside it if epsilon grows with the distance, and otherwise the farthest cell that
// may be drawn. The claim is the guarantee between the two.
func TestNeighboursOfGoals(t *testing.T) {
	lattice := privacy.Lattice{Columns: 7, Rows: 5, Allowed: slices.Repeat([]bool{true}, 35)}
	lattice.Allowed[34], lattice.Allowed[8], lattice.Allowed[10] = false, false, false
	for name, want := range map[string]audit.Claim{
		"goal":      {Epsilon: 1, Adjacency: 1},
		"parameter": {Epsilon: 1, Delta: 0.01, Adjacency: math.Sqrt(20)},
	} {
		m, err := privacy.NewGoalMechanism(name, lattice, promised)
		if err != nil {
			t.Fatal(err)
		}
		_, claim, err := audit.OfGoal(m, m, lattice, 9, 1)
		if err != nil || claim != want {
			t.Errorf("%s: %+v, %v; want %+v", name, claim, err, want)
		}
	}
}

// onReleases audits what is published, rewards with discrete noise, whose randomness is the system's: by the entry of
// one table, and by 30 releases of a table of eight entries with coins.
func onReleases() audits {
	return audits{"release", func(t testing.TB, halved bool, seed uint64, samples int) *audit.Report {
		t.Helper()
		g := promised
		sigma, err := g.Sigma()
		if err != nil {
			t.Fatal(err)
		}
		claim := audit.Claim{Epsilon: g.Epsilon, Delta: g.Delta, Adjacency: g.Adjacency, Sigma: sigma}
		if halved {
			epsilon, err := privacy.Epsilon(g.Delta, sigma/2, g.Adjacency)
			if err != nil {
				t.Fatal(err)
			}
			g = g.At(epsilon)
		}
		grid, err := g.Grid()
		if err != nil {
			t.Fatal(err)
		}
		var entropy privacy.Entropy
		release := func(table []float64) []float64 {
			released, err := privacy.Release(table, g, grid, &entropy)
			if err != nil {
				t.Fatal(err)
			}
			return released.Values()
		}
		random := rand.New(rand.NewPCG(seed, 3))
		tables := make([]audit.Release, 30)
		for k := range tables {
			raised, coins := make([]float64, 8), make([]bool, 8)
			for i := range coins {
				if coins[i] = random.IntN(2) == 1; coins[i] {
					raised[i] = g.Adjacency
				}
			}
			tables[k] = audit.Release{Raised: coins, Values: release(raised)}
		}
		neighbours := slices.Repeat([]float64{g.Adjacency}, samples)
		return judge(t, claim, release(make([]float64, samples)), release(neighbours), tables)
	}}
}

// audited are all mechanisms with a guarantee that have names, and what is published.
func audited() (all []audits) {
	all = append(all, onReleases())
	for _, m := range planner.Mechanisms() {
		switch m := m.(type) {
		case planner.RowMechanism:
			all = append(all, onRows(m))
		default:
			all = append(all, onRewards(planner.RewardMechanismOf(m)))
		}
	}
	for _, m := range privacy.GoalMechanisms() {
		all = append(all, onGoals(m.Name()))
	}
	return all
}

// Every mechanism with a guarantee passes audits, and is found out with half of its noise.
func TestMechanismsWithAGuarantee(t *testing.T) { passes(t, 6) }

func passes(t *testing.T, audits int) {
	const samples = 1000
	for _, a := range audited() {
		alarms := 0
		for seed := range audits {
			if r := a.judge(t, false, uint64(seed), samples); r.Verdict() != audit.Consistent {
				alarms++
			}
		}
		if alarms > mostByChance(audits, 0.01) {
			t.Errorf("%s: %d of %d audits at 1 %% alarm", a.name, alarms, audits)
		}
		if r := a.judge(t, true, 1, samples); r.Verdict() == audit.Consistent {
			t.Errorf("%s passes with half of its noise: %s", a.name, r.Why())
		}
	}
}
