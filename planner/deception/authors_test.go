package deception_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"veilpath/planner"
	"veilpath/planner/deception"
)

// testdata/authors.json is what the routines of the program of Masters and Sardina find on random grids
// (ssardina-research/p4-simulator-gr, src/deceptor.py: rmp1, HeatMap.isTruthful and findTarget, called with costs and
// paths of another program than this): the radius of maximum probability, which waypoints deceive, and how far the last
// deceptive point is from the goal on one of the cheapest paths. The same are found here, and that point on the best of
// those paths is no farther.
func TestAuthorsProgramFindsTheSame(t *testing.T) {
	text, err := os.ReadFile("testdata/authors.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Columns, Rows    int
		Walls, Bogus     [][2]int
		Start, Goal      [2]int
		Radius, LastLeft float64
		Deceptive        []string // rows from the south: * deceives, . does not, # is a wall
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 10 {
		t.Fatal(len(cases), err)
	}
	cell := func(c [2]int) planner.Cell { return planner.Cell{Column: c[0], Row: c[1]} }
	for i, c := range cases {
		var walls []planner.Area
		for _, w := range c.Walls {
			walls = append(walls, planner.Area{From: cell(w), To: cell(w)})
		}
		m, p := open(t, c.Columns, c.Rows, cell(c.Start), cell(c.Goal), walls...)
		var named []planner.Cell
		for _, b := range c.Bogus {
			named = append(named, cell(b))
		}
		bogus, err := deception.Bogus{Cells: named}.States(m.Grid)
		if err != nil {
			t.Fatal(err)
		}
		r := deception.NewRecognition(m.Grid, bogus)
		if radius, _ := r.RadiusOfMaximumProbability(bogus); !(math.Abs(radius-c.Radius) <= 1e-9) {
			t.Errorf("case %d: radius %v, want %v", i, radius, c.Radius)
		}
		deceptive := r.Deceptive()
		for row, line := range c.Deceptive {
			for column, sign := range line {
				state := m.Grid.State(planner.Cell{Column: column, Row: row})
				if sign != '#' && deceptive[state] != (sign == '*') {
					t.Errorf("case %d: column %d, row %d deceives: %v, want %c", i, column, row, deceptive[state], sign)
				}
			}
		}
		left := m.Grid.PathCosts(1)
		path := planBy(t, p, "pi_d2", deception.Settings{Bogus: deception.Bogus{Cells: named}}).Path
		nearest := math.Inf(1)
		for _, state := range path {
			if r.Deceives(int(state)) {
				nearest = min(nearest, left[state])
			}
		}
		if nearest > c.LastLeft+1e-9 {
			t.Errorf("case %d: the last deceptive point is %v from the goal, want at most %v", i, nearest, c.LastLeft)
		}
	}
}
