package leak

import (
	"context"
	"math"
	"slices"
	"sync"

	"veilpath/adversary"
	"veilpath/internal/pieces"
)

// Inference holds what an observer of the goal knows about flights at every epsilon. It is safe for concurrent
// use.
type Inference struct {
	World   *World  // the world that the observer assumes
	Epsilon float64 // the epsilon that the observer assumes for all flights; 0 if it knows the epsilon of each
	Sampling

	making sync.Mutex // held while tables are made
	mu     sync.Mutex
	tables map[float64]*Tables // by assumed epsilon
}

// Inferences holds the inferences of several worlds, so that each makes its tables once. The zero value is
// ready for use, and safe for concurrent use.
type Inferences struct {
	mu  sync.Mutex
	all []*Inference
}

// Of returns the inference of an observer that assumes world w and an epsilon, 0 for the true one.
func (all *Inferences) Of(w *World, epsilon float64, s Sampling) *Inference {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, f := range all.all {
		same := s
		same.Workers = f.Workers // they do not change the result
		if f.World == w && f.Epsilon == epsilon && f.Sampling == same {
			return f
		}
	}
	f := &Inference{World: w, Epsilon: epsilon, Sampling: s}
	all.all = append(all.all, f)
	return f
}

// assumed returns the epsilon that the observer assumes for flights at an epsilon.
func (f *Inference) assumed(epsilon float64) float64 {
	if f.Epsilon > 0 && !math.IsInf(epsilon, 1) {
		return f.Epsilon
	}
	return epsilon
}

// table returns the tables for flights at an epsilon, nil if they are not made yet.
func (f *Inference) table(epsilon float64) *Tables {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tables[f.assumed(epsilon)]
}

// missing returns the assumed epsilons, for flights at the given epsilons, whose tables are not made yet.
func (f *Inference) missing(epsilons []float64) (missing []float64) {
	if f.policies()+f.Flights == 0 {
		return nil
	}
	for _, epsilon := range epsilons {
		assumed := f.assumed(epsilon)
		if f.table(epsilon) == nil && !slices.Contains(missing, assumed) {
			missing = append(missing, assumed)
		}
	}
	return missing
}

// policies returns how many private policies of every goal to make: none if goals are drawn, because their
// policies have no noise.
func (f *Inference) policies() int {
	if f.World.decoys != nil {
		return 0
	}
	return f.Policies
}

// Work returns the number of private policies and training flights that Prepare makes for the epsilons.
func (f *Inference) Work(epsilons []float64) int {
	return len(f.missing(epsilons)) * (f.policies()*len(f.World.Goals) + f.Flights)
}

// Varies reports whether the observer's knowledge depends on the epsilon of the flight.
func (f *Inference) Varies() bool {
	return f.Epsilon == 0 && (f.Policies > 0 || f.Flights > 0 || f.World.decoys != nil)
}

// Prepare makes the private policies and training flights for the epsilons, +Inf for no noise. It calls done
// with the number of those it has completed.
func (f *Inference) Prepare(ctx context.Context, epsilons []float64, done func(n int)) error {
	return f.prepare(ctx, epsilons, nil, done)
}

// prepare is Prepare with pieces, which hold the results before and receive new ones.
func (f *Inference) prepare(ctx context.Context, epsilons []float64, kept *pieces.Work, done func(n int)) error {
	if len(f.missing(epsilons)) == 0 {
		return nil // without waiting for what is made for others
	}
	f.making.Lock()
	defer f.making.Unlock()
	missing := f.missing(epsilons)
	if len(missing) == 0 {
		return nil
	}
	tables, err := f.World.Draw(ctx, missing, f.Sampling, kept, done)
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

// At returns what the observer knows about flights at an epsilon, +Inf for flights without noise. It makes the
// tables that are not prepared.
func (f *Inference) At(epsilon float64) (*adversary.Knowledge, error) {
	if err := f.Prepare(context.Background(), []float64{epsilon}, func(int) {}); err != nil {
		return nil, err
	}
	k := f.World.knowledge(f.table(epsilon))
	if f.World.decoys == nil {
		return k, nil
	}
	var err error
	k.Draws, err = f.World.draws(f.assumed(epsilon))
	return k, err
}

// without returns, for each group of the private policies, what the observer would know without that group. The
// policies must be prepared. It returns nil if there are no groups.
func (f *Inference) without(epsilon float64) (all []*adversary.Knowledge) {
	if f.World.decoys != nil || f.Groups == 0 {
		return nil
	}
	t := f.table(epsilon)
	for group := range f.Groups {
		k := f.World.knowledge(nil)
		k.Policies, k.Chosen = t.counts(group)
		all = append(all, k)
	}
	return all
}

// draws returns the distributions of the cell that replaces each goal at an epsilon.
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

// knowledge returns what observers know, with the tables t of the mechanism, nil for none.
func (w *World) knowledge(t *Tables) *adversary.Knowledge {
	actions := len(w.values[0]) / w.Goals[0].Mission.Grid.States()
	k := &adversary.Knowledge{
		HandoverKm: w.Scenario.HandoverKm, HandoverCDF: w.handoverCDF(),
		LineOfSight: w.lineOfSight(),
		Actions:     actions,
		Next: func(goal, state, action int) int {
			return int(w.next[goal][state*actions+action])
		},
		Values: func(goal, state int) []float64 {
			return w.values[goal][state*actions : state*actions+actions]
		},
		Waypoint: w.Goals[0].Mission.Grid.Position,
		PathCost: func(goal, state int) float64 { return w.pathCosts[goal]()[state] },
	}
	for power := -8; power <= 6; power++ { // the inverse temperatures that observers consider possible
		k.Rationalities = append(k.Rationalities, math.Ldexp(1, power))
	}
	for _, g := range w.Goals {
		k.Candidates = append(k.Candidates, adversary.Candidate{TargetKm: g.TargetKm, Prior: g.Prior})
	}
	if t != nil && t.chosen != nil {
		k.Policies, k.Chosen = t.counts(-1)
	}
	if t != nil {
		k.Learned = t.learned
	}
	return k
}

// NewBelief returns the belief of an observer of the goal in the world's goals, which keep their numbers. t
// holds the private policies, drawn goals or learned weights that the observer knows; nil if it uses none. The
// result is for one goroutine.
func (w *World) NewBelief(m adversary.GoalModel, t *Tables) (*adversary.Belief, error) {
	k := w.knowledge(t)
	if w.decoys != nil && t != nil {
		var err error
		if k.Draws, err = w.draws(t.epsilon); err != nil {
			return nil, err
		}
	}
	return adversary.NewBelief(m, k)
}
