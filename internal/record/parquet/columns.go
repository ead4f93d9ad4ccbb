package parquet

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/record"
	"veilpath/sim/study"
)

// column is a column of a Parquet table whose rows come from T. Names end in the unit where there is one.
type column[T any] struct {
	name, unit, meaning string
	tag                 string       // further Parquet options
	kind                reflect.Type // float64, int64, int32, bool or string
	nullable            bool
	put                 func(rows []T, values []parquet.Value) // from the rows into as many values
	get                 func(values []parquet.Value, rows []T) // and back; nil where a table is not read
}

var (
	double  = reflect.TypeFor[float64]()
	long    = reflect.TypeFor[int64]()
	integer = reflect.TypeFor[int32]()
	boolean = reflect.TypeFor[bool]()
)

// options returns the Parquet options of the column's tag.
func (c *column[T]) options() string {
	if c.nullable {
		return c.tag + ",optional"
	}
	return c.tag
}

// flown is a row of runs.parquet, or of axis.parquet.
type flown struct {
	study.Run
	others []study.Run     // the same as the observers after the first saw it
	high   float64         // epsilon at which the piece ends
	point  []parquet.Value // of the swept keys
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

// runColumns returns the columns of runs.parquet: the swept keys, epsilon and run, study.Metrics and what further
// observers saw.
func runColumns(sweep record.Sweep) []column[flown] {
	return slices.Concat(sweptColumns(sweep.Settings), []column[flown]{
		with(",dict", numberOf("epsilon", "1", "strength of privacy; infinity for the plan without noise", first, epsilonAt)),
		runColumn(),
	}, metricColumns(), watchedColumns(sweep.Observers))
}

// axisColumns returns the columns of axis.parquet: the swept keys, the run, the range of epsilon, study.Metrics and
// what further observers saw.
func axisColumns(sweep record.Sweep) []column[flown] {
	high := column[flown]{name: "epsilon_high", unit: "1",
		meaning: "strength of privacy at which the piece ends; the last one of a run holds it, the others do not; with " +
			"planner.slip it is found to the manifest's epsilon_resolution",
		kind: double, put: putting(func(r *flown) parquet.Value { return parquet.DoubleValue(r.high) })}
	return slices.Concat(sweptColumns(sweep.Settings), []column[flown]{runColumn(), lowColumn(), high, flightColumn()},
		metricColumns(), watchedColumns(sweep.Observers))
}

// pieceColumns returns those of axis.parquet that bring its pieces back.
func pieceColumns(observers []string) []column[flown] {
	return slices.Concat([]column[flown]{runColumn(), lowColumn(), flightColumn()}, metricColumns(),
		watchedColumns(observers))
}

func epsilonAt(r *study.Run) *float64 { return &r.Epsilon }

func lowColumn() column[flown] {
	return numberOf("epsilon_low", "1", "least strength of privacy of the piece; with planner.slip its cost is that of "+
		"the plan there", first, epsilonAt)
}

func flightColumn() column[flown] {
	return with(",dict", wholeOf("flight", "1", "name of the flight: pieces with the same one fly the same, and "+
		"curves.parquet (study --curves) has what observers of any radius make of it", long, first, func(r *study.Run) *int {
		return &r.Flight
	}))
}

func runColumn() column[flown] {
	return with(",delta", wholeOf("run", "1", "number of the run, which names its noise", long, first,
		func(r *study.Run) *int { return &r.Run }))
}

func sweptColumns(sweep []record.Swept) (columns []column[flown]) {
	for i, s := range sweep {
		columns = append(columns, column[flown]{name: s.Key, unit: s.Unit, meaning: "swept setting",
			kind: reflect.TypeOf(s.Values[0]),
			tag:  ",dict", put: putting(func(r *flown) parquet.Value { return r.point[i] })})
	}
	return columns
}

func metricColumns() (columns []column[flown]) {
	for _, m := range study.Metrics() {
		columns = append(columns, metricColumn(m, m.Name, m.Meaning, first))
	}
	return columns
}

// watchedColumns returns what the observers after the first made of flights, under the names of the metrics and theirs.
func watchedColumns(observers []string) (columns []column[flown]) {
	for k := 1; k < len(observers); k++ {
		for _, m := range study.Metrics() {
			if m.Watched {
				columns = append(columns, metricColumn(m, m.Name+"_"+observers[k], m.Meaning+"; as "+observers[k]+" saw the flight",
					seenBy(k, len(observers))))
			}
		}
	}
	return columns
}

func metricColumn(m study.Metric, name, meaning string, of func(*flown) *study.Run) column[flown] {
	switch {
	case m.Number != nil:
		return numberOf(name, m.Unit, meaning, of, m.Number)
	case m.Whole != nil:
		return wholeOf(name, m.Unit, meaning, integer, of, m.Whole)
	}
	return truthOf(name, meaning, of, m.Truth)
}

// with returns a column with further Parquet options.
func with(tag string, c column[flown]) column[flown] {
	c.tag = tag
	return c
}

// putting returns the put of a column whose values come row by row.
func putting[T any](value func(*T) parquet.Value) func([]T, []parquet.Value) {
	return func(rows []T, values []parquet.Value) {
		for i := range rows {
			values[i] = value(&rows[i])
		}
	}
}

func numberOf(name, unit, meaning string, of func(*flown) *study.Run, at func(*study.Run) *float64) column[flown] {
	return fieldOf(name, unit, meaning, double, of, at, parquet.DoubleValue, parquet.Value.Double)
}

func truthOf(name, meaning string, of func(*flown) *study.Run, at func(*study.Run) *bool) column[flown] {
	return fieldOf(name, "", meaning, boolean, of, at, parquet.BooleanValue, parquet.Value.Boolean)
}

// wholeOf is a column of whole numbers of a kind: long or integer.
func wholeOf(name, unit, meaning string, kind reflect.Type, of func(*flown) *study.Run,
	at func(*study.Run) *int) column[flown] {
	if kind == integer {
		return fieldOf(name, unit, meaning, kind, of, at, func(n int) parquet.Value { return parquet.Int32Value(int32(n)) },
			func(v parquet.Value) int { return int(v.Int32()) })
	}
	return fieldOf(name, unit, meaning, kind, of, at, func(n int) parquet.Value { return parquet.Int64Value(int64(n)) },
		func(v parquet.Value) int { return int(v.Int64()) })
}

// fieldOf is a column of what one of the runs of a row holds at a place.
func fieldOf[V any](name, unit, meaning string, kind reflect.Type, of func(*flown) *study.Run, at func(*study.Run) *V,
	pack func(V) parquet.Value, unpack func(parquet.Value) V) column[flown] {
	return column[flown]{name: name, unit: unit, meaning: meaning, kind: kind,
		put: func(rows []flown, values []parquet.Value) {
			for i := range rows {
				values[i] = pack(*at(of(&rows[i])))
			}
		},
		get: func(values []parquet.Value, rows []flown) {
			for i := range values {
				*at(of(&rows[i])) = unpack(values[i])
			}
		}}
}

// value turns a swept value into a Parquet one.
func value(v any) parquet.Value {
	switch v := v.(type) {
	case float64:
		return parquet.DoubleValue(v)
	case int64:
		return parquet.Int64Value(v)
	case string:
		return parquet.ByteArrayValue([]byte(v))
	}
	panic(fmt.Sprintf("parquet: a swept value of type %T", v)) // configs makes no other
}

// schemaOf returns the Parquet schema of columns, in their order.
func schemaOf[T any](columns []column[T]) *parquet.Schema {
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("Column%d", i), Type: c.kind,
			Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", c.name+c.options())),
		}
	}
	return parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
}
