package leak

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/pool"
)

// Inference is what an observer of the goal knows about flights of every epsilon. It is safe for concurrent use.
type Inference struct {
	World    *World  // as the observer takes it to be
	Epsilon  float64 // that the observer takes all flights to have; 0 where it knows that of each
	Policies int     // private policies of every goal that it knows; 0 where it does not ask for any
	Seed     uint64  // of those
	Workers  int     // goroutines that make them; 0 for as many as there are cores

	making sync.Mutex // held while policies are made
	mu     sync.Mutex
	tables map[float64]*Tables // by sigma
}

// Inferences are those of several worlds, so that each makes its private policies once. The zero value is ready, and safe
// for concurrent use.
type Inferences struct {
	mu  sync.Mutex
	all []*Inference
}

// Of returns the inference of a world as an observer takes it to be, with the epsilon it believes in, 0 for the actual one.
func (all *Inferences) Of(w *World, epsilon float64, policies int, seed uint64, workers int) *Inference {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, f := range all.all {
		if f.World == w && f.Epsilon == epsilon && f.Policies == policies && f.Seed == seed {
			return f
		}
	}
	f := &Inference{World: w, Epsilon: epsilon, Policies: policies, Seed: seed, Workers: workers}
	all.all = append(all.all, f)
	return f
}

// believed returns the epsilon that flights of one are taken to have.
func (f *Inference) believed(epsilon float64) float64 {
	if f.Epsilon > 0 && !math.IsInf(epsilon, 1) {
		return f.Epsilon
	}
	return epsilon
}

// table returns the private policies made with a level of noise, if they were made.
func (f *Inference) table(sigma float64) *Tables {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tables[sigma]
}

// missing returns the levels of noise for some epsilons whose private policies are not made yet.
func (f *Inference) missing(epsilons []float64) ([]float64, error) {
	if f.Policies == 0 || f.World.decoys != nil {
		return nil, nil
	}
	var sigmas []float64
	for _, epsilon := range epsilons {
		sigma, err := f.World.sigma(f.believed(epsilon))
		if err != nil {
			return nil, err
		}
		if f.table(sigma) == nil && !slices.Contains(sigmas, sigma) {
			sigmas = append(sigmas, sigma)
		}
	}
	return sigmas, nil
}

// Work returns how many private policies Prepare makes for some epsilons.
func (f *Inference) Work(epsilons []float64) int {
	sigmas, _ := f.missing(epsilons) // Prepare tells the error
	return len(sigmas) * f.Policies * len(f.World.Goals)
}

// Varies reports whether what is known depends on the epsilon of the flight.
func (f *Inference) Varies() bool { return f.Epsilon == 0 && (f.Policies > 0 || f.World.decoys != nil) }

// Prepare makes the private policies for some epsilons, +Inf for no noise. done is told how many were made.
func (f *Inference) Prepare(ctx context.Context, epsilons []float64, done func(n int)) error {
	return f.prepare(ctx, epsilons, nil, done)
}

// prepare is Prepare that goes on after policies which a keeper has, and keeps the others.
func (f *Inference) prepare(ctx context.Context, epsilons []float64, keeper pool.Keeper, done func(n int)) error {
	f.making.Lock()
	defer f.making.Unlock()
	sigmas, err := f.missing(epsilons)
	if err != nil || len(sigmas) == 0 {
		return err
	}
	tables, err := f.World.Draw(ctx, sigmas, f.Policies, f.Seed, f.Workers, keeper, done)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tables == nil {
		f.tables = map[float64]*Tables{}
	}
	for i, sigma := range sigmas {
		f.tables[sigma] = tables[i]
	}
	return nil
}

// At returns what the observer knows about flights of an epsilon, +Inf for those without noise. What is not prepared
// is made.
func (f *Inference) At(epsilon float64) (*adversary.Knowledge, error) {
	w := f.World
	if w.decoys != nil {
		return w.knowledgeOfDraws(f.believed(epsilon))
	}
	if f.Policies == 0 {
		return w.knowledge(nil), nil
	}
	if err := f.Prepare(context.Background(), []float64{epsilon}, func(int) {}); err != nil {
		return nil, err
	}
	sigma, err := w.sigma(f.believed(epsilon))
	return w.knowledge(f.table(sigma)), err
}

// knowledgeOfDraws returns what observers know where goals are drawn.
func (w *World) knowledgeOfDraws(epsilon float64) (*adversary.Knowledge, error) {
	k := w.knowledge(nil)
	k.Draws = &adversary.Draws{Next: w.decoys.Next}
	for _, g := range w.Goals {
		probabilities := make([]float64, len(w.decoys.Missions))
		if math.IsInf(epsilon, 1) {
			probabilities[g.State] = 1
		} else {
			var err error
			if probabilities, err = w.decoys.Probabilities(g.State, epsilon); err != nil {
				return nil, err
			}
		}
		k.Draws.Probabilities = append(k.Draws.Probabilities, probabilities)
	}
	return k, nil
}

// rationalities are the inverse temperatures of the observer rational: 2^-8 to 2^6.
func rationalities() []float64 {
	var all []float64
	for k := -8; k <= 6; k++ {
		all = append(all, math.Ldexp(1, k))
	}
	return all
}

// knowledge returns what observers know, with the private policies of a level of noise where there are any.
func (w *World) knowledge(t *Tables) *adversary.Knowledge {
	actions := len(w.values[0]) / w.Goals[0].Mission.Grid.States()
	k := &adversary.Knowledge{
		HandoverKm: w.Scenario.HandoverKm, HandoverSpreadKm: w.Scenario.HandoverSpreadKm,
		LineOfSight: math.IsNaN(w.Scenario.HeadingRad) && !w.Scenario.RandomHeading,
		Actions:     actions, Rationalities: rationalities(),
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

// Purposes of numbers drawn, beside those of flights.
const (
	drawGoals    = 0x676f616c // "goal"
	drawPolicies = 0x706f6c69 // "poli"
	drawReleases = 0x72656c65 // "rele"
)

// Draw makes n private policies for every goal at every one of some standard deviations of the noise, which share
// their draws. done is told how many were made. It goes on after what a keeper has, and has it keep the others; nil for none.
func (w *World) Draw(ctx context.Context, sigmas []float64, n int, seed uint64, workers int, keeper pool.Keeper, done func(n int)) ([]*Tables, error) {
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
	for r, err := range pool.Resumed(ctx, workers, count(len(w.Goals)), draw, keeper) {
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
	for i, sigma := range sigmas {
		if sigma == 0 { // all are the goal's own
			for state, action := range w.Goals[goal].Mission.Optimal.Policy {
				counts[i][state*actions+int(action)] = float64(n)
			}
		}
	}
	var noise privacy.Noise
	z := make([]float64, p.Normals())
	for k := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		noise.Seek(privacy.Address{Seed: seed, Cell: uint64(w.Goals[goal].State), Run: uint64(k), Purpose: drawPolicies})
		noise.Normals(z)
		plan := p.Plan
		for i, sigma := range sigmas {
			if sigma == 0 {
				continue
			}
			made := plan(p.Privatize(sigma, z))
			plan = p.Replan
			for state, action := range made.Policy {
				counts[i][state*actions+int(action)]++
			}
		}
	}
	return counts, nil
}
