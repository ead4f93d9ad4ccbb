package deception

import (
	"errors"
	"fmt"
	"slices"

	"veilpath/planner"
)

// The strategies of Masters and Sardina (Deceptive path-planning, IJCAI 2017), after their published program
// (ssardina-research/p4-simulator-gr). They feign the bogus goal with the least radius of maximum probability.
// All but the first head for the last deceptive point: of the waypoints on cheapest paths from that goal to the
// true one, the nearest to the true one at which a bogus goal is still at least as likely, by Recognition. All
// then take a cheapest path to the true goal.
var (
	simulating = pathWay("pi_d1", "flies to a bogus goal and then on to the true one, to show what is false",
		func(d *deceiver) []int32 { return d.cheapest(d.feigned) })
	dissimulating = pathWay("pi_d2", "flies a shortest way to the last waypoint between a bogus goal and the true one "+
		"that still deceives, and then on to the true one, to hide what is real",
		func(d *deceiver) []int32 { return d.cheapest(d.last) })
	leaning = pathWay("pi_d3", "does what pi_d2 does, and keeps nearer to the bogus goal than to the true one where that "+
		"costs little", (*deceiver).leaning)
	deceiving = pathWay("pi_d4", "does what pi_d2 does by the shortest way on which waypoints deceive",
		(*deceiver).deceiving)
)

// pathWay returns a way that flies a path: the path that begin returns, and then a cheapest path to the true goal.
func pathWay(name, meaning string, begin func(*deceiver) []int32) Way {
	return Way{Name: name, Meaning: meaning, Path: true, plan: func(s Settings, p *planner.Solved) (planner.Plan, error) {
		d, err := newDeceiver(s, p.Grid)
		if err != nil {
			return planner.Plan{}, err
		}
		path := begin(d)
		if path == nil {
			return planner.Plan{}, fmt.Errorf("deception: no way leads to the bogus goal in state %d", d.feigned)
		}
		return planner.Plan{Path: append(path, d.home(int(path[len(path)-1]))[1:]...)}, nil
	}}
}

// errNoGrid reports a problem without a grid.
var errNoGrid = errors.New("deception: the problem is not one of waypoints on a grid, where a goal can be feigned")

// deceiver plans paths on a grid that feign a bogus goal.
type deceiver struct {
	recognition *Recognition
	grid        *planner.Grid
	feigned     int       // the bogus goal
	toFeigned   []float64 // by state: cost of the cheapest path to the bogus goal, as an observer computes it
	last        int       // the last deceptive point
}

func newDeceiver(s Settings, g *planner.Grid) (*deceiver, error) {
	if g == nil {
		return nil, errNoGrid
	}
	bogus, err := s.Bogus.States(g)
	if err != nil {
		return nil, err
	}
	if len(bogus) == 0 {
		return nil, errNoBogus
	}
	r := NewRecognition(g, bogus)
	_, least := r.RadiusOfMaximumProbability(bogus)
	d := &deceiver{recognition: r, grid: g, feigned: bogus[least], toFeigned: r.bogus[least]}
	d.last = d.lastDeceptive()
	return d, nil
}

// lastDeceptive returns the state nearest to a true goal that deceives, of those on any cheapest path from the
// feigned goal to a true one.
func (d *deceiver) lastDeceptive() int {
	last, left, seen := d.feigned, d.recognition.real, make([]bool, d.grid.States())
	rounding := tie * left[d.feigned]
	for front := []int{d.feigned}; len(front) > 0; {
		state := front[len(front)-1]
		front = front[:len(front)-1]
		if d.recognition.Deceives(state) && left[state] < left[last]-rounding {
			last = state
		}
		for action := range planner.Action(d.grid.Moves.Count()) {
			next, cost := d.grid.MoveCost(d.grid.RewardWeight, state, action)
			if next != state && !seen[next] && cost+left[next] <= left[state]+rounding {
				seen[next] = true
				front = append(front, next)
			}
		}
	}
	return last
}

// home returns a cheapest path to a true goal; only its first state if no path leads there.
func (d *deceiver) home(from int) []int32 {
	s := search{grid: d.grid, estimate: func(state int) float64 { return d.recognition.real[state] }}
	path := s.path(from, func(state int) bool { return slices.Contains(d.grid.Goals(), state) })
	if path == nil {
		return []int32{int32(from)}
	}
	return path
}

// left returns the cost of the cheapest path from every state to another one.
func (d *deceiver) left(to int) func(state int) float64 {
	costs := d.grid.PathCostsTo(d.grid.RewardWeight, to)
	return func(state int) float64 { return costs[state] }
}

// cheapest returns a cheapest path from the start.
func (d *deceiver) cheapest(to int) []int32 {
	return (&search{grid: d.grid, estimate: d.left(to)}).to(d.grid.Start, to)
}

// to returns a path to one state.
func (s *search) to(from, to int) []int32 {
	return s.path(from, func(state int) bool { return state == to })
}

// bias multiplies the estimate of pi_d3 where a vehicle is nearer to the true goal than to the feigned one, as in the
// program of the authors.
const bias = 1.5

// leaning returns the path of pi_d3 to the last deceptive point: the search overestimates the cost near the true goal,
// and so avoids it.
func (d *deceiver) leaning() []int32 {
	left := d.left(d.last)
	s := search{grid: d.grid, estimate: func(state int) float64 {
		if d.recognition.real[state] < d.toFeigned[state] {
			return bias * left(state)
		}
		return left(state)
	}}
	return s.to(d.grid.Start, d.last)
}

// deceiving returns the path of pi_d4 to the last deceptive point: the cheapest of the paths with the fewest waypoints
// that do not deceive. If moves cost the same in both directions, the path by the feigned goal has no such waypoint.
func (d *deceiver) deceiving() []int32 {
	maxCost := 0.0
	for state := range d.grid.States() {
		for action := range planner.Action(d.grid.Moves.Count()) {
			_, cost := d.grid.MoveCost(d.grid.RewardWeight, state, action)
			maxCost = max(maxCost, cost)
		}
	}
	truthful := maxCost * float64(d.grid.States()) // more than any path costs that enters no state twice
	s := search{grid: d.grid, estimate: d.left(d.last), penalty: func(state int) float64 {
		if d.recognition.Deceives(state) {
			return 0
		}
		return truthful
	}}
	return s.to(d.grid.Start, d.last)
}
