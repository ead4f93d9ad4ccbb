package runfile

import (
	"slices"

	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// flown is a row of runs.parquet, or of axis.parquet.
type flown struct {
	study.Run
	others []study.Run // the run as the observers after the first saw it
	high   float64     // end of the piece's range of epsilon
	point  int         // index in the sweep
	drawn  []float64   // values of the settings that vary
}

// seenBy returns a function from a row to the run as one of several observers saw it.
func seenBy(observer, observers int) func(*flown) *study.Run {
	return func(r *flown) *study.Run {
		if observer == 0 {
			return &r.Run
		}
		if r.others == nil {
			r.others = make([]study.Run, observers-1)
		}
		return &r.others[observer-1]
	}
}

// first returns the run of a row as the first observer saw it.
func first(r *flown) *study.Run { return &r.Run }

// pointOf returns the point of a row.
func pointOf(r *flown) int { return r.point }

// Varied are the settings that vary from run to run.
type Varied struct {
	Settings []string
	Of       func(point, run int) []float64 // the values of a run, in the order of the Settings
}

// columns returns the columns of the values.
func (v Varied) columns() (columns []table.Column[flown]) {
	for i, name := range v.Settings {
		columns = append(columns, table.Column[flown]{Name: name, Meaning: "value of a setting that varies", Repeats: true,
			Value: func(r *flown) float64 { return r.drawn[i] }})
	}
	return columns
}

// runColumns returns the columns of runs.parquet: the swept keys, epsilon and run, study.Metrics, the metrics of
// further observers, and the settings that vary.
func runColumns(sweep record.Sweep, varied Varied) []table.Column[flown] {
	return slices.Concat(record.SweptColumns(sweep.Settings, pointOf),
		[]table.Column[flown]{table.Of(study.EpsilonColumn(), first), table.Of(study.RunColumn(), first)}, metricColumns(),
		watchedColumns(sweep.Observers), varied.columns())
}

// axisColumns returns the columns of axis.parquet: the swept keys, the run, the range of epsilon, study.Metrics
// and the metrics of further observers.
func axisColumns(sweep record.Sweep) []table.Column[flown] {
	high := table.Column[flown]{Name: "epsilon_high", Unit: "1",
		Meaning: "strength of privacy at which the piece ends; only the last piece of a run includes it; with " +
			"planner.slip it is exact to the manifest's epsilon_resolution",
		Value: func(r *flown) float64 { return r.high }}
	return slices.Concat(record.SweptColumns(sweep.Settings, pointOf), []table.Column[flown]{table.Of(study.RunColumn(),
		first), lowColumn(),
		high, flightColumn()}, metricColumns(), watchedColumns(sweep.Observers))
}

// pieceColumns returns the columns of axis.parquet from which the pieces are read.
func pieceColumns(observers []string) []table.Column[flown] {
	return slices.Concat([]table.Column[flown]{table.Of(study.RunColumn(), first), lowColumn(),
		flightColumn()}, metricColumns(), watchedColumns(observers))
}

// flightColumn returns the column with the name of a flight.
func flightColumn() table.Column[flown] {
	return table.Column[flown]{Name: "flight", Unit: "1", Whole: true, Repeats: true,
		Meaning: "name of the flight: pieces with the same name have the same flight",
		Value:   func(r *flown) float64 { return float64(r.Flight) },
		Set:     func(r *flown, x float64) { r.Flight = int(x) }}
}

// lowColumn returns the column with the lower end of a piece.
func lowColumn() table.Column[flown] {
	c := table.Of(study.EpsilonColumn(), first)
	c.Name, c.Repeats = "epsilon_low", false
	c.Meaning = "smallest epsilon of the piece; with planner.slip its cost is the cost of the plan at this epsilon"
	return c
}

func metricColumns() (columns []table.Column[flown]) {
	for _, m := range study.Metrics() {
		columns = append(columns, table.Of(m.Column, first))
	}
	return columns
}

// watchedColumns returns the metrics of the observers after the first. Their names end in the observer's name.
func watchedColumns(observers []string) (columns []table.Column[flown]) {
	for k := 1; k < len(observers); k++ {
		for _, m := range study.Metrics() {
			if m.Watched {
				c := table.Of(m.Column, seenBy(k, len(observers)))
				c.Name, c.Meaning = m.Name+"_"+observers[k], m.Meaning+"; as "+observers[k]+" saw the flight"
				columns = append(columns, c)
			}
		}
	}
	return columns
}
