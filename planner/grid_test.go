package planner

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// The paper's grid: 20 x 20 waypoints in the plane of the start, which is column 0, row 7.
var (
	paperStart = r3.Vec{X: -200, Y: -50, Z: 10}
	paperCell  = Cell{Column: 0, Row: 7}
)

func mustGrid(tb testing.TB, columns, rows int, spacingKm float64, startCell Cell, start, target r3.Vec) *Grid {
	tb.Helper()
	g, err := NewGrid(columns, rows, spacingKm, startCell, start, target)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// smallGrids are grids of several shapes, with the goal inside, on a border, in a corner and at the start.
func smallGrids(tb testing.TB) []*Grid {
	at := func(column, row float64) r3.Vec { return r3.Vec{X: column, Y: row, Z: -3} }
	return []*Grid{
		mustGrid(tb, 20, 20, 12.5, paperCell, paperStart, r3.Vec{}),
		mustGrid(tb, 1, 1, 1, Cell{}, r3.Vec{}, at(0.4, -0.4)),
		mustGrid(tb, 1, 9, 1, Cell{Row: 8}, r3.Vec{}, at(0, -5)),
		mustGrid(tb, 7, 1, 1, Cell{}, r3.Vec{}, at(6.2, 0.1)),
		mustGrid(tb, 5, 4, 1, Cell{Column: 2, Row: 1}, r3.Vec{}, at(2, 2)),
		mustGrid(tb, 5, 4, 1, Cell{Column: 2, Row: 1}, r3.Vec{}, at(-2, -1)),
		mustGrid(tb, 6, 9, 1, Cell{Column: 5, Row: 0}, r3.Vec{}, at(-3, 4)),
		mustGrid(tb, 3, 3, 1, Cell{Column: 1, Row: 1}, r3.Vec{}, at(0, 0)),
	}
}

func TestPaperGrid(t *testing.T) {
	g := mustGrid(t, 20, 20, 12.5, paperCell, paperStart, r3.Vec{})
	if g.Start != 7*20 || g.Position(g.Start) != paperStart {
		t.Errorf("start is state %d at %v, want 140 at %v", g.Start, g.Position(g.Start), paperStart)
	}
	if want := (Cell{Column: 16, Row: 11}); g.Cell(g.Goal) != want || g.Goal != 236 {
		t.Errorf("goal is state %d, %v, want 236, %v", g.Goal, g.Cell(g.Goal), want)
	}
	if want := (r3.Vec{Z: 10}); g.Position(g.Goal) != want {
		t.Errorf("goal lies at %v, want above the target, %v", g.Position(g.Goal), want)
	}
	if want := (r3.Vec{X: 37.5, Y: 100, Z: 10}); g.States() != 400 || g.Position(399) != want {
		t.Errorf("the last of %d waypoints lies at %v, want %v", g.States(), g.Position(399), want)
	}
}

// The goal is the waypoint nearest to the target's projection, wherever the grid lies, and a target more
// than half a spacing outside is refused.
func TestGoalIsNearestWaypoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	refused := 0
	for range 2000 {
		columns, rows, spacing := 1+rng.IntN(12), 1+rng.IntN(12), math.Exp(3*rng.NormFloat64())
		cell := Cell{Column: rng.IntN(columns), Row: rng.IntN(rows)}
		start := r3.Vec{X: 100 * rng.NormFloat64(), Y: 100 * rng.NormFloat64(), Z: 10}
		column, row := float64(columns+2)*rng.Float64()-1.5, float64(rows+2)*rng.Float64()-1.5
		target := r3.Add(start, r3.Vec{X: spacing * (column - float64(cell.Column)), Y: spacing * (row - float64(cell.Row)),
			Z: -20})
		inside := column > -0.5 && column < float64(columns)-0.5 && row > -0.5 && row < float64(rows)-0.5

		g, err := NewGrid(columns, rows, spacing, cell, start, target)
		if (err == nil) != inside {
			t.Fatalf("%d x %d, target at column %g, row %g: error %v", columns, rows, column, row, err)
		}
		if err != nil {
			refused++
			continue
		}
		if g.Cell(g.Start) != cell || !(r3.Norm(r3.Sub(g.Position(g.Start), start)) <= 1e-12*r3.Norm(start)) {
			t.Fatalf("start cell %v at %v, want %v at %v", g.Cell(g.Start), g.Position(g.Start), cell, start)
		}
		planar := func(state int) float64 {
			p := g.Position(state)
			return math.Hypot(p.X-target.X, p.Y-target.Y)
		}
		for s := range g.States() {
			if planar(s) < planar(g.Goal)*(1-1e-9) { // ties and their rounding
				t.Fatalf("goal %v is %g from the target, %v only %g", g.Cell(g.Goal), planar(g.Goal), g.Cell(s), planar(s))
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d of the targets were outside; the test needs both kinds", refused)
	}
}

func TestNextStaysAtBorders(t *testing.T) {
	g := mustGrid(t, 4, 3, 1, Cell{}, r3.Vec{}, r3.Vec{X: 1, Y: 1})
	for _, c := range []struct {
		from   Cell
		action Action
		want   Cell
	}{
		{Cell{1, 1}, North, Cell{1, 2}}, {Cell{1, 1}, South, Cell{1, 0}},
		{Cell{1, 1}, East, Cell{2, 1}}, {Cell{1, 1}, West, Cell{0, 1}},
		{Cell{2, 2}, North, Cell{2, 2}}, {Cell{2, 0}, South, Cell{2, 0}},
		{Cell{3, 1}, East, Cell{3, 1}}, {Cell{0, 1}, West, Cell{0, 1}},
		{Cell{0, 0}, South, Cell{0, 0}}, {Cell{0, 0}, West, Cell{0, 0}},
		{Cell{3, 2}, North, Cell{3, 2}}, {Cell{3, 2}, East, Cell{3, 2}},
		{Cell{3, 2}, South, Cell{3, 1}}, {Cell{3, 2}, West, Cell{2, 2}}, // not into the row above
		{Cell{0, 1}, East, Cell{1, 1}},
	} {
		if got := g.Cell(g.Next(g.State(c.from), c.action)); got != c.want {
			t.Errorf("%v %v leads to %v, want %v", c.from, c.action, got, c.want)
		}
	}
}

// nearestToGoal is the definition of to-target: of a state and its eight neighbours, the nearest to the
// goal. It also says how many are that near.
func nearestToGoal(g *Grid, state int) (nearest, count int) {
	goal, at := g.Cell(g.Goal), g.Cell(state)
	best := math.MaxInt
	for row := max(at.Row-1, 0); row <= min(at.Row+1, g.Rows-1); row++ {
		for column := max(at.Column-1, 0); column <= min(at.Column+1, g.Columns-1); column++ {
			dx, dy := column-goal.Column, row-goal.Row
			switch d := dx*dx + dy*dy; {
			case d < best:
				best, nearest, count = d, g.State(Cell{column, row}), 1
			case d == best:
				count++
			}
		}
	}
	return nearest, count
}

func TestToTargetIsNearestNeighbour(t *testing.T) {
	for _, g := range smallGrids(t) {
		for s := range g.States() {
			want, count := nearestToGoal(g, s)
			if got := g.Next(s, ToTarget); got != want || count != 1 {
				t.Errorf("%d x %d, goal %v: to target from %v leads to %v, nearest of %d is %v",
					g.Columns, g.Rows, g.Cell(g.Goal), g.Cell(s), g.Cell(got), count, g.Cell(want))
			}
		}
	}
}

func TestGridErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name          string
		columns, rows int
		spacing       float64
		cell          Cell
		start, target r3.Vec
		says          string
	}{
		{"no columns", 0, 3, 1, Cell{}, r3.Vec{}, r3.Vec{}, "0 x 3"},
		{"negative rows", 3, -1, 1, Cell{}, r3.Vec{}, r3.Vec{}, "3 x -1"},
		{"too many", 1 << 20, 1 << 20, 1, Cell{}, r3.Vec{}, r3.Vec{}, "31 bits"},
		{"zero spacing", 3, 3, 0, Cell{}, r3.Vec{}, r3.Vec{}, "spacing"},
		{"NaN spacing", 3, 3, nan, Cell{}, r3.Vec{}, r3.Vec{}, "spacing"},
		{"start column", 3, 3, 1, Cell{Column: 3}, r3.Vec{}, r3.Vec{}, "start cell (3, 0)"},
		{"start row", 3, 3, 1, Cell{Row: -1}, r3.Vec{}, r3.Vec{}, "start cell (0, -1)"},
		{"target east", 3, 3, 1, Cell{}, r3.Vec{}, r3.Vec{X: 3}, "cell would be (3, 0)"},
		{"target south", 3, 3, 1, Cell{}, r3.Vec{}, r3.Vec{Y: -1}, "cell would be (0, -1)"},
		{"infinite target", 3, 3, 1, Cell{}, r3.Vec{}, r3.Vec{Y: -inf}, "finite"},
		{"NaN start", 3, 3, 1, Cell{}, r3.Vec{Z: nan}, r3.Vec{}, "finite"},
	} {
		_, err := NewGrid(c.columns, c.rows, c.spacing, c.cell, c.start, c.target)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "planner: ") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want one line that says %q", c.name, err, c.says)
		}
	}
}
