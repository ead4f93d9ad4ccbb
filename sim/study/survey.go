package study

import (
	"context"
	"errors"
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

// Sighting is a flight and its detections by the observers of a survey. The Run is that of the experiment's radius.
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
	levels, err := s.levels()
	if err == nil && len(s.RadiiKm) == 0 {
		err = errors.New("study: no radii, want at least one")
	}
	if err != nil {
		return err
	}
	newWork := func() pool.Work[Batch, []Sighting] { return (&surveyor{survey: s, levels: &levels}).fly }
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
	levels *noiseLevels
	batchFlyer
}

// fly returns the sightings of a batch, in reused storage.
func (w *surveyor) fly(ctx context.Context, b Batch, all []Sighting) ([]Sighting, error) {
	s := w.survey
	if w.flyer.experiment == nil {
		if err := w.flyer.serve(s.Experiment, coresEach(s.Workers)); err != nil {
			return all, err
		}
	}
	all = all[:0]
	options := FlightOptions{RadiusKm: slices.Max(s.RadiiKm), Pause: func() { pool.Rest(ctx) }}
	err := w.batchFlyer.fly(ctx, &s.Study, w.levels, b, options, func(f Flight) {
		if len(all) < cap(all) {
			all = all[:len(all)+1] // with the storage of its detections
		} else {
			all = append(all, Sighting{})
		}
		last := &all[len(all)-1]
		last.Run, last.ByRadius = f.Run, last.ByRadius[:0]
		for _, radius := range s.RadiiKm {
			last.ByRadius = append(last.ByRadius, f.Curve.Detect(radius))
		}
	})
	return all, err
}
