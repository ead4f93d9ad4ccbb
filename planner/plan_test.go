package planner

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner/privacy"
)

// given is the mechanism that returns one plan.
type given struct{ plan Plan }

func (given) Name() string    { return "given" }
func (given) Meaning() string { return "returns one plan" }

func (m given) Plan(*Planner, privacy.Guarantee, *privacy.Noise) (Plan, error) { return m.plan, nil }

// smallMission is a grid of 4 x 3 waypoints from one corner to the other.
func smallMission(t *testing.T, slip float64) (*Mission, *Planner) {
	t.Helper()
	m := mustMission(t, Spec{Columns: 4, Rows: 3, SpacingKm: 1, RewardWeight: 2, Discount: 0.9, Slip: slip,
		Tolerance: 1e-11}, r3.Vec{}, r3.Vec{X: 3, Y: 2})
	return m, mustPlanner(t, m)
}

// randomPolicy returns probabilities of all actions, some of them 0.
func randomPolicy(rng *rand.Rand, states int) []float64 {
	policy := make([]float64, states*actionCount)
	for row := range slices.Chunk(policy, actionCount) {
		sum := 0.0
		for a := range row {
			if rng.IntN(3) > 0 || a == actionCount-1 && sum == 0 {
				row[a] = rng.ExpFloat64()
			}
			sum += row[a]
		}
		for a := range row {
			row[a] /= sum
		}
	}
	return policy
}

// onlyOne returns the stochastic policy that always takes the actions of a policy.
func onlyOne(policy []int32) []float64 {
	all := make([]float64, len(policy)*actionCount)
	for s, a := range policy {
		all[s*actionCount+int(a)] = 1
	}
	return all
}

func planBy(t *testing.T, p *Planner, plan Plan) Plan {
	t.Helper()
	made, err := p.PlanBy(given{plan}, privacy.Guarantee{Epsilon: 1}, new(privacy.Noise))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// What no plan can be is refused, and the error says what is wrong and where.
func TestPlansThatCannotBeFollowedAreRefused(t *testing.T) {
	m, p := smallMission(t, 0)
	even := slices.Repeat([]float64{0.2}, m.Grid.States()*actionCount)
	with := func(at int, q float64) []float64 {
		changed := slices.Clone(even)
		changed[at] = q
		return changed
	}
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{Plan{}, "actions for 0 states; want 12"},
		{Plan{Policy: slices.Repeat([]int32{5}, 12)}, "takes action 5 in state 0"},
		{Plan{Stochastic: even, Path: []int32{0}}, "a stochastic policy and a path"},
		{Plan{Stochastic: even[1:]}, "59 probabilities; want 60"},
		{Plan{Stochastic: with(7, 0.7)}, "actions of state 1 sum to 1.5"},
		{Plan{Stochastic: with(7, -0.2)}, "takes action 2 in state 1 with probability -0.2"},
		{Plan{Stochastic: with(7, math.NaN())}, "takes action 2 in state 1 with probability NaN"},
		{Plan{Stochastic: with(59, 1.2)}, "takes action 4 in state 11 with probability 1.2"},
		{Plan{Path: []int32{}}, "the path begins with []; want the start, state 0"},
		{Plan{Path: []int32{1, 2}}, "the path begins with [1]; want the start, state 0"},
		{Plan{Path: []int32{0, 1, 3}}, "move 2 of the path goes from state 1 to state 3"},
		{Plan{Path: []int32{0, 400}}, "move 1 of the path goes from state 0 to state 400"},
		{Plan{Path: []int32{0, -1}}, "move 1 of the path goes from state 0 to state -1"},
		{Plan{Path: []int32{0, 1}, Policy: []int32{0}}, "actions for 1 states; want 12"},
	} {
		_, err := p.PlanBy(given{c.plan}, privacy.Guarantee{Epsilon: 1}, new(privacy.Noise))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "mechanism given") {
			t.Errorf("%+v: error %v, want one with %q", c.plan, err, c.want)
		}
	}
	_, slipping := smallMission(t, 0.1)
	if _, err := slipping.PlanBy(given{Plan{Path: []int32{0, 1}}}, privacy.Guarantee{Epsilon: 1},
		new(privacy.Noise)); err == nil || !strings.Contains(err.Error(), "has slip") {
		t.Errorf("a path where moves slip: error %v", err)
	}
}

// A state that lacks an action cannot take it in any form of plan.
func TestPlansTakeActionsThatStatesHave(t *testing.T) {
	m, _ := smallMission(t, 0)
	rewards := slices.Clone(m.Rewards.Joint)
	rewards[0*actionCount+int(East)] = math.Inf(-1)
	problem, err := NewProblem(m.Law, [][]float64{rewards}, m.Discount, m.Start)
	if err != nil {
		t.Fatal(err)
	}
	solved, err := problem.Solve(1e-11, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlanner(solved, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{Plan{Stochastic: slices.Repeat([]float64{0.2}, len(rewards))}, "action 2 in state 0 with probability 0.2"},
		{Plan{Path: []int32{0, 1}}, "move 1 of the path goes from state 0 to state 1"},
	} {
		if _, err := p.PlanBy(given{c.plan}, privacy.Guarantee{Epsilon: 1}, new(privacy.Noise)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.plan, err, c.want)
		}
	}
	never := slices.Repeat([]float64{0.2}, len(rewards))
	copy(never, []float64{0.25, 0.25, 0, 0.25, 0.25})
	if made := planBy(t, p, Plan{Stochastic: never}); math.IsNaN(p.CostOf(&made).Relative) {
		t.Error("the cost of a policy that never takes what the state lacks is NaN")
	}
}

// The cost of a stochastic policy is that of the rewards summed along the distribution of states, and that of one
// which always takes the same actions is the policy's.
func TestCostOfStochasticPolicyIsDirectSummation(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	for _, slip := range []float64{0, 0.15} {
		m, p := smallMission(t, slip)
		for range 20 {
			policy := randomPolicy(rng, m.Grid.States())
			made := planBy(t, p, Plan{Stochastic: policy})
			want := directValueOf(m, slip, policy)
			if got := p.CostOf(&made); !(math.Abs(got.Private-want) <= 1e-11) {
				t.Errorf("slip %g: worth %.15g, direct summation says %.15g", slip, got.Private, want)
			}
			chosen := slices.Clone(made.Policy)
			one := planBy(t, p, Plan{Stochastic: onlyOne(chosen)})
			if !slices.Equal(one.Policy, chosen) {
				t.Errorf("the likeliest actions of a policy are %v, want %v", one.Policy, chosen)
			}
			if got, want := p.CostOf(&one).Relative, p.CostOfPrivacy(chosen); !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("slip %g: a policy costs %.15g, %.15g when its actions have probability 1", slip, want, got)
			}
		}
	}
}

// directValueOf sums rewards along the distribution of states of a stochastic policy, until what is left is
// nothing.
func directValueOf(m *Mission, slip float64, policy []float64) float64 {
	vi := newValueIteration(m.Grid, m.Discount, slip)
	here := make([]float64, m.Grid.States())
	here[m.Grid.Start] = 1
	value := 0.0
	for weight := 1.0; weight > 1e-20; weight *= m.Discount {
		next := make([]float64, len(here))
		for s, p := range here {
			for a, q := range policy[s*actionCount : (s+1)*actionCount] {
				value += weight * p * q * m.Rewards.Joint[s*actionCount+a]
				for other, to := range vi.next[s] {
					if other == a {
						next[to] += p * q * (1 - slip)
					} else {
						next[to] += p * q * slip / (actionCount - 1)
					}
				}
			}
		}
		here = next
	}
	return value
}

// A path earns the discounted rewards of its moves, by the best action where several make the same move, and then
// those of the policy that goes on: worked out by hand for one that turns back.
func TestCostOfPath(t *testing.T) {
	m, p := smallMission(t, 0)
	away := func(column, row float64) float64 { return -2 * math.Hypot(3-column, 2-row) } // reward of a waypoint
	made := planBy(t, p, Plan{Path: []int32{0, 1, 0, 5}})
	want := away(1, 0) + 0.9*away(0, 0) + 0.81*away(1, 1) + 0.729*away(2, 2) + 0 // then along the diagonal to the goal
	got := p.CostOf(&made)
	if !(math.Abs(got.Private-want) <= 1e-12) || !(math.Abs(got.Private-want) <= got.Bound+1e-14) {
		t.Errorf("worth %.15g within %g, want %.15g", got.Private, got.Bound, want)
	}
	if !slices.Equal(made.Policy, m.Optimal.Policy) {
		t.Error("another policy than the optimal one goes on after the path")
	}
	best := planBy(t, p, Plan{Path: []int32{0, 5, 10}})
	if c := p.CostOf(&best); c.Absolute > 1e-12 {
		t.Errorf("the path of the optimal policy costs %g", c.Absolute)
	}
	back := slices.Repeat([]int32{int32(West)}, 12)
	loop := planBy(t, p, Plan{Path: []int32{0}, Policy: back})
	if c := p.CostOf(&loop); !(math.Abs(c.Private-away(0, 0)/(1-0.9)) <= 1e-11) {
		t.Errorf("a path that stays for ever is worth %g, want %g", c.Private, away(0, 0)/(1-0.9))
	}
}

// A route follows its path, through states that come again, and then its policy.
func TestRouteFollowsThePath(t *testing.T) {
	m, p := smallMission(t, 0)
	plan := planBy(t, p, Plan{Path: []int32{0, 1, 0, 0, 4, 5}})
	route := plan.Route(m.Grid, plan.Walk(nil, m.Grid, 3, nil))
	states := []int{route.First()}
	for visit := range 8 {
		states = append(states, route.Next(visit, states[visit]))
	}
	if want := []int{0, 1, 0, 0, 4, 5, 10, 11, 11}; !slices.Equal(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
}

// A walk draws every move by itself with the probabilities of its state: over many walks the moves from every
// state come in their shares, within five standard deviations. A longer walk begins with the shorter one.
func TestWalkDrawsEveryVisit(t *testing.T) {
	m, p := smallMission(t, 0)
	rng := rand.New(rand.NewPCG(22, 0))
	plan := planBy(t, p, Plan{Stochastic: randomPolicy(rng, m.Grid.States())})
	states := m.Grid.States()
	want := make([]float64, states*states) // probability of a move between states
	for s := range states {
		for a := range actionCount {
			want[s*states+m.Grid.Next(s, Action(a))] += plan.Stochastic[s*actionCount+a]
		}
	}
	moved, visited := make([]float64, states*states), make([]float64, states)
	const walks, moves = 2000, 25
	var noise privacy.Noise
	for run := range walks {
		noise.Seek(privacy.Address{Run: uint64(run)})
		walk := plan.Walk(nil, m.Grid, moves, &noise)
		noise.Seek(privacy.Address{Run: uint64(run)})
		if shorter := plan.Walk(nil, m.Grid, 7, &noise); !slices.Equal(shorter, walk[:8]) {
			t.Fatalf("the walk %v does not begin with %v", walk, shorter)
		}
		for i, next := range walk[1:] {
			visited[walk[i]]++
			moved[int(walk[i])*states+int(next)]++
		}
	}
	for i, q := range want {
		n := visited[i/states]
		if away := math.Abs(moved[i] - n*q); away > 5*math.Sqrt(n*q*(1-q))+1e-9 {
			t.Errorf("%g of %g visits of state %d go to %d; want a share of %g", moved[i], n, i/states, i%states, q)
		}
	}
}

// First actions are drawn with the probabilities of a stochastic policy; of a path they lead on along it.
func TestFirstActions(t *testing.T) {
	m, p := smallMission(t, 0)
	plan := planBy(t, p, Plan{Path: []int32{0, 1, 0, 4, 5, 1, 2}})
	first := plan.FirstActions(make([]int32, 0, 12), m, nil)
	for state, next := range map[int]int{0: 1, 1: 0, 4: 5, 5: 1} {
		if got := m.Grid.Next(state, Action(first[state])); got != next {
			t.Errorf("from state %d the first visit leads to %d, want %d", state, got, next)
		}
	}
	if first[2] != m.Optimal.Policy[2] || first[9] != m.Optimal.Policy[9] {
		t.Error("another policy than the optimal one in states that the path does not leave")
	}
	policy := randomPolicy(rand.New(rand.NewPCG(23, 0)), m.Grid.States())
	plan = planBy(t, p, Plan{Stochastic: policy})
	counts := make([]float64, len(policy))
	var noise privacy.Noise
	const draws = 4000
	for range draws {
		for state, action := range plan.FirstActions(nil, m, &noise) {
			counts[state*actionCount+int(action)]++
		}
	}
	for i, q := range policy {
		if !(math.Abs(counts[i]-draws*q) <= 5*math.Sqrt(draws*q*(1-q))+1e-9) {
			t.Errorf("state %d draws action %d %g times of %d; want a share of %g", i/actionCount, i%actionCount, counts[i],
				draws, q)
		}
	}
}
