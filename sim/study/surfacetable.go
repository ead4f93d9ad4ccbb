package study

import (
	"io"
	"slices"
	"strings"

	"veilpath/internal/table"
)

// SurfaceColumns returns the columns of a surface in order. An estimate has three: itself and the ends of
// its confidence interval.
func SurfaceColumns() []table.Column[SurfaceCell] {
	columns := []table.Column[SurfaceCell]{
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy",
			Value: func(c *SurfaceCell) float64 { return c.Epsilon }},
		{Name: "sigma", Unit: "1", Meaning: SigmaMeaning, Value: func(c *SurfaceCell) float64 { return c.Sigma }},
		{Name: "radius_km", Unit: "km", Meaning: "radius of the observer",
			Value: func(c *SurfaceCell) float64 { return c.RadiusKm }},
		{Name: "runs", Unit: "1", Meaning: "flights", Value: func(c *SurfaceCell) float64 { return float64(c.Runs) },
			Whole: true},
	}
	for _, e := range Estimates() {
		name := strings.TrimSuffix(e.Name, "_km")
		unit := strings.TrimPrefix(e.Name, name)
		add := func(name, meaning string, of func(Estimate) float64) {
			columns = append(columns, table.Column[SurfaceCell]{Name: name, Unit: e.Unit, Meaning: meaning, Open: true,
				Value: func(c *SurfaceCell) float64 { return of(*e.In(c)) }})
		}
		add(e.Name, e.Meaning, func(x Estimate) float64 { return x.Value })
		add(name+"_ci_low"+unit, "lower end of its interval", func(x Estimate) float64 { return x.Low })
		add(name+"_ci_high"+unit, "upper end of its interval", func(x Estimate) float64 { return x.High })
	}
	return columns
}

// TreadColumns returns the columns of a surface whose rows hold on a range of epsilon: those of SurfaceColumns, and
// where the range ends.
func TreadColumns() []table.Column[SurfaceCell] {
	return slices.Insert(SurfaceColumns(), 1, table.Column[SurfaceCell]{Name: "epsilon_high", Unit: "1",
		Meaning: "epsilon at which the next row of the radius begins; epsilon itself where only listed ones were flown",
		Value:   func(c *SurfaceCell) float64 { return c.EpsilonHigh }})
}

// WriteSurface writes a surface as CSV; what the runs are too few to tell is left blank.
func WriteSurface(w io.Writer, cells [][]SurfaceCell) error {
	return table.WriteCSV(w, SurfaceColumns(), cells...)
}
