package irl_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/irl"
	"veilpath/planner/mdp"
)

// problem returns a problem with these transitions that starts in state 0.
func problem(t *testing.T, states, actions int, outcomes func(state, action int) []mdp.Outcome) *irl.Problem {
	t.Helper()
	law, err := mdp.NewModel(states, actions, outcomes)
	if err != nil {
		t.Fatal(err)
	}
	p := &irl.Problem{Law: law, Discount: 0.8, Start: make([]float64, states)}
	p.Start[0] = 1
	return p
}

// random returns so many normal numbers.
func random(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(seed, 0))
	values := make([]float64, n)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	return values
}

// branching moves to two states that depend on state and action, with probabilities 0.7 and 0.3.
func branching(states int) func(state, action int) []mdp.Outcome {
	return func(state, action int) []mdp.Outcome {
		return []mdp.Outcome{{State: (state + action + 1) % states, Probability: 0.7},
			{State: (2*state + 3*action + 2) % states, Probability: 0.3}}
	}
}

// The distance does not see shaping with a potential and a positive scale, and sees all else. Every action leads to the
// state of its own number, so that a potential of the next state is one of the action: a table can have it.
func TestEPICIgnoresShapingAndScale(t *testing.T) {
	const n = 3
	p := problem(t, n, n, func(_, action int) []mdp.Outcome { return []mdp.Outcome{{State: action, Probability: 1}} })
	reward, potential := random(1, n*n), random(2, n)
	shaped, opposite := make([]float64, n*n), make([]float64, n*n)
	for i, r := range reward {
		shaped[i] = 2.5*r + p.Discount*potential[i%n] - potential[i/n] + 7
		opposite[i] = -r
	}
	for name, c := range map[string]struct {
		other []float64
		want  float64
	}{"same": {reward, 0}, "shaped": {shaped, 0}, "opposite": {opposite, 1}} {
		if got, correlation := p.EPIC(reward, c.other); math.Abs(got-c.want) > 1e-7 || // the root of rounding
			math.Abs(correlation-(1-2*c.want*c.want)) > 1e-14 {
			t.Errorf("%s: %v, %v", name, got, correlation)
		}
	}
	large := problem(t, 200, 20, branching(200))
	if got, _ := large.EPIC(random(3, 4000), random(4, 4000)); math.Abs(got-math.Sqrt2/2) > 0.02 {
		t.Errorf("unrelated: %v", got)
	}
}

// The distance is that of the definition, written out: the canonical reward of a transition has means over all actions
// and all next states, whether they can follow or not.
func TestEPICIsTheDefinition(t *testing.T) {
	const states, actions = 5, 3
	p := problem(t, states, actions, branching(states))
	one, other := random(5, states*actions), random(6, states*actions)
	canonical := func(r []float64, s, a, next int) float64 {
		sum := 0.0
		for anotherState := range states {
			for anotherAction := range actions {
				for range states { // the reward does not depend on the state after that
					sum += (p.Discount*r[next*actions+anotherAction] - r[s*actions+anotherAction] -
						p.Discount*r[anotherState*actions+anotherAction]) / (states * actions * states)
				}
			}
		}
		return r[s*actions+a] + sum
	}
	var xx, yy, xy, x, y float64 // moments
	for pair := range states * actions {
		for _, o := range branching(states)(pair/actions, pair%actions) {
			w := o.Probability / (states * actions)
			c, d := canonical(one, pair/actions, pair%actions, o.State), canonical(other, pair/actions, pair%actions, o.State)
			xx, yy, xy, x, y = xx+w*c*c, yy+w*d*d, xy+w*c*d, x+w*c, y+w*d
		}
	}
	want := (xy - x*y) / math.Sqrt((xx-x*x)*(yy-y*y))
	if distance, got := p.EPIC(one, other); math.Abs(got-want) > 1e-12 ||
		math.Abs(distance-math.Sqrt((1-want)/2)) > 1e-12 {
		t.Errorf("correlation %v at distance %v, want %v", got, distance, want)
	}
}

// softPolicy is the soft optimum of temperature 1 by plain sweeps that keep the old values.
func softPolicy(p *irl.Problem, rewards []float64) []float64 {
	states, actions := p.Law.States(), p.Law.Actions()
	values, q := make([]float64, states), slices.Clone(rewards)
	for range 400 { // 0.8 to this power is 1e-39
		for pair := range q {
			q[pair] = rewards[pair]
			next, probability := p.Law.Transition(pair/actions, pair%actions)
			for i, s := range next {
				q[pair] += p.Discount * probability[i] * values[s]
			}
		}
		for s := range values {
			if values[s] = floats.LogSumExp(q[s*actions : (s+1)*actions]); slices.Contains(p.Ended, s) {
				values[s] = 0
			}
		}
	}
	for pair := range q {
		q[pair] = math.Exp(q[pair] - values[pair/actions])
	}
	return q
}

// grid is 3 x 3 cells with moves east, north, west and south, from the first cell to the last, where all ends.
func grid(t *testing.T) *irl.Problem {
	p := problem(t, 9, 4, func(state, action int) []mdp.Outcome {
		x, y := state%3, state/3
		switch {
		case state == 8:
		case action == 0:
			x = min(x+1, 2)
		case action == 1:
			y = min(y+1, 2)
		case action == 2:
			x = max(x-1, 0)
		default:
			y = max(y-1, 0)
		}
		return []mdp.Outcome{{State: 3*y + x, Probability: 1}}
	})
	p.Ended = []int{8}
	return p
}

// shortest returns the visits of the six shortest routes across the grid, one as often as another.
func shortest() []float64 {
	seen := make([]float64, 36)
	for bits := range 1 << 4 {
		if north := bits&1 + bits>>1&1 + bits>>2&1 + bits>>3&1; north != 2 {
			continue
		}
		state, weight := 0, 0.2/6 // (1 - discount) of six routes
		for move := range 4 {
			action := bits >> move & 1
			seen[state*4+action] += weight
			state, weight = state+1+2*action, 0.8*weight
		}
	}
	return seen
}

// What is rebuilt has the largest penalised likelihood of the routes that were seen: the sum of the logarithms of the
// probabilities of their actions, discounted. No direction raises it, by differences of the likelihood itself.
func TestRebuiltRewardsAreTheLikeliest(t *testing.T) {
	p := grid(t)
	seen := shortest()
	rewards, err := p.Rebuild(seen)
	if err != nil {
		t.Fatal(err)
	}
	likelihood := func(r []float64) float64 {
		sum := -irl.Regularisation / 2 * floats.Dot(r, r)
		for pair, probability := range softPolicy(p, r) {
			if seen[pair] > 0 {
				sum += seen[pair] * math.Log(probability)
			}
		}
		return sum
	}
	gradient := fd.Gradient(nil, likelihood, rewards, &fd.Settings{Formula: fd.Central})
	if largest := floats.Norm(gradient, math.Inf(1)); largest > 2e-5 { // of which the search leaves 1e-5
		t.Errorf("the gradient is %v", largest)
	}
	if best, zero := likelihood(rewards), likelihood(make([]float64, 36)); !(best > zero+0.1) {
		t.Errorf("likelihoods %v, of no rewards %v", best, zero)
	}
	for pair, r := range rewards { // mirrored in the diagonal, with the same seen
		x, y, action := pair/4%3, pair/12, pair%4
		if mirror := rewards[(3*x+y)*4+[4]int{1, 0, 3, 2}[action]]; math.Abs(r-mirror) > 1e-4 {
			t.Errorf("state %d, action %d: %v, mirrored %v", pair/4, action, r, mirror)
		}
	}
}

// The visits that what is rebuilt explains, by a linear system, are those seen less the regularised rewards. Features
// are matched likewise.
func TestRebuiltRewardsExplainWhatWasSeen(t *testing.T) {
	for name, features := range map[string][][]float64{"table": nil,
		"features": {random(7, 36), random(8, 36), random(9, 36)}} {
		p := grid(t)
		p.Features = features
		for _, f := range features {
			clear(f[32:]) // nothing is earned where all ends
		}
		seen := shortest()
		rewards, err := p.Rebuild(seen)
		if err != nil {
			t.Fatal(err)
		}
		policy := softPolicy(p, rewards)
		flow := mat.NewDense(9, 9, nil)
		for pair, probability := range policy {
			next, _ := p.Law.Transition(pair/4, pair%4)
			if pair/4 != 8 {
				flow.Set(int(next[0]), pair/4, flow.At(int(next[0]), pair/4)-0.8*probability)
			}
		}
		for s := range 9 {
			flow.Set(s, s, 1+flow.At(s, s))
		}
		var visits mat.VecDense
		if err := visits.SolveVec(flow, mat.NewVecDense(9, []float64{0.2, 0, 0, 0, 0, 0, 0, 0, 0})); err != nil {
			t.Fatal(err)
		}
		left := slices.Clone(seen)
		for pair := range 32 {
			left[pair] -= visits.AtVec(pair/4) * policy[pair]
		}
		unknown, by := rewards, left // and how the likelihood changes by it
		if features != nil {
			var weights, of mat.VecDense
			family := mat.NewDense(3, 36, slices.Concat(features...))
			if err := weights.SolveVec(family.T(), mat.NewVecDense(36, rewards)); err != nil {
				t.Fatal(err)
			}
			of.MulVec(family, mat.NewVecDense(36, left))
			unknown, by = weights.RawVector().Data, of.RawVector().Data
		}
		for i, u := range unknown {
			if math.Abs(by[i]-irl.Regularisation*u) > 2e-5 { // of which the search leaves 1e-5
				t.Errorf("%s: number %d is %v and has %v that is not explained", name, i, u, by[i])
			}
		}
	}
}

// The reward of a mission is in its family.
func TestMissionFeaturesHoldTheReward(t *testing.T) {
	spec := planner.Spec{Columns: 4, Rows: 3, SpacingKm: 10, RewardWeight: 2, Discount: 0.9, Tolerance: 1e-9,
		KeepOut: []planner.Area{{From: planner.Cell{Column: 2, Row: 1}, To: planner.Cell{Column: 2, Row: 1}}}}
	spec.Rewards = make([]float64, 12)
	spec.Rewards[5] = -3
	m, err := planner.NewMission(spec, r3.Vec{Z: 10}, r3.Vec{X: 30, Y: 20})
	if err != nil {
		t.Fatal(err)
	}
	features := irl.MissionFeatures(m.Grid)
	if len(features) != 2*11 {
		t.Fatalf("%d features of 11 cells", len(features))
	}
	got := make([]float64, len(m.Rewards.Joint))
	floats.AddScaled(got, 2*5, features[20]) // the goal is the last of the cells, and the diagonal is 5
	floats.AddScaled(got, -3, features[11])  // the fifth cell
	if !floats.EqualApprox(got, m.Rewards.Joint, 1e-12) {
		t.Errorf("got %v\nwant %v", got, m.Rewards.Joint)
	}
}

// Of a released reward with noise, Fit takes the least squares of its family: what is left over is at right angles to
// every feature. A reward of the family is its own fit, and without a family every reward is.
func TestFitIsTheNearestRewardOfTheFamily(t *testing.T) {
	const n = 3
	p := problem(t, n, n, branching(n))
	released := random(7, n*n)
	if got, err := p.Fit(released); err != nil || !slices.Equal(got, released) {
		t.Errorf("without a family %v, %v", got, err)
	}
	p.Features = [][]float64{random(8, n*n), random(9, n*n)}
	p.Ended = []int{2}
	fitted, err := p.Fit(released)
	if err != nil {
		t.Fatal(err)
	}
	left := floats.SubTo(make([]float64, n*n), released, fitted)
	const ridge = 2e-3 // Regularisation times the unknown numbers
	for i, f := range p.Features {
		if along := floats.Dot(left[:2*n], f[:2*n]); math.Abs(along) > ridge {
			t.Errorf("feature %d: %g of it is left", i, along)
		}
	}
	again, err := p.Fit(fitted)
	if err != nil || !floats.EqualApprox(again[:2*n], fitted[:2*n], ridge) {
		t.Errorf("fitted again %v, %v; want %v", again, err, fitted)
	}
}
