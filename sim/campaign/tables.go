package campaign

import (
	"context"
	"io"
	"slices"

	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/sim/study"
)

// write writes the files of the finished study, the manifest last. The tables are read from the kept flights, so that
// they do not take memory while others are flown. For trajectories it flies again.
func (s *Session) write(ctx context.Context, folder *pieces.Folder) (*Result, error) {
	result := s.result(true)
	if folder == nil {
		return result, nil
	}
	for i := range s.sweep.Points {
		s.sweep.Points[i].Experiment.Forget() // frees memory for the tables
	}
	if err := s.writeTables(ctx, folder); err != nil {
		return nil, err
	}
	if err := s.writeTrajectories(ctx, folder); err != nil {
		return nil, err
	}
	return result, result.write(folder)
}

// writeTables writes the table of the runs, batch by batch, and that of the pieces of a range of epsilon.
func (s *Session) writeTables(ctx context.Context, folder *pieces.Folder) error {
	if !s.axis().Whole() {
		return s.writeRuns(ctx, folder, nil)
	}
	return folder.Write(record.AxisName, func(w io.Writer) error {
		axis := runfile.NewAxisWriter(w, s.plan.Sweep, s.axis(), s.manifest.Version)
		if err := s.writeRuns(ctx, folder, axis); err != nil {
			return err
		}
		return axis.Close()
	})
}

// writeRuns writes the table of the runs, and all records to axis unless that is nil.
func (s *Session) writeRuns(ctx context.Context, folder *pieces.Folder, axis *runfile.RunWriter) error {
	return folder.Write(record.RunsName, func(w io.Writer) error {
		runs := runfile.NewRunWriter(w, s.plan.Sweep, s.manifest.Version)
		listed := make([][]study.Run, s.plan.Sweep.Watching())
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
