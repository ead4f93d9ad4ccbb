package cost

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// twoMechanisms are the facts of a made-up problem of a team of three.
var twoMechanisms = Facts{
	Mechanisms: []string{"input", "output"}, Epsilons: []float64{1, 4}, Sigmas: [][]float64{{2, 0.5}, {0.8, 0.2}},
	Value: -40, LargestLoss: 60, States: 5,
}

// tallied is the tally of made-up costs, run by run: of input and output at epsilon 1, and at epsilon 4.
func tallied(costs ...[4]float64) *Tally {
	t := NewTally(twoMechanisms, 0)
	for run, c := range costs {
		t.Add([]Row{{Run: run, Epsilon: 1, Costs: c[:2]}, {Run: run, Epsilon: 4, Costs: c[2:]}})
	}
	return t
}

// A summary has the moments of its costs, with the interval of their mean up to the ceiling.
func TestSummariesAreThoseOfTheCosts(t *testing.T) {
	costs := [][4]float64{{0.5, 0.3, 0.1, 0}, {0.7, 0.1, 0, 1e-9}, {0.2, 0.35, 0, 2e-9}, {0.9, 0.2, 1e-10, 0.4}, {0.35,
		0.05, 0, 0}}
	tally := tallied(costs...)
	if tally.Runs() != len(costs) {
		t.Errorf("%d runs, want %d", tally.Runs(), len(costs))
	}
	f := twoMechanisms
	widest := 0.0
	for k, s := range tally.Summaries() {
		i, e := k/2, k%2
		var own []float64
		free := 0.0
		for _, c := range costs {
			x := c[2*e+i]
			if own = append(own, x); x <= 1e-9 {
				free += 1 / float64(len(costs))
			}
		}
		mean := stat.Mean(own, nil)
		low, high := study.MeanInterval(slices.Sorted(slices.Values(own)), 0, 1.5, 0.95)
		widest = max(widest, (high-low)/2)
		want := Summary{Mechanism: f.Mechanisms[i], Epsilon: f.Epsilons[e], Sigma: f.Sigmas[i][e], Runs: len(costs),
			Mean: mean, Low: low, High: high,
			StandardError: stat.StdErr(stat.StdDev(own, nil), float64(len(own))), Largest: slices.Max(own), Free: free}
		for _, n := range []struct {
			name      string
			got, want float64
		}{
			{"mean", s.Mean, want.Mean}, {"low", s.Low, want.Low}, {"high", s.High, want.High}, {"error", s.StandardError,
				want.StandardError},
			{"largest", s.Largest, want.Largest}, {"free", s.Free, want.Free},
			{"epsilon", s.Epsilon, want.Epsilon},
			{"sigma", s.Sigma, want.Sigma}, {"runs", float64(s.Runs), float64(want.Runs)},
		} {
			const rounding = 1e-10 // relative, or of a mean
			if !(math.Abs(n.got-n.want) <= rounding*max(1, n.want)) {
				t.Errorf("%s at epsilon %g: %s %v, want %v", want.Mechanism, want.Epsilon, n.name, n.got, n.want)
			}
		}
		if s.Mechanism != want.Mechanism {
			t.Errorf("summary %d is of %s, want %s", k, s.Mechanism, want.Mechanism)
		}
	}
	if math.Abs(tally.Widest()-widest) > 1e-12 {
		t.Errorf("the widest half-width is %v, want %v", tally.Widest(), widest)
	}
	if got := f.Ceiling(); got != 1.5 {
		t.Errorf("a loss of 60 of a value of -40 is %v of it, want 1.5", got)
	}
}

// Two runs have an interval, and one has none.
func TestSummariesOfFewRuns(t *testing.T) {
	none := tallied().Summaries()[0]
	if none.Runs != 0 || none.Free != 0 || !math.IsNaN(none.Low) {
		t.Errorf("of no run: %+v", none)
	}
	one := tallied([4]float64{0.25, 0, 0, 0})
	if s := one.Summaries()[0]; s.Mean != 0.25 || !math.IsNaN(s.Low) || !math.IsNaN(s.High) || !math.IsInf(one.Widest(),
		1) {
		t.Errorf("of one run: %+v, widest %v", s, one.Widest())
	}
	// Where costs are none or the ceiling, 1.5, the interval is Clopper and Pearson's, except for the saddlepoint.
	two := tallied([4]float64{1.5, 0, 0, 0}, [4]float64{}, [4]float64{}, [4]float64{}, [4]float64{}).Summaries()[0]
	low, high := 1.5*distuv.Beta{Alpha: 1, Beta: 5}.Quantile(0.025), 1.5*distuv.Beta{Alpha: 2, Beta: 4}.Quantile(0.975)
	if math.Abs(two.Low-low) > 0.002 || math.Abs(two.High-high) > 0.02 {
		t.Errorf("one of five runs costs the ceiling: %g .. %g, want %g .. %g", two.Low, two.High, low, high)
	}
	// Runs that cost nothing leave room for one that does.
	if s := tallied(make([][4]float64, 20)...).Summaries()[0]; s.Low != 0 || s.High < 0.15 || s.High > 0.3 {
		t.Errorf("20 runs that cost nothing: %g .. %g, want up to 3.7 of 20 at the ceiling", s.Low, s.High)
	}
}

// Facts are those of the problem: the largest loss is what the worst policy loses.
func TestFactsOfATeam(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	for range 5 {
		p := randomTeam(t, rng)
		solved, err := p.Solve(1e-11, 0)
		if err != nil {
			t.Fatal(err)
		}
		agents := p.Law.(*mdp.Joint).Agents()
		s := Study{Problem: solved, Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{}),
			planner.OnReward(privacy.OutputPerturbation{Norm: privacy.ExactL2})},
			Guarantee: privacy.Guarantee{Delta: 0.1, Adjacency: 2, Calibration: privacy.Analytic}, Epsilons: []float64{1, 5}}
		f, err := s.Facts()
		if err != nil {
			t.Fatal(err)
		}
		dense := newDense(p)
		opposite := make([]float64, len(p.Rewards.Joint))
		for i, r := range p.Rewards.Joint {
			opposite[i] = -r
		}
		best := dense.value(dense.plan(p.Rewards.Joint), p.Rewards.Joint)[p.Start]
		worst := dense.value(dense.plan(opposite), p.Rewards.Joint)[p.Start]
		if math.Abs(f.LargestLoss-(best-worst)) > 1e-9 || math.Abs(f.Value-best) > 1e-9 || f.LargestLoss < best-worst {
			t.Errorf("value %v and largest loss %v, want %v and %v", f.Value, f.LargestLoss, best, best-worst)
		}
		if !slices.Equal(f.Mechanisms, []string{s.Mechanisms[0].Name(), s.Mechanisms[1].Name()}) ||
			f.States != dense.states || !slices.Equal(f.Epsilons, s.Epsilons) {
			t.Errorf("facts %+v", f)
		}
		for e, epsilon := range s.Epsilons {
			own, err := privacy.Analytic.Sigma(epsilon, 0.1, 2)
			if err != nil {
				t.Fatal(err)
			}
			// One agent's entry moves every joint reward that has its action by an N-th: those of the others' actions.
			others := math.Pow(2, float64(agents-1))
			joint := own * math.Sqrt(others) / float64(agents)
			if math.Abs(f.Sigmas[0][e]/own-1) > 1e-12 || math.Abs(f.Sigmas[1][e]/joint-1) > 1e-12 {
				t.Errorf("epsilon %g: noise of %v and %v, want %v and %v", epsilon, f.Sigmas[0][e], f.Sigmas[1][e], own, joint)
			}
		}
	}
}

// loop is one state in which action 0 earns 1 and action 1 so much, at discount 1/2: worth 2 and twice as much.
func loop(t *testing.T, second float64) *planner.Problem {
	t.Helper()
	law, err := mdp.NewModel(1, 2, func(int, int) []mdp.Outcome { return []mdp.Outcome{{State: 0, Probability: 1}} })
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{1, second}}, 0.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Exact replaces a value that is off by its bound by that of a policy that is off by as much again, and says so.
func TestExactWidensTheBound(t *testing.T) {
	const bound = 0.125
	p := loop(t, 1-bound) // worth 2 - 2 bound
	p.Start = 0
	solved := &planner.Solved{Problem: p, Tolerance: 1e-9, Optimal: planner.Plan{Policy: []int32{1},
		Value: []float64{2 - bound}, Bound: bound}}
	exact, err := exact(solved)
	if err != nil {
		t.Fatal(err)
	}
	value, off := exact.Optimal.Value[0], exact.Optimal.Bound
	if math.Abs(value-(2-2*bound)) > 1e-12 || !(math.Abs(value-2) <= off+1e-12) || off > 2.01*bound {
		t.Errorf("the optimum of 2 is %v, certified to %v", value, off)
	}
	if solved.Optimal.Value[0] != 2-bound || solved.Optimal.Bound != bound {
		t.Errorf("the problem is changed to %+v", solved.Optimal)
	}
}

// A value of the optimal policy that is evaluated to within some accuracy is certified to no less.
func TestExactCountsTheAccuracyOfAnEvaluation(t *testing.T) {
	const states = 40
	rng := rand.New(rand.NewPCG(22, 0))
	found := 0.0
	for range 20 {
		solved := drawn(t, rng, states, 2, 3)
		solved.Accuracy = 0.5
		exact, err := exact(solved)
		if err != nil {
			t.Fatal(err)
		}
		start := solved.Start
		off := math.Abs(exact.Optimal.Value[start] - solved.Optimal.Value[start])
		found = max(found, off)
		if off > exact.Optimal.Bound+solved.Optimal.Bound {
			t.Errorf("the value is off by %v, certified to %v", off, exact.Optimal.Bound)
		}
	}
	if found < 1e-6 {
		t.Errorf("no evaluation is off by more than %v, which tells nothing", found)
	}
}

// A problem that is solved closely costs its own policy nothing, also where the tolerance asked for is the finest that
// rounding allows.
func TestSolveAccurately(t *testing.T) {
	for _, discount := range []float64{0.5, 0.99, 0.9999} {
		p := *loop(t, 0.5)
		p.Discount = discount
		const tolerance = 1e-9
		solved, err := SolveAccurately(&p, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(solved.Optimal.Value[0] - 1/(1-discount)); off > solved.Optimal.Bound ||
			solved.Optimal.Bound > 3e3*tolerance { // of the optimum, the policy and its evaluation
			t.Errorf("discount %g: value %v certified to %g, off by %g", discount, solved.Optimal.Value[0],
				solved.Optimal.Bound, off)
		}
		own, err := planner.NewPlanner(solved, privacy.InputPerturbation{})
		if err != nil {
			t.Fatal(err)
		}
		if cost := own.Cost(solved.Optimal.Policy); cost.Relative != 0 {
			t.Errorf("discount %g: the optimal policy costs %v", discount, cost)
		}
	}
	p := *loop(t, 0.5)
	p.Discount = 1 - 1e-15
	if _, err := SolveAccurately(&p, 1e-12); err == nil {
		t.Error("values of 1e15 are solved to 1e-9")
	}
}

// Plans are those of each private reward, and what they lose in every state is known to within its bound: that of the
// optimum and that of the evaluation.
func TestPlansLoseWhatTheySay(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 0))
	guarantee := privacy.Guarantee{Delta: 0.1, Adjacency: 1, Calibration: privacy.Analytic}
	epsilons := []float64{0.5, 2, 8}
	address := privacy.Address{Seed: 4, Run: 1, Purpose: purpose}
	evaluated := 0.0
	for range 5 {
		solved := drawn(t, rng, 30, 2, 3)
		p := solved.Problem
		dense := newDense(p)
		best := dense.value(dense.plan(p.Rewards.Joint), p.Rewards.Joint)
		var noise privacy.Noise
		noise.Seek(address)
		z := make([]float64, privacy.InputPerturbation{}.Normals(p.Rewards.Shape))
		noise.Normals(z)
		// The optimum is off by its bound, all of it, the evaluation by next to nothing; and the other way about.
		for _, c := range []struct{ off, tolerance float64 }{{0.01, 1e-12}, {1e-13, 1}} {
			loose := *solved
			loose.Optimal.Value = slices.Clone(solved.Optimal.Value)
			for s := range loose.Optimal.Value {
				loose.Optimal.Value[s] += c.off
			}
			loose.Optimal.Bound = solved.Optimal.Bound + c.off
			plans, err := Plans(&loose, planner.OnReward(privacy.InputPerturbation{}), guarantee, epsilons, address, c.tolerance)
			if err != nil || len(plans) != len(epsilons) {
				t.Fatal(len(plans), err)
			}
			for e, plan := range plans {
				sigma, err := privacy.Analytic.Sigma(epsilons[e], 0.1, 1)
				if err != nil {
					t.Fatal(err)
				}
				private := dense.private(p, false, sigma, z)
				policy := dense.plan(private)
				value := dense.value(policy, p.Rewards.Joint)
				for i, r := range private {
					if math.Abs(plan.Reward[i]-r) > 1e-12*max(1, math.Abs(r)) {
						t.Fatalf("epsilon %g: private reward %v, want %v", plan.Epsilon, plan.Reward[i], r)
					}
				}
				for s, v := range value {
					if int(plan.Policy[s]) != policy[s] {
						t.Fatalf("epsilon %g: policy %v, want %v", plan.Epsilon, plan.Policy, policy)
					}
					off := math.Abs(plan.Regret[s] - max(best[s]-v, 0))
					if c.tolerance == 1 {
						evaluated = max(evaluated, off)
					}
					if off > plan.RegretBound+1e-11 || plan.RegretBound > c.off+c.tolerance+1e-9 {
						t.Errorf("epsilon %g, state %d: regret off by %v, certified to %v", plan.Epsilon, s, off, plan.RegretBound)
					}
				}
				if plan.Epsilon != epsilons[e] || math.Abs(plan.Sigma/sigma-1) > 1e-12 ||
					math.Abs(plan.Cost.Private-value[p.Start]) > 1e-9 {
					t.Errorf("epsilon %g: %v", epsilons[e], plan)
				}
			}
		}
	}
	if evaluated < 1e-6 {
		t.Errorf("no evaluation is off by more than %v, which tells nothing", evaluated)
	}
	if _, err := Plans(&planner.Solved{Problem: loop(t, 0), Tolerance: 1}, planner.OnReward(privacy.InputPerturbation{}),
		guarantee, []float64{-1}, address, 1); err == nil {
		t.Error("a plan for an epsilon below 0")
	}
}

// Costs are of the runs asked for, each the same on every machine, on a stream of the caller's where there is one.
func TestRowsAreOfTheRunsAskedFor(t *testing.T) {
	s := bandit(t, 5)
	s.Epsilons = []float64{1, 3}
	rows := func(s Study, first, end int) (all [][]Row) {
		for r, err := range s.Rows(context.Background(), first, end) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		return all
	}
	all := rows(s, 0, 40)
	s.Workers = 3
	part := rows(s, 10, 30)
	costs := func(all [][]Row) (flat []float64) {
		for _, rows := range all {
			for _, r := range rows {
				flat = append(flat, float64(r.Run), r.Epsilon, r.Values[0], r.Costs[0])
			}
		}
		return flat
	}
	if len(part) != 20 || !slices.Equal(costs(part), costs(all[10:30])) {
		t.Errorf("runs 10 to 29 are %v, within all %v", part, all[10:30])
	}
	s.Stream = func(_ planner.Mechanism, run int) privacy.Address {
		return privacy.Address{Seed: 5, Run: uint64(run + 10), Purpose: purpose}
	}
	for i, r := range rows(s, 0, 20) {
		for e := range r {
			if r[e].Run != i || r[e].Costs[0] != all[i+10][e].Costs[0] {
				t.Errorf("run %d of the caller's stream is %v, want %v", i, r[e], all[i+10][e])
			}
		}
	}
	s.Epsilons = []float64{-1}
	for _, err := range s.Rows(context.Background(), 0, 1) {
		if err == nil {
			t.Error("an epsilon below 0")
		}
	}
}

// The worst policy takes no action that its state lacks.
func TestLargestLossOfLackingActions(t *testing.T) {
	law, err := mdp.NewModel(1, 3, func(int, int) []mdp.Outcome { return []mdp.Outcome{{State: 0, Probability: 1}} })
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{3, math.Inf(-1), -1}}, 0.75, 0)
	if err != nil {
		t.Fatal(err)
	}
	solved, err := p.Solve(1e-10, 0)
	if err != nil {
		t.Fatal(err)
	}
	if loss, err := LargestLoss(solved); err != nil || math.Abs(loss-16) > 1e-9 {
		t.Errorf("worth 12 at best and -4 at worst: a loss of %v, %v", loss, err)
	}
}

// A curve has points of equal ratio from one end of the range to the other, and of each point the mean over the runs of
// the pieces that hold it, the last one's end among them.
func TestCurvesAreMeansOfPieces(t *testing.T) {
	over := study.Range{Low: 0.5, High: 8}
	pieces := []Piece{
		{Run: 0, Mechanism: 1, Low: 0.5, High: 2, Least: 0.2, Most: 0.4}, {Run: 0, Mechanism: 1, Low: 2, High: 8,
			Least: 0.1, Most: 0.2},
		{Run: 1, Mechanism: 1, Low: 0.5, High: 8, Least: 1, Most: 1}, {Run: 0, Mechanism: 0, Low: 0.5, High: 8}, {Run: 1,
			Mechanism: 0, Low: 0.5, High: 8},
	}
	curves := Curves(pieces, []string{"a", "b"}, over, 2)
	if len(curves) != 2 || curves[0].Mechanism != "a" || !curves[0].Exact() || curves[1].Exact() {
		t.Fatalf("curves %+v", curves)
	}
	c := curves[1]
	if n := len(c.Epsilons); c.Epsilons[0] != 0.5 || c.Epsilons[n-1] != 8 || len(c.Least) != n || len(c.Most) != n {
		t.Fatalf("%d points from %g to %g", n, c.Epsilons[0], c.Epsilons[n-1])
	}
	for k, epsilon := range c.Epsilons {
		if want := 0.5 * math.Pow(16, float64(k)/float64(len(c.Epsilons)-1)); math.Abs(epsilon/want-1) > 1e-12 {
			t.Errorf("point %d is %v, want %v", k, epsilon, want)
		}
		least, most := 0.6, 0.7
		if epsilon >= 2 {
			least, most = 0.55, 0.6
		}
		if math.Abs(c.Least[k]-least) > 1e-12 || math.Abs(c.Most[k]-most) > 1e-12 || curves[0].Most[k] != 0 {
			t.Errorf("epsilon %g costs %g to %g, want %g to %g", epsilon, c.Least[k], c.Most[k], least, most)
		}
	}
}

// The pieces of a run adjoin each other from one end of the range to the other, for every mechanism in turn.
func TestPiecesAdjoin(t *testing.T) {
	for name, outcomes := range map[string]int{"certain": 1, "uncertain": 3} {
		solved := drawn(t, rand.New(rand.NewPCG(24, 0)), 20, 3, outcomes)
		s := Study{Problem: solved, Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{}),
			planner.OnReward(privacy.OutputPerturbation{Norm: privacy.ExactL2})},
			Guarantee: privacy.Guarantee{Delta: 0.1, Adjacency: 1, Calibration: privacy.Classical}, Seed: 3,
			Epsilons: []float64{1, 2}}
		over := study.Range{Low: 0.3, High: 6}
		for pieces, err := range s.Pieces(context.Background(), over, 2, 5) {
			if err != nil {
				t.Fatal(err)
			}
			at, mechanism := over.Low, 0
			for _, p := range pieces {
				if p.Mechanism != mechanism {
					if at != over.High || p.Mechanism != mechanism+1 {
						t.Fatalf("%s: the pieces of mechanism %d end at %v", name, mechanism, at)
					}
					at, mechanism = over.Low, p.Mechanism
				}
				if p.Low != at || !(p.High > p.Low) || p.Most < p.Least {
					t.Fatalf("%s: after %v comes %+v", name, at, p)
				}
				at = p.High
			}
			if at != over.High || mechanism != 1 {
				t.Errorf("%s: the pieces of mechanism %d end at %v", name, mechanism, at)
			}
		}
	}
}

// With a precision, intervals hold at every stopping time: after two runs they are all of the possible costs, from 0 to
// 1.5, and those of a fixed number of runs are not.
func TestIntervalsOfAPrecisionHoldAtAllTimes(t *testing.T) {
	fixed, always := NewTally(twoMechanisms, 0), NewTally(twoMechanisms, 0.05)
	for run := range 2 {
		rows := []Row{{Run: run, Epsilon: 1, Costs: []float64{0.3, 0.3}}, {Run: run, Epsilon: 4, Costs: []float64{0.3, 0.3}}}
		fixed.Add(rows)
		always.Add(rows)
	}
	if f, a := fixed.Widest(), always.Widest(); f >= 0.75 || a != 0.75 {
		t.Errorf("half-widths of %v for a fixed number of runs and %v at all times", f, a)
	}
}
