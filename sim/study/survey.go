package study

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"veilpath/adversary"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
)

// Survey is a study with observers of many radii: every flight is flown once, and its detection curve gives the
// detection of each of them.
type Survey struct {
	Study
	First   int       // the first run, before Runs
	RadiiKm []float64 // each finite and above 0
	// Kept, which may be nil, stores what is flown, so that an interrupted survey can be resumed.
	Kept *pieces.Work
}

// Sighting is a flight as seen by the observers of a survey. The Run is that of the experiment's radius.
type Sighting struct {
	Run
	ByRadius []adversary.Detection // by radius
}

// sightingsPerBatch is the approximate number of flights in a batch of work: some 5 ms.
const sightingsPerBatch = 64

// Do flies all runs and emits the sightings in order: all listed epsilons of a run, or all its pieces if the
// survey has a range, then the next run. The slices are reused after emit returns. Sweep.Fly explains the
// errors.
func (s *Survey) Do(ctx context.Context, emit func([]Sighting) error) error {
	sigmas, err := s.Sigmas()
	if err == nil && (len(sigmas) == 0 || len(s.RadiiKm) == 0) {
		err = fmt.Errorf("study: %d epsilons x %d radii, want at least one of each", len(sigmas), len(s.RadiiKm))
	}
	var on *span
	if err == nil && s.Axis.Whole() {
		on, err = s.span()
	}
	if err != nil {
		return err
	}
	newWork := func() pool.Work[Batch, sightings] { return (&surveyor{survey: s, sigmas: sigmas, span: on}).fly }
	for r, err := range pieces.Ordered(ctx, s.Kept, s.Workers, s.batches(), newWork) {
		if err != nil {
			return err
		}
		if err := emit(r.Value); err != nil {
			return err
		}
	}
	return nil
}

// flightsOfAxis is the number of flights that take as much work as the range of a run.
const flightsOfAxis = 5

// batches cuts the runs into batches: enough for many workers, even for few runs. They do not depend on the
// number of workers, which may change when a survey is resumed.
func (s *Survey) batches() iter.Seq[Batch] {
	const portions = 16 // at least
	each := len(s.Epsilons)
	if s.Axis.Whole() {
		each = flightsOfAxis
	}
	step := max(1, min(sightingsPerBatch/each, (s.Runs-s.First)/portions))
	all := indices(len(s.Epsilons))
	return func(yield func(Batch) bool) {
		for run := s.First; run < s.Runs; run += step {
			if !yield(Batch{First: run, End: min(run+step, s.Runs), Epsilons: all}) {
				return
			}
		}
	}
}

// surveyor flies batches of a survey.
type surveyor struct {
	survey *Survey
	sigmas []float64
	span   *span // nil without a range
	flyer  Flyer
	flights
}

// fly returns the sightings of a batch.
func (w *surveyor) fly(ctx context.Context, b Batch, seen sightings) (sightings, error) {
	s := w.survey
	if w.flyer.experiment == nil {
		if err := w.flyer.serve(s.Experiment, coresEach(s.Workers)); err != nil {
			return seen, err
		}
	}
	seen = seen[:0]
	options := FlightOptions{RadiusKm: slices.Max(s.RadiiKm), Pause: func() { pool.Rest(ctx) }}
	look := func(f Flight) bool {
		seen = grow(seen)
		last := &seen[len(seen)-1]
		last.Run, last.ByRadius = f.Run, f.detections(s.RadiiKm, last.ByRadius[:0])
		return ctx.Err() == nil
	}
	if w.span != nil {
		w.listRuns(&s.Study, b)
		whole, err := w.flyer.flyAxis(w.draws, w.span, options, look)
		if err == nil && whole < len(w.draws) {
			err = ctx.Err()
		}
		return seen, err
	}
	w.list(&s.Study, b, w.sigmas)
	if err := w.flyer.FlyEach(w.draws, w.levels, options, look); err != nil {
		return seen, err
	}
	if len(seen) < b.Flights() {
		return seen, ctx.Err()
	}
	return seen, nil
}

// grow extends a slice by one and keeps the storage of the new element.
func grow(s []Sighting) []Sighting {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	return append(s, Sighting{})
}

// detections appends the detections of observers with the given radii.
func (f *Flight) detections(radiiKm []float64, to []adversary.Detection) []adversary.Detection {
	for _, radius := range radiiKm {
		to = append(to, f.Curve.Detect(radius))
	}
	return to
}
