package study

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"veilpath/adversary"
	"veilpath/internal/pool"
)

// Survey is a study seen by observers of many radii at once: every flight is flown once, and its
// detection step function says where each of them recognised the destination.
type Survey struct {
	Study
	First   int       // run with which it begins, before Runs
	RadiiKm []float64 // each finite and above 0
	// Keeper, where it is not nil, keeps what is flown, so that a survey that is interrupted goes on after it.
	Keeper pool.Keeper
}

// Sighting is a flight as the observers of a survey saw it. The Run is that of the experiment's radius.
type Sighting struct {
	Run
	ByRadius []adversary.Detection // of every radius
}

// sightingsPerBatch is about how many flights a worker makes between two hand-overs: some 5 ms of work.
const sightingsPerBatch = 64

// Do flies all runs and emits the sightings in order, at all listed epsilons of a run, or of all its pieces where the
// survey has a range, then of the next. They are reused after emit returns. See Sweep.Fly for errors.
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
	for r, err := range pool.Resumed(ctx, s.Workers, s.batches(), newWork, s.Keeper) {
		if err != nil {
			return err
		}
		if err := emit(r.Value); err != nil {
			return err
		}
	}
	return nil
}

// flightsOfAxis is of about how many flights the range of a run takes the work.
const flightsOfAxis = 5

// batches cuts runs into batches: work for many workers, however little there is. They do not depend on the workers,
// who may be others when a survey is resumed.
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
	options := FlightOptions{RadiusKm: slices.Max(s.RadiiKm)}
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

// grow lengthens a slice by one, keeping what an earlier use left in the new element.
func grow(s []Sighting) []Sighting {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	return append(s, Sighting{})
}

// detections appends what observers of the radii made of the flight.
func (f *Flight) detections(radiiKm []float64, to []adversary.Detection) []adversary.Detection {
	for _, radius := range radiiKm {
		to = append(to, f.Curve.Detect(radius))
	}
	return to
}
