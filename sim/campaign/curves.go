package campaign

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"veilpath/internal/flightfile"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/sim/study"
)

// widest is the piece of epsilon on which a flight is flown: the first of the pieces with the largest ratio of
// ends.
type widest struct {
	run       int
	low, high float64 // epsilon
}

// addFlown records the widest piece of every flight in the pieces of whole runs.
func (s *Session) addFlown(pieces []study.Run) {
	if s.flown == nil {
		return
	}
	for i := range pieces {
		own := widest{pieces[i].Run, pieces[i].Epsilon, s.axis().End(pieces, i)}
		if known, ok := s.flown[pieces[i].Flight]; !ok || own.high/own.low > known.high/known.low {
			s.flown[pieces[i].Flight] = own
		}
	}
}

// writeCurves flies every distinct flight of a study once more and writes the detection curves, ordered by the
// number of the flight. It writes none for a part of a study.
func (s *Session) writeCurves(ctx context.Context, folder *record.Folder) error {
	if s.flown == nil || s.plan.Shard != nil {
		return nil
	}
	return folder.Write(flightfile.CurvesName, func(w io.Writer) error {
		table := parquet.NewWriter(w, flightfile.CurveColumns(), s.manifest.Version)
		work := func() pool.Work[int, []flightfile.CurveStep] {
			return (&curver{point: &s.sweep.Points[0], flown: s.flown}).fly
		}
		names := slices.Sorted(maps.Keys(s.flown))
		for curve, err := range pool.Ordered(ctx, s.sweep.Workers, slices.Values(names), work) {
			if err != nil {
				return err
			}
			if err := table.Add(curve.Value); err != nil {
				return err
			}
		}
		return table.Close()
	})
}

// curver computes detection curves of flights by their numbers.
type curver struct {
	point *study.Study
	flown map[int]widest
	flyer *study.Flyer
}

// fly returns the curve of a flight.
func (c *curver) fly(_ context.Context, flight int, steps []flightfile.CurveStep) ([]flightfile.CurveStep, error) {
	if c.flyer == nil {
		var err error
		if c.flyer, err = c.point.Experiment.NewFlyer(); err != nil {
			return nil, err
		}
	}
	piece := c.flown[flight]
	// An end of the piece may belong to the next piece, so epsilon is its middle. With stochastic transitions the
	// flight was planned at the lower end.
	epsilon := math.Sqrt(piece.low * piece.high)
	if c.point.Experiment.Resolution() > 0 {
		epsilon = piece.low
	}
	sigma, err := c.point.Experiment.Sigma(epsilon)
	if err != nil {
		return nil, err
	}
	r, err := c.flyer.Fly(study.Draw{Seed: c.point.Seed, Run: piece.run, Noise: c.point.Noise, Epsilon: epsilon}, sigma)
	if err != nil {
		return nil, err
	}
	if r.Flight != flight {
		return nil, fmt.Errorf("run %d does not fly as recorded at epsilon %g: the record was changed, or another build "+
			"of veilpath wrote it", piece.run, epsilon)
	}
	curve := c.flyer.Detail().Curve
	return flightfile.Curve(flight, &curve, steps[:0]), nil
}
