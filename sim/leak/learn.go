package leak

import (
	"context"
	"slices"

	"veilpath/adversary"
	"veilpath/internal/pool"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// TrainingFlights is how many flights of every epsilon the observer learned has learned from, unless a Sampling says
// otherwise.
const TrainingFlights = 2000

// drawTraining keeps the draws of flights that teach apart from those of flights that are watched, whose seed is the
// same; as a purpose it names those of where a flight is looked at.
const drawTraining = 0x6c6561726e // "learn"

// teach flies the flights that an observer learns from, at every epsilon, and sets what they taught.
func (w *World) teach(ctx context.Context, tables []*Tables, epsilons []float64, s Sampling, keeper pool.Keeper,
	done func(n int)) error {
	flown := 0
	learn := func() pool.Work[float64, []float64] {
		return func(ctx context.Context, epsilon float64, _ []float64) ([]float64, error) {
			return w.learn(ctx, epsilon, s, func() { done(1); flown++ })
		}
	}
	i := 0
	for r, err := range pool.Resumed(ctx, 1, slices.Values(epsilons), learn, pool.Common(keeper)) {
		if err != nil {
			return err
		}
		tables[i].learned = r.Value
		i++
		done(i*s.Flights - flown) // where a keeper had what they taught
		flown = i * s.Flights
	}
	return nil
}

// learn flies the flights of an epsilon and returns what they teach.
func (w *World) learn(ctx context.Context, epsilon float64, s Sampling, done func()) ([]float64, error) {
	way := Way{World: w, Epsilon: epsilon}
	sigma, err := way.sigma()
	if err != nil {
		return nil, err
	}
	work := func() pool.Work[int, adversary.Example] {
		return newLesson(way, sigma, s.Seed).fly
	}
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

// lesson flies flights and makes examples of them. It serves one goroutine.
type lesson struct {
	watcher
	sigma   float64
	teacher *adversary.Teacher
}

// newLesson returns a lesson of flights that are apart from those of the seed.
func newLesson(way Way, sigma float64, seed uint64) *lesson {
	return &lesson{watcher: watcher{study: &Study{Ways: []Way{way}, Seed: seed ^ drawTraining}}, sigma: sigma}
}

// fly flies a flight of a number and returns what it teaches up to a sample that is drawn, uniformly before the
// hand-over.
func (l *lesson) fly(_ context.Context, run int, _ adversary.Example) (e adversary.Example, err error) {
	way, seed := &l.study.Ways[0], l.study.Seed
	if l.teacher == nil {
		if l.teacher, err = adversary.NewTeacher(way.World.knowledge(nil)); err != nil {
			return e, err
		}
	}
	goal := l.study.goal(run)
	scenario := way.World.scenario(goal)
	scenario = study.DrawScenario(&scenario, seed, run)
	route, _, err := l.route(way, l.sigma, study.Draw{Seed: seed, Run: run}, 0, goal, new(common))
	if err != nil {
		return e, err
	}
	scenario.Fly(route, &l.history)
	l.noise.Seek(privacy.Address{Seed: seed, Run: uint64(run), Purpose: drawTraining})
	sample := int(l.noise.Uniform() * float64(l.history.Handover))
	return l.teacher.Example(&l.history, sample, goal), nil
}
