package planner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// costByEnumeration returns the least cost of all paths from a state to a goal that enter no state twice: by following
// each of them.
func costByEnumeration(g *Grid, cost func(state int, a Action) float64, state int, entered []bool) float64 {
	if state == g.Goal {
		return 0
	}
	least := math.Inf(1)
	entered[state] = true
	for a := range Action(g.Moves.Count()) {
		if next := g.Next(state, a); !entered[next] {
			least = min(least, cost(state, a)+costByEnumeration(g, cost, next, entered))
		}
	}
	entered[state] = false
	return least
}

// Path costs are the least over all paths, on small maps with both sets of moves, cells that are kept out of, and cells
// or moves that earn something.
func TestPathCostsAreTheLeastOfAllPaths(t *testing.T) {
	const columns, rows, weight = 4, 3, 1.5
	random := rand.New(rand.NewPCG(7, 8))
	for _, moves := range []Moves{PaperMoves, EightMoves} {
		for _, earning := range []string{"nothing", "cells", "moves"} {
			spec := Spec{Columns: columns, Rows: rows, SpacingKm: 1, Moves: moves,
				KeepOut: []Area{{Cell{1, 1}, Cell{1, 2}}}}
			switch earning {
			case "cells":
				spec.Rewards = make([]float64, columns*rows)
			case "moves":
				spec.Rewards = make([]float64, columns*rows*moves.Count())
			}
			most := 0.0
			for i := range spec.Rewards {
				spec.Rewards[i] = 4 * (random.Float64() - 0.5)
				if i == 0 || spec.Rewards[i] > most {
					most = spec.Rewards[i]
				}
			}
			g, err := spec.Grid(r3.Vec{}, r3.Vec{X: 2, Y: 2})
			if err != nil {
				t.Fatal(err)
			}
			cost := func(state int, a Action) float64 {
				from, to := g.Position(state), g.Position(g.Next(state, a))
				c := weight*r3.Norm(r3.Sub(to, from)) + most
				switch earning {
				case "cells":
					c -= spec.Rewards[g.Next(state, a)]
				case "moves":
					c -= spec.Rewards[state*moves.Count()+int(a)]
				}
				return c
			}
			for state, got := range g.PathCosts(weight) {
				want := costByEnumeration(g, cost, state, make([]bool, g.States()))
				if !(math.Abs(got-want) < 1e-12) && got != want {
					t.Errorf("%s moves, %s earned: the path from %v costs %v, the cheapest of all %v", moves, earning, g.Cell(state),
						got, want)
				}
			}
		}
	}
}

// Without anything in the way the cheapest path goes diagonally as far as it can and then straight, with the paper's
// moves too: their one diagonal leads towards the goal.
func TestPathCostsInClosedForm(t *testing.T) {
	for i, g := range smallGrids(t) {
		goal := g.Cell(g.Goal)
		for state, got := range g.PathCosts(2) {
			x, y := math.Abs(float64(g.Cell(state).Column-goal.Column)), math.Abs(float64(g.Cell(state).Row-goal.Row))
			if want := 2 * (max(x, y) - min(x, y) + math.Sqrt2*min(x, y)); !(math.Abs(got-want) <= 1e-12*(1+want)) {
				t.Fatalf("grid %d: the path from %v costs %v, want %v", i, g.Cell(state), got, want)
			}
		}
	}
}

// A path through a cell that costs much is left for one around it as soon as that is cheaper.
func ExampleGrid_PathCosts() {
	for _, reward := range []float64{0, -0.5, -5} {
		spec := Spec{Columns: 3, Rows: 2, SpacingKm: 1, Rewards: []float64{0, reward, 0, 0, 0, 0}}
		g, err := spec.Grid(r3.Vec{}, r3.Vec{X: 2})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.3g\n", g.PathCosts(1)[g.Start])
	}
	// Output:
	// 2
	// 2.5
	// 3.41
}
