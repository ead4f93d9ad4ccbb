package record

import (
	"io"
	"slices"
	"strings"

	"veilpath/sim/study"
)

// SurfaceName is the file of a survey's surface.
const SurfaceName = "surface.parquet"

// SurfaceColumns returns the columns of a surface in order. An estimate has three: itself and the ends of
// its confidence interval.
func SurfaceColumns() []Column[study.SurfaceCell] {
	columns := []Column[study.SurfaceCell]{
		{"epsilon", "1", "strength of privacy", func(c *study.SurfaceCell) float64 { return c.Epsilon }, false, false, false},
		{"sigma", "1", study.SigmaMeaning, func(c *study.SurfaceCell) float64 { return c.Sigma }, false, false, false},
		{"radius_km", "km", "radius of the observer", func(c *study.SurfaceCell) float64 { return c.RadiusKm }, false, false,
			false},
		{"runs", "1", "flights", func(c *study.SurfaceCell) float64 { return float64(c.Runs) }, true, false, false},
	}
	for _, e := range study.Estimates() {
		of := func(c *study.SurfaceCell) study.Estimate { return *e.In(c) }
		name := strings.TrimSuffix(e.Name, "_km")
		unit := strings.TrimPrefix(e.Name, name)
		columns = append(columns,
			Column[study.SurfaceCell]{e.Name, e.Unit, e.Meaning, func(c *study.SurfaceCell) float64 { return of(c).Value },
				false, true, false},
			Column[study.SurfaceCell]{name + "_ci_low" + unit, e.Unit, "lower end of its interval",
				func(c *study.SurfaceCell) float64 { return of(c).Low }, false, true, false},
			Column[study.SurfaceCell]{name + "_ci_high" + unit, e.Unit, "upper end of its interval",
				func(c *study.SurfaceCell) float64 { return of(c).High }, false, true, false})
	}
	return columns
}

// TreadColumns returns the columns of a surface whose rows hold on a range of epsilon: those of SurfaceColumns, and
// where the range ends.
func TreadColumns() []Column[study.SurfaceCell] {
	end := Column[study.SurfaceCell]{"epsilon_high", "1",
		"epsilon at which the next row of the radius begins; epsilon itself where only listed ones were flown",
		func(c *study.SurfaceCell) float64 { return c.EpsilonHigh }, false, false, false}
	return slices.Insert(SurfaceColumns(), 1, end)
}

// WriteSurface writes a surface as CSV; what the runs are too few to tell is left blank.
func WriteSurface(w io.Writer, cells [][]study.SurfaceCell) error {
	return writeCSV(w, nil, nil, SurfaceColumns(), cells...)
}
