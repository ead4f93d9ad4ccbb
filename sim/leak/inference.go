package leak

import (
	"context"
	"math"
	"slices"
	"sync"

	"veilpath/adversary"
	"veilpath/internal/pool"
)

// Inference is what an observer of the goal knows about flights of every epsilon. It is safe for concurrent use.
type Inference struct {
	World   *World  // as the observer takes it to be
	Epsilon float64 // that the observer takes all flights to have; 0 where it knows that of each
	Sampling

	making sync.Mutex // held while policies are made
	mu     sync.Mutex
	tables map[float64]*Tables // by epsilon
}

// Inferences are those of several worlds, so that each makes its private policies once. The zero value is ready, and
// safe for concurrent use.
type Inferences struct {
	mu  sync.Mutex
	all []*Inference
}

// Of returns the inference of a world as an observer takes it to be, with the epsilon it believes in, 0 for the actual
// one.
func (all *Inferences) Of(w *World, epsilon float64, s Sampling) *Inference {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, f := range all.all {
		same := s
		same.Workers = f.Workers // which change nothing
		if f.World == w && f.Epsilon == epsilon && f.Sampling == same {
			return f
		}
	}
	f := &Inference{World: w, Epsilon: epsilon, Sampling: s}
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

// table returns the private policies for flights of an epsilon, if they were made.
func (f *Inference) table(epsilon float64) *Tables {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tables[f.believed(epsilon)]
}

// missing returns the epsilons that flights of some are taken to have and whose private policies are not made yet.
func (f *Inference) missing(epsilons []float64) (missing []float64) {
	if f.policies()+f.Flights == 0 {
		return nil
	}
	for _, epsilon := range epsilons {
		believed := f.believed(epsilon)
		if f.table(epsilon) == nil && !slices.Contains(missing, believed) {
			missing = append(missing, believed)
		}
	}
	return missing
}

// policies returns how many private policies of every goal there are to make: none where goals are drawn, which takes
// no noise on policies.
func (f *Inference) policies() int {
	if f.World.decoys != nil {
		return 0
	}
	return f.Policies
}

// Work returns how many private policies, and flights to learn from, Prepare makes for some epsilons.
func (f *Inference) Work(epsilons []float64) int {
	return len(f.missing(epsilons)) * (f.policies()*len(f.World.Goals) + f.Flights)
}

// Varies reports whether what is known depends on the epsilon of the flight.
func (f *Inference) Varies() bool {
	return f.Epsilon == 0 && (f.Policies > 0 || f.Flights > 0 || f.World.decoys != nil)
}

// Prepare makes the private policies, and the flights to learn from, for some epsilons, +Inf for no noise. done is told
// how many were made.
func (f *Inference) Prepare(ctx context.Context, epsilons []float64, done func(n int)) error {
	return f.prepare(ctx, epsilons, nil, done)
}

// prepare is Prepare that goes on after policies which a keeper has, and keeps the others.
func (f *Inference) prepare(ctx context.Context, epsilons []float64, keeper pool.Keeper, done func(n int)) error {
	f.making.Lock()
	defer f.making.Unlock()
	missing := f.missing(epsilons)
	if len(missing) == 0 {
		return nil
	}
	tables, err := f.World.Draw(ctx, missing, f.Sampling, keeper, done)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tables == nil {
		f.tables = map[float64]*Tables{}
	}
	for i, epsilon := range missing {
		f.tables[epsilon] = tables[i]
	}
	return nil
}

// At returns what the observer knows about flights of an epsilon, +Inf for those without noise. What is not prepared
// is made.
func (f *Inference) At(epsilon float64) (*adversary.Knowledge, error) {
	if err := f.Prepare(context.Background(), []float64{epsilon}, func(int) {}); err != nil {
		return nil, err
	}
	k := f.World.knowledge(f.table(epsilon))
	if f.World.decoys == nil {
		return k, nil
	}
	var err error
	k.Draws, err = f.World.draws(f.believed(epsilon))
	return k, err
}

// without returns what the observer would know about flights of an epsilon without each group of the private policies,
// which are prepared; none where those are not counted apart.
func (f *Inference) without(epsilon float64) (all []*adversary.Knowledge) {
	if f.World.decoys != nil || f.Groups == 0 {
		return nil
	}
	t := f.table(epsilon)
	for group := range f.Groups {
		k := f.World.knowledge(nil)
		k.Policies, k.Chosen = t.countsWithout(group)
		all = append(all, k)
	}
	return all
}

// draws returns what observers know of the goals that are drawn at an epsilon.
func (w *World) draws(epsilon float64) (*adversary.Draws, error) {
	draws := &adversary.Draws{Next: w.decoys.Next}
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
		draws.Probabilities = append(draws.Probabilities, probabilities)
	}
	return draws, nil
}

// rationalities are the inverse temperatures that observers deem possible: 2^-8 to 2^6.
func rationalities() []float64 {
	var all []float64
	for k := -8; k <= 6; k++ {
		all = append(all, math.Ldexp(1, k))
	}
	return all
}

// knowledge returns what observers know, with what they have seen of the mechanism, nil for nothing.
func (w *World) knowledge(t *Tables) *adversary.Knowledge {
	actions := len(w.values[0]) / w.Goals[0].Mission.Grid.States()
	k := &adversary.Knowledge{
		HandoverKm: w.Scenario.HandoverKm, HandoverSpreadKm: w.Scenario.HandoverSpreadKm,
		LineOfSight: math.IsNaN(w.Scenario.HeadingRad) && !w.Scenario.RandomHeading,
		Actions:     actions, Rationalities: rationalities(),
		Next: func(goal, state, action int) int {
			return int(w.next[goal][state*actions+action])
		},
		Values: func(goal, state int) []float64 {
			return w.values[goal][state*actions : state*actions+actions]
		},
		Waypoint: w.Goals[0].Mission.Grid.Position,
		PathCost: func(goal, state int) float64 { return w.pathCosts[goal]()[state] },
	}
	for _, g := range w.Goals {
		k.Candidates = append(k.Candidates, adversary.Candidate{TargetKm: g.TargetKm, Prior: g.Prior})
	}
	if t != nil && t.chosen != nil {
		k.Policies, k.Chosen = t.counts()
	}
	if t != nil {
		k.Learned = t.learned
	}
	return k
}
