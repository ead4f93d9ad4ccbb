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
// many epsilons and runs. The experiments have equally many observers.
type Sweep struct {
	Points  []Study
	Workers int // goroutines; 0 for the number of cores
	// RunsAtOnce is the largest number of runs in a batch; 0 chooses it. No record depends on it.
	RunsAtOnce int
	// Through, unless it is nil, returns the records of a batch in place of fly, which it may call. Several goroutines
	// call it.
	Through func(ctx context.Context, b Batch, storage [][]Run, fly Flying) ([][]Run, error)
}

// Flying returns the records of a batch, in reused storage.
type Flying = func(ctx context.Context, b Batch, storage [][]Run) ([][]Run, error)

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

// chunkRuns is the least number of runs whose epsilons share their noise in a batch, and chunkRecords the least number
// of records: some 10 ms of work, so that neither the channel nor a cancellation is noticeable, and enough flights for
// all lanes. The more routes come together, the more of them begin alike, so batches grow with the runs before them,
// but a batch is at most a small part of the work so far, and has at most about mostRecords.
const (
	chunkRecords = 256
	chunkRuns    = 40
	chunkGrowth  = 32
	mostRecords  = 8192

	recordsOfAxis = 16 // about how many pieces of epsilon a run of the paper has on its whole axis
)

// Batches cuts all runs of all points into batches, in order. Where a batch ends depends only on where it begins, and
// on the number of runs.
func (s *Sweep) Batches() iter.Seq[Batch] { return s.batchesFrom(0, 0) }

// batchesFrom returns the batches from a run of a point on.
func (s *Sweep) batchesFrom(point, first int) iter.Seq[Batch] {
	all := indices(len(s.Points[0].Epsilons))
	return func(yield func(Batch) bool) {
		for ; point < len(s.Points); point, first = point+1, 0 {
			for first < s.Points[point].Runs {
				end := min(first+s.runsPerBatch(point, first, len(all)), s.Points[point].Runs)
				if !yield(Batch{point, first, end, all}) {
					return
				}
				first = end
			}
		}
	}
}

// runsPerBatch returns the number of runs in a batch of a point that begins with run first.
func (s *Sweep) runsPerBatch(point, first, epsilons int) int {
	if s.RunsAtOnce > 0 {
		return s.RunsAtOnce
	}
	study := &s.Points[point]
	records, least := epsilons, max(chunkRuns, chunkRecords/epsilons)
	switch {
	case study.Noise == Independent:
		least = max(1, chunkRecords/epsilons)
	case study.Axis.Whole() && !study.Experiment.deterministic:
		return 1 // a run takes some fifty plans, which take long
	case study.Axis.Whole():
		records += recordsOfAxis
	}
	return max(least, min(first/chunkGrowth, mostRecords/records))
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
		fly := (&worker{sweep: s, sigmas: sigmas, spans: spans, shared: common, point: -1}).fly
		if s.Through == nil {
			return fly
		}
		return func(ctx context.Context, b Batch, storage [][]Run) ([][]Run, error) {
			return s.Through(ctx, b, storage, fly)
		}
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
