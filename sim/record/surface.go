package record

import (
	"encoding/csv"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"veilpath/sim/study"
)

// SurfaceName is the file of a survey's surface.
const SurfaceName = "surface.parquet"

// SurfaceColumn is a column of a surface.
type SurfaceColumn struct {
	Name, Unit, Meaning string
	Value               func(*study.SurfaceCell) float64
	Whole               bool // a whole number
	Open                bool // not finite where the runs are too few to tell
}

// SurfaceColumns returns the columns of a surface in order. An estimate has three: itself and the ends of
// its confidence interval.
func SurfaceColumns() []SurfaceColumn {
	columns := []SurfaceColumn{
		{"epsilon", "1", "strength of privacy", func(c *study.SurfaceCell) float64 { return c.Epsilon }, false, false},
		{"sigma", "1", "standard deviation of the noise on every reward", func(c *study.SurfaceCell) float64 { return c.Sigma }, false, false},
		{"radius_km", "km", "radius of the observer", func(c *study.SurfaceCell) float64 { return c.RadiusKm }, false, false},
		{"runs", "1", "flights", func(c *study.SurfaceCell) float64 { return float64(c.Runs) }, true, false},
	}
	for _, e := range []struct {
		name, end, unit, meaning string
		of                       func(*study.SurfaceCell) study.Estimate
	}{
		{"mean", "_km", "km", "mean detection distance", func(c *study.SurfaceCell) study.Estimate { return c.Mean }},
		{"median", "_km", "km", "median detection distance", func(c *study.SurfaceCell) study.Estimate { return c.Median }},
		{"p10", "_km", "km", "10 % quantile of the detection distance", func(c *study.SurfaceCell) study.Estimate { return c.P10 }},
		{"p90", "_km", "km", "90 % quantile of the detection distance", func(c *study.SurfaceCell) study.Estimate { return c.P90 }},
		{"detected_before_handover", "", "1", "share of flights detected while waypoints were commanded", func(c *study.SurfaceCell) study.Estimate { return c.BeforeHandover }},
		{"never_detected", "", "1", "share of flights never detected", func(c *study.SurfaceCell) study.Estimate { return c.NeverDetected }},
		{"cost_of_privacy", "", "1", "mean relative loss of value at the start", func(c *study.SurfaceCell) study.Estimate { return c.CostOfPrivacy }},
		{"path_overhead", "", "1", "mean duration of a flight over the nominal flight's, less 1", func(c *study.SurfaceCell) study.Estimate { return c.PathOverhead }},
		{"median_path_overhead", "", "1", "median of the same", func(c *study.SurfaceCell) study.Estimate { return c.MedianOverhead }},
		{"fallback", "", "1", "share of flights that the limit of transitions took off their waypoints", func(c *study.SurfaceCell) study.Estimate { return c.Fallback }},
	} {
		columns = append(columns,
			SurfaceColumn{e.name + e.end, e.unit, e.meaning, func(c *study.SurfaceCell) float64 { return e.of(c).Value }, false, true},
			SurfaceColumn{e.name + "_ci_low" + e.end, e.unit, "lower end of its interval", func(c *study.SurfaceCell) float64 { return e.of(c).Low }, false, true},
			SurfaceColumn{e.name + "_ci_high" + e.end, e.unit, "upper end of its interval", func(c *study.SurfaceCell) float64 { return e.of(c).High }, false, true})
	}
	return columns
}

// WriteSurfaceParquet writes a surface as Parquet, a row per epsilon and radius; version is the program's.
func WriteSurfaceParquet(w io.Writer, cells [][]study.SurfaceCell, version string) error {
	var columns []column[study.SurfaceCell]
	for _, c := range SurfaceColumns() {
		p := column[study.SurfaceCell]{name: c.Name, unit: c.Unit, meaning: c.Meaning, kind: double, nullable: c.Open,
			put: putting(func(s *study.SurfaceCell) parquet.Value { return finite(c.Value(s), c.Open) })}
		if c.Whole {
			p.kind, p.put = long, putting(func(s *study.SurfaceCell) parquet.Value { return parquet.Int64Value(int64(c.Value(s))) })
		}
		columns = append(columns, p)
	}
	table := newTableWriter(w, columns, version)
	for _, row := range cells {
		for i := range row {
			if err := table.add(&row[i]); err != nil {
				return err
			}
		}
	}
	return table.close()
}

// finite is a number as a Parquet value: null where the column may be and it is not finite.
func finite(x float64, nullable bool) parquet.Value {
	if nullable && (math.IsNaN(x) || math.IsInf(x, 0)) {
		return parquet.NullValue()
	}
	return parquet.DoubleValue(x)
}

// WriteSurfaceCSV writes a surface as CSV; what the runs are too few to tell is left blank.
func WriteSurfaceCSV(w io.Writer, cells [][]study.SurfaceCell) error {
	table := csv.NewWriter(w)
	columns := SurfaceColumns()
	row := make([]string, len(columns))
	for i, c := range columns {
		row[i] = c.Name
	}
	if err := table.Write(row); err != nil {
		return err
	}
	for _, cells := range cells {
		for k := range cells {
			for i, c := range columns {
				if row[i] = ""; !finite(c.Value(&cells[k]), c.Open).IsNull() {
					row[i] = number(c.Value(&cells[k]))
				}
			}
			if err := table.Write(row); err != nil {
				return err
			}
		}
	}
	table.Flush()
	return table.Error()
}
