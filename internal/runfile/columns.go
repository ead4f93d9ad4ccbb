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
	others []study.Run // the same as the observers after the first saw it
	high   float64     // epsilon at which the piece ends
	point  []any       // values of the swept keys
}

// seenBy returns the run of a row as one of several observers saw it.
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

// first is the run of a row as the first observer saw it.
func first(r *flown) *study.Run { return &r.Run }

// of returns a column of one of the runs of a row.
func of(run func(*flown) *study.Run, c table.Column[study.Run]) table.Column[flown] {
	return table.Column[flown]{Name: c.Name, Unit: c.Unit, Meaning: c.Meaning, Whole: c.Whole, Truth: c.Truth,
		Short: c.Short, Repeats: c.Repeats, Follows: c.Follows,
		Value: func(r *flown) float64 { return c.Value(run(r)) },
		Set:   func(r *flown, x float64) { c.Set(run(r), x) }}
}

// runColumns returns the columns of runs.parquet: the swept keys, epsilon and run, study.Metrics and what further
// observers saw.
func runColumns(sweep record.Sweep) []table.Column[flown] {
	return slices.Concat(sweptColumns(sweep.Settings),
		[]table.Column[flown]{of(first, study.EpsilonColumn()), of(first, study.RunColumn())}, metricColumns(),
		watchedColumns(sweep.Observers))
}

// axisColumns returns the columns of axis.parquet: the swept keys, the run, the range of epsilon, study.Metrics and
// what further observers saw.
func axisColumns(sweep record.Sweep) []table.Column[flown] {
	high := table.Column[flown]{Name: "epsilon_high", Unit: "1",
		Meaning: "strength of privacy at which the piece ends; the last one of a run holds it, the others do not; with " +
			"planner.slip it is found to the manifest's epsilon_resolution",
		Value: func(r *flown) float64 { return r.high }}
	return slices.Concat(sweptColumns(sweep.Settings), []table.Column[flown]{of(first, study.RunColumn()), lowColumn(),
		high, flightColumn()}, metricColumns(), watchedColumns(sweep.Observers))
}

// pieceColumns returns those of axis.parquet that bring its pieces back.
func pieceColumns(observers []string) []table.Column[flown] {
	return slices.Concat([]table.Column[flown]{of(first, study.RunColumn()), lowColumn(),
		flightColumn()}, metricColumns(), watchedColumns(observers))
}

// flightColumn is the name of a flight.
func flightColumn() table.Column[flown] {
	return table.Column[flown]{Name: "flight", Unit: "1", Whole: true, Repeats: true,
		Meaning: "name of the flight: pieces with the same one fly the same, and curves.parquet (study --curves) has what " +
			"observers of any radius make of it",
		Value: func(r *flown) float64 { return float64(r.Flight) },
		Set:   func(r *flown, x float64) { r.Flight = int(x) }}
}

// lowColumn is the epsilon of a piece.
func lowColumn() table.Column[flown] {
	c := of(first, study.EpsilonColumn())
	c.Name, c.Repeats = "epsilon_low", false
	c.Meaning = "least strength of privacy of the piece; with planner.slip its cost is that of the plan there"
	return c
}

// sweptColumns returns the columns of swept settings, whose values are numbers, whole numbers or text.
func sweptColumns(sweep []record.Swept) (columns []table.Column[flown]) {
	for i, s := range sweep {
		c := table.Column[flown]{Name: s.Key, Unit: s.Unit, Meaning: "swept setting", Repeats: true}
		switch s.Values[0].(type) {
		case float64:
			c.Value = func(r *flown) float64 { return r.point[i].(float64) }
		case int64:
			c.Value, c.Whole = func(r *flown) float64 { return float64(r.point[i].(int64)) }, true
		default:
			c.Text = func(r *flown) string { return r.point[i].(string) }
		}
		columns = append(columns, c)
	}
	return columns
}

func metricColumns() (columns []table.Column[flown]) {
	for _, m := range study.Metrics() {
		columns = append(columns, of(first, m.Column))
	}
	return columns
}

// watchedColumns returns what the observers after the first made of flights, under the names of the metrics and theirs.
func watchedColumns(observers []string) (columns []table.Column[flown]) {
	for k := 1; k < len(observers); k++ {
		for _, m := range study.Metrics() {
			if m.Watched {
				c := of(seenBy(k, len(observers)), m.Column)
				c.Name, c.Meaning = m.Name+"_"+observers[k], m.Meaning+"; as "+observers[k]+" saw the flight"
				columns = append(columns, c)
			}
		}
	}
	return columns
}
