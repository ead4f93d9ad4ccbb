package deception

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/mdp"
)

// logVisits returns 1 + log(x + 1e-8) - log(1e-8) for the discounted visits x of the policy soft of a mission, by the
// linear equations of the visits of states y: y = start + discount P' y.
func logVisits(t *testing.T, j *pathProblem, m *planner.Mission, temperature float64) []float64 {
	t.Helper()
	soft, err := mdp.Soft(m.Law, m.Rewards.Joint, m.Discount, temperature, 1e-12, m.Rewards.Over())
	if err != nil {
		t.Fatal(err)
	}
	n, actions := j.law.States(), j.law.Actions()
	a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	b.SetVec(j.start, 1)
	for state := range n {
		a.Set(state, state, a.At(state, state)+1)
		if slices.Contains(j.ends, state) {
			continue
		}
		for action := range actions {
			next, probability := j.law.Transition(state, action)
			for i, to := range next {
				flow := m.Discount * soft.Policy[state*actions+action] * probability[i]
				a.Set(int(to), state, a.At(int(to), state)-flow)
			}
		}
	}
	var y mat.VecDense
	if err := y.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	logs := make([]float64, len(j.cost))
	for pair := range logs {
		if state := pair / actions; !slices.Contains(j.ends, state) {
			logs[pair] = 1 + math.Log(y.AtVec(state)*soft.Policy[pair]+1e-8) - math.Log(1e-8)
		}
	}
	return logs
}

// cheapestMix returns the least expected price of one path without circles, or of two paths between which chance
// decides, at an expected cost of at most the bound. It tries all of them, on a grid without slip.
func cheapestMix(j *pathProblem, price []float64, bound float64) float64 {
	least := map[float64]float64{} // price of the cheapest path, by its cost, rounded
	visited := make([]bool, j.law.States())
	var walk func(state int, cost, paid float64)
	walk = func(state int, cost, paid float64) {
		if slices.Contains(j.ends, state) {
			cost = math.Round(cost*1e9) / 1e9
			if known, ok := least[cost]; !ok || paid < known {
				least[cost] = paid
			}
			return
		}
		visited[state] = true
		for action := range j.law.Actions() {
			pair := state*j.law.Actions() + action
			next, _ := j.law.Transition(state, action)
			if to := int(next[0]); !visited[to] {
				walk(to, cost+j.cost[pair], paid+price[pair])
			}
		}
		visited[state] = false
	}
	walk(j.start, 0, 0)
	best := math.Inf(1)
	for low, one := range least {
		for high, other := range least {
			if share := (bound - low) / (high - low); low <= bound && high > bound {
				best = min(best, one, (1-share)*one+share*other)
			}
		}
	}
	return best
}

// The plan pays what the simplex method and, without slip, the trial of all paths find to be the least, for visits that
// were counted by linear equations; and where a longer way would pay less, it costs just what it may.
func TestMisinformationIsTheLinearProgram(t *testing.T) {
	const temperature = 0.2
	bound, drawn := 0, 0
	for _, c := range []struct {
		columns, rows int
		moves         planner.Moves
	}{{3, 3, planner.EightMoves}, {4, 3, planner.PaperMoves}, {5, 2, planner.EightMoves}} {
		for _, slip := range []float64{0, 0.2} {
			m, err := planner.NewMission(planner.Spec{Columns: c.columns, Rows: c.rows, SpacingKm: 1, Moves: c.moves,
				RewardWeight: 1.5, Discount: 0.9, Slip: slip, Tolerance: 1e-12}, r3.Vec{}, r3.Vec{X: float64(c.columns - 1)})
			if err != nil {
				t.Fatal(err)
			}
			j, err := newPathProblem(m.Grid, m.Law)
			if err != nil {
				t.Fatal(err)
			}
			price := logVisits(t, j, m, temperature)
			short := j.best(func(pair int) float64 { return j.cost[pair] })
			// At a bound that is the cost of a path the simplex method of gonum may not end.
			for _, detour := range []float64{0.03, 0.13, 0.27, 0.41} {
				name := fmt.Sprintf("%d x %d, moves %s, slip %g, detour %g", c.columns, c.rows, c.moves, slip, detour)
				plan, err := misinformation.plan(Settings{Temperature: temperature, Detour: detour}, m.Solved)
				if err != nil {
					t.Fatal(err)
				}
				paid, cost := expected(t, j, plan.Stochastic, price), expected(t, j, plan.Stochastic, j.cost)
				most := (1 + detour) * short.total(j.cost)
				if want := simplex(t, j, price, detour); !(math.Abs(paid-want) <= 1e-5*(1+want)) {
					t.Errorf("%s: pays %.12g, the simplex method finds %.12g", name, paid, want)
				}
				if slip == 0 {
					if want := cheapestMix(j, price, most); !(math.Abs(paid-want) <= 1e-5*(1+want)) {
						t.Errorf("%s: pays %.12g, the best paths %.12g", name, paid, want)
					}
				}
				if simplex(t, j, price, detour+0.01) < paid-1e-3 {
					bound++
					if !(math.Abs(cost-most) <= 1e-8*most) {
						t.Errorf("%s: costs %.12g, want %.12g", name, cost, most)
					}
				} else if cost > most*(1+1e-9) {
					t.Errorf("%s: costs %.12g, more than %.12g", name, cost, most)
				}
				if slices.ContainsFunc(plan.Stochastic, func(p float64) bool { return p > 1e-6 && p < 1-1e-6 }) {
					drawn++
				}
			}
		}
	}
	if bound < 20 || drawn < 20 {
		t.Errorf("%d plans are bound by their cost and %d draw moves, want more of both", bound, drawn)
	}
}

// A problem without a grid has no paths.
func TestMisinformationNeedsPaths(t *testing.T) {
	bare := &planner.Solved{Problem: new(planner.Problem)}
	if _, err := misinformation.plan(Settings{Temperature: 1}, bare); !errors.Is(err, errNoGrid) {
		t.Errorf("without a grid: %v", err)
	}
}
