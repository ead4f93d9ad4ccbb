package study

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"veilpath/internal/pool"
)

// Sweep is studies flown together: a single study, or one at each of several settings. The points have equally
// many epsilons and runs. Its flights are numbered by slot, which is all epsilons of one run of one point: slot
// point*runs + run. Any range of slots can be flown separately, and the records of adjoining ranges adjoin;
// resuming and sharing out a study rely on this. The experiments have equally many observers.
type Sweep struct {
	Points  []Study
	Workers int // goroutines; 0 for the number of cores
	// RunsAtOnce is the largest number of runs in a batch; 0 chooses it. No record depends on it.
	RunsAtOnce int
}

// observers returns the number of observers that watch the flights.
func (s *Sweep) observers() int { return s.Points[0].Experiment.Observers() }

// Batch is a piece of work: the runs [First, End) of a point at some of its epsilons.
type Batch struct {
	Point      int
	First, End int
	Epsilons   []int // indices, ascending
}

// Flights returns the number of flights in the batch. If a range is flown it counts the listed epsilons.
func (b Batch) Flights() int { return (b.End - b.First) * len(b.Epsilons) }

// chunkRecords is the approximate number of records in a batch of work, and chunkRuns the least number of runs
// whose epsilons share their noise: some 10 ms of work, so that neither the channel nor a cancellation is
// noticeable, and enough flights for all lanes. The more routes come together, the more of them begin alike; so
// if there are enough runs for chunksEach batches per worker, a batch has more of them, with up to chunkStates
// states to plan: 50 ms.
const (
	chunkRecords = 256
	chunkRuns    = 40
	chunkStates  = 100_000
	chunksEach   = 8
)

// Slots returns the number of slots of the sweep.
func (s *Sweep) Slots() int { return len(s.Points) * s.Points[0].Runs }

// Batches cuts the slots [first, end) into batches, in order.
func (s *Sweep) Batches(first, end int) iter.Seq[Batch] {
	runs := s.Points[0].Runs
	all := indices(len(s.Points[0].Epsilons))
	return func(yield func(Batch) bool) {
		for slot := first; slot < end; {
			point, run := slot/runs, slot%runs
			stop := min(run+s.runsPerBatch(point, len(all)), runs, run+end-slot)
			if !yield(Batch{Point: point, First: run, End: stop, Epsilons: all}) {
				return
			}
			slot += stop - run
		}
	}
}

// runsPerBatch returns the number of runs in a batch of a point.
func (s *Sweep) runsPerBatch(point, epsilons int) int {
	runs := s.Points[point].runsPerBatch(epsilons, pool.Workers(s.Workers))
	if s.RunsAtOnce > 0 {
		return min(runs, s.RunsAtOnce)
	}
	return runs
}

// runsPerBatch returns a number of runs that takes one of the workers a short time.
func (s *Study) runsPerBatch(epsilons, workers int) int {
	if s.Noise == Independent {
		return max(1, chunkRecords/epsilons)
	}
	if s.Axis.Whole() && !s.Experiment.deterministic {
		return 1 // a run takes some fifty plans, which take long
	}
	runs := max(chunkRuns, chunkRecords/epsilons)
	if s.Experiment.deterministic {
		runs = max(runs, min(s.Runs/(chunksEach*workers), chunkStates/s.Experiment.Mission.Grid.States()))
	}
	return runs
}

func indices(n int) []int { return slices.Collect(pool.Numbers(0, n)) }

// Fly flies batches on all workers and passes the records of each to emit, in the order of the batches: all its
// epsilons, or the pieces of the range, of one run, then of the next. seen[0] are the records of the Adversary,
// seen[k] those of Others[k-1]. The slices are reused after emit returns. The records and their order do not
// depend on the number of workers. When the context ends, Fly stops soon, after it has emitted the batches up
// to some number without a gap, and returns the context's error; an error of emit stops it in the same way.
func (s *Sweep) Fly(ctx context.Context, batches iter.Seq[Batch], emit func(b Batch, seen [][]Run) error) error {
	sigmas, spans := make([][]float64, len(s.Points)), make([]*span, len(s.Points))
	for i := range s.Points {
		var err error
		if s.Points[i].Axis.Whole() {
			if spans[i], err = s.Points[i].span(); err != nil {
				return err
			}
			if !s.Points[i].Experiment.HasAxis(s.Points[i].Noise) {
				return ErrNoAxis
			}
		}
		if sigmas[i], err = s.Points[i].Sigmas(); err != nil {
			return err
		}
		if len(sigmas[i]) == 0 || s.Points[i].Runs < 1 {
			return fmt.Errorf("study: %d epsilons x %d runs, want at least one of each", len(sigmas[i]), s.Points[i].Runs)
		}
		if n := s.Points[i].Experiment.Observers(); n != s.observers() {
			return fmt.Errorf("study: point %d has %d observers and the first point %d, want equally many", i, n, s.observers())
		}
	}
	common := s.share(spans, sigmas)
	newWork := func() pool.Work[Batch, [][]Run] {
		return (&worker{sweep: s, sigmas: sigmas, spans: spans, shared: common, point: -1}).fly
	}
	for r, err := range pool.Ordered(ctx, s.Workers, batches, newWork) {
		if err != nil {
			return err
		}
		if err := emit(r.Piece, r.Value); err != nil {
			return err
		}
	}
	return nil
}

// worker flies batches with the flyer of its current point.
type worker struct {
	sweep  *Sweep
	sigmas [][]float64
	spans  []*span // of the points with a range
	shared []shared
	point  int // -1 before the first point
	flyer  Flyer
	flights
}

// goTo sets the flyer's point.
func (w *worker) goTo(point int) error {
	if w.point == point {
		return nil
	}
	if w.point >= 0 && w.shared[w.point].last < point {
		w.shared[w.point].flown.forget() // otherwise a long sweep would keep the flights of every point
	}
	if err := w.flyer.serve(w.sweep.Points[point].Experiment, coresEach(w.sweep.Workers)); err != nil {
		return err
	}
	w.point = point
	return w.flyer.share(w.shared[point])
}

// fly returns the records of a batch, in reused storage.
func (w *worker) fly(ctx context.Context, b Batch, seen [][]Run) ([][]Run, error) {
	if err := w.goTo(b.Point); err != nil {
		return nil, err
	}
	seen = slices.Grow(seen[:0], w.sweep.observers())[:w.sweep.observers()]
	for k := range seen {
		seen[k] = seen[k][:0]
	}
	look := func(f Flight) bool {
		seen[0] = append(seen[0], f.Run)
		for k, r := range f.Others {
			seen[k+1] = append(seen[k+1], r)
		}
		return ctx.Err() == nil
	}
	study := &w.sweep.Points[b.Point]
	if span := w.spans[b.Point]; span != nil {
		w.listRuns(study, b)
		whole, err := w.flyer.flyAxis(w.draws, span, FlightOptions{}, look)
		if err == nil && whole < len(w.draws) {
			err = ctx.Err()
		}
		return seen, err
	}
	w.list(study, b, w.sigmas[b.Point])
	err := w.flyer.FlyEach(w.draws, w.levels, FlightOptions{}, look)
	if err == nil && len(seen[0]) < b.Flights() {
		err = ctx.Err()
	}
	return seen, err
}

// coresEach returns the number of cores for the solver of each worker.
func coresEach(workers int) int { return max(1, runtime.GOMAXPROCS(0)/pool.Workers(workers)) }

// flights are the flights of a batch, in the order in which they are flown: all epsilons of a run, then of the
// next.
type flights struct {
	draws  []Draw
	levels []float64 // sigmas of their noise
}

// list lists the flights of a batch of a study with the given sigmas.
func (f *flights) list(s *Study, b Batch, sigmas []float64) {
	f.draws, f.levels = f.draws[:0], f.levels[:0]
	for run := b.First; run < b.End; run++ {
		for _, i := range b.Epsilons {
			f.draws = append(f.draws, Draw{Seed: s.Seed, Run: run, Noise: s.Noise, Epsilon: s.Epsilons[i]})
			f.levels = append(f.levels, sigmas[i])
		}
	}
}

// listRuns lists the runs of a batch, one draw each.
func (f *flights) listRuns(s *Study, b Batch) {
	f.draws = f.draws[:0]
	for run := b.First; run < b.End; run++ {
		f.draws = append(f.draws, Draw{Seed: s.Seed, Run: run, Noise: s.Noise})
	}
}
