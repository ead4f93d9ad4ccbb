package campaign

import (
	"context"
	"io"

	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/sim/study"
)

// write writes the files of the study besides the tables of its runs, the manifest last. Only a complete study has
// trajectories, for which it flies again.
func (s *Session) write(ctx context.Context, folder *record.Folder, complete bool) (*Result, error) {
	result := s.result(complete)
	if complete {
		if err := s.writeTrajectories(ctx, folder); err != nil {
			return nil, err
		}
	}
	return result, result.write(folder)
}

// writeTables writes the table of the runs that source passes, batch by batch, and that of the pieces of a range of
// epsilon. If the folder is nil, it only calls source.
func (s *Session) writeTables(folder *record.Folder, source func(use) error) error {
	switch {
	case folder == nil:
		return source(func(int, [][]study.Run) error { return nil })
	case !s.axis().Whole():
		return s.writeRuns(folder, source)
	}
	return folder.Write(record.AxisName, func(w io.Writer) error {
		pieces := runfile.NewAxisWriter(w, s.plan.Sweep, s.axis(), s.manifest.Version)
		err := s.writeRuns(folder, func(list use) error {
			return source(func(point int, seen [][]study.Run) error {
				if err := list(point, seen); err != nil {
					return err
				}
				return pieces.Add(point, seen...)
			})
		})
		if err != nil {
			return err
		}
		return pieces.Close()
	})
}

// writeRuns writes the table of the runs that source passes, batch by batch.
func (s *Session) writeRuns(folder *record.Folder, source func(use) error) error {
	return folder.Write(record.RunsName, func(w io.Writer) error {
		runs := runfile.NewRunWriter(w, s.plan.Sweep, s.manifest.Version)
		listed := make([][]study.Run, s.plan.Sweep.Watching())
		err := source(func(point int, seen [][]study.Run) error {
			for k := range seen {
				listed[k] = s.sweep.Points[point].Listed(seen[k], listed[k][:0])
			}
			return runs.Add(point, listed...)
		})
		if err != nil {
			return err
		}
		return runs.Close()
	})
}
