package study_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// population is many runs of a mission on a range. Drawn with replacement they are runs of a mission of which every
// mean is known: that of the population.
type population struct {
	experiment *study.Experiment
	on         study.Range
	runs       [][]study.Run
}

// missions are the settings of populations. The wall makes the mean detection distance rise and fall along epsilon.
var missions = map[string]func(*configs.Config){
	"preset": func(*configs.Config) {},
	"wall":   func(c *configs.Config) { c.Planner.KeepOut = [][]int{{8, 0, 8, 15}} },
}

// newPopulation flies runs of a mission.
func newPopulation(tb testing.TB, mission string, runs int) *population {
	tb.Helper()
	c := configs.Default()
	missions[mission](&c)
	experiment, err := setup.Experiment(c)
	if err != nil {
		tb.Fatal(err)
	}
	p := &population{experiment: experiment, on: study.Range{Low: 0.05, High: 20}}
	s := setup.Study(c, experiment)
	s.Axis, s.Epsilons, s.Runs, s.Seed = p.on, []float64{p.on.Low}, runs, 1<<40
	if err := s.Do(context.Background(), func(r []study.Run) error {
		p.runs = append(p.runs, ofRun(slices.Clone(r))...)
		return nil
	}); err != nil {
		tb.Fatal(err)
	}
	return p
}

// search returns the search that draws its runs from the population.
func (p *population) search(random *rand.Rand, resolution float64, mostRuns int) study.Search {
	s := study.Search{Study: study.Study{Experiment: p.experiment}, Between: p.on, Resolution: resolution,
		Confidence: 0.95, MostRuns: mostRuns}
	s.Resample(func(run int, on study.Range) []study.Run {
		drawn := p.runs[random.IntN(len(p.runs))]
		var pieces []study.Run
		for i, r := range drawn {
			if i+1 < len(drawn) && drawn[i+1].Epsilon <= on.Low || r.Epsilon > on.High {
				continue
			}
			r.Run, r.Epsilon = run, max(r.Epsilon, on.Low)
			pieces = append(pieces, r)
		}
		return pieces
	})
	return s
}

// truth is a mean of a population along epsilon: it is constant from one epsilon to the next.
type truth struct{ epsilons, means []float64 }

func (p *population) truth(of func(*study.Run) float64) (t truth) {
	type step struct{ epsilon, by float64 }
	var steps []step
	sum := 0.0
	for _, run := range p.runs {
		sum += of(&run[0])
		for i := range run[1:] {
			steps = append(steps, step{run[i+1].Epsilon, of(&run[i+1]) - of(&run[i])})
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.epsilon, b.epsilon) })
	t.epsilons, t.means = []float64{p.on.Low}, []float64{sum / float64(len(p.runs))}
	for _, s := range steps {
		sum += s.by
		t.epsilons, t.means = append(t.epsilons, s.epsilon), append(t.means, sum/float64(len(p.runs)))
	}
	return t
}

// extremes returns the least and the largest mean on a range.
func (t *truth) extremes(r study.Range) (least, largest float64) {
	from, found := slices.BinarySearch(t.epsilons, r.Low)
	if !found {
		from--
	}
	least, largest = t.means[from], t.means[from]
	for i := from; i < len(t.epsilons) && t.epsilons[i] <= r.High; i++ {
		if i+1 == len(t.epsilons) || t.epsilons[i+1] > t.epsilons[i] { // the last of several changes at one epsilon
			least, largest = min(least, t.means[i]), max(largest, t.means[i])
		}
	}
	return least, largest
}

// wrong reports whether an epsilon is in the wrong set of an answer.
func (t *truth) wrong(a *study.Answer) bool {
	const rounding = 1e-9 // of sums of some thousands of numbers
	return slices.ContainsFunc(a.Met, func(r study.Range) bool {
		_, largest := t.extremes(r)
		return largest > a.Demand.Limit+rounding
	}) ||
		slices.ContainsFunc(a.NotMet, func(r study.Range) bool {
			least, _ := t.extremes(r)
			return least <= a.Demand.Limit-rounding
		})
}

// smallPopulations are flown once for all tests.
var smallPopulations = map[string]func(testing.TB) *population{}

func init() {
	for mission := range missions {
		var once sync.Once
		var p *population
		smallPopulations[mission] = func(tb testing.TB) *population {
			once.Do(func() { p = newPopulation(tb, mission, 400) })
			return p
		}
	}
}
