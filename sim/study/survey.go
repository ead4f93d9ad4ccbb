package study

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"veilpath/adversary"
	"veilpath/sim/pool"
)

// Survey is a study seen by observers of many radii at once: every flight is flown once, and its
// detection step function says where each of them recognised the destination.
type Survey struct {
	Study
	RadiiKm []float64 // each finite and above 0
}

// Sighting is a flight as the observers of a survey saw it. The Run is that of the experiment's radius.
type Sighting struct {
	Run
	ByRadius []adversary.Detection // of every radius
}

// sightingsPerBatch is about how many flights a worker makes between two hand-overs: some 5 ms of work.
const sightingsPerBatch = 64

// Do flies the runs [first, end) at some epsilons, given by index, and emits the sightings in order, all
// epsilons of a run, then of the next. They are reused after emit returns. See Sweep.Fly for errors.
func (s *Survey) Do(ctx context.Context, epsilons []int, first, end int, emit func([]Sighting) error) error {
	for sightings, err := range s.sightings(ctx, epsilons, first, end) {
		if err != nil {
			return err
		}
		if err := emit(sightings); err != nil {
			return err
		}
	}
	return nil
}

// sightings yields what Do emits; a caller who has seen enough stops.
func (s *Survey) sightings(ctx context.Context, epsilons []int, first, end int) iter.Seq2[[]Sighting, error] {
	return func(yield func([]Sighting, error) bool) {
		sigmas, err := s.Sigmas()
		if err == nil && (len(epsilons) == 0 || len(s.RadiiKm) == 0) {
			err = fmt.Errorf("study: %d epsilons x %d radii, want at least one of each", len(epsilons), len(s.RadiiKm))
		}
		if err != nil {
			yield(nil, err)
			return
		}
		newWork := func() pool.Work[Batch, []Sighting] { return (&surveyor{survey: s, sigmas: sigmas}).fly }
		for r, err := range pool.Ordered(ctx, s.Workers, s.batches(epsilons, first, end), newWork) {
			if !yield(r.Value, err) {
				return
			}
		}
	}
}

// batches cuts runs into batches: work for all workers, however little there is, and not much in vain when
// nobody wants the rest.
func (s *Survey) batches(epsilons []int, first, end int) iter.Seq[Batch] {
	const portions = 4 // of every worker, at least
	step := max(1, min(sightingsPerBatch/len(epsilons), (end-first)/(portions*pool.Workers(s.Workers))))
	return func(yield func(Batch) bool) {
		for run := first; run < end; run += step {
			if !yield(Batch{First: run, End: min(run+step, end), Epsilons: epsilons}) {
				return
			}
		}
	}
}

// surveyor flies batches of a survey.
type surveyor struct {
	survey *Survey
	sigmas []float64
	flyer  Flyer
	flights
}

// fly returns the sightings of a batch.
func (w *surveyor) fly(ctx context.Context, b Batch, sightings []Sighting) ([]Sighting, error) {
	s := w.survey
	if w.flyer.experiment == nil {
		if err := w.flyer.serve(s.Experiment, coresEach(s.Workers)); err != nil {
			return sightings, err
		}
		w.flyer.radiusKm = slices.Max(s.RadiiKm)
	}
	w.list(&s.Study, b, w.sigmas)
	sightings = sightings[:0]
	w.flyer.FlyEach(w.draws, w.levels, func(r Run) bool {
		sightings = grow(sightings)
		last := &sightings[len(sightings)-1]
		last.Run, last.ByRadius = r, w.flyer.detections(s.RadiiKm, last.ByRadius[:0])
		return ctx.Err() == nil
	})
	if len(sightings) < b.Flights() {
		return sightings, ctx.Err()
	}
	return sightings, nil
}

// grow lengthens a slice by one, keeping what an earlier use left in the new element.
func grow(s []Sighting) []Sighting {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	return append(s, Sighting{})
}

// detections appends what observers of the radii made of the last flight.
func (f *Flyer) detections(radiiKm []float64, to []adversary.Detection) []adversary.Detection {
	for _, radius := range radiiKm {
		to = append(to, f.Curve.Detect(radius))
	}
	return to
}
