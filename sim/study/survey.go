package study

import (
	"context"
	"fmt"
	"iter"
	"runtime"

	"veilpath/adversary"
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
	sigmas, err := s.Sigmas()
	if err != nil {
		return err
	}
	if len(epsilons) == 0 || len(s.RadiiKm) == 0 {
		return fmt.Errorf("study: %d epsilons x %d radii, want at least one of each", len(epsilons), len(s.RadiiKm))
	}
	workers := s.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	// Work for all, however little there is, and not much in vain when emit ends it.
	step := max(1, min(sightingsPerBatch/len(epsilons), (end-first)/(chunksPerWorker*workers)))
	batches := iter.Seq[Batch](func(yield func(Batch) bool) {
		for run := first; run < end; run += step {
			if !yield(Batch{First: run, End: min(run+step, end), Epsilons: epsilons}) {
				return
			}
		}
	})
	return flyLine(ctx, workers, batches, func() pilot[Sighting] { return &surveyor{survey: s, sigmas: sigmas} },
		func(_ Batch, sightings []Sighting) error { return emit(sightings) })
}

// surveyor flies batches of a survey.
type surveyor struct {
	survey *Survey
	sigmas []float64
	flyer  *Flyer
	flights
}

func (w *surveyor) fly(ctx context.Context, b Batch, sightings []Sighting) ([]Sighting, error) {
	s := w.survey
	if w.flyer == nil {
		var err error
		if w.flyer, err = s.Experiment.NewFlyer(); err != nil {
			return sightings, err
		}
	}
	w.list(&s.Study, b, w.sigmas)
	w.flyer.FlyEach(w.draws, w.levels, func(r Run) bool {
		sightings = grow(sightings)
		last := &sightings[len(sightings)-1]
		last.Run, last.ByRadius = r, w.flyer.detections(s.RadiiKm, last.ByRadius[:0])
		return ctx.Err() == nil
	})
	return sightings, w.unlessShort(len(sightings))
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
