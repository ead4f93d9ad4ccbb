package leak

import (
	"context"
	"slices"
	"sync/atomic"

	"veilpath/adversary"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// TrainingFlights is how many training flights at every epsilon the observer learned has, unless a Sampling
// says otherwise.
const TrainingFlights = 2000

// drawTraining changes the seed of training flights, so that they differ from the flights that observers watch.
// As a purpose, it addresses the draws of the samples at which training flights are observed.
const drawTraining = 0x6c6561726e // "learn"

// teach makes the training flights at every epsilon and sets the learned weights.
func (w *World) teach(ctx context.Context, tables []*Tables, epsilons []float64, s Sampling, kept *pieces.Work,
	done func(n int)) error {
	var flying atomic.Bool // Kept weights come first, and another goroutine flies after them.
	learn := func() pool.Work[float64, []float64] {
		return func(ctx context.Context, epsilon float64, _ []float64) ([]float64, error) {
			flying.Store(true)
			return w.learn(ctx, epsilon, s, func() { done(1) })
		}
	}
	i := 0
	for r, err := range pieces.Ordered(ctx, kept.Common(), 1, slices.Values(epsilons), learn) {
		if err != nil {
			return err
		}
		tables[i].learned = r.Value
		i++
		if !flying.Load() {
			done(s.Flights)
		}
	}
	return nil
}

// learn makes the training flights at an epsilon and returns the learned weights.
func (w *World) learn(ctx context.Context, epsilon float64, s Sampling, done func()) ([]float64, error) {
	way := Way{World: w, Epsilon: epsilon}
	sigma, err := way.sigma()
	if err != nil {
		return nil, err
	}
	work := func() pool.Work[int, adversary.Example] { return newTrainer(way, sigma, s.Seed).fly }
	var examples []adversary.Example
	for r, err := range pool.Ordered(ctx, s.Workers, pool.Numbers(0, s.Flights), work) {
		if err != nil {
			return nil, err
		}
		examples = append(examples, r.Value)
		done()
	}
	return adversary.Learn(ctx, examples, s.Workers)
}

// trainer makes training flights and examples of them. It is for one goroutine.
type trainer struct {
	watcher
	sigma   float64
	teacher *adversary.Teacher
}

// newTrainer returns a maker of training flights, which differ from the flights of the same seed.
func newTrainer(way Way, sigma float64, seed uint64) *trainer {
	return &trainer{watcher: watcher{study: &Study{Ways: []Way{way}, Seed: seed ^ drawTraining}}, sigma: sigma}
}

// fly makes training flight number run and returns the example up to a sample drawn uniformly before the
// hand-over.
func (t *trainer) fly(_ context.Context, run int, _ adversary.Example) (e adversary.Example, err error) {
	way, seed := &t.study.Ways[0], t.study.Seed
	if t.teacher == nil {
		if t.teacher, err = adversary.NewTeacher(way.World.knowledge(nil)); err != nil {
			return e, err
		}
	}
	goal := t.study.goal(run)
	scenario, err := way.World.drawn(goal, seed, run)
	if err != nil {
		return e, err
	}
	route, _, err := t.route(way, t.sigma, study.Draw{Seed: seed, Run: run}, 0, goal, new(flightCache))
	if err != nil {
		return e, err
	}
	scenario.Fly(route, &t.history)
	t.noise.Seek(privacy.Address{Seed: seed, Run: uint64(run), Purpose: drawTraining})
	sample := int(t.noise.Uniform() * float64(t.history.Handover))
	return t.teacher.Example(&t.history, sample, goal), nil
}
