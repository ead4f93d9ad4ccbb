package record

import (
	"io"
	"slices"

	"veilpath/sim/study"
)

// SurfaceName is the file of a survey's surface.
const SurfaceName = "surface.parquet"

// SurfaceColumns returns the columns of a surface in order. An estimate has three: itself and the ends of
// its confidence interval.
func SurfaceColumns() []Column[study.SurfaceCell] {
	columns := []Column[study.SurfaceCell]{
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
			Column[study.SurfaceCell]{e.name + e.end, e.unit, e.meaning, func(c *study.SurfaceCell) float64 { return e.of(c).Value }, false, true},
			Column[study.SurfaceCell]{e.name + "_ci_low" + e.end, e.unit, "lower end of its interval", func(c *study.SurfaceCell) float64 { return e.of(c).Low }, false, true},
			Column[study.SurfaceCell]{e.name + "_ci_high" + e.end, e.unit, "upper end of its interval", func(c *study.SurfaceCell) float64 { return e.of(c).High }, false, true})
	}
	return columns
}

// TreadColumns returns the columns of a surface whose rows hold on a range of epsilon: those of SurfaceColumns, and
// where the range ends.
func TreadColumns() []Column[study.SurfaceCell] {
	end := Column[study.SurfaceCell]{"epsilon_high", "1", "epsilon at which the next row of the radius begins; epsilon itself where only listed ones were flown",
		func(c *study.SurfaceCell) float64 { return c.EpsilonHigh }, false, false}
	return slices.Insert(SurfaceColumns(), 1, end)
}

// WriteSurface writes a surface as CSV; what the runs are too few to tell is left blank.
func WriteSurface(w io.Writer, cells [][]study.SurfaceCell) error {
	return writeCSV(w, nil, SurfaceColumns(), func(yield func([]string, *study.SurfaceCell) bool) {
		for _, row := range cells {
			for i := range row {
				if !yield(nil, &row[i]) {
					return
				}
			}
		}
	})
}
