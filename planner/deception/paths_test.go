package deception_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// octile is the length of the cheapest path between two cells of an open grid with eight moves, in spacings.
func octile(g *planner.Grid, a, b int) float64 {
	p, q := g.Cell(a), g.Cell(b)
	x, y := math.Abs(float64(p.Column-q.Column)), math.Abs(float64(p.Row-q.Row))
	return max(x, y) + (math.Sqrt2-1)*min(x, y)
}

// open is an open grid with eight moves, a reward of 1 a spacing, and the start and goal in some cells.
func open(t *testing.T, columns, rows int, start, goal planner.Cell, keepOut ...planner.Area) (*planner.Mission,
	*planner.Planner) {
	t.Helper()
	m, err := planner.NewMission(planner.Spec{Columns: columns, Rows: rows, SpacingKm: 1, StartCell: start,
		Moves: planner.EightMoves, RewardWeight: 1, Discount: 0.9, Tolerance: 1e-9, KeepOut: keepOut}, r3.Vec{},
		r3.Vec{X: float64(goal.Column - start.Column), Y: float64(goal.Row - start.Row)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewPlanner(m.Solved, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, p
}

// length is that of a path, in spacings.
func length(g *planner.Grid, path []int32) (sum float64) {
	for i, next := range path[1:] {
		a, b := g.Cell(int(path[i])), g.Cell(int(next))
		sum += math.Hypot(float64(a.Column-b.Column), float64(a.Row-b.Row))
	}
	return sum
}

// deceives is the definition on an open grid: some bogus goal's cost difference is at most the true one's.
func deceives(g *planner.Grid, bogus []int, state int) bool {
	truth := octile(g, state, g.Goal) - octile(g, g.Start, g.Goal)
	for _, b := range bogus {
		if octile(g, state, b)-octile(g, g.Start, b) <= truth+1e-9 {
			return true
		}
	}
	return false
}

// On random open grids Recognition is its definition, the radius of maximum probability holds: within it the true
// goal is the likeliest everywhere, and on a cheapest path from the feigned goal it is so nowhere farther out.
// All four paths go from the start to the goal by moves of the grid, and are as long as their definitions say.
func TestPathsOnOpenGrids(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 0))
	for range 60 {
		columns, rows := 5+rng.IntN(12), 5+rng.IntN(12)
		some := func() planner.Cell { return planner.Cell{Column: rng.IntN(columns), Row: rng.IntN(rows)} }
		start, goal := some(), some()
		if start == goal {
			continue
		}
		m, p := open(t, columns, rows, start, goal)
		g := m.Grid
		cells := []planner.Cell{some(), some()}
		bogus, err := deception.Bogus{Cells: cells}.States(g)
		if err != nil || slices.Contains(bogus, g.Start) {
			continue
		}
		r := deception.NewRecognition(g, bogus)
		for state := range g.States() {
			if got, want := r.Deceives(state), deceives(g, bogus, state); got != want {
				t.Fatalf("%v, bogus %v: state %d deceives: %v, want %v", g.Cell(g.Goal), cells, state, got, want)
			}
		}
		radius, least := r.RadiusOfMaximumProbability(bogus)
		want := math.Inf(1)
		for _, b := range bogus {
			want = min(want, (octile(g, b, g.Goal)+octile(g, g.Start, g.Goal)-octile(g, g.Start, b))/2)
		}
		if !(math.Abs(radius-want) <= 1e-12) {
			t.Errorf("radius %v, want %v", radius, want)
		}
		for state := range g.States() {
			if octile(g, state, g.Goal) < radius-1e-9 && r.Deceives(state) {
				t.Errorf("state %d deceives within the radius of maximum probability, %v", state, radius)
			}
		}
		feigned := bogus[least]
		last := lastOf(t, g, bogus, feigned, radius)

		left := octile(g, last, g.Goal)
		simulated, shortest := octile(g, g.Start, feigned)+octile(g, feigned, g.Goal), 0.0
		for _, name := range []string{"pi_d1", "pi_d2", "pi_d3", "pi_d4"} {
			path := planBy(t, p, name, deception.Settings{Bogus: deception.Bogus{Cells: cells}}).Path
			got := length(g, path)
			if int(path[0]) != g.Start || int(path[len(path)-1]) != g.Goal {
				t.Errorf("%s goes from %d to %d", name, path[0], path[len(path)-1])
			}
			if name == "pi_d1" {
				if !(math.Abs(got-simulated) <= 1e-9) {
					t.Errorf("pi_d1 is %v long, want %v", got, simulated)
				}
				continue
			}
			at := slices.IndexFunc(path, func(state int32) bool {
				return math.Abs(octile(g, int(state), g.Goal)-left) < 1e-9 && r.Deceives(int(state)) &&
					octile(g, feigned, int(state))+left < octile(g, feigned, g.Goal)+1e-9
			})
			if at < 0 || !(math.Abs(length(g, path[at:])-left) <= 1e-9) {
				t.Errorf("%s does not go straight on from a last deceptive point such as %d: %v", name, last, path)
				continue
			}
			if want := octile(g, g.Start, int(path[at])) + left; name == "pi_d2" && !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("pi_d2 is %v long, want %v", got, want)
			} else if name == "pi_d2" {
				shortest = got
			}
			if got < shortest-1e-9 {
				t.Errorf("%s is shorter than pi_d2", name)
			}
			if name == "pi_d4" {
				for _, state := range path[:at+1] {
					if !r.Deceives(int(state)) {
						t.Errorf("pi_d4 goes by state %d, which does not deceive: %v", state, path)
					}
				}
				if got > simulated+1e-9 {
					t.Errorf("pi_d4 is %v long, pi_d1 %v: that deceives too", got, simulated)
				}
			}
		}
	}
}

// lastOf returns the last deceptive point: of the states on shortest paths from the feigned goal, the nearest to
// the true goal that deceives. All of them up to the radius do, and none within.
func lastOf(t *testing.T, g *planner.Grid, bogus []int, feigned int, radius float64) int {
	t.Helper()
	last := feigned
	for state := range g.States() {
		left := octile(g, state, g.Goal)
		if octile(g, feigned, state)+left > octile(g, feigned, g.Goal)+1e-9 {
			continue
		}
		if d := deceives(g, bogus, state); d != (left >= radius-1e-9) {
			t.Errorf("state %d, %v from the goal on a path from %d, deceives: %v; the radius is %v", state, left, feigned, d,
				radius)
		} else if d && left < octile(g, last, g.Goal)-1e-9 {
			last = state
		}
	}
	return last
}

// A wall between start and goal is gone round, and cells that are kept out of are neither flown to nor feigned.
func TestPathsGoRoundWalls(t *testing.T) {
	wall := planner.Area{From: planner.Cell{Column: 4, Row: 1}, To: planner.Cell{Column: 4, Row: 8}}
	m, p := open(t, 9, 9, planner.Cell{Row: 4}, planner.Cell{Column: 8, Row: 6}, wall)
	for _, name := range []string{"pi_d1", "pi_d2", "pi_d3", "pi_d4"} {
		for _, state := range planBy(t, p, name, deception.Settings{}).Path {
			if m.Grid.KeptOut(int(state)) {
				t.Errorf("%s goes by state %d, which is kept out of", name, state)
			}
		}
	}
	if bogus := mirrored(t, m.Grid, 1); bogus != m.Grid.State(planner.Cell{Column: 8, Row: 2}) {
		t.Errorf("the default bogus goal is %v", m.Grid.Cell(bogus))
	}
	for _, c := range []planner.Cell{{Column: 4, Row: 4}, {Column: 9}, {Row: 9}, {Column: -1}} {
		if _, err := (deception.Bogus{Cells: []planner.Cell{c}}).States(m.Grid); err == nil {
			t.Errorf("the bogus goal %v, which is kept out of or outside the grid: no error", c)
		}
	}
}

// mirrored returns the state of the default bogus goal, -1 for none.
func mirrored(t *testing.T, g *planner.Grid, distance float64) int {
	t.Helper()
	states, err := deception.Bogus{Distance: distance}.States(g)
	switch {
	case err != nil || len(states) > 1:
		t.Fatal(states, err)
	case len(states) == 0:
		return -1
	}
	return states[0]
}

// On an open grid pi_d2, pi_d3 and pi_d4 are one path if the bogus goal is the mirror image of the goal. For most goals
// they differ if the bogus goal is 1.5 times as far away.
func TestPathsDifferWithAFartherBogusGoal(t *testing.T) {
	differ := func(distance float64) (pairs [3]int) {
		for _, goal := range []planner.Cell{{Column: 16, Row: 11}, {Column: 12, Row: 2}, {Column: 18, Row: 3},
			{Column: 10, Row: 14}, {Column: 8, Row: 13}, {Column: 14, Row: 12}, {Column: 18, Row: 14},
			{Column: 19, Row: 11}, {Column: 12, Row: 9}, {Column: 15, Row: 14}} {
			_, p := open(t, 20, 20, planner.Cell{Row: 7}, goal)
			s := deception.Settings{Bogus: deception.Bogus{Distance: distance}}
			two, three, four := planBy(t, p, "pi_d2", s).Path, planBy(t, p, "pi_d3", s).Path, planBy(t, p, "pi_d4", s).Path
			for i, equal := range []bool{slices.Equal(two, three), slices.Equal(three, four), slices.Equal(two, four)} {
				if !equal {
					pairs[i]++
				}
			}
		}
		return pairs
	}
	if got := differ(1); got != [3]int{} {
		t.Errorf("with mirror images, %v of 10 goals have different paths; want none", got)
	}
	if got := differ(1.5); got != [3]int{9, 10, 3} {
		t.Errorf("with farther images, %v of 10 goals have different paths pi_d2 and pi_d3, pi_d3 and pi_d4, pi_d2 and "+
			"pi_d4; want 9, 10 and 3", got)
	}
}

// The default bogus goal lies at the row of the start, at the diagonal, at the nearest cell of the grid, or nowhere.
func TestDefaultBogusGoal(t *testing.T) {
	for _, c := range []struct {
		columns, rows int
		start, goal   planner.Cell
		distance      float64
		want          planner.Cell
	}{
		{20, 20, planner.Cell{Row: 7}, planner.Cell{Column: 16, Row: 11}, 0, planner.Cell{Column: 16, Row: 3}},
		{20, 20, planner.Cell{Row: 7}, planner.Cell{Column: 9, Row: 7}, 1, planner.Cell{Row: 16}},
		{20, 20, planner.Cell{}, planner.Cell{Column: 9, Row: 9}, 1, planner.Cell{Column: 9}},
		{3, 1, planner.Cell{}, planner.Cell{Column: 2}, 1, planner.Cell{Column: 1}},
		{20, 20, planner.Cell{Row: 7}, planner.Cell{Column: 12, Row: 11}, 1.5, planner.Cell{Column: 18, Row: 1}},
		{20, 20, planner.Cell{Row: 7}, planner.Cell{Column: 16, Row: 11}, 1.5, planner.Cell{Column: 19, Row: 1}},
		{20, 20, planner.Cell{Row: 7}, planner.Cell{Column: 6, Row: 7}, 1.5, planner.Cell{Row: 16}},
	} {
		m, _ := open(t, c.columns, c.rows, c.start, c.goal)
		if got := m.Grid.Cell(mirrored(t, m.Grid, c.distance)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	m, p := open(t, 2, 1, planner.Cell{}, planner.Cell{Column: 1})
	if got := mirrored(t, m.Grid, 1); got != -1 {
		t.Errorf("a grid without another cell has the bogus goal %d", got)
	}
	way, err := deception.New("pi_d1", deception.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.PlanBy(way, privacy.Guarantee{Epsilon: 1}, nil); err == nil {
		t.Error("a path without a bogus goal: no error")
	}
}
