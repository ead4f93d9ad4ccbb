package study

import (
	"context"
	"fmt"
	"iter"
	"runtime"

	"veilpath/sim/pool"
)

// Sweep is studies flown as one: a single study, or one at each of several settings. The points have equally
// many epsilons and runs. Its flights are numbered by slot, all epsilons of one run of one point: slot
// point*runs + run. Any range of slots can be flown by itself, and the records of adjoining ranges
// adjoin, which is what resuming and sharing out a study rest on.
type Sweep struct {
	Points  []Study
	Workers int // goroutines; 0 for as many as there are cores
}

// Batch is a piece of work: the runs [First, End) of a point at some of its epsilons.
type Batch struct {
	Point      int
	First, End int
	Epsilons   []int // indices, ascending
}

// Flights returns the number of flights in the batch. Where all of a range is flown it counts the listed epsilons.
func (b Batch) Flights() int { return (b.End - b.First) * len(b.Epsilons) }

// chunkRecords is about how many records a worker flies between two hand-overs, and chunkRuns how many runs at least
// whose epsilons share their noise: some 10 ms of work, so that neither the channel nor a cancellation is noticed, and
// enough flights for all lanes.
const (
	chunkRecords = 256
	chunkRuns    = 40
)

// Slots returns how many slots the sweep has.
func (s *Sweep) Slots() int { return len(s.Points) * s.Points[0].Runs }

// Batches cuts the slots [first, end) into batches, in order.
func (s *Sweep) Batches(first, end int) iter.Seq[Batch] {
	runs := s.Points[0].Runs
	all := indices(len(s.Points[0].Epsilons))
	return func(yield func(Batch) bool) {
		for slot := first; slot < end; {
			point, run := slot/runs, slot%runs
			stop := min(run+s.Points[point].runsPerBatch(len(all)), runs, run+end-slot)
			if !yield(Batch{Point: point, First: run, End: stop, Epsilons: all}) {
				return
			}
			slot += stop - run
		}
	}
}

// runsPerBatch returns how many runs a batch has.
func (s *Study) runsPerBatch(epsilons int) int {
	if s.Noise == Independent {
		return max(1, chunkRecords/epsilons)
	}
	return max(chunkRuns, chunkRecords/epsilons)
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Fly flies batches on all workers and passes the records of each to emit, in the order of the batches:
// all its epsilons, or the pieces of the range, of one run, then of the next. The slice is reused after emit returns. The records and
// their order are the same whatever the number of workers. When the context ends, Fly stops soon, having
// emitted the batches up to some number without a gap, and returns the context's error; an error of emit
// ends it likewise.
func (s *Sweep) Fly(ctx context.Context, batches iter.Seq[Batch], emit func(Batch, []Run) error) error {
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
	}
	common := s.share(spans, sigmas)
	newWork := func() pool.Work[Batch, []Run] {
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

// worker flies batches with the flyer of the point it is at.
type worker struct {
	sweep  *Sweep
	sigmas [][]float64
	spans  []*span // of the points with a range
	shared []shared
	point  int // of flyer, -1 before the first
	flyer  Flyer
	flights
}

// fly returns the records of a batch.
func (w *worker) fly(ctx context.Context, b Batch, records []Run) ([]Run, error) {
	study := &w.sweep.Points[b.Point]
	if w.point != b.Point {
		if w.point >= 0 && w.shared[w.point].last < b.Point {
			w.shared[w.point].flown.forget() // or a long sweep would keep the flights of every point
		}
		if err := w.flyer.serve(study.Experiment, coresEach(w.sweep.Workers)); err != nil {
			return records, err
		}
		if err := w.flyer.share(w.shared[b.Point]); err != nil {
			return records, err
		}
		w.point, w.flyer.radiusKm = b.Point, 0 // records need no curve
	}
	records = records[:0]
	look := func(r Run) bool {
		records = append(records, r)
		return ctx.Err() == nil
	}
	if span := w.spans[b.Point]; span != nil {
		w.listRuns(study, b)
		whole, err := w.flyer.flyAxis(w.draws, span, look)
		if err == nil && !whole {
			err = ctx.Err()
		}
		return records, err
	}
	w.list(study, b, w.sigmas[b.Point])
	w.flyer.FlyEach(w.draws, w.levels, look)
	if len(records) < b.Flights() {
		return records, ctx.Err()
	}
	return records, nil
}

// coresEach is how many cores every one of some workers has for its solver.
func coresEach(workers int) int { return max(1, runtime.GOMAXPROCS(0)/pool.Workers(workers)) }

// flights are those of a batch, in the order in which they are flown: all epsilons of a run, then of the next.
type flights struct {
	draws  []Draw
	levels []float64 // standard deviations of their noise
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
