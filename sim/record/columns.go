package record

import (
	"fmt"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"veilpath/sim/study"
)

// Swept is a configuration key that varies over the points of a study.
type Swept struct {
	Key    string `json:"key"`
	Unit   string `json:"unit,omitempty"`
	Values []any  `json:"values"` // float64, int64 or string, one type; the text of a list
}

// PointValues returns the value of every swept key at a point: the last key varies fastest.
func PointValues(sweep []Swept, point int) []any {
	values := make([]any, len(sweep))
	for i := len(sweep) - 1; i >= 0; i-- {
		n := len(sweep[i].Values)
		values[i] = sweep[i].Values[point%n]
		point /= n
	}
	return values
}

// column is a column of a Parquet table whose rows come from T. Names end in the unit where there is one.
type column[T any] struct {
	name, unit, meaning string
	tag                 string       // further Parquet options
	kind                reflect.Type // float64, int64, int32, bool or string
	value               func(*T) parquet.Value
}

var (
	double  = reflect.TypeFor[float64]()
	long    = reflect.TypeFor[int64]()
	integer = reflect.TypeFor[int32]()
	boolean = reflect.TypeFor[bool]()
)

// flown is a row of runs.parquet in the making.
type flown struct {
	study.Run
	point []parquet.Value // of the swept keys
}

// runColumns returns the columns of runs.parquet: the swept keys, then a run.
func runColumns(sweep []Swept) []column[flown] {
	var columns []column[flown]
	for i, s := range sweep {
		c := column[flown]{name: s.Key, unit: s.Unit, meaning: "swept setting", kind: reflect.TypeOf(s.Values[0]),
			tag: ",dict", value: func(r *flown) parquet.Value { return r.point[i] }}
		columns = append(columns, c)
	}
	number := func(get func(*study.Run) float64) func(*flown) parquet.Value {
		return func(r *flown) parquet.Value { return parquet.DoubleValue(get(&r.Run)) }
	}
	truth := func(get func(*study.Run) bool) func(*flown) parquet.Value {
		return func(r *flown) parquet.Value { return parquet.BooleanValue(get(&r.Run)) }
	}
	return append(columns, []column[flown]{
		{"epsilon", "1", "strength of privacy", ",dict", double, number(func(r *study.Run) float64 { return r.Epsilon })},
		{"run", "1", "number of the run, which names its noise", ",delta", long, func(r *flown) parquet.Value { return parquet.Int64Value(int64(r.Run.Run)) }},
		{"detection_km", "km", "distance to the target at detection, 0 when never detected", "", double, number(func(r *study.Run) float64 { return r.DetectionKm })},
		{"detected", "", "whether the observer ever recognised the target", "", boolean, truth(func(r *study.Run) bool { return r.Detected })},
		{"detected_before_handover", "", "whether it did while waypoints were commanded", "", boolean, truth(func(r *study.Run) bool { return r.BeforeHandover })},
		{"handover_km", "km", "distance to the target where privacy was disabled", "", double, number(func(r *study.Run) float64 { return r.HandoverKm })},
		{"heading_error_deg", "deg", "angle there between velocity and line of sight", "", double, number(func(r *study.Run) float64 { return r.HeadingErrorDeg })},
		{"transitions", "1", "waypoint transitions", "", integer, func(r *flown) parquet.Value { return parquet.Int32Value(int32(r.Transitions)) }},
		{"fallback", "", "whether the limit of transitions ended the waypoints", "", boolean, truth(func(r *study.Run) bool { return r.Fallback })},
		{"timed_out", "", "whether the time limit ended the flight", "", boolean, truth(func(r *study.Run) bool { return r.TimedOut })},
		{"cost_of_privacy", "1", "relative loss of value at the start", "", double, number(func(r *study.Run) float64 { return r.CostOfPrivacy })},
		{"flight_time_s", "s", "duration of the flight", "", double, number(func(r *study.Run) float64 { return r.FlightTimeS })},
		{"path_overhead", "1", "path length over the nominal flight's, less 1", "", double, number(func(r *study.Run) float64 { return r.PathOverhead })},
	}...)
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
	panic(fmt.Sprintf("record: a swept value of type %T", v)) // configs makes no other
}

// schemaOf returns the Parquet schema of columns, in their order.
func schemaOf[T any](columns []column[T]) *parquet.Schema {
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("Column%d", i), Type: c.kind,
			Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", c.name+c.tag)),
		}
	}
	return parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
}
