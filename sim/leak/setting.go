package leak

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/internal/pool"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/vary"
)

// Setting is a mission whose goal is secret.
type Setting struct {
	Scenario sim.Scenario // its target is the mission's own
	// Varied are the settings of vehicles that are drawn for every flight. Observers know the distribution of the
	// hand-over distance, and where flights are expected to start and to end.
	Varied    []vary.Variation
	Spec      planner.Spec
	Guarantee privacy.Guarantee // of every flight, except for its epsilon
	// Mechanism makes the plans of all flights private; nil for planner.Standard. At each epsilon, it reads the
	// noise of a plan from the beginning of the plan's stream.
	Mechanism planner.Mechanism
	// DrawGoal, if not nil, returns the mechanism that draws a cell to replace the goal. Flights to this cell are
	// planned without noise.
	DrawGoal func(l privacy.Lattice, epsilon float64) (privacy.GoalMechanism, error)
}

// Goal is a possible goal of the mission.
type Goal struct {
	State    int // of the grid
	TargetKm r3.Vec
	Prior    float64
	Mission  *planner.Mission // to this goal
}

// World is a setting with all possible goals. It is immutable and safe for concurrent use.
type World struct {
	Setting
	Goals []Goal
	Own   int // number of the mission's own goal, -1 if it is not among Goals

	values [][]float64     // by goal: Q, states x actions
	next   [][]int32       // by goal: the next state, states x actions
	decoys *planner.Decoys // nil if the reward gets noise

	pathCosts []func() []float64 // by goal: cost of the cheapest path from every state, computed on first use
}

// handoverCDF returns Knowledge.HandoverCDF.
func (s *Setting) handoverCDF() func(km float64) float64 {
	for _, v := range s.Varied {
		if v.Key == vary.HandoverKm {
			return v.CDF
		}
	}
	return nil
}

// lineOfSight reports whether flights start along the line of sight to their goal.
func (s *Setting) lineOfSight() bool {
	return math.IsNaN(s.Scenario.HeadingRad) && !slices.ContainsFunc(s.Varied, func(v vary.Variation) bool {
		return v.Key == "vehicle.heading" || strings.HasPrefix(v.Key, "vehicle.start_km") ||
			strings.HasPrefix(v.Key, "target_km")
	})
}

// farthestKm returns the largest plausible distance of recognition for any goal; see
// study.Experiment.FarthestKm.
func (w *World) farthestKm() float64 {
	far := 0.0
	for _, g := range w.Goals {
		far = max(far, r3.Norm(r3.Sub(w.Scenario.Start, g.TargetKm)))
		for state := range g.Mission.Grid.States() {
			far = max(far, r3.Norm(r3.Sub(g.Mission.Grid.Position(state), g.TargetKm)))
		}
	}
	return far + 4*w.Scenario.SpeedKmS*w.Scenario.SpeedKmS/w.Scenario.AccelLimitKmS2
}

// Cells returns the states at least this many km from the start in the plane of the grid.
func (s *Setting) Cells(km float64) ([]int, error) {
	grid, err := s.grid()
	if err != nil {
		return nil, err
	}
	return grid.FarFromStart(km), nil
}

func (s *Setting) grid() (*planner.Grid, error) {
	if len(s.Spec.Goals) > 0 {
		return nil, errors.New("leak: a secret goal must be the only goal of the mission; leave planner.goals empty")
	}
	return s.Spec.Grid(s.Scenario.Start, s.Scenario.Target)
}

// NewWorld solves the mission for every goal in states, which must differ, on a number of workers. weights are
// the probabilities of the goals up to a factor; nil for equal ones. done is called after every goal.
func NewWorld(ctx context.Context, s Setting, states []int, weights []float64, workers int, done func(n int)) (*World,
	error) {
	grid, err := s.grid()
	if err != nil {
		return nil, err
	}
	priors, err := normalise(len(states), weights)
	if err != nil {
		return nil, err
	}
	if s.Mechanism == nil {
		s.Mechanism = planner.Standard()
	}
	w := &World{Setting: s, Own: -1}
	solve := func() pool.Work[int, solved] {
		return func(_ context.Context, i int, _ solved) (solved, error) {
			return s.solve(grid, states[i])
		}
	}
	for r, err := range pool.Ordered(ctx, workers, pool.Numbers(0, len(states)), solve) {
		if err != nil {
			return nil, err
		}
		goal := r.Value.goal
		goal.Prior = priors[r.Piece]
		if goal.State == grid.Goal {
			w.Own = len(w.Goals)
		}
		w.Goals = append(w.Goals, goal)
		w.values, w.next = append(w.values, r.Value.values), append(w.next, r.Value.next)
		w.pathCosts = append(w.pathCosts, sync.OnceValue(func() []float64 {
			return goal.Mission.Grid.PathCosts(w.Spec.RewardWeight)
		}))
		done(1)
	}
	if s.DrawGoal != nil {
		w.decoys, err = w.solveDecoys(ctx, grid, workers)
	}
	return w, err
}

// ComputePathCosts computes the costs of paths to all goals, with a rest before each; see pool.Rest. Observers who use
// them would compute all at once when they first do.
func (w *World) ComputePathCosts(ctx context.Context) {
	for _, costs := range w.pathCosts {
		pool.Rest(ctx)
		costs()
	}
}

// solveDecoys returns the missions to all cells that may be drawn in place of the goal.
func (w *World) solveDecoys(ctx context.Context, grid *planner.Grid, workers int) (*planner.Decoys, error) {
	missions := make([]*planner.Mission, grid.States())
	for _, g := range w.Goals {
		missions[g.State] = g.Mission
	}
	lattice := grid.Lattice()
	solve := func() pool.Work[int, *planner.Mission] {
		return func(_ context.Context, state int, _ *planner.Mission) (*planner.Mission, error) {
			if missions[state] != nil || lattice.Allowed != nil && !lattice.Allowed[state] {
				return missions[state], nil
			}
			s, err := w.solve(grid, state)
			return s.goal.Mission, err
		}
	}
	for r, err := range pool.Ordered(ctx, workers, pool.Numbers(0, len(missions)), solve) {
		if err != nil {
			return nil, err
		}
		missions[r.Piece] = r.Value
	}
	return &planner.Decoys{Missions: missions, Weight: w.Spec.RewardWeight,
		Mechanism: func(epsilon float64) (privacy.GoalMechanism, error) {
			return w.DrawGoal(lattice, epsilon)
		}}, nil
}

// Delta returns the delta of every flight: 0 for a mechanism whose guarantee has none, and otherwise that of the
// guarantee, unless the mechanism that draws the goal has its own.
func (w *World) Delta() float64 { return w.decoys.Delta(w.Guarantee, w.Mechanism) }

// Decoys returns the missions to the cells that may replace the goal; nil if the reward gets noise.
func (w *World) Decoys() *planner.Decoys { return w.decoys }

// normalise returns n probabilities.
func normalise(n int, weights []float64) ([]float64, error) {
	if n == 0 {
		return nil, errors.New("leak: the list of possible goals is empty; want at least one")
	}
	if weights != nil && len(weights) != n {
		return nil, fmt.Errorf("leak: %d weights for %d goals; want one weight per goal", len(weights), n)
	}
	priors, sum := make([]float64, n), 0.0
	for i := range priors {
		priors[i] = 1
		if weights != nil {
			priors[i] = weights[i]
		}
		if !(priors[i] >= 0) || math.IsInf(priors[i], 0) {
			return nil, fmt.Errorf("leak: weight %v of a goal; want a finite number, 0 or more", priors[i])
		}
		sum += priors[i]
	}
	if !(sum > 0) {
		return nil, errors.New("leak: the weights of all goals are 0; want at least one above 0")
	}
	for i := range priors {
		priors[i] /= sum
	}
	return priors, nil
}

// solved is a goal with the values and the next states of all actions.
type solved struct {
	goal   Goal
	values []float64
	next   []int32
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
	r := solved{goal: Goal{State: state, TargetKm: target, Mission: mission}, values: mission.ActionValues()}
	actions := len(r.values) / grid.States()
	for i := range r.values {
		r.next = append(r.next, int32(mission.Grid.Next(i/actions, planner.Action(i%actions))))
	}
	return r, nil
}

// scenario returns the scenario of flights to a goal.
func (w *World) scenario(goal int) sim.Scenario {
	s := w.Scenario
	s.Target = w.Goals[goal].TargetKm
	return s
}

// drawn returns the scenario of a flight to a goal, with what varies. The target lies as far off the goal as off the
// own one.
func (w *World) drawn(goal int, seed uint64, run int) (sim.Scenario, error) {
	s, err := vary.Scenario(&w.Scenario, w.Varied, seed, run)
	s.Target = r3.Add(w.Goals[goal].TargetKm, r3.Sub(s.Target, w.Scenario.Target))
	return s, err
}

// handover returns the text of the distribution of the hand-over distance, empty if it does not vary.
func (s *Setting) handover() string {
	for _, v := range s.Varied {
		if v.Key == vary.HandoverKm {
			return v.String()
		}
	}
	return ""
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
