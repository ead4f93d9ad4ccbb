package parquet

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/record"
	"veilpath/sim/study"
)

// RunWriter writes runs.parquet, or axis.parquet, in row groups as the runs come. Flights that several observers watch
// are one row each, with columns for what further observers saw; see [record.Watched].
type RunWriter struct {
	table     *tableWriter[flown]
	observers int
	settings  []record.Swept // that are swept beside the observer
	axis      study.Range    // of axis.parquet
	waiting   []flown        // for the observers who come next
	watched   int            // observers who have told of them
}

// NewRunWriter begins the table of a study that sweeps some keys, or none; version is the program's.
func NewRunWriter(w io.Writer, sweep []record.Swept, version string) *RunWriter {
	return newRunWriter(w, sweep, runColumns(sweep), version)
}

func newRunWriter(w io.Writer, sweep []record.Swept, columns []column[flown], version string) *RunWriter {
	observers, settings := record.Watched(sweep)
	return &RunWriter{table: newTableWriter(w, columns, version), observers: max(1, len(observers)), settings: settings}
}

// NewAxisWriter begins the table of the pieces of a study of a range of epsilon.
func NewAxisWriter(w io.Writer, sweep []record.Swept, axis study.Range, version string) *RunWriter {
	table := newRunWriter(w, sweep, axisColumns(sweep), version)
	table.axis = axis
	return table
}

// Add appends the records of a point, in axis.parquet those of whole runs. Those of several observers of the same
// flights come one after the other.
func (w *RunWriter) Add(point int, records []study.Run) error {
	if point%w.observers != w.watched || w.watched > 0 && len(records) != len(w.waiting) {
		return fmt.Errorf("%d records of observer %d of %d, where %d of observer %d belong", len(records),
			point%w.observers+1, w.observers, len(w.waiting), w.watched+1)
	}
	if w.watched == 0 {
		w.begin(point/w.observers, records)
	} else if err := w.join(records); err != nil {
		return err
	}
	if w.watched = (w.watched + 1) % w.observers; w.watched > 0 {
		return nil
	}
	return w.table.addAll(w.waiting)
}

// begin makes rows of the records of the first observer.
func (w *RunWriter) begin(point int, records []study.Run) {
	values := record.PointValues(w.settings, point)
	cells := make([]parquet.Value, len(values))
	for i, v := range values {
		cells[i] = value(v)
	}
	others := make([]study.Run, len(records)*(w.observers-1))
	w.waiting = w.waiting[:0]
	for i := range records {
		high := w.axis.End(records, i)
		own := others[:w.observers-1]
		others = others[len(own):]
		w.waiting = append(w.waiting, flown{Run: records[i], others: own, high: high, point: cells})
	}
}

// join puts what a further observer saw of the flights into their rows.
func (w *RunWriter) join(records []study.Run) error {
	for i := range records {
		row := &w.waiting[i]
		row.others[w.watched-1] = records[i]
		if same := watched(&row.Run, &records[i]); !same.Same(records[i]) {
			return fmt.Errorf("run %d at epsilon %g is another flight for observer %d than for the first", records[i].Run,
				records[i].Epsilon, w.watched+1)
		}
	}
	return nil
}

// watched returns a flight with what is seen in it taken from another record of it.
func watched(flight, seen *study.Run) study.Run {
	run := *flight
	for _, m := range watchedMetrics {
		m.Copy(&run, seen)
	}
	return run
}

// watchedMetrics are those that depend on the observer.
var watchedMetrics = slices.DeleteFunc(study.Metrics(), func(m study.Metric) bool { return !m.Watched })

// Close ends the table.
func (w *RunWriter) Close() error { return w.table.close() }

// ReadRuns passes the records of a study's runs.parquet to a function in order, in slices that are reused, until
// the context ends: by observer, of whom there may be several, the same flights. The file must have the hash in the
// study's manifest.
func ReadRuns(ctx context.Context, disk record.FileSystem, folder string, m record.Manifest,
	use func(seen [][]study.Run) error) error {
	return readRuns(ctx, disk, folder, record.RunsName, m, m.Flights, runColumns(byObserver(m)), use)
}

// ReadPieces is ReadRuns for the pieces in axis.parquet, as a study of a range of epsilon emits them.
func ReadPieces(ctx context.Context, disk record.FileSystem, folder string, m record.Manifest,
	use func(seen [][]study.Run) error) error {
	observers, _ := record.Watched(m.Sweep)
	return readRuns(ctx, disk, folder, record.AxisName, m, m.Pieces, pieceColumns(observers), use)
}

// byObserver returns the sweep of the observers alone, of those who watch the same flights.
func byObserver(m record.Manifest) []record.Swept {
	observers, settings := record.Watched(m.Sweep)
	if len(observers) == 0 {
		return nil
	}
	return m.Sweep[len(settings):]
}

func readRuns(ctx context.Context, disk record.FileSystem, folder, name string, m record.Manifest, length int,
	columns []column[flown], use func(seen [][]study.Run) error) error {
	file, err := record.OpenListed(ctx, disk, folder, name, m)
	if err != nil {
		return err
	}
	defer file.Close()
	observers, _ := record.Watched(m.Sweep)
	seen := make([][]study.Run, max(1, len(observers)))
	var refused error // by the function
	err = readTable(file, file.Size(), int64(length/len(seen)), columns, func(rows []flown) error {
		for k := range seen {
			seen[k] = seen[k][:0]
			for i := range rows {
				run := rows[i].Run
				if k > 0 {
					run = watched(&run, &rows[i].others[k-1])
				}
				seen[k] = append(seen[k], run)
			}
		}
		if refused = ctx.Err(); refused == nil {
			refused = use(seen)
		}
		return refused
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && refused == nil {
		return file.Damaged(err)
	}
	return refused
}

// readTable passes on the rows of a table of so many runs. A damaged one can make the Parquet library panic, which
// comes back as an error; a panic of the function does not.
func readTable(file io.ReaderAt, size, rows int64, columns []column[flown], use func([]flown) error) (err error) {
	using := false
	defer func() {
		if using {
			return
		}
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if err := checkBounds(file, size, rows, columns); err != nil {
		return err
	}
	table, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	return scan(table, columns, func(rows []flown) error {
		using = true
		err := use(rows)
		using = false
		return err
	})
}
