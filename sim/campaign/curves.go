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

// widest is the widest piece, by ratio, on which a flight is flown: the first of those.
type widest struct {
	run       int
	low, high float64 // epsilon
}

// notice notices which flights the pieces of whole runs fly.
func (s *Session) notice(pieces []study.Run) {
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

// writeCurves flies every different flight of a study again, once, and writes their detection curves in the order of
// their names. A part of a study has none.
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

// curver finds detection curves of flights by their names.
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
	// A corner may be either side's. Where moves are uncertain it is the lower end that was planned at.
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
		return nil, fmt.Errorf("run %d does not fly as recorded at epsilon %g: the record was changed, or another build of "+
			"veilpath made it", piece.run, epsilon)
	}
	curve := c.flyer.Detail().Curve
	return flightfile.Curve(flight, &curve, steps[:0]), nil
}
