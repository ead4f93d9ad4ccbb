package adversary

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// corners knows a grid of 3 x 3 cells, 1 km apart, with two goals in its north-eastern corner. Paths to the first cost
// 1 a straight move and sqrt(2) a diagonal; no path leads to the second. Of three policies two go east and one goes
// north, where the grid does not end.
func corners() *Knowledge {
	corner := r3.Vec{X: 2, Y: 2}
	return &Knowledge{Actions: 2, HandoverKm: 0.5, Policies: 3,
		Candidates: []Candidate{{TargetKm: corner, Prior: 0.5}, {TargetKm: corner, Prior: 0.5}},
		Waypoint:   func(state int) r3.Vec { return r3.Vec{X: float64(state % 3), Y: float64(state / 3)} },
		Next:       func(_, state, action int) int { return state + []int{1, 3}[action] },
		PathCost: func(goal, state int) float64 {
			if goal == 1 {
				return math.Inf(1)
			}
			x, y := float64(2-state%3), float64(2-state/3)
			return max(x, y) - min(x, y) + math.Sqrt2*min(x, y)
		},
		Chosen: func(_, state int, to []float64) {
			switch {
			case state%3 == 2:
				copy(to, []float64{0, 3})
			case state/3 == 2:
				copy(to, []float64{3, 0})
			default:
				copy(to, []float64{2, 1})
			}
		},
	}
}

// lead returns the logarithm of the ratio of the likelihoods of a route for the first and the second goal.
func lead(t *testing.T, k *Knowledge, route ...int) float64 {
	t.Helper()
	o, err := newProgress(k)
	if err != nil {
		t.Fatal(err)
	}
	var logs [2]float64
	for range 2 { // the second flight is not watched otherwise than the first
		o.Reset()
		for i := 1; i < len(route); i++ {
			o.See(route[i-1], route[i], false)
			o.See(route[i-1], route[i-1], true) // which says nothing
		}
		o.LogLikelihoods(logs[:])
	}
	return logs[0] - logs[1]
}

// In closed form: of three policies two go east from the start and one goes north, and the same share does so in the
// next stage; a share of 4/9 comes to the centre, in stage 5. For the goal without a path all moves are in stage 0,
// where the policies make as many moves east as north.
func TestProgressInClosedForm(t *testing.T) {
	const rounding = 1e-12
	without := 6.5 / (12 + 4.5)
	for _, c := range []struct {
		route []int
		want  float64 // likelihood for the first goal
	}{
		{[]int{0, 1}, 2.5 / 7.5},
		{[]int{0, 3}, 1.5 / 7.5},
		{[]int{0, 1, 4, 5}, 2.5 / 7.5 * 1.5 / 7.5 * (8./9 + .5) / (4./3 + 4.5)},
		{[]int{0, 1, 2, 5}, 2.5 / 7.5 * 2.5 / 7.5 * (4./3 + .5) / (5./3 + 4.5)},
	} {
		got := lead(t, corners(), c.route...)
		if want := math.Log(c.want) - float64(len(c.route)-1)*math.Log(without); !(math.Abs(got-want) <= rounding) {
			t.Errorf("%v: the first goal is ahead by %v, want %v", c.route, got, want)
		}
	}
	// a move that no policy makes has half of one, and does not rule the goal out
	if got, want := lead(t, corners(), 0, 4), math.Log(0.5/7.5)-math.Log(0.5/16.5); !(math.Abs(got-want) <= rounding) {
		t.Errorf("a diagonal: the first goal is ahead by %v, want %v", got, want)
	}
}

// Where cells are drawn the moves are those of the plans for the cells, until they stop or repeat themselves.
func TestProgressOfDrawnGoals(t *testing.T) {
	k := corners()
	k.Chosen, k.Policies = nil, 0
	k.Draws = &Draws{Probabilities: [][]float64{{0.75, 0.25, 0}, {0, 0.5, 0.5}},
		Next: func(cell, state int) int {
			switch {
			case cell == 0 && state%3 < 2:
				return state + 1
			case cell == 1 && state/3 < 2:
				return state + 3
			}
			return state
		}}
	// for the second goal, in stage 0: 50 policies go north twice and stay, 50 stay
	for _, c := range []struct {
		next          int
		first, second float64
	}{{1, 75.5 / 104.5, 0.5 / 204.5}, {3, 25.5 / 104.5, 100.5 / 204.5}, {0, 0.5 / 104.5, 100.5 / 204.5}} {
		if got, want := lead(t, k, 0, c.next), math.Log(c.first/c.second); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("0 to %d: the first goal is ahead by %v, want %v", c.next, got, want)
		}
	}
	// one cell for each goal: 100 policies go east from the start, or north twice and stay
	k.Draws.Probabilities = [][]float64{{1, 0, 0}, {0, 1, 0}}
	if got, want := lead(t, k, 0, 1), math.Log(100.5/104.5)-math.Log(0.5/304.5); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("certain cells: the first goal is ahead by %v, want %v", got, want)
	}
}

// Flights of other mechanisms may jump anywhere: a move that no policy makes in any direction is unseen, as any other.
func TestProgressOfJumps(t *testing.T) {
	k := corners()
	o, err := newProgress(k)
	if err != nil {
		t.Fatal(err)
	}
	o.See(0, 1, false)
	one, other := make([]float64, len(k.Candidates)), make([]float64, len(k.Candidates))
	for jump := 100; jump < 130; jump++ {
		o.LogLikelihoods(one)
		o.See(0, jump, false)
		o.LogLikelihoods(other)
		for goal := range other {
			if odds := math.Exp(other[goal] - one[goal]); !(odds > 0 && odds < 0.1) {
				t.Fatalf("a jump to %d has the likelihood %v for goal %d", jump, odds, goal)
			}
		}
	}
}

func TestProgressRefusesWhatItLacks(t *testing.T) {
	for want, spoil := range map[string]func(*Knowledge){
		"private policies": func(k *Knowledge) { k.Policies = 0 },
		"costs of paths":   func(k *Knowledge) { k.PathCost = nil },
		"waypoints":        func(k *Knowledge) { k.Waypoint = nil },
	} {
		k := corners()
		spoil(k)
		if _, err := newProgress(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
}
