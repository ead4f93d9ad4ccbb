package campaign

import (
	"context"
	"io"
	"slices"

	"veilpath/internal/answer"
	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/sim/study"
)

// writeFile writes a file of an answer.
type writeFile = func(name string, content func(io.Writer) error) error

// write writes the tables of the finished study. They are read from the kept flights, so that they do not take memory
// while others are flown. For trajectories it flies again, and adds a figure of them to the answer.
func (s *Study) write(ctx context.Context, write writeFile, a *answer.Answer) error {
	for i := range s.sweep.Points {
		s.sweep.Points[i].Experiment.Forget() // frees memory for the tables
	}
	if err := s.writeTables(ctx, write); err != nil {
		return err
	}
	return s.writeTrajectories(ctx, write, a)
}

// writeTables writes the table of the runs, batch by batch, and that of the pieces of a range of epsilon.
func (s *Study) writeTables(ctx context.Context, write writeFile) error {
	if !s.axis().Whole() {
		return s.writeRuns(ctx, write, nil)
	}
	return write(record.AxisName, func(w io.Writer) error {
		axis := runfile.NewAxisWriter(w, s.swept, s.axis(), s.manifest.Version)
		if err := s.writeRuns(ctx, write, axis); err != nil {
			return err
		}
		return axis.Close()
	})
}

// writeRuns writes the table of the runs, and all records to axis unless that is nil.
func (s *Study) writeRuns(ctx context.Context, write writeFile, axis *runfile.RunWriter) error {
	return write(record.RunsName, func(w io.Writer) error {
		runs := runfile.NewRunWriter(w, s.swept, s.varied(), s.manifest.Version)
		listed := make([][]study.Run, s.swept.Watching())
		err := s.sweep.Fly(ctx, slices.Values(s.flown), func(b study.Batch, seen [][]study.Run) error {
			for k := range seen {
				listed[k] = s.sweep.Points[b.Point].Listed(seen[k], listed[k][:0])
			}
			err := runs.Add(b.Point, listed...)
			if err == nil && axis != nil {
				err = axis.Add(b.Point, seen...)
			}
			return err
		})
		if err != nil {
			return err
		}
		return runs.Close()
	})
}
