package leak

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/pool"
)

// Setting is a mission whose goal is secret.
type Setting struct {
	Scenario  sim.Scenario // its target is the mission's own
	Spec      planner.Spec
	Guarantee privacy.Guarantee // of every flight, but for its epsilon
}

// Goal is a goal that is possible.
type Goal struct {
	State    int // of the grid
	TargetKm r3.Vec
	Prior    float64
	Mission  *planner.Mission // with that goal
}

// World is a setting with all goals that are possible. It is immutable and safe for concurrent use.
type World struct {
	Setting
	Goals []Goal
	Own   int // number of the mission's own goal, -1 when that is not possible

	values [][]float64 // by goal: Q, states x actions
}

// Cells returns the states whose positions are at least so far from the start in the plane of the grid, km.
func (s *Setting) Cells(km float64) ([]int, error) {
	grid, err := s.grid()
	if err != nil {
		return nil, err
	}
	return grid.FarFromStart(km), nil
}

func (s *Setting) grid() (*planner.Grid, error) {
	if len(s.Spec.Goals) > 0 {
		return nil, errors.New("leak: a mission of several goals has no one goal that is secret; leave planner.goals empty")
	}
	return s.Spec.Grid(s.Scenario.Start, s.Scenario.Target)
}

// NewWorld solves the mission for every goal of a list of different states, on some workers. weights are their
// probabilities up to a factor; nil for equal ones. done is told after every goal.
func NewWorld(ctx context.Context, s Setting, states []int, weights []float64, workers int, done func(n int)) (*World, error) {
	grid, err := s.grid()
	if err != nil {
		return nil, err
	}
	priors, err := normalise(len(states), weights)
	if err != nil {
		return nil, err
	}
	w := &World{Setting: s, Own: -1}
	solve := func() pool.Work[int, solved] {
		return func(_ context.Context, i int, _ solved) (solved, error) {
			return s.solve(grid, states[i])
		}
	}
	for r, err := range pool.Ordered(ctx, workers, count(len(states)), solve) {
		if err != nil {
			return nil, err
		}
		if r.Value.goal.State == grid.Goal {
			w.Own = len(w.Goals)
		}
		r.Value.goal.Prior = priors[r.Piece]
		w.Goals = append(w.Goals, r.Value.goal)
		w.values = append(w.values, r.Value.values)
		done(1)
	}
	return w, nil
}

// normalise returns n probabilities.
func normalise(n int, weights []float64) ([]float64, error) {
	if n == 0 {
		return nil, errors.New("leak: no goal is possible; want at least one")
	}
	if weights != nil && len(weights) != n {
		return nil, fmt.Errorf("leak: %d weights for %d goals; want one each", len(weights), n)
	}
	priors, sum := make([]float64, n), 0.0
	for i := range priors {
		priors[i] = 1
		if weights != nil {
			priors[i] = weights[i]
		}
		if !(priors[i] >= 0) || math.IsInf(priors[i], 0) {
			return nil, fmt.Errorf("leak: a goal has weight %v; want a finite number, 0 or more", priors[i])
		}
		sum += priors[i]
	}
	if !(sum > 0) {
		return nil, errors.New("leak: the weights of all goals are 0; want one above")
	}
	for i := range priors {
		priors[i] /= sum
	}
	return priors, nil
}

// count yields 0 to n-1.
func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// solved is a goal with what its actions are worth.
type solved struct {
	goal   Goal
	values []float64
}

func (s *Setting) solve(grid *planner.Grid, state int) (solved, error) {
	if state < 0 || state >= grid.States() {
		return solved{}, fmt.Errorf("leak: goal %d is not a cell of the grid, 0 to %d", state, grid.States()-1)
	}
	target := s.Scenario.Target
	if state != grid.Goal {
		at := grid.Position(state)
		target.X, target.Y = at.X, at.Y
	}
	mission, err := planner.NewMission(s.Spec, s.Scenario.Start, target)
	if err != nil {
		return solved{}, err
	}
	return solved{Goal{State: state, TargetKm: target, Mission: mission}, mission.ActionValues()}, nil
}

// scenario returns that of flights to a goal.
func (w *World) scenario(goal int) sim.Scenario {
	s := w.Scenario
	s.Target = w.Goals[goal].TargetKm
	return s
}

// PriorBits returns the entropy of the prior, bits.
func (w *World) PriorBits() float64 {
	bits := 0.0
	for _, g := range w.Goals {
		if g.Prior > 0 {
			bits -= g.Prior * math.Log2(g.Prior)
		}
	}
	return bits
}

// rationalities are the inverse temperatures of the observer rational: 2^-8 to 2^6.
func rationalities() []float64 {
	var all []float64
	for k := -8; k <= 6; k++ {
		all = append(all, math.Ldexp(1, k))
	}
	return all
}

// knowledge returns what observers know, with the private policies of a level of noise.
func (w *World) knowledge(t *Tables) *adversary.Knowledge {
	actions := len(w.values[0]) / w.Goals[0].Mission.Grid.States()
	k := &adversary.Knowledge{
		HandoverKm: w.Scenario.HandoverKm, Actions: actions, Rationalities: rationalities(),
		Next: func(goal, state, action int) int {
			return w.Goals[goal].Mission.Grid.Next(state, planner.Action(action))
		},
		Values: func(goal, state int) []float64 {
			return w.values[goal][state*actions : state*actions+actions]
		},
	}
	for _, g := range w.Goals {
		k.Candidates = append(k.Candidates, adversary.Candidate{TargetKm: g.TargetKm, Prior: g.Prior})
	}
	if t != nil {
		k.Policies = float64(t.Policies)
		k.Chosen = func(goal, state int) []float64 {
			return t.chosen[goal][state*actions : state*actions+actions]
		}
	}
	return k
}

// Tables count, for every goal, how many of some private policies take every action in every state.
type Tables struct {
	Policies int
	chosen   [][]float64 // by goal: states x actions
}

// purposes of noise, beside that of flights, which is 0.
const (
	drawGoals    = 0x676f616c // "goal"
	drawPolicies = 0x706f6c69 // "poli"
)

// Draw makes n private policies for every goal at every one of some standard deviations of the noise, which share
// their draws. done is told how many were made.
func (w *World) Draw(ctx context.Context, sigmas []float64, n int, seed uint64, workers int, done func(n int)) ([]*Tables, error) {
	if n < 1 {
		return nil, fmt.Errorf("leak: %d private policies of every goal; want at least 1", n)
	}
	tables := make([]*Tables, len(sigmas))
	for i := range tables {
		tables[i] = &Tables{Policies: n}
	}
	draw := func() pool.Work[int, [][]float64] {
		return func(ctx context.Context, goal int, _ [][]float64) ([][]float64, error) {
			return w.draw(ctx, goal, sigmas, n, seed)
		}
	}
	for r, err := range pool.Ordered(ctx, workers, count(len(w.Goals)), draw) {
		if err != nil {
			return nil, err
		}
		for i := range tables {
			tables[i].chosen = append(tables[i].chosen, r.Value[i])
		}
		done(n * len(sigmas))
	}
	return tables, nil
}

// draw makes the private policies of one goal.
func (w *World) draw(ctx context.Context, goal int, sigmas []float64, n int, seed uint64) ([][]float64, error) {
	p, err := planner.NewPlanner(w.Goals[goal].Mission.Solved, privacy.InputPerturbation{})
	if err != nil {
		return nil, err
	}
	p.LimitCores(1)
	actions := len(w.values[goal]) / w.Goals[goal].Mission.Grid.States()
	counts := make([][]float64, len(sigmas))
	for i := range counts {
		counts[i] = make([]float64, len(w.values[goal]))
	}
	var noise privacy.Noise
	z := make([]float64, p.Normals())
	for k := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		noise.Seek(privacy.Address{Seed: seed, Cell: uint64(w.Goals[goal].State), Run: uint64(k), Purpose: drawPolicies})
		noise.Normals(z)
		for i, sigma := range sigmas {
			rewards := p.Privatize(sigma, z)
			var plan planner.Plan
			if i == 0 {
				plan = p.Plan(rewards)
			} else {
				plan = p.Replan(rewards)
			}
			for state, action := range plan.Policy {
				counts[i][state*actions+int(action)]++
			}
		}
	}
	return counts, nil
}
