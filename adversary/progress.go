package adversary

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Progress is a naive Bayes classifier of moves by the progress of the flight. For goal g the progress in state s is
// the fraction of the path that is done, 1 - optc(s, g)/optc(s_0, g), where optc is the cost of the cheapest path to g
// and s_0 the first state. Its range is divided into ten stages. The probability of a move, which is a direction on the
// grid, follows from the moves that private policies for g make in that stage on their way from s_0 to the hand-over:
// with n of N expected moves and m directions it is (n + 1/2)/(N + m/2) (Krichevsky and Trofimov 1981). Moves are taken
// as independent, given the goal. Only the first visit of a state counts. No move rules a goal out.
//
// Progress pools the states of a stage, whereas Mechanism takes each on its own. The expected moves are those of a
// Markov chain, in which every visit of a state draws a policy again.
type Progress struct {
	evidence
	knowledge *Knowledge
	start     int                  // the first state; -1 before the first move
	moves     [][stages]directions // by goal, expected of the private policies
	ways      []int                // the directions: each is the number of the next state less that of the state
	chosen    []float64            // by action
	paths     [][]step             // by cell that is drawn in place of the goal, see expectDrawn
	places    []place              // by state, for one goal
}

// stages is how many ranges progress is divided into.
const stages = 10

// directions are expected numbers of moves.
type directions struct {
	all float64
	by  []float64 // up to the last one that moves go in
}

func (d *directions) add(way int, times float64) {
	for len(d.by) <= way {
		d.by = append(d.by, 0)
	}
	d.by[way] += times
	d.all += times
}

// of returns how many moves go in a direction; -1 is one that none goes in.
func (d *directions) of(way int) float64 {
	if way < 0 || way >= len(d.by) {
		return 0
	}
	return d.by[way]
}

// directionCount is how many directions there are: to the eight neighbours, and staying.
const directionCount = 9

// way returns the number of the direction of a move that private policies make.
func (o *Progress) way(state, next int) int {
	at := slices.Index(o.ways, next-state)
	if at < 0 {
		at = len(o.ways)
		o.ways = append(o.ways, next-state)
	}
	return at
}

func newProgress(k *Knowledge) (GoalObserver, error) {
	if k.Draws == nil && (k.Chosen == nil || !(k.Policies > 0)) {
		return nil, errors.New("adversary: the observer progress needs private policies for every goal")
	}
	if k.PathCost == nil || k.Waypoint == nil {
		return nil, errors.New("adversary: the observer progress needs the costs of paths, and waypoints")
	}
	o := &Progress{knowledge: k, start: -1, chosen: make([]float64, k.Actions)}
	o.evidence = newEvidence(len(k.Candidates), func(state, next int, to []float64) {
		for goal := range to {
			d := &o.moves[goal][o.stage(goal, state)]
			way := slices.Index(o.ways, next-state) // a flight may go where no policy does
			to[goal] = math.Log((d.of(way) + unseen) / (d.all + unseen*directionCount))
		}
	})
	return o, nil
}

// See implements GoalObserver.
func (o *Progress) See(state, next int, again bool) {
	if o.start < 0 {
		o.start = state
		o.moves = make([][stages]directions, len(o.knowledge.Candidates))
		for goal := range o.moves {
			o.expect(goal)
		}
	}
	o.evidence.See(state, next, again)
}

// stage returns the stage of a state, if the goal is that.
func (o *Progress) stage(goal, state int) int {
	whole, left := o.knowledge.PathCost(goal, o.start), o.knowledge.PathCost(goal, state)
	if !(left < whole) { // no progress, or no path at all
		return 0
	}
	const rounding = 1e-9 // of a fraction
	return min(int((1-left/whole+rounding)*stages), stages-1)
}

// expect finds the moves that private policies for a goal make until the hand-over.
func (o *Progress) expect(goal int) {
	if o.knowledge.Draws != nil {
		o.expectDrawn(goal)
		return
	}
	const most, few = 200, 1e-3 // moves of a policy, and the share of policies at which the others are left out
	at := policiesAt{}
	at.add(o.start, o.knowledge.Policies)
	for moves, left := 0, o.knowledge.Policies; moves < most && left > few*o.knowledge.Policies; moves++ {
		var then policiesAt
		left = 0
		for state, policies := range at {
			if policies > 0 {
				left += o.advance(goal, state, policies, &then)
			}
		}
		at = then
	}
}

// policiesAt are how many policies are in every state.
type policiesAt []float64

func (p *policiesAt) add(state int, policies float64) {
	for len(*p) <= state {
		*p = append(*p, 0)
	}
	(*p)[state] += policies
}

// advance has policies for a goal make the next move from a state, and returns how many are not handed over then.
func (o *Progress) advance(goal, state int, policies float64, then *policiesAt) (left float64) {
	k := o.knowledge
	k.Chosen(goal, state, o.chosen)
	stage := &o.moves[goal][o.stage(goal, state)]
	for action, chosen := range o.chosen {
		if chosen == 0 {
			continue
		}
		next := k.Next(goal, state, action)
		moving := policies * chosen / k.Policies
		stage.add(o.way(state, next), moving)
		if !o.handsOver(goal, next) {
			then.add(next, moving)
			left += moving
		}
	}
	return left
}

// drawnPolicies is how many policies a goal has of which it is known exactly how they are drawn.
const drawnPolicies = 100

// step is a move of a plan from a state in a direction.
type step struct{ state, way int }

// place is what a state is to a goal.
type place struct {
	known, handsOver bool
	stage            int
}

// expectDrawn does the same for a mechanism that draws a cell in place of the goal: every cell has one policy.
func (o *Progress) expectDrawn(goal int) {
	draws := o.knowledge.Draws
	if o.paths == nil {
		o.paths = make([][]step, len(draws.Probabilities[goal]))
	}
	clear(o.places)
	for cell, p := range draws.Probabilities[goal] {
		if p == 0 {
			continue
		}
		if o.paths[cell] == nil {
			o.paths[cell] = o.pathOf(cell)
		}
		for _, move := range o.paths[cell] {
			at := o.place(goal, move.state)
			if at.handsOver {
				break
			}
			o.moves[goal][at.stage].add(move.way, drawnPolicies*p)
		}
	}
}

// pathOf returns the moves of the plan for a cell, up to the first state that it comes to again.
func (o *Progress) pathOf(cell int) (path []step) {
	seen := map[int]bool{}
	for state := o.start; !seen[state]; {
		seen[state] = true
		next := o.knowledge.Draws.Next(cell, state)
		path = append(path, step{state, o.way(state, next)})
		state = next
	}
	return path
}

// place returns what a state is to a goal, found once for each.
func (o *Progress) place(goal, state int) *place {
	for len(o.places) <= state {
		o.places = append(o.places, place{})
	}
	at := &o.places[state]
	if !at.known {
		*at = place{known: true, handsOver: o.handsOver(goal, state), stage: o.stage(goal, state)}
	}
	return at
}

// handsOver reports whether no waypoint is commanded in a state, if the goal is that.
func (o *Progress) handsOver(goal, state int) bool {
	off := r3.Sub(o.knowledge.Candidates[goal].TargetKm, o.knowledge.Waypoint(state))
	return math.Hypot(off.X, off.Y) < o.knowledge.HandoverKm
}
