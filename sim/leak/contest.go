package leak

import (
	"context"
	"fmt"
	"math"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/pool"
)

// Hiding is one way to hide the goal: noise on its reward, or another goal drawn in its place.
type Hiding struct {
	Mechanism string
	Epsilon   float64
	Sigma     float64               // of the noise on every reward; unused where Goal draws
	Goal      privacy.GoalMechanism // nil for noise on the reward
}

// Contest flies the same goals, each hidden in several ways, and compares what the flights tell an observer who knows
// the way with what they cost.
type Contest struct {
	World    *World // whose goals are the cells of the grid, in order; those that are impossible have prior 0
	Hidings  []Hiding
	Flights  int     // of every hiding, >= 2
	FlownKm  float64 // distance flown after which the belief is told, km, >= 0
	Policies int     // private policies of every goal that observers of noise on the reward know, >= 1
	Seed     uint64
	Workers  int // goroutines; 0 for as many as there are cores
}

// Outcome is what a hiding came to, on average over the flights.
type Outcome struct {
	Hiding
	Learned  Estimate // bits about the goal after FlownKm, of the prior's entropy
	Cost     Estimate // of privacy: value lost at the start, relative to the optimal one, on the true reward
	Detour   Estimate // flight time over that of the direct flight, less 1
	Fallback float64  // share of flights that gave their waypoints up
}

// Work returns how much there is to do, in flights and private policies.
func (c *Contest) Work() int {
	return c.Flights*len(c.Hidings) + c.Policies*len(c.World.Goals)*len(c.sigmas())
}

// sigmas are the noises on rewards.
func (c *Contest) sigmas() []float64 {
	var sigmas []float64
	for _, h := range c.Hidings {
		if h.Goal == nil {
			sigmas = append(sigmas, h.Sigma)
		}
	}
	return sigmas
}

// check returns an error unless the contest can be flown.
func (c *Contest) check() error {
	if len(c.Hidings) == 0 || c.Flights < 2 || c.Policies < 1 {
		return fmt.Errorf("leak: %d ways of hiding, %d flights and %d policies; want at least 1, 2 and 1", len(c.Hidings), c.Flights, c.Policies)
	}
	cells := c.World.Spec.Columns * c.World.Spec.Rows
	if len(c.World.Goals) != cells {
		return fmt.Errorf("leak: %d goals; a contest wants one for each of the %d cells", len(c.World.Goals), cells)
	}
	for cell, g := range c.World.Goals {
		if g.State != cell {
			return fmt.Errorf("leak: goal %d is cell %d; a contest wants the cells in order", cell, g.State)
		}
	}
	return nil
}

// watched is a hiding with the observer who knows it.
type watched struct {
	Hiding
	model     adversary.GoalModel
	knowledge *adversary.Knowledge
	draws     [][]float64 // by goal; nil for noise on the reward
}

// Fly makes the private policies that observers know and flies the contest; done is told of work that is done. The
// outcomes are in the order of the hidings and the same whatever the number of workers.
func (c *Contest) Fly(ctx context.Context, done func(n int)) ([]Outcome, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	all, err := c.watch(ctx, done)
	if err != nil {
		return nil, err
	}
	sums := make([]struct{ left, cost, detour, fallback moments }, len(all))
	fly := func() pool.Work[int, []trip] {
		return func(ctx context.Context, run int, _ []trip) ([]trip, error) { return c.fly(ctx, run, all) }
	}
	for r, err := range pool.Ordered(ctx, c.Workers, count(c.Flights), fly) {
		if err != nil {
			return nil, err
		}
		for i, t := range r.Value {
			sums[i].left.add(t.bits)
			sums[i].cost.add(t.cost)
			sums[i].detour.add(t.detour)
			sums[i].fallback.add(t.fallback)
		}
		done(len(all))
	}
	outcomes := make([]Outcome, len(all))
	for i, s := range sums {
		left := s.left.estimate()
		outcomes[i] = Outcome{Hiding: all[i].Hiding, Learned: Estimate{c.World.PriorBits() - left.Mean, left.StandardError},
			Cost: s.cost.estimate(), Detour: s.detour.estimate(), Fallback: s.fallback.mean}
	}
	return outcomes, nil
}

// watch gives every hiding the observer who knows it.
func (c *Contest) watch(ctx context.Context, done func(n int)) ([]watched, error) {
	var tables []*Tables
	if sigmas := c.sigmas(); len(sigmas) > 0 {
		var err error
		if tables, err = c.World.Draw(ctx, sigmas, c.Policies, c.Seed, c.Workers, done); err != nil {
			return nil, err
		}
	}
	known, err := adversary.FindGoalModel("mechanism")
	if err != nil {
		return nil, err
	}
	next := func(cell, state int) int {
		m := c.World.Goals[cell].Mission
		return m.Grid.Next(state, planner.Action(m.Optimal.Policy[state]))
	}
	var all []watched
	for _, h := range c.Hidings {
		if h.Goal == nil {
			all = append(all, watched{Hiding: h, model: known, knowledge: c.World.knowledge(tables[0])})
			tables = tables[1:]
			continue
		}
		draws := make([][]float64, len(c.World.Goals))
		for g := range draws {
			draws[g] = make([]float64, len(draws))
			h.Goal.Probabilities(draws[g], g)
		}
		all = append(all, watched{h, adversary.NewDrawnModel(draws, next), c.World.knowledge(nil), draws})
	}
	return all, nil
}

// trip is one flight of one hiding.
type trip struct{ bits, cost, detour, fallback float64 }

// drawDecoys is the purpose of the numbers that draw goals in place of the true one.
const drawDecoys = 0x6465636f // "deco"

// fly flies flight number run in every way.
func (c *Contest) fly(ctx context.Context, run int, all []watched) ([]trip, error) {
	goal := (&Study{World: c.World, Seed: c.Seed}).goal(run)
	mission, scenario := c.World.Goals[goal].Mission, c.World.scenario(goal)
	var history sim.History
	direct := scenario.Fly(nil, &history).FlightTimeS
	p, err := planner.NewPlanner(mission.Solved, privacy.InputPerturbation{})
	if err != nil {
		return nil, err
	}
	p.LimitCores(1)
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: c.Seed, Run: uint64(run), Purpose: drawDecoys})
	u := noise.Uniform() // one for all, so that hidings differ by what they are
	z := make([]float64, p.Normals())
	noise.Seek(privacy.Address{Seed: c.Seed, Run: uint64(run)})
	noise.Normals(z)
	trips := make([]trip, len(all))
	for i, w := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		route := planner.Route{Grid: mission.Grid}
		if w.Goal == nil {
			route.Policy = p.Plan(p.Privatize(w.Sigma, z)).Policy
			trips[i].cost = p.CostOfPrivacy(route.Policy)
		} else {
			decoy := c.World.Goals[privacy.DrawFrom(w.draws[goal], u)].Mission
			cost, err := mission.CostOfDecoy(decoy, c.World.Spec.RewardWeight)
			if err != nil {
				return nil, err
			}
			route.Grid, route.Policy, trips[i].cost = decoy.Grid, decoy.Optimal.Policy, cost.Relative
		}
		outcome := scenario.Fly(route, &history)
		trips[i].detour = outcome.FlightTimeS/direct - 1
		if outcome.Fallback {
			trips[i].fallback = 1
		}
		if trips[i].bits, err = c.left(w, goal, &history, &outcome); err != nil {
			return nil, err
		}
	}
	return trips, nil
}

// left returns what the observer of a hiding has left to learn of a flight's goal, bits.
func (c *Contest) left(w watched, goal int, h *sim.History, outcome *sim.Outcome) (float64, error) {
	belief, err := adversary.NewBelief(w.model, w.knowledge)
	if err != nil {
		return 0, err
	}
	perSample := c.World.Scenario.SpeedKmS * c.World.Scenario.StepS
	last := int(c.FlownKm / perSample * (1 + 1e-12))
	bits := math.NaN()
	belief.Watch(h, outcome, func(sample int, posterior []float64) {
		if sample <= last {
			bits = -math.Log2(posterior[goal])
		}
	})
	return bits, nil
}
