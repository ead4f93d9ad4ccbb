package planner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/privacy"
)

func mustPlanner(tb testing.TB, m *Mission) *Planner {
	tb.Helper()
	p, err := NewPlanner(m.Solved, privacy.InputPerturbation{})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func normals(rng *rand.Rand, n int) []float64 {
	z := make([]float64, n)
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	return z
}

// planCase is a mission with how many privatized rewards of it are planned for.
type planCase struct {
	name    string
	mission *Mission
	runs    int
}

func planCases(tb testing.TB, slip float64, paperRuns, smallRuns int) []planCase {
	paper := paperSpec()
	paper.Slip = slip
	cases := []planCase{{"paper", mustMission(tb, paper, paperStart, r3.Vec{}), paperRuns}}
	for _, small := range []struct {
		columns, rows int
		discount      float64
	}{{1, 1, 0.9}, {1, 9, 0.95}, {7, 5, 0.5}, {6, 6, 0.99}, {13, 3, 0.95}} {
		spec := Spec{
			Columns: small.columns, Rows: small.rows, SpacingKm: 1, RewardWeight: 2,
			Discount: small.discount, Slip: slip, Tolerance: 1e-11,
		}
		name := fmt.Sprintf("%dx%d", small.columns, small.rows)
		target := r3.Vec{X: float64(small.columns / 2), Y: float64(small.rows / 2)}
		cases = append(cases, planCase{name, mustMission(tb, spec, r3.Vec{}, target), smallRuns})
	}
	return cases
}

// The sigmas run from the paper's largest epsilon to well below its least, where the noise is all there is.
var sigmas = []float64{0.6, 2.5, 11.84, 300}

// fromZero is how many runs share one for each sigma in which value iteration starts from zero. In the
// others it starts from the plan's own value, which takes few sweeps and proves as much: only the optimum
// does not change.
const fromZero = 400

func testPlans(t *testing.T, slip float64, paperRuns, smallRuns int) {
	for _, c := range planCases(t, slip, paperRuns, smallRuns) {
		t.Run(c.name, func(t *testing.T) {
			m, p := c.mission, mustPlanner(t, c.mission)
			vi := newValueIteration(m.Grid, m.Discount, slip)
			rng := rand.New(rand.NewPCG(7, uint64(c.runs)))
			ties := 0
			for run := range c.runs {
				sigma := sigmas[run%len(sigmas)]
				rewards := p.Privatize(sigma, normals(rng, len(m.Rewards.Joint)))
				plan := p.Plan(rewards)
				from := plan.Value
				if run%fromZero < len(sigmas) {
					from = nil
				}
				want, left := vi.solve(rewards, from)
				tolerance := valueTolerance + 2*left // either has its rounding
				for s := range want {
					if !(math.Abs(plan.Value[s]-want[s]) <= tolerance) {
						t.Fatalf("run %d, sigma %g, state %d: worth %.15g, value iteration says %.15g", run, sigma, s, plan.Value[s],
							want[s])
					}
					// Noise breaks all ties, so the greedy action is the only optimal one.
					best := greedy(vi.values(rewards, s), tolerance)
					if best < 0 {
						ties++
					} else if best != plan.Policy[s] {
						t.Fatalf("run %d, sigma %g, state %d: plans %v, value iteration %v", run, sigma, s, Action(plan.Policy[s]),
							Action(best))
					}
				}
			}
			if ties > 2 {
				t.Errorf("%d ties left the policy undecided, want next to none", ties)
			}
		})
	}
}

// greedy returns the best action, or -1 where the runner-up is within the tolerance, which among the 10^6
// states of random rewards is expected of none.
func greedy(q [actionCount]float64, tolerance float64) int32 {
	best, second := 0, -1
	for a := 1; a < actionCount; a++ {
		switch {
		case q[a] > q[best]:
			best, second = a, best
		case second < 0 || q[a] > q[second]:
			second = a
		}
	}
	if q[best]-q[second] <= 2*tolerance {
		return -1
	}
	return int32(best)
}

func TestPlanIsThatOfValueIteration(t *testing.T) { testPlans(t, 0, 2000, 400) }

func TestPlanWithSlipIsThatOfValueIteration(t *testing.T) { testPlans(t, 0.15, 400, 100) }

func TestPrivatize(t *testing.T) {
	m := mustMission(t, paperSpec(), paperStart, r3.Vec{})
	p := mustPlanner(t, m)
	rng := rand.New(rand.NewPCG(1, 0))
	z := normals(rng, len(m.Rewards.Joint))
	const sigma = 2.5
	for i, got := range p.Privatize(sigma, z) {
		if want := m.Rewards.Joint[i] + sigma*z[i]; !(math.Abs(got-want) <= ulps*(math.Abs(m.Rewards.Joint[i])+
			math.Abs(sigma*z[i]))) {
			t.Fatalf("entry %d became %g, want %g", i, got, want)
		}
	}
	for i, got := range p.Privatize(0, z) {
		if got != m.Rewards.Joint[i] {
			t.Fatalf("without noise entry %d became %g, want %g", i, got, m.Rewards.Joint[i])
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("noise for another table was accepted")
		}
	}()
	p.Privatize(sigma, z[1:])
}

// Replan starts from the plan before, and must not let that show: along the epsilons of a run, over jumps
// to another run, and on the true reward, whose ties a start could decide.
func TestReplanIsPlan(t *testing.T) {
	for _, slip := range []float64{0, 0.15} {
		t.Run(fmt.Sprintf("slip=%g", slip), func(t *testing.T) {
			spec := paperSpec()
			spec.Slip = slip
			m := mustMission(t, spec, paperStart, r3.Vec{})
			plain, warm := mustPlanner(t, m), mustPlanner(t, m)
			rng := rand.New(rand.NewPCG(6, 0))
			for run := range 30 {
				z := normals(rng, len(m.Rewards.Joint))
				for _, sigma := range []float64{11.84, 5.95, 3.99, 3.01, 0.6, 0} {
					want := plain.Plan(plain.Privatize(sigma, z))
					got := warm.Replan(warm.Privatize(sigma, z))
					for s := range want.Policy {
						if got.Policy[s] != want.Policy[s] || !(math.Abs(got.Value[s]-want.Value[s]) <= valueTolerance) {
							t.Fatalf("run %d, sigma %g, state %d: replanned %v worth %.15g, planned %v worth %.15g", run, sigma, s,
								Action(got.Policy[s]), got.Value[s], Action(want.Policy[s]), want.Value[s])
						}
						if slip == 0 && got.Value[s] != want.Value[s] {
							t.Fatalf("run %d, sigma %g, state %d: replanned worth %.17g, planned %.17g, want the same bits", run, sigma, s,
								got.Value[s], want.Value[s])
						}
					}
				}
			}
		})
	}
}

// costTolerance is absolute, on costs of order one: both values are sums of 1,000 terms of up to 35.
const costTolerance = 1e-11

// directValue sums the true rewards along the policy, step by step, over the distribution of states. The
// weight of the step at which it stops is below 10^-20.
func directValue(m *Mission, slip float64, policy []int32) float64 {
	vi := newValueIteration(m.Grid, m.Discount, slip)
	here := make([]float64, m.Grid.States())
	here[m.Grid.Start] = 1
	value := 0.0
	for weight := 1.0; weight > 1e-20; weight *= m.Discount {
		next := make([]float64, len(here))
		for s, p := range here {
			if p == 0 {
				continue
			}
			value += weight * p * m.Rewards.Joint[s*actionCount+int(policy[s])]
			for a, to := range vi.next[s] {
				if int32(a) == policy[s] {
					next[to] += p * (1 - slip)
				} else {
					next[to] += p * slip / (actionCount - 1)
				}
			}
		}
		here = next
	}
	return value
}

func testCost(t *testing.T, slip float64, runs int) {
	spec := paperSpec()
	spec.Slip = slip
	m := mustMission(t, spec, paperStart, r3.Vec{})
	p := mustPlanner(t, m)
	values, _ := newValueIteration(m.Grid, m.Discount, slip).solve(m.Rewards.Joint, nil)
	optimal := values[m.Grid.Start]
	rng := rand.New(rand.NewPCG(3, 0))
	for run := range runs {
		policy := p.Plan(p.Privatize(sigmas[run%len(sigmas)], normals(rng, len(m.Rewards.Joint)))).Policy
		if run%5 == 0 { // any policy has a cost, not only a plan
			policy = make([]int32, len(policy))
			for s := range policy {
				policy[s] = rng.Int32N(actionCount)
			}
		}
		want := math.Abs(directValue(m, slip, policy)-optimal) / math.Abs(optimal)
		if got := p.CostOfPrivacy(policy); !(math.Abs(got-want) <= costTolerance) {
			t.Errorf("run %d: cost %.15g, direct summation says %.15g", run, got, want)
		}
	}
	if got := p.CostOfPrivacy(m.Optimal.Policy); got > costTolerance {
		t.Errorf("the optimal policy costs %g", got)
	}
}

func TestCostOfPrivacyIsDirectSummation(t *testing.T) { testCost(t, 0, 100) }

func TestCostOfPrivacyWithSlipIsDirectSummation(t *testing.T) { testCost(t, 0.15, 20) }

// At a start that is the goal the optimum is to stay, worth zero, so every relative loss is infinite.
func TestCostOfPrivacyAtTheGoal(t *testing.T) {
	m := mustMission(t, Spec{Columns: 3, Rows: 3, SpacingKm: 1, StartCell: Cell{1, 1}, RewardWeight: 1, Discount: 0.9,
		Tolerance: 1e-11}, r3.Vec{}, r3.Vec{})
	p := mustPlanner(t, m)
	if got := p.CostOfPrivacy(m.Optimal.Policy); got != 0 {
		t.Errorf("staying costs %g", got)
	}
	north := make([]int32, m.Grid.States())
	if got := p.CostOfPrivacy(north); !math.IsInf(got, 1) {
		t.Errorf("leaving costs %g, want +Inf", got)
	}
}

func TestPlanningAllocatesNothing(t *testing.T) {
	for _, slip := range []float64{0, 0.15} {
		t.Run(fmt.Sprintf("slip=%g", slip), func(t *testing.T) {
			spec := paperSpec()
			spec.Slip = slip
			m := mustMission(t, spec, paperStart, r3.Vec{})
			p := mustPlanner(t, m)
			z := normals(rand.New(rand.NewPCG(4, 0)), len(m.Rewards.Joint))
			sigma := 1.0
			if allocations := testing.AllocsPerRun(20, func() {
				plan := p.Plan(p.Privatize(sigma, z))
				p.CostOfPrivacy(plan.Policy)
				sigma *= 1.3
			}); allocations != 0 {
				t.Errorf("%g allocations a plan", allocations)
			}
		})
	}
}

// BenchmarkPlan privatizes, plans and prices one run of the paper's study at epsilon 1.
func BenchmarkPlan(b *testing.B) {
	for _, slip := range []float64{0, 0.15} {
		b.Run(fmt.Sprintf("slip=%g", slip), func(b *testing.B) {
			spec := paperSpec()
			spec.Slip, spec.Tolerance = slip, 1e-9
			m := mustMission(b, spec, paperStart, r3.Vec{})
			p := mustPlanner(b, m)
			rng := rand.New(rand.NewPCG(5, 0))
			noise := make([][]float64, 64)
			for i := range noise {
				noise[i] = normals(rng, len(m.Rewards.Joint))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.CostOfPrivacy(p.Plan(p.Privatize(2.524, noise[i%len(noise)])).Policy)
			}
		})
	}
}
