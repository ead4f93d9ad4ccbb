package leak

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"veilpath/adversary"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Unprivate is the epsilon of flights without privacy.
var Unprivate = math.Inf(1)

// Way is one way to hide the goal: a world with its mechanism, at an epsilon.
type Way struct {
	Name    string // without the epsilon; empty if the epsilon suffices
	World   *World
	Epsilon float64 // above 0; Unprivate for no privacy
	// Belief is the world that observers assume, with the same grid and goals; nil if they know the true one.
	// BeliefEpsilon is the epsilon that they assume, 0 for the true one.
	Belief        *World
	BeliefEpsilon float64
}

// AtDelta names the delta at which the epsilon of the way holds, in brackets after a space. It is empty without
// privacy, and for a mechanism that guarantees nothing.
func (w *Way) AtDelta() string {
	if w.Epsilon == Unprivate || w.World.decoys == nil && planner.PromiseOf(w.World.Mechanism) == privacy.None {
		return ""
	}
	return fmt.Sprintf(" (delta %g)", w.World.Delta())
}

// Ways returns every kind at every epsilon, ordered by epsilon.
func Ways(epsilons []float64, kinds ...Way) []Way {
	var ways []Way
	for _, epsilon := range epsilons {
		for _, way := range kinds {
			way.Epsilon = epsilon
			ways = append(ways, way)
		}
	}
	return ways
}

// Believed returns the world that observers assume.
func (w *Way) Believed() *World {
	if w.Belief != nil {
		return w.Belief
	}
	return w.World
}

// sigma returns the standard deviation of the noise on rewards; 0 if goals are drawn.
func (w *Way) sigma() (float64, error) {
	if w.World.decoys != nil {
		return 0, nil
	}
	return w.World.Sigma(w.Epsilon)
}

// Study makes flights to the same goals, hidden in several ways, with observers of the goal.
type Study struct {
	Ways      []Way
	Observers []adversary.GoalModel
	Flights   int       // in every way, >= 2
	OwnGoal   bool      // whether all flights go to the mission's own goal; otherwise each draws a goal from the prior
	FlownKm   []float64 // distances flown at which beliefs are recorded, each >= 0, ascending
	RadiiKm   []float64 // of recognition, each >= 0
	InARow    int       // steps for the rule of steps in a row (the other rule is Stays), >= 1
	Policies  int       // private policies of every goal, for the observers who know the mechanism, >= 1
	Alike     bool      // whether the policies of all goals are made from the same draws, see Sampling
	Training  int       // training flights of the observer that learns, at every epsilon; 0 for TrainingFlights
	Seed      uint64
	Workers   int // goroutines; 0 for as many as there are cores

	// Inferences, if not nil, supplies the tables that another study has made.
	Inferences *Inferences

	// Kept, if not nil, stores completed work, from which an interrupted study resumes.
	Kept *pieces.Work
}

// World returns the world of the first way. All ways have its goals.
func (s *Study) World() *World { return s.Ways[0].World }

// Work returns the number of private policies and flights to make, including training flights, for a display of
// progress.
func (s *Study) Work() int {
	work := s.Flights * len(s.Ways)
	for _, job := range s.jobs() {
		work += job.inference.Work(job.epsilons)
	}
	return work
}

// private reports whether an observer uses private policies.
func (s *Study) private() bool {
	return slices.ContainsFunc(s.Observers, func(m adversary.GoalModel) bool { return m.Private })
}

// learns reports whether an observer uses weights learned from training flights.
func (s *Study) learns() bool {
	return slices.ContainsFunc(s.Observers, func(m adversary.GoalModel) bool { return m.Learns })
}

// Check returns an error unless the study can be flown.
func (s *Study) Check() error {
	switch {
	case len(s.Observers) == 0 || len(s.Ways) == 0:
		return fmt.Errorf("leak: %d observers and %d ways; want at least one of each", len(s.Observers), len(s.Ways))
	case s.Flights < 2:
		return fmt.Errorf("leak: %d flights; want at least 2, for a standard error", s.Flights)
	case s.private() && s.Policies < 1:
		return fmt.Errorf("leak: %d private policies of every goal; want at least 1", s.Policies)
	case s.OwnGoal && s.World().Own < 0:
		return errors.New("leak: the mission's own goal is not among those that are possible; add it to them")
	}
	for i := range s.Ways {
		w := &s.Ways[i]
		if !w.Believed().compatible(w.World) {
			return errors.New("leak: observers believe in another grid or in other goals than there are")
		}
		if !s.World().sameGoals(w.World) {
			return errors.New("leak: two ways have other goals")
		}
	}
	return nil
}

// Sigma returns the standard deviation of the noise on every reward for an epsilon, 0 for Unprivate and for a
// mechanism that is not linear.
func (w *World) Sigma(epsilon float64) (float64, error) {
	linear := planner.LinearOf(w.Mechanism)
	if linear == nil || epsilon == Unprivate {
		return 0, nil
	}
	return w.Guarantee.At(epsilon).SigmaOf(linear, w.shape())
}

// shape returns that of the rewards, which all goals have in common.
func (w *World) shape() privacy.Shape { return w.Goals[0].Mission.Rewards.Shape }

// compatible reports whether two worlds have the same grid, hand-over and goals, so that the one never rules out what
// happens in the other.
func (w *World) compatible(other *World) bool {
	a, b := w.Spec, other.Spec
	return a.Columns == b.Columns && a.Rows == b.Rows && a.SpacingKm == b.SpacingKm && a.StartCell == b.StartCell &&
		a.Moves == b.Moves && slices.Equal(a.KeepOut, b.KeepOut) &&
		w.Scenario.Start == other.Scenario.Start && w.Scenario.HandoverKm == other.Scenario.HandoverKm &&
		w.handover() == other.handover() && w.sameGoals(other)
}

// sameGoals reports whether two worlds have the same goals, as probable.
func (w *World) sameGoals(other *World) bool {
	return slices.EqualFunc(w.Goals, other.Goals, func(g, h Goal) bool {
		return g.State == h.State && g.TargetKm == h.TargetKm && g.Prior == h.Prior
	})
}

// Fly makes the private policies that observers know and flies the study; done is called with the work that is done.
// The result is the same whatever the number of workers.
func (s *Study) Fly(ctx context.Context, done func(n int)) (*Result, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	known, err := s.prepare(ctx, done)
	if err != nil {
		return nil, err
	}
	sigmas := make([]float64, len(s.Ways))
	for i := range s.Ways {
		if sigmas[i], err = s.Ways[i].sigma(); err != nil {
			return nil, err
		}
	}
	result := newResult(s, sigmas)
	fly := func() pool.Work[int, []sight] { return (&watcher{study: s, sigmas: sigmas, known: known}).fly }
	for r, err := range pieces.Ordered(ctx, s.Kept, s.Workers, pool.Numbers(0, s.Flights), fly) {
		if err != nil {
			return nil, err
		}
		result.add(r.Piece, r.Value)
		done(len(s.Ways))
	}
	return result, nil
}

// job is an inference with the epsilons that a study needs.
type job struct {
	inference *Inference
	epsilons  []float64
}

// jobs returns the inferences of the ways, each once.
func (s *Study) jobs() (jobs []job) {
	for i := range s.Ways {
		inference := s.inference(&s.Ways[i])
		k := slices.IndexFunc(jobs, func(j job) bool { return j.inference == inference })
		if k < 0 {
			k, jobs = len(jobs), append(jobs, job{inference: inference})
		}
		jobs[k].epsilons = append(jobs[k].epsilons, s.Ways[i].Epsilon)
	}
	return jobs
}

// inference returns the inference of the observers of a way.
func (s *Study) inference(w *Way) *Inference {
	if s.Inferences == nil {
		s.Inferences = new(Inferences)
	}
	sampling := Sampling{Seed: s.Seed, Workers: s.Workers}
	if s.learns() {
		sampling.Flights = cmp.Or(s.Training, TrainingFlights)
	}
	if s.private() {
		sampling.Policies, sampling.Alike = s.Policies, s.Alike
		if s.Policies > 1 { // one policy gives no variance
			sampling.Groups = min(s.Policies, groups)
		}
	}
	return s.Inferences.Of(w.Believed(), w.BeliefEpsilon, sampling)
}

// knowledge is what observers know of a way, and what they would know without each group of private policies.
type knowledge struct {
	all     *adversary.Knowledge
	without []*adversary.Knowledge
}

// prepare returns what observers know of every way.
func (s *Study) prepare(ctx context.Context, done func(n int)) ([]knowledge, error) {
	for _, j := range s.jobs() {
		if err := j.inference.prepare(ctx, j.epsilons, s.Kept, done); err != nil {
			return nil, err
		}
	}
	var all []knowledge
	for i := range s.Ways {
		w := &s.Ways[i]
		inference := s.inference(w)
		k, err := inference.At(w.Epsilon)
		if err != nil {
			return nil, err
		}
		all = append(all, knowledge{all: k, without: inference.without(w.Epsilon)})
	}
	return all, nil
}
