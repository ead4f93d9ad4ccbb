package deception

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
)

// pathProblemOn is one over a grid from a corner to the opposite one, with slip.
func pathProblemOn(tb testing.TB, columns, rows int, moves planner.Moves, slip float64) *pathProblem {
	tb.Helper()
	m, err := planner.NewMission(planner.Spec{Columns: columns, Rows: rows, SpacingKm: 1, Moves: moves, RewardWeight: 1.5,
		Discount: 0.9, Slip: slip, Tolerance: 1e-9}, r3.Vec{}, r3.Vec{X: float64(columns - 1), Y: float64(rows - 1)})
	if err != nil {
		tb.Fatal(err)
	}
	j, err := newPathProblem(m.Grid, m.Law)
	if err != nil {
		tb.Fatal(err)
	}
	return j
}

// randomPrices are between 0 and 2 times the cost of a move.
func randomPrices(rng *rand.Rand, j *pathProblem) []float64 {
	price := make([]float64, len(j.cost))
	for state := range j.law.States() {
		of := 2 * rng.Float64()
		for action := range j.law.Actions() {
			if pair := state*j.law.Actions() + action; !math.IsInf(j.cost[pair], 1) {
				price[pair] = of * j.cost[pair]
			}
		}
	}
	return price
}

// simplex solves the linear program of bounded as it is written, by the simplex method, and returns the least
// price.
func simplex(tb testing.TB, j *pathProblem, price []float64, detour float64) float64 {
	tb.Helper()
	short := j.best(func(pair int) float64 { return j.cost[pair] })
	var pairs, states []int
	row := make([]int, j.law.States())
	for state := range row {
		if row[state] = -1; !slices.Contains(j.ends, state) {
			row[state] = len(states)
			states = append(states, state)
		}
	}
	for pair, cost := range j.cost {
		if !math.IsInf(cost, 1) && row[pair/j.law.Actions()] >= 0 {
			pairs = append(pairs, pair)
		}
	}
	a := mat.NewDense(len(states)+1, len(pairs)+1, nil)
	b := make([]float64, len(states)+1)
	c := make([]float64, len(pairs)+1)
	for k, pair := range pairs {
		state, action := pair/j.law.Actions(), pair%j.law.Actions()
		a.Set(row[state], k, 1)
		next, probability := j.law.Transition(state, action)
		for i, to := range next {
			if at := row[to]; at >= 0 {
				a.Set(at, k, a.At(at, k)-probability[i])
			}
		}
		a.Set(len(states), k, j.cost[pair])
		c[k] = price[pair]
	}
	a.Set(len(states), len(pairs), 1) // what is left of the bound
	b[row[j.start]], b[len(states)] = 1, (1+detour)*short.total(j.cost)
	least, _, err := lp.Simplex(c, a, b, 1e-10, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return least
}

// expected returns what a stochastic policy is expected to pay from the start, by the linear equations of its
// values.
func expected(t *testing.T, j *pathProblem, policy, price []float64) float64 {
	t.Helper()
	n := j.law.States()
	a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for state := range n {
		a.Set(state, state, 1)
		if slices.Contains(j.ends, state) {
			continue
		}
		for action := range j.law.Actions() {
			pair := state*j.law.Actions() + action
			if policy[pair] == 0 {
				continue
			}
			b.SetVec(state, b.AtVec(state)+policy[pair]*price[pair])
			next, probability := j.law.Transition(state, action)
			for i, to := range next {
				a.Set(state, int(to), a.At(state, int(to))-policy[pair]*probability[i])
			}
		}
	}
	var v mat.VecDense
	if err := v.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	return v.AtVec(j.start)
}

// The policy pays what the simplex method finds to be the least, costs no more than the bound, and does so as
// followed: on random grids and prices, with and without slip, with the bound as tight as can be, between, and so
// wide that it does not matter.
func TestBoundedIsTheLinearProgram(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 0))
	mixed := 0
	for _, size := range [][2]int{{2, 2}, {3, 3}, {4, 3}, {5, 4}} {
		for _, moves := range []planner.Moves{planner.PaperMoves, planner.EightMoves} {
			for _, slip := range []float64{0, 0.2} {
				j := pathProblemOn(t, size[0], size[1], moves, slip)
				for _, detour := range []float64{0, 0.1, 0.3, 1, 10} {
					name := fmt.Sprintf("%v, moves %s, slip %g, detour %g", size, moves, slip, detour)
					price := randomPrices(rng, j)
					policy, paid, cost := j.bounded(price, detour)
					short := j.best(func(pair int) float64 { return j.cost[pair] })
					bound := (1 + detour) * short.total(j.cost)
					if want := simplex(t, j, price, detour); !(math.Abs(paid-want) <= 1e-6*(1+want)) {
						t.Errorf("%s: pays %.12g, the simplex method finds %.12g", name, paid, want)
					}
					if cost > bound*(1+1e-9) {
						t.Errorf("%s: costs %g, more than %g", name, cost, bound)
					}
					if got := expected(t, j, policy, price); !(math.Abs(got-paid) <= 1e-8*(1+paid)) {
						t.Errorf("%s: as followed it pays %.12g, want %.12g", name, got, paid)
					}
					if got := expected(t, j, policy, j.cost); !(math.Abs(got-cost) <= 1e-8*(1+cost)) {
						t.Errorf("%s: as followed it costs %.12g, want %.12g", name, got, cost)
					}
					for _, p := range policy {
						mixed += map[bool]int{true: 1}[p > 1e-6 && p < 1-1e-6]
					}
				}
			}
		}
	}
	if mixed < 10 {
		t.Errorf("%d probabilities between 0 and 1, want more", mixed)
	}
}

// The posterior on a line is worked out by hand: each move has one way on, and soft values of a line of two moves
// are known.
func TestPredictionByHand(t *testing.T) {
	// start in the middle of three cells, the goal on the right, the bogus one on the left
	m, err := planner.NewMission(planner.Spec{Columns: 3, Rows: 1, SpacingKm: 1, StartCell: planner.Cell{Column: 1},
		Moves: planner.EightMoves, RewardWeight: 2, Discount: 0.9, Tolerance: 1e-12}, r3.Vec{}, r3.Vec{X: 1})
	if err != nil {
		t.Fatal(err)
	}
	const temperature, discount = 0.5, 0.9
	p, err := newPrediction(m.Grid, []int{0}, temperature, discount, 1e-13)
	if err != nil {
		t.Fatal(err)
	}
	// From the middle to an end: x = T log(exp(-2/T) + exp((-2 + d y)/T)), from the other end y = -2 + d x: by
	// bisection.
	x := -2.0
	for range 10000 {
		y := -2 + discount*x
		x = temperature * math.Log(math.Exp(-2/temperature)+math.Exp((-2+discount*y)/temperature))
	}
	far := math.Exp((-2 + discount*x - x) / temperature) // over the goal that the vehicle has come to
	near := math.Exp((0 - x) / temperature)
	for state, want := range [][2]float64{{far / (far + near), near / (far + near)}, {0.5, 0.5},
		{near / (far + near), far / (far + near)}} {
		for i := range want {
			if got := p.posteriors[state][i]; !(math.Abs(got-want[i]) <= 1e-10) {
				t.Errorf("state %d: probability %v of goal %d, want %v", state, got, i, want[i])
			}
		}
	}
	// At the start all goals are as likely, however far they are.
	aside := *m.Grid
	aside.Start = 2 // where the true goal is
	if p, err = newPrediction(&aside, []int{0}, temperature, discount, 1e-13); err != nil {
		t.Fatal(err)
	}
	if got := p.posteriors[2]; !(math.Abs(got[0]-0.5) <= 1e-12) {
		t.Errorf("at the start the goals have the probabilities %v, want equal ones", got)
	}
}

// On an open grid with the true goal and a bogus one in two corners, ambiguity flies between them as far as it
// may and exaggeration towards the bogus one; each pays less of its own price than the other does, and than the
// shortest way, which costs less.
func TestExaggerationAndAmbiguity(t *testing.T) {
	m, err := planner.NewMission(planner.Spec{Columns: 9, Rows: 7, SpacingKm: 1, StartCell: planner.Cell{Row: 3},
		Moves: planner.EightMoves, RewardWeight: 2, Discount: 0.95, Tolerance: 1e-10}, r3.Vec{}, r3.Vec{X: 8, Y: 3})
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{ObserverTemperature: 0.5, Detour: 0.3}
	j, leads, err := prices(s, m.Solved, lead)
	if err != nil {
		t.Fatal(err)
	}
	_, differing, err := prices(s, m.Solved, differences)
	if err != nil {
		t.Fatal(err)
	}
	exaggerating, _, _ := j.bounded(leads, s.Detour)
	ambiguous, _, _ := j.bounded(differing, s.Detour)
	shortest, _, _ := j.bounded(j.cost, 0)
	for name, c := range map[string]struct{ own, other, price []float64 }{
		"exaggeration": {exaggerating, ambiguous, leads}, "ambiguity": {ambiguous, exaggerating, differing},
	} {
		own := expected(t, j, c.own, c.price)
		if other := expected(t, j, c.other, c.price); own >= other-1e-9 {
			t.Errorf("%s pays %g, the other way %g", name, own, other)
		}
		if short := expected(t, j, shortest, c.price); own >= short-1e-9 {
			t.Errorf("%s pays %g, the shortest way %g", name, own, short)
		}
		if cost, most := expected(t, j, c.own, j.cost), 1.3*expected(t, j, shortest, j.cost); cost > most*(1+1e-9) {
			t.Errorf("%s costs %g, more than %g", name, cost, most)
		}
	}
	rows := func(policy []float64) (least int) {
		least = m.Grid.Rows
		for pair, p := range policy {
			if state := pair / j.law.Actions(); p > 0 && visited(j, policy)[state] > 1e-9 {
				least = min(least, m.Grid.Cell(state).Row)
			}
		}
		return least
	}
	if between, towards := rows(ambiguous), rows(exaggerating); between != 3 || towards >= 3 {
		t.Errorf("ambiguity comes to row %d, want 3; exaggeration to row %d, want below", between, towards)
	}
}

// visited returns how often a stochastic policy is expected to come to every state, by following it.
func visited(j *pathProblem, policy []float64) []float64 {
	visits, here := make([]float64, j.law.States()), make([]float64, j.law.States())
	here[j.start] = 1
	for range 10000 {
		next := make([]float64, len(here))
		for state, p := range here {
			if visits[state] += p; p == 0 || slices.Contains(j.ends, state) {
				continue
			}
			for action := range j.law.Actions() {
				to, q := j.law.Transition(state, action)
				for i, s := range to {
					next[s] += p * policy[state*j.law.Actions()+action] * q[i]
				}
			}
		}
		here = next
	}
	return visits
}

// BenchmarkBounded is one plan of an observer-aware way.
func BenchmarkBounded(b *testing.B) {
	for _, side := range []int{6, 8, 10, 20} {
		b.Run(fmt.Sprintf("side=%d", side), func(b *testing.B) {
			j := pathProblemOn(b, side, side, planner.EightMoves, 0)
			price := randomPrices(rand.New(rand.NewPCG(52, 0)), j)
			for b.Loop() {
				j.bounded(price, 0.25)
			}
		})
	}
}
