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

// Inference is what observers of the goal believe while the flight on show is flown: of every cell how probable it is
// that the flight goes there. It is worked out while it is wanted.
type Inference struct {
	Version uint64 // changes when a view does
	Problem string // why there is none; empty when there is or will be
	Views   []View // by observer, from the one who knows least
	States  []int  // of the grid: the cells that are possible goals, in the order of the posteriors
	Own     int    // number of the flight's goal among them
	Bits    float64

	wanted  bool
	config  configs.Config // that the world is of
	world   *leak.World
	tables  *leak.Tables
	epsilon float64     // that the tables are of
	flight  *sim.Sample // the first of the flight that the views are of
	known   float64     // epsilon of the tables that the views are of

	task   *task // of the world or the tables
	seeing *task // of a view
}

// View is what one observer of the goal believes.
type View struct {
	Name    string
	Meaning string
	Ready   bool     // the beliefs are there; one who knows the mechanism takes a while
	Beliefs []Belief // in the order of time; the first at sample 0

	model adversary.GoalModel
}

// Belief is a posterior; it holds from its sample to the next one's.
type Belief struct {
	Sample    int
	Posterior []float64
	adversary.Standing
}

// At returns what is believed at a sample, nil while it is not known.
func (v *View) At(sample int) *Belief {
	i, found := slices.BinarySearchFunc(v.Beliefs, sample, func(b Belief, sample int) int { return b.Sample - sample })
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	return &v.Beliefs[i]
}

// inferencePolicies is how many private policies of every goal the observer who knows the mechanism has seen, unless
// Workers say otherwise: bits left after 50 km are within 0.05 of those for four times as many.
const inferencePolicies = 25

// flightsPerPolicy is how many flights the observer learned uses for every policy of a goal: 500 for 25 policies.
const flightsPerPolicy = 20

// SetInference has what observers of the goal believe worked out, or no longer.
func (m *Model) SetInference(wanted bool) {
	m.Inference.wanted = wanted
	if !wanted {
		m.Inference.stop()
	}
	m.infer()
}

// Wanted reports whether it is worked out.
func (n *Inference) Wanted() bool { return n.wanted }

// stop ends the work under way.
func (n *Inference) stop() {
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
	if !n.wanted {
		return
	}
	if own := worldOf(m.Config); !reflect.DeepEqual(n.config, own) {
		n.stop()
		*n = Inference{Version: n.Version + 1, wanted: true, config: own}
		c := own
		b := m.builderOf(c)
		n.task = m.begin(func(ctx context.Context, done func(int)) (func(), error) {
			return m.makeWorld(ctx, b, c, done)
		})
	}
	if n.world == nil {
		return
	}
	if epsilon := m.Config.Privacy.Epsilon; n.epsilon != epsilon && n.task == nil {
		world, seed := n.world, m.Config.Study.Seed
		n.task = m.begin(func(ctx context.Context, done func(int)) (func(), error) {
			return m.drawPolicies(ctx, world, epsilon, seed, done)
		})
	}
	m.watch()
}

// Watching is what observers of the goal believe of the flight on show.
func (m *Model) Watching() []View {
	if m.Inference.flight != &m.Flight().Samples[0] {
		return nil
	}
	return m.Inference.Views
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
		m.Inference.flight = nil
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

// watch has an observer of the goal that has not done so watch the flight on show, one at a time.
func (m *Model) watch() {
	n, f := &m.Inference, m.Flight()
	if first := &f.Samples[0]; n.flight != first {
		n.flight = first
		n.Version++
		n.Problem, n.Views = "", nil
		switch m.Show {
		case ShowDirect:
			n.Problem = "The direct flight commands no waypoints: there is nothing to learn from."
			return
		case ShowPlanned:
			n.Problem = "The planned flight has no noise. Observers of the goal watch private flights only."
			return
		}
		for _, g := range adversary.GoalModels() {
			// There is nothing to follow in the heading: it knows nearly all from the first sample on.
			if g.Heading {
				continue
			}
			n.Views = append(n.Views, View{Name: g.Name, Meaning: g.Meaning, model: g})
		}
	}
	for i := range n.Views {
		v := &n.Views[i]
		if v.model.KnowsNoise() && v.Ready && n.known != m.Config.Privacy.Epsilon {
			v.Ready, v.Beliefs = false, nil // it knows another epsilon
			n.Version++
		}
		if v.Ready || (v.model.KnowsNoise() && n.epsilon != m.Config.Privacy.Epsilon) {
			continue
		}
		if n.seeing == nil {
			m.see(v, f)
		}
		return
	}
}

// see has an observer watch a flight.
func (m *Model) see(v *View, f *Flight) {
	n, tables, epsilon := &m.Inference, m.Inference.tables, m.Inference.epsilon
	belief := made(n.world.NewBelief(v.model, tables)) // priors and actions are the world's own
	history := f.history()
	own := n.Own
	n.seeing = m.begin(func(ctx context.Context, _ func(int)) (func(), error) {
		var beliefs []Belief
		belief.Watch(&history, func(sample int, posterior []float64) {
			beliefs = append(beliefs, Belief{sample, slices.Clone(posterior), adversary.Stand(posterior, own)})
			ordered.Rest(ctx)
		})
		return func() {
			if n.flight != &history.Samples[0] || v.model.KnowsNoise() && n.tables != tables {
				return // another flight is on show
			}
			v.Beliefs, v.Ready = beliefs, true
			if v.model.KnowsNoise() {
				n.known = epsilon
			}
			n.Version++
		}, nil
	})
}
