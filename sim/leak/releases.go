package leak

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/adversary"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Releases makes several flights to one goal, all planned from one release of its reward or each from its own.
// The observers see all flights until the hand-over.
type Releases struct {
	Study        // FlownKm and RadiiKm are unused; Flights is the number of trials
	Counts []int // numbers of flights to one goal, each >= 1, ascending; a trial makes the last number of flights
}

// ReleasesRow holds how many bits an observer has left to learn after a number of flights to one goal.
type ReleasesRow struct {
	Observer string
	Epsilon  float64
	Flights  int
	Fresh    Mean // bits left if every flight has its own release
	Reused   Mean // bits left if all flights have one release: they have one route, and only the first reveals bits
	// ComposedMu and ComposedEpsilon are mu and epsilon of the guarantee for one entry after this number of fresh
	// releases, exact at the same delta. For a reused release the values of one release hold. NaN without
	// Gaussian noise on rewards.
	ComposedMu, ComposedEpsilon float64
}

// PoliciesFor recommends PoliciesPerFlight private policies of every goal for each flight, within these limits.
const (
	PoliciesPerFlight = 25
	FewestPolicies    = 100
	MostPolicies      = 400 // with more policies, the bits left change by less than their standard error
)

// PoliciesFor returns how many private policies of every goal an observer should know who sees a number of
// flights to one goal: the errors of its likelihoods add up over the flights.
func PoliciesFor(flights int) int {
	return min(max(PoliciesPerFlight*flights, FewestPolicies), MostPolicies)
}

// Check returns an error unless the releases can be flown.
func (s *Releases) Check() error {
	if len(s.Counts) == 0 || s.Counts[0] < 1 || !slices.IsSorted(s.Counts) {
		return fmt.Errorf("leak: got %v flights to one goal; want whole numbers above 0, ascending", s.Counts)
	}
	for i := range s.Ways {
		if len(s.Ways[i].World.Varied) > 0 {
			return fmt.Errorf("leak: several flights to one goal must differ only in their releases; leave out " +
				"the settings that vary")
		}
	}
	return s.Study.Check()
}

// Work returns the number of flights and private policies to make.
func (s *Releases) Work() int {
	return s.Study.Work() + s.Flights*len(s.Ways)*(s.Counts[len(s.Counts)-1]-1)
}

// Fly makes the flights. It calls done with the number of flights or policies that were completed.
func (s *Releases) Fly(ctx context.Context, done func(n int)) ([]ReleasesRow, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	known, err := s.prepare(ctx, done)
	if err != nil {
		return nil, err
	}
	counts := s.counted()
	sums := make([][][]estimator, len(s.Ways)) // by way, observer, count
	for i := range sums {
		for range s.Observers {
			sums[i] = append(sums[i], make([]estimator, len(counts)))
		}
	}
	fly := func() pool.Work[int, [][][][]float64] {
		return (&releaser{watcher: watcher{study: &s.Study, known: known}, counts: counts}).fly
	}
	for r, err := range pieces.Ordered(ctx, s.Kept, s.Workers, pool.Numbers(0, s.Flights), fly) {
		if err != nil {
			return nil, err
		}
		for i, way := range r.Value {
			for o, bits := range way {
				for k, b := range bits {
					sums[i][o][k].add(reading{all: b[0], without: b[1:]})
				}
			}
		}
		done(len(s.Ways) * s.Counts[len(s.Counts)-1])
	}
	return s.rows(sums)
}

// counted returns the counts, starting with 1: the bits left after one flight are also those left if its
// release is reused.
func (s *Releases) counted() []int {
	if s.Counts[0] == 1 {
		return s.Counts
	}
	return append([]int{1}, s.Counts...)
}

// rows returns a row for every way, observer and count.
func (s *Releases) rows(sums [][][]estimator) ([]ReleasesRow, error) {
	var rows []ReleasesRow
	for i, w := range s.Ways {
		for o, m := range s.Observers {
			for k, n := range s.counted() {
				if !slices.Contains(s.Counts, n) {
					continue
				}
				row := ReleasesRow{Observer: m.Name, Epsilon: w.Epsilon, Flights: n, Fresh: sums[i][o][k].mean(),
					Reused:     sums[i][o][0].mean(),
					ComposedMu: math.NaN(), ComposedEpsilon: math.NaN()}
				if sigma, err := w.sigma(); err == nil && sigma > 0 {
					g := w.World.Guarantee
					sensitivity, err := planner.LinearOf(w.World.Mechanism).Sensitivity(w.World.shape(), g.Adjacency)
					if err != nil {
						return nil, err
					}
					row.ComposedMu = math.Sqrt(float64(n)) * sensitivity / sigma
					if row.ComposedEpsilon, err = privacy.ReleasesEpsilon(n, g.Delta, sigma, sensitivity); err != nil {
						return nil, err
					}
				}
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// releaser makes all flights of a trial to one goal.
type releaser struct {
	watcher
	counts []int
}

// fly makes the flights of trial number run. It returns the bits left by way, observer and count: with all
// private policies, then without each group of them.
func (r *releaser) fly(ctx context.Context, run int, _ [][][][]float64) ([][][][]float64, error) {
	if r.beliefs == nil {
		if err := r.prepare(); err != nil {
			return nil, err
		}
	}
	goal := r.study.goal(run)
	left := make([][][][]float64, len(r.study.Ways))
	for i := range r.study.Ways {
		sigma, err := r.study.Ways[i].sigma()
		if err != nil {
			return nil, err
		}
		if left[i], err = r.flyWay(ctx, i, run, goal, sigma); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// flyWay makes all flights of a trial in one way.
func (r *releaser) flyWay(ctx context.Context, i, run, goal int, sigma float64) ([][][]float64, error) {
	way := &r.study.Ways[i]
	scenario := way.World.scenario(goal)
	var cache flightCache
	logs := make([][][]float64, len(r.beliefs[i])) // by observer and belief: log posterior after all flights so far
	left := make([][][]float64, len(r.beliefs[i]))
	for o, b := range r.beliefs[i] {
		priors := make([]float64, len(way.World.Goals))
		for g, goal := range way.World.Goals {
			priors[g] = math.Log(goal.Prior)
		}
		for range 1 + len(b.without) {
			logs[o] = append(logs[o], slices.Clone(priors))
		}
	}
	for flight := range r.counts[len(r.counts)-1] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		route, _, err := r.route(way, sigma, study.Draw{Seed: r.study.Seed, Run: run}, flight, goal, &cache)
		if err != nil {
			return nil, err
		}
		scenario.Fly(route, &r.history)
		counted := slices.Contains(r.counts, flight+1)
		for o, b := range r.beliefs[i] {
			r.update(logs[o][0], b.all, way.World.Goals)
			if err := b.all.Err(); err != nil {
				return nil, fmt.Errorf("leak: flight %d to goal %d at epsilon %g: %w", flight, run, way.Epsilon, err)
			}
			for g, without := range b.without {
				r.update(logs[o][1+g], without, way.World.Goals)
			}
			if counted {
				var bits []float64
				for _, l := range logs[o] {
					bits = append(bits, bitsLeft(l, goal))
				}
				left[o] = append(left[o], bits)
			}
		}
	}
	return left, nil
}

// update adds to the logarithms what an observer infers from the flight in the history until the hand-over.
func (r *releaser) update(logs []float64, b *adversary.Belief, goals []Goal) {
	b.At(&r.history, []int{r.history.Handover - 1}, func(_ int, posterior []float64) {
		for g := range logs {
			logs[g] += math.Log(posterior[g]) - math.Log(goals[g].Prior)
		}
	})
}

// bitsLeft returns -log2 of the probability of a goal. logs are the logarithms of the probabilities up to a
// constant.
func bitsLeft(logs []float64, goal int) float64 {
	largest := slices.Max(logs)
	sum := 0.0
	for _, l := range logs {
		if !math.IsNaN(l) { // a goal of prior 0
			sum += math.Exp(l - largest)
		}
	}
	return (math.Log(sum) + largest - logs[goal]) / math.Ln2
}
