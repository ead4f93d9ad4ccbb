package setup

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// Leak returns the mission of the settings as a leak.Setting, in which the goal is secret. For a problem without
// flights the error is a *[configs.Error].
func Leak(c configs.Config) (leak.Setting, error) {
	if err := flies(c); err != nil {
		return leak.Setting{}, err
	}
	if len(c.Planner.Goals) > 0 {
		return leak.Setting{}, &configs.Error{Key: "planner.goals", Value: fmt.Sprint(c.Planner.Goals),
			Problem: "with several goals the flight has no single goal that could be secret",
			Allowed: "no further goals: []",
			Fix:     "leave planner.goals out, or take an observer that predicts where flights end"}
	}
	s := leak.Setting{Scenario: c.Scenario(), Varied: c.Vary, Spec: c.Mission(), Guarantee: c.Guarantee()}
	if c.Privacy.DrawsGoal() {
		s.DrawGoal = func(l privacy.Lattice, epsilon float64) (privacy.GoalMechanism, error) {
			return privacy.NewGoalMechanism(c.Privacy.Mechanism, l, s.Guarantee.At(epsilon))
		}
	}
	return s, nil
}

// Way returns the leak.Way of the settings, with the observers' beliefs and without an epsilon.
func (b *Builder) Way(ctx context.Context, c configs.Config) (leak.Way, error) {
	return b.newWay(ctx, c, func(int) {})
}

// newWay is Way; it calls done as leak.NewWorld does.
func (b *Builder) newWay(ctx context.Context, c configs.Config, done func(n int)) (leak.Way, error) {
	w := leak.Way{BeliefEpsilon: c.Adversary.Epsilon.Or(0)}
	var err error
	if w.World, err = b.world(ctx, c, done); err != nil {
		return w, err
	}
	believed := c
	believed.Planner.RewardWeight = c.Adversary.RewardWeight.Or(c.Planner.RewardWeight)
	believed.Planner.Discount = c.Adversary.Discount.Or(c.Planner.Discount)
	if believed.Planner.RewardWeight != c.Planner.RewardWeight || believed.Planner.Discount != c.Planner.Discount {
		w.Belief, err = b.world(ctx, believed, done)
	}
	return w, err
}

// world solves the mission of the settings for every possible goal.
func (b *Builder) world(ctx context.Context, c configs.Config, done func(n int)) (*leak.World, error) {
	setting, err := Leak(c)
	if err != nil {
		return nil, err
	}
	if setting.Mechanism, err = b.mechanism(c); err != nil {
		return nil, err
	}
	states, err := candidates(c, &setting)
	if err != nil {
		return nil, err
	}
	weights, err := configs.ParseWeights(c.Adversary.Prior)
	if err == nil && weights != nil && len(weights) != len(states) {
		err = &configs.Error{Key: "adversary.prior", Value: c.Adversary.Prior,
			Problem: fmt.Sprintf("%d weights for %d possible goals", len(weights), len(states)),
			Allowed: "uniform, or one weight for each", Fix: "name as many weights as adversary.candidates has cells"}
	}
	if err != nil {
		return nil, err
	}
	return leak.NewWorld(ctx, setting, states, weights, c.Study.Workers, done)
}

// Candidates returns the states of the possible goals.
func Candidates(c configs.Config) ([]int, error) {
	setting, err := Leak(c)
	if err != nil {
		return nil, err
	}
	return candidates(c, &setting)
}

// candidates returns the states of the possible goals: the listed cells, or all that are far enough from the start
// and near enough to the target.
func candidates(c configs.Config, s *leak.Setting) ([]int, error) {
	possible, err := configs.ParseCandidates(c.Adversary.Candidates)
	if err != nil {
		return nil, err
	}
	var states []int
	for _, cell := range possible.Cells {
		states = append(states, cell.Row*c.Planner.Columns+cell.Column)
	}
	if states != nil {
		return states, nil
	}
	if math.IsNaN(possible.FromStartKm) {
		possible.FromStartKm = s.Scenario.HandoverKm
	}
	far, err := s.Cells(possible.FromStartKm)
	if err != nil {
		return nil, err
	}
	grid, err := planner.NewGrid(s.Spec.Columns, s.Spec.Rows, s.Spec.SpacingKm, s.Spec.StartCell, s.Scenario.Start,
		s.Scenario.Target)
	if err != nil {
		return nil, err
	}
	target := s.Scenario.Target
	target.Z = s.Scenario.Start.Z
	for _, state := range far {
		if r3.Norm(r3.Sub(grid.Position(state), target)) <= possible.OfTargetKm {
			states = append(states, state)
		}
	}
	if len(states) < 2 {
		return nil, &configs.Error{Key: "adversary.candidates", Value: c.Adversary.Candidates,
			Problem: fmt.Sprintf("a secret goal needs at least two candidate cells; there are %d", len(states)),
			Allowed: "settings that leave at least two cells", Fix: "choose other candidates, such as all"}
	}
	return states, nil
}

// inference returns the settings' inference of the goal, nil if the observer infers none, and the world of
// possible goals, nil if neither the observer nor the mechanism needs it.
func (b *Builder) inference(c configs.Config) (*leak.Inference, *leak.World, error) {
	model, err := b.model(c)
	if err != nil {
		return nil, nil, err
	}
	draws := c.Privacy.DrawsGoal()
	if !model.Goal && !draws {
		return nil, nil, nil
	}
	way, err := b.SharedWay(context.Background(), c, func(int) {})
	if err != nil {
		return nil, nil, err
	}
	if !model.Goal {
		return nil, way.World, nil
	}
	if way.World.Own < 0 {
		return nil, nil, &configs.Error{Key: "adversary.candidates", Value: c.Adversary.Candidates,
			Problem: "the mission's goal is not among the goals that the observer considers possible",
			Allowed: "candidates that include the mission's goal", Fix: "add its cell, or take all"}
	}
	s := leak.Sampling{Seed: c.Study.Seed, Workers: c.Study.Workers}
	if model.Private {
		s.Policies = c.Adversary.Policies
	}
	if model.Learns {
		s.Flights = c.Adversary.Training
	}
	return b.inferences.Of(way.Believed(), way.BeliefEpsilon, s), way.World, nil
}

// SharedWay is Way, made once for settings that agree in everything that determines it. It calls done as leak.NewWorld
// does.
func (b *Builder) SharedWay(ctx context.Context, c configs.Config, done func(n int)) (leak.Way, error) {
	one, key := determiningWay(c)
	known, _ := b.ways.LoadOrStore(key, new(sharedWay))
	shared := known.(*sharedWay)
	shared.making.Lock()
	defer shared.making.Unlock()
	if way := shared.made.Load(); way != nil {
		return *way, nil
	}
	way, err := b.newWay(ctx, one, done)
	if err == nil {
		shared.made.Store(&way)
	}
	return way, err
}

// sharedWay is a leak.Way.
type sharedWay struct {
	making sync.Mutex
	made   atomic.Pointer[leak.Way] // nil until it is made
}

// hasWay reports whether SharedWay has been made. It never waits.
func (b *Builder) hasWay(c configs.Config) bool {
	_, key := determiningWay(c)
	known, ok := b.ways.Load(key)
	return ok && known.(*sharedWay).made.Load() != nil
}

// determiningWay returns the settings that determine the leak.Way, with usual ones in place of the others, and the text
// that identifies them.
func determiningWay(c configs.Config) (one configs.Config, key string) {
	one = c
	one.Study, one.Adversary = configs.Study{Workers: c.Study.Workers},
		configs.Adversary{Candidates: c.Adversary.Candidates, Prior: c.Adversary.Prior,
			Epsilon: c.Adversary.Epsilon, RewardWeight: c.Adversary.RewardWeight, Discount: c.Adversary.Discount}
	one.Privacy.Epsilon = 1
	return one, string(one.YAML())
}
