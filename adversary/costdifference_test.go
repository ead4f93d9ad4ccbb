package adversary_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
)

// shares returns weights over their sum.
func shares(weights ...float64) []float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// On the small grid a straight move costs 2 and a diagonal 2 sqrt(2), so a difference of 2 makes a goal half as likely
// at beta = ln(2)/2.
func TestCostDifferenceInClosedForm(t *testing.T) {
	const rounding = 1e-12 // absolute, of shares
	k := smallKnowledge(t, nil)
	near, far := math.Exp2(math.Sqrt2-1), math.Exp2(1-math.Sqrt2)
	east := []float64{0.5, 2, 2, far, near, 2, far, near, near}
	centre, corner := math.Exp2(math.Sqrt2), math.Exp2(2-math.Sqrt2)
	northEast := []float64{1 / centre, 1, corner, 1, centre, centre, corner, centre, centre}
	for _, c := range []struct {
		what  string
		route []int
		want  []float64
	}{
		{"no move", []int{0}, slices.Repeat([]float64{1}, smallStates)},
		{"staying in the corner", []int{0, 0}, slices.Repeat([]float64{1}, smallStates)},
		{"east from the corner", []int{0, 1}, east},
		{"north-east from the corner", []int{0, 4}, northEast},
	} {
		mustBeClose(t, c.what, watched(t, "cost_difference", k, c.route...), shares(slices.Clone(c.want)...), rounding)
	}

	k.Rationalities = []float64{math.Ln2 / 2, math.Ln2}
	var squares []float64
	for _, w := range east {
		squares = append(squares, w*w)
	}
	want, doubled := shares(slices.Clone(east)...), shares(squares...)
	for goal := range want {
		want[goal] = (want[goal] + doubled[goal]) / 2
	}
	mustBeClose(t, "the mean over two betas", watched(t, "cost_difference", k, 0, 1), want, rounding)
}

// Only the first state and the present one matter: every route between them leaves the same posterior, whatever it
// costs, though another end or another start leaves another.
func TestCostDifferenceIsThatOfOneObservation(t *testing.T) {
	k := smallKnowledge(t, nil)
	k.Rationalities = []float64{0.1, 1}
	want := watched(t, "cost_difference", k, 0, 4)
	for _, route := range [][]int{{0, 1, 4}, {0, 3, 4}, {0, 1, 2, 5, 8, 7, 4}, {0, 0, 1, 0, 4, 5, 4}} {
		if got := watched(t, "cost_difference", k, route...); !slices.Equal(got, want) {
			t.Errorf("%v leaves %v, straight there %v", route, got, want)
		}
	}
	for _, route := range [][]int{{0, 1, 4, 5}, {1, 4}} {
		if got := watched(t, "cost_difference", k, route...); slices.Equal(got, want) {
			t.Errorf("%v leaves the posterior of another start or end", route)
		}
	}
}

// wall is a map of 4 x 3 cells with a wall of two, in which cells cost something, for every goal outside the wall.
func wall(tb testing.TB) []*planner.Grid {
	tb.Helper()
	spec := planner.Spec{Columns: 4, Rows: 3, SpacingKm: 1, Moves: planner.EightMoves,
		KeepOut: []planner.Area{{From: planner.Cell{Column: 1, Row: 1}, To: planner.Cell{Column: 1, Row: 2}}},
		Rewards: []float64{0, -1, 0, 0, -0.5, 0, -3, 0, 0, 0, -0.25, -1}}
	var grids []*planner.Grid
	for state := range spec.Columns * spec.Rows {
		g, err := spec.Grid(r3.Vec{}, r3.Vec{X: float64(state % spec.Columns), Y: float64(state / spec.Columns)})
		if err == nil { // the goal is outside the wall
			grids = append(grids, g)
		}
	}
	return grids
}

// followed is a path that enters no state twice, and what it costs.
type followed struct {
	states []int
	cost   float64
}

// allPaths returns every path from a state to a grid's goal that enters no state twice.
func allPaths(g *planner.Grid, rewards []float64, weight float64, states []int, cost float64) []followed {
	state := states[len(states)-1]
	if state == g.Goal {
		return []followed{{slices.Clone(states), cost}}
	}
	var all []followed
	for a := range planner.Action(g.Moves.Count()) {
		next := g.Next(state, a)
		if slices.Contains(states, next) {
			continue
		}
		moved := weight*r3.Norm(r3.Sub(g.Position(next), g.Position(state))) - rewards[next]
		all = append(all, allPaths(g, rewards, weight, append(states, next), cost+moved)...)
	}
	return all
}

// The posterior is that of the definition, with every path there is followed to find the cheapest: of those that begin
// with the moves seen, and of those from the start.
func TestCostDifferenceFollowsEveryPath(t *testing.T) {
	const weight, beta = 1.5, 0.7
	rewards := []float64{0, -1, 0, 0, -0.5, 0, -3, 0, 0, 0, -0.25, -1}
	grids := wall(t)
	k := &adversary.Knowledge{Actions: 8, Rationalities: []float64{beta},
		PathCost: func(goal, state int) float64 { return grids[goal].PathCosts(weight)[state] }}
	for _, g := range grids {
		k.Candidates = append(k.Candidates, adversary.Candidate{TargetKm: g.Position(g.Goal),
			Prior: 1 / float64(len(grids))})
	}
	cheapest := func(paths []followed, prefix []int) float64 {
		least := math.Inf(1)
		for _, p := range paths {
			if len(p.states) >= len(prefix) && slices.Equal(p.states[:len(prefix)], prefix) {
				least = min(least, p.cost)
			}
		}
		return least
	}
	for _, route := range [][]int{{0, 4}, {0, 1, 2}, {0, 1, 6, 7}} {
		var want []float64
		for _, g := range grids {
			paths := allPaths(g, rewards, weight, []int{0}, 0)
			with := cheapest(paths, route)
			if math.IsInf(with, 1) { // the goal is on the way: it is left and entered again
				moves := 0.0
				for i := 1; i < len(route); i++ {
					moves += weight*r3.Norm(r3.Sub(g.Position(route[i]), g.Position(route[i-1]))) - rewards[route[i]]
				}
				with = moves + cheapest(allPaths(g, rewards, weight, route[len(route)-1:], 0), nil)
			}
			want = append(want, math.Exp(-beta*(with-cheapest(paths, nil))))
		}
		mustBeClose(t, fmt.Sprint(route), watchedAlong(t, "cost_difference", k, grids[0], route), shares(want...), 1e-12)
	}
}
