package planner

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// mapOf reads a map as Picture draws it: S the start, G the goals in reading order, # a keep-out cell.
func mapOf(picture string) (spec Spec, target r3.Vec) {
	lines := strings.Fields(picture)
	spec = Spec{Columns: len(lines[0]), Rows: len(lines), SpacingKm: 1, RewardWeight: 1, Discount: 0.97, Tolerance: 1e-9}
	var goals []Cell
	for i, line := range lines {
		for column, sign := range line {
			c := Cell{column, len(lines) - 1 - i}
			switch sign {
			case 'S':
				spec.StartCell = c
			case 'G':
				goals = append(goals, c)
			case '#':
				spec.KeepOut = append(spec.KeepOut, Area{c, c})
			}
		}
	}
	spec.Goals = goals[1:]
	return spec, r3.Vec{X: float64(goals[0].Column - spec.StartCell.Column), Y: float64(goals[0].Row - spec.StartCell.Row)}
}

const walled = `
..........
....#..G..
....#.....
S...#.....
....#####.
..........
.G........`

// The plan of a map is that of the definitions: Bellman's equation with moves that are looked up on the picture.
func TestPlanOnAMapIsThatOfItsDefinition(t *testing.T) {
	steps := map[Moves][]Cell{
		PaperMoves: {{0, 1}, {0, -1}, {1, 0}, {-1, 0}},
		EightMoves: {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}},
	}
	lines := strings.Fields(walled)
	at := func(c Cell) byte {
		if c.Row < 0 || c.Row >= len(lines) || c.Column < 0 || c.Column >= len(lines[0]) {
			return '#'
		}
		return lines[len(lines)-1-c.Row][c.Column]
	}
	goals := []Cell{{7, 5}, {1, 0}}
	nearest := func(c Cell) (goal Cell, distance float64) {
		distance = math.Inf(1)
		for _, g := range goals {
			if d := math.Sqrt(float64((c.Column-g.Column)*(c.Column-g.Column) + (c.Row-g.Row)*(c.Row-g.Row))); d < distance {
				goal, distance = g, d
			}
		}
		return goal, distance
	}
	rng := rand.New(rand.NewPCG(3, 0))
	for moves, directions := range steps {
		for _, beside := range []string{"nothing", "cells", "moves"} {
			spec, target := mapOf(walled)
			spec.Moves = moves
			actions := moves.Count()
			switch beside {
			case "cells":
				spec.Rewards = normals(rng, spec.Columns*spec.Rows)
			case "moves":
				spec.Rewards = normals(rng, spec.Columns*spec.Rows*actions)
			}
			m := mustMission(t, spec, r3.Vec{}, target)
			state := func(c Cell) int { return c.Row*spec.Columns + c.Column }
			values := make([]float64, spec.Columns*spec.Rows)
			for range 2000 { // 0.97^2000 is below 1e-26
				for row := range spec.Rows {
					for column := range spec.Columns {
						c := Cell{column, row}
						if at(c) == '#' {
							continue
						}
						best := math.Inf(-1)
						for a := range actions {
							var d Cell
							if a < len(directions) {
								d = directions[a]
							} else {
								goal, _ := nearest(c)
								d = Cell{sign(goal.Column - c.Column), sign(goal.Row - c.Row)}
							}
							to := Cell{c.Column + d.Column, c.Row + d.Row}
							if at(to) == '#' || at(Cell{to.Column, c.Row}) == '#' && at(Cell{c.Column, to.Row}) == '#' {
								to = c
							}
							_, distance := nearest(to)
							reward := -distance
							switch beside {
							case "cells":
								reward += spec.Rewards[state(to)]
							case "moves":
								reward += spec.Rewards[state(c)*actions+a]
							}
							best = max(best, reward+spec.Discount*values[state(to)])
						}
						values[state(c)] = best
					}
				}
			}
			for s, v := range m.Optimal.Value {
				if !(math.Abs(v-values[s]) <= 1e-8) {
					t.Fatalf("%s moves, %s beside: %v is worth %.12g, by definition %.12g", moves, beside, m.Grid.Cell(s), v,
						values[s])
				}
			}
			// The noise leaves what is public alone.
			p := mustPlanner(t, m)
			private := p.Privatize(10, normals(rng, len(m.Rewards.Joint)))
			for i, r := range private {
				if closed := at(m.Grid.Cell(i/actions)) == '#'; closed != (r == 0) {
					t.Fatalf("%s moves: the private reward of %v is %g", moves, m.Grid.Cell(i/actions), r)
				}
			}
		}
	}
}

// A diagonal move passes one keep-out cell, but not between two.
func TestDiagonalsBetweenKeptOutCells(t *testing.T) {
	for _, c := range []struct {
		picture string
		open    bool
	}{{".#G\n.S#", false}, {"..G\n.S#", true}, {".#G\n.S.", true}} {
		spec, target := mapOf(c.picture)
		spec.Moves, spec.Tolerance = EightMoves, 1e-9
		_, err := NewMission(spec, r3.Vec{}, target)
		if open := err == nil; open != c.open {
			t.Errorf("%s: error %v", c.picture, err)
		}
	}
}

// A map without a way is refused, with a picture of what is cut off, small however large the map.
func TestCutOff(t *testing.T) {
	cut := func(spec Spec, target r3.Vec) *CutOffError {
		t.Helper()
		_, err := NewMission(spec, r3.Vec{}, target)
		var e *CutOffError
		if !errors.As(err, &e) {
			t.Fatalf("error %v, want one of what is cut off", err)
		}
		return e
	}
	spec, target := mapOf("..#G\nS.#.\n.##.")
	e := cut(spec, target)
	if want := "..#G\nS.#x\n.##x\nS start, G goal, # keep-out cell, . within reach, x cut off\n"; e.Picture() != want {
		t.Errorf("picture\n%s\nwant\n%s", e.Picture(), want)
	}
	if want := "no way leads from the start, column 0, row 1, to the goal, column 3, row 2"; e.Error() != want {
		t.Errorf("says %q, want %q", e, want)
	}
	for says, area := range map[string]Cell{"the start, column 0, row 1, lies in": {0, 1},
		"the goal, column 3, row 2, lies in": {3, 2}} {
		spec.KeepOut = []Area{{area, area}}
		e := cut(spec, target)
		if !strings.HasPrefix(e.Error(), says) || !e.Inside() {
			t.Errorf("says %q, want %q", e, says)
		}
		if at := (2-area.Row)*5 + area.Column; e.Picture()[at] != '#' { // rows of 4 and a line end
			t.Errorf("picture\n%s\nwant # where it is kept out", e.Picture())
		}
	}
	large := Spec{Columns: 1000, Rows: 500, SpacingKm: 1, KeepOut: []Area{{Cell{400, 499}, Cell{400, 0}}}, RewardWeight: 1,
		Discount: 0.9, Tolerance: 1e-3}
	lines := strings.Split(cut(large, r3.Vec{X: 999}).Picture(), "\n")
	if len(lines[0]) > pictureColumns || len(lines) > pictureColumns || !strings.Contains(lines[3], ".#x") {
		t.Errorf("picture of a large map\n%s", strings.Join(lines, "\n"))
	}
}

// Where going round costs more than it brings, the plan without privacy is told not to arrive, and where.
func TestArrives(t *testing.T) {
	spec, target := mapOf("......\n..###.\n....#.\n.S..#G\n....#.\n..###.\n......")
	for discount, want := range map[float64]bool{0.5: false, 0.97: true} {
		spec.Discount = discount
		m := mustMission(t, spec, r3.Vec{}, target)
		waits, arrives := m.Arrives(0.5)
		if arrives != want || !arrives && m.Grid.Cell(waits) != (Cell{3, 3}) {
			t.Errorf("discount %g: arrives %v, at %v", discount, arrives, m.Grid.Cell(waits))
		}
	}
}

func TestBadMaps(t *testing.T) {
	for says, change := range map[string]func(*Spec){
		"no moves called":               func(s *Spec) { s.Moves = "king" },
		"does not hold the goal (9, 9)": func(s *Spec) { s.Goals = []Cell{{9, 9}} },
		"does not hold all of the area": func(s *Spec) { s.KeepOut = []Area{{Cell{0, 0}, Cell{9, 0}}} },
		"2 further rewards":             func(s *Spec) { s.Rewards = []float64{1, 2} },
	} {
		spec, target := mapOf("S.G")
		change(&spec)
		if _, err := NewMission(spec, r3.Vec{}, target); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
}

// The plan on a map ties if two ways around the same distance are equally good, and not if one is shorter.
func TestTiesOfMaps(t *testing.T) {
	for picture, want := range map[string]bool{
		"..... ..#.. S.#.G ..#.. .....":       true, // around either end of a wall
		"..... ..#.. S.#.G ..... .....":       false,
		"..... ..... S...G ..... .....":       false,
		"...G. ..... .S... .....":             false,
		"G.... ..... S.... ..... G....":       true, // two goals as far
		"G.... ..... ..... S.... ..... G....": false,
	} {
		spec, target := mapOf(picture)
		spec.Moves = EightMoves
		m, err := NewMission(spec, r3.Vec{}, target)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Ties(0, target); got != want {
			t.Errorf("%s: ties %t, want %t", picture, got, want)
		}
		if m.Ties(10, target) {
			t.Errorf("%s: a tie counts after the hand-over", picture)
		}
		if m.Ties(10, r3.Vec{X: 1e3}, target) {
			t.Errorf("%s: a tie counts after the hand-over to another target", picture)
		}
	}
}
