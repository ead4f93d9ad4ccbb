package model

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"veilpath/adversary"
	"veilpath/configs"
	ordered "veilpath/internal/pool"
	"veilpath/internal/setup"
	"veilpath/sim"
	"veilpath/sim/leak"
)

// Inference is what an observer of the goal believes while the flight on show is flown: of every cell how probable it
// is that the flight goes there. It is worked out while it is wanted.
type Inference struct {
	Version uint64   // changes when the beliefs do
	Problem string   // why there are none; empty when there are or will be
	Beliefs []Belief // in the order of time, the first at sample 0; nil while they are not known
	States  []int    // of the grid: the cells that are possible goals, in the order of the posteriors
	Own     int      // number of the flight's goal among them
	Bits    float64

	wanted  *adversary.GoalModel // nil for none
	config  configs.Config       // that the world is of
	world   *leak.World
	tables  *leak.Tables
	epsilon float64 // that the tables are of
	watched watched // that the beliefs are of

	task   *task // of the world or the tables
	seeing *task // of the beliefs
}

// watched is what beliefs are of.
type watched struct {
	flight   *sim.Sample // its first
	observer string
	epsilon  float64 // that the observer knows; 0 for one who knows none
}

// Belief is a posterior; it holds from its sample to the next one's.
type Belief struct {
	Sample    int
	Posterior []float64
	adversary.Standing
}

// At returns what is believed at a sample, nil while it is not known.
func (n *Inference) At(sample int) *Belief {
	i, found := slices.BinarySearchFunc(n.Beliefs, sample, func(b Belief, sample int) int { return b.Sample - sample })
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	return &n.Beliefs[i]
}

// inferencePolicies is how many private policies of every goal the observer who knows the mechanism has seen, unless
// Workers say otherwise: bits left after 50 km are within 0.05 of those for four times as many.
const inferencePolicies = 25

// flightsPerPolicy is how many flights the observer learned uses for every policy of a goal: 500 for 25 policies.
const flightsPerPolicy = 20

// SetInference has Advance work out what an observer of the goal believes; nil has none.
func (m *Model) SetInference(observer *adversary.GoalModel) {
	m.Inference.wanted = observer
	if observer == nil {
		m.Inference.stop()
	}
}

// stop ends the work under way.
func (n *Inference) stop() {
	n.watched = watched{}
	for _, t := range []**task{&n.task, &n.seeing} {
		if *t != nil {
			(*t).cancel()
			*t = nil
		}
	}
}

// worldOf is what of the settings the possible goals depend on.
func worldOf(c configs.Config) configs.Config {
	c.Study, c.Adversary, c.Privacy.Epsilon = configs.Study{}, configs.Adversary{}, 0
	return c
}

// infer takes over what was worked out of the inference, and has the next thing worked out.
func (m *Model) infer() {
	n := &m.Inference
	m.takeOver(&n.task)
	m.takeOver(&n.seeing)
	if n.wanted == nil {
		return
	}
	if own := worldOf(m.Config); !reflect.DeepEqual(n.config, own) {
		n.stop()
		*n = Inference{Version: n.Version + 1, wanted: n.wanted, config: own}
		c := own
		b := m.builderOf(c)
		n.task = m.begin(func(ctx context.Context, done func(int)) (func(), error) {
			return m.makeWorld(ctx, b, c, done)
		})
	}
	if n.world == nil {
		return
	}
	if epsilon := m.Config.Privacy.Epsilon; n.wanted.KnowsNoise() && n.epsilon != epsilon && n.task == nil {
		world, seed := n.world, m.Config.Study.Seed
		n.task = m.begin(func(ctx context.Context, done func(int)) (func(), error) {
			return m.drawPolicies(ctx, world, epsilon, seed, done)
		})
	}
	m.watch()
}

// takeOver takes over what a task did, once it is done.
func (m *Model) takeOver(t **task) {
	if *t == nil {
		return
	}
	_, finished, apply, err := (*t).state()
	switch {
	case !finished:
		return
	case err != nil:
		m.Inference.Problem = err.Error()
		m.Inference.Version++
	default:
		apply()
	}
	*t = nil
}

// coresBeside leaves a core to the window.
func (m *Model) coresBeside() int {
	if m.workers.Pace > 0 {
		return 1
	}
	return max(1, runtime.GOMAXPROCS(0)-1)
}

// makeWorld solves the mission for every goal that is possible: the cells at least as far from the start as the
// hand-over is from the target.
func (m *Model) makeWorld(ctx context.Context, b *setup.Builder, c configs.Config, done func(int)) (func(), error) {
	c.Adversary = configs.Default().Adversary
	c.Study.Workers = m.coresBeside()
	way, err := b.SharedWay(ctx, c, done)
	if err != nil {
		return nil, err
	}
	world := way.World
	world.ComputePathCosts(ctx)
	states := make([]int, len(world.Goals))
	for i, g := range world.Goals {
		states[i] = g.State
	}
	if world.Own < 0 {
		return nil, fmt.Errorf("the goal is nearer to the start than %v km, where no waypoint is ever commanded: there is "+
			"nothing to learn from", c.Privacy.HandoverKm)
	}
	return func() {
		m.Inference.world, m.Inference.States, m.Inference.Own, m.Inference.Bits = world, states, world.Own, world.PriorBits()
		m.Inference.watched = watched{}
	}, nil
}

// drawPolicies makes the private policies and the flights from which observers know the mechanism.
func (m *Model) drawPolicies(ctx context.Context, world *leak.World, epsilon float64, seed uint64,
	done func(int)) (func(), error) {
	policies := cmp.Or(m.workers.InferencePolicies, inferencePolicies)
	tables, err := world.Draw(ctx, []float64{epsilon}, leak.Sampling{Policies: policies,
		Flights: flightsPerPolicy * policies, Seed: seed, Workers: m.coresBeside()}, nil, done)
	if err != nil {
		return nil, err
	}
	return func() { m.Inference.tables, m.Inference.epsilon = tables[0], epsilon }, nil
}

// watch has the observer watch the flight on show, unless that has been done.
func (m *Model) watch() {
	n, f := &m.Inference, m.Flight()
	now := watched{flight: &f.Samples[0], observer: n.wanted.Name}
	if n.wanted.KnowsNoise() {
		now.epsilon = m.Config.Privacy.Epsilon
	}
	if n.watched == now {
		return
	}
	if n.seeing != nil {
		n.seeing.cancel()
		n.seeing = nil
	}
	n.Problem, n.Beliefs = "", nil
	n.Version++
	if now.epsilon > 0 && n.epsilon != now.epsilon {
		return // policies at this epsilon are drawn first
	}
	n.watched = now
	switch m.Show {
	case ShowDirect:
		n.Problem = "The direct flight commands no waypoints: there is nothing to learn from."
		return
	case ShowPlanned:
		n.Problem = "The planned flight has no noise. Observers of the goal watch private flights only."
		return
	}
	belief := made(n.world.NewBelief(*n.wanted, n.tables)) // priors and actions are the world's own
	history, own := f.history(), n.Own
	n.seeing = m.begin(func(ctx context.Context, _ func(int)) (func(), error) {
		var beliefs []Belief
		belief.Watch(&history, func(sample int, posterior []float64) {
			beliefs = append(beliefs, Belief{sample, slices.Clone(posterior), adversary.Stand(posterior, own)})
			ordered.Rest(ctx)
		})
		return func() { n.Beliefs = beliefs; n.Version++ }, nil
	})
}
