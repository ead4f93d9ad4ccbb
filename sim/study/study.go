package study

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"veilpath/internal/pool"
)

// Study is runs of an experiment at every epsilon of a list, and of a range if there is one.
type Study struct {
	Experiment *Experiment
	Epsilons   []float64 // each above 0, all different; None() is the plan without noise
	Runs       int       // per epsilon, >= 1
	Seed       uint64
	Noise      Noise
	// Axis is the range of epsilon on which every piece of every run is found and flown; zero for only the listed
	// epsilons, which otherwise must lie in it or be None(). The records are then those of the pieces, see
	// Listed.
	Axis    Range
	Workers int // goroutines; 0 for the number of cores
	// HiddenUntilKm is the distance for Summary.HiddenShare; 0 chooses it, see there. No record depends on it.
	HiddenUntilKm float64
}

// noiseLevels are the standard deviations of a study's noise.
type noiseLevels struct {
	sigmas []float64 // by listed epsilon
	span   *span     // nil without a range
}

// levels checks a study and returns its noise.
func (s *Study) levels() (l noiseLevels, err error) {
	if s.Axis.Whole() {
		if l.span, err = s.span(); err != nil {
			return l, err
		}
	}
	if l.sigmas, err = s.Sigmas(); err == nil && (len(l.sigmas) == 0 || s.Runs < 1) {
		err = fmt.Errorf("study: %d epsilons x %d runs, want at least one of each", len(l.sigmas), s.Runs)
	}
	return l, err
}

// Sigmas returns the sigma of every epsilon.
func (s *Study) Sigmas() ([]float64, error) {
	sigmas := make([]float64, len(s.Epsilons))
	for i, epsilon := range s.Epsilons {
		var err error
		if sigmas[i], err = s.Experiment.Sigma(epsilon); err != nil {
			return nil, err
		}
	}
	return sigmas, nil
}

// Do flies the study and passes its records to emit: all epsilons, or pieces, of run 0, then of run 1 and so
// on, in slices that end with a run and are reused after emit returns. The records are those of the Adversary;
// Watch also has those of further observers. Sweep.Fly explains order and errors.
func (s *Study) Do(ctx context.Context, emit func([]Run) error) error {
	return s.Watch(ctx, func(records [][]Run) error { return emit(records[0]) })
}

// Watch is Do with the records of every observer of the experiment: first the Adversary, then the Others.
func (s *Study) Watch(ctx context.Context, emit func(records [][]Run) error) error {
	sweep := Sweep{Points: []Study{*s}, Workers: s.Workers}
	return sweep.Fly(ctx, sweep.Batches(), func(_ Batch, records [][]Run) error { return emit(records) })
}

// SeenBy returns the study as seen by one of the experiment's observers, see Experiment.SeenBy.
func (s *Study) SeenBy(observer int) Study {
	seen := *s
	seen.Experiment = s.Experiment.SeenBy(observer)
	return seen
}

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
	usual := max(least, min(first/chunkGrowth, mostRecords/records))
	return min(usual, cmp.Or(s.RunsAtOnce, usual))
}

func indices(n int) []int { return slices.Collect(pool.Numbers(0, n)) }

// Fly flies batches on all workers and passes the records of each to emit, in the order of the batches: all its
// epsilons, or the pieces of the range, of one run, then of the next. records[0] are those of the Adversary,
// records[k] those of Others[k-1]. The slices are reused after emit returns. The records and their order do not
// depend on the number of workers. When the context ends, Fly stops soon, after it has emitted the batches up
// to some number without a gap, and returns the context's error; an error of emit stops it in the same way.
func (s *Sweep) Fly(ctx context.Context, batches iter.Seq[Batch], emit func(b Batch, records [][]Run) error) error {
	levels := make([]noiseLevels, len(s.Points))
	for i := range s.Points {
		p := &s.Points[i]
		var err error
		if levels[i], err = p.levels(); err != nil {
			return err
		}
		if p.Axis.Whole() && !p.Experiment.HasAxis(p.Noise) {
			return ErrNoAxis
		}
		if n := p.Experiment.Observers(); n != s.observers() {
			return fmt.Errorf("study: point %d has %d observers and the first point %d, want equally many", i, n, s.observers())
		}
	}
	shared := s.sharePieces(levels)
	newWork := func() pool.Work[Batch, [][]Run] {
		fly := (&worker{sweep: s, levels: levels, shared: shared, point: -1}).fly
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
	levels []noiseLevels
	shared []*pieceCache // by point
	point  int           // -1 before the first point
	batchFlyer
}

// fly returns the records of a batch by observer, in reused storage.
func (w *worker) fly(ctx context.Context, b Batch, records [][]Run) ([][]Run, error) {
	study := &w.sweep.Points[b.Point]
	if w.point != b.Point {
		if w.point >= 0 {
			w.flyer.experiment.Forget() // otherwise a long sweep would keep the flights of every point
		}
		if err := w.flyer.serve(study.Experiment, coresEach(w.sweep.Workers)); err != nil {
			return nil, err
		}
		w.point, w.flyer.shared = b.Point, w.shared[b.Point]
	}
	records = slices.Grow(records[:0], w.sweep.observers())[:w.sweep.observers()]
	for k := range records {
		records[k] = records[k][:0]
	}
	err := w.batchFlyer.fly(ctx, study, &w.levels[b.Point], b, FlightOptions{}, func(f Flight) {
		records[0] = append(records[0], f.Run)
		for k, r := range f.Others {
			records[k+1] = append(records[k+1], r)
		}
	})
	return records, err
}

// coresEach returns the number of cores for the solver of each worker.
func coresEach(workers int) int { return max(1, runtime.GOMAXPROCS(0)/pool.Workers(workers)) }

// batchFlyer flies batches of studies with one flyer.
type batchFlyer struct {
	flyer  Flyer
	draws  []Draw
	sigmas []float64 // of the noise of the draws
}

// fly flies a batch of a study with the given noise and calls yield with its flights in order: all epsilons, or
// pieces, of a run, then of the next. It returns the error of the context if that ends before the last flight.
func (f *batchFlyer) fly(ctx context.Context, s *Study, levels *noiseLevels, b Batch, o FlightOptions,
	yield func(Flight)) error {
	flown, due := 0, b.Flights()
	each := func(flight Flight) bool {
		yield(flight)
		flown++
		return ctx.Err() == nil
	}
	var err error
	if levels.span != nil {
		due = b.End - b.First
		flown, err = f.flyer.flyAxis(s, levels.span, b.First, b.End, o, each)
	} else {
		f.draws, f.sigmas = f.draws[:0], f.sigmas[:0]
		for run := b.First; run < b.End; run++ {
			for _, i := range b.Epsilons {
				f.draws = append(f.draws, Draw{Seed: s.Seed, Run: run, Noise: s.Noise, Epsilon: s.Epsilons[i]})
				f.sigmas = append(f.sigmas, levels.sigmas[i])
			}
		}
		err = f.flyer.FlyEach(f.draws, f.sigmas, o, each)
	}
	if err == nil && flown < due {
		err = ctx.Err()
	}
	return err
}
