package study

import (
	"io"
	"slices"
	"strings"

	"veilpath/internal/table"
)

// SurfaceColumns returns the columns of a surface in order. An estimate has three: its value and the ends of
// its confidence interval.
func SurfaceColumns() []table.Column[SurfaceCell] {
	columns := []table.Column[SurfaceCell]{
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy",
			Value: func(c *SurfaceCell) float64 { return c.Epsilon }, Heading: "epsilon", Lead: true,
			Explained: "strength of privacy: the smaller, the more noise"},
		{Name: "sigma", Unit: "1", Meaning: sigmaMeaning, Value: func(c *SurfaceCell) float64 { return c.Sigma },
			Heading: "sigma", Format: "%.4g"},
		{Name: "radius_km", Unit: "km", Meaning: "radius of the observer",
			Value: func(c *SurfaceCell) float64 { return c.RadiusKm }},
		{Name: "runs", Unit: "1", Meaning: "flights", Value: func(c *SurfaceCell) float64 { return float64(c.Runs) },
			Whole: true},
	}
	for _, e := range estimates() {
		name := strings.TrimSuffix(e.name, "_km")
		add := func(end, meaning string, of func(Estimate) float64) *table.Column[SurfaceCell] {
			columns = append(columns, table.Column[SurfaceCell]{Name: name + end + strings.TrimPrefix(e.name, name),
				Unit: e.unit, Meaning: meaning, Open: true,
				Value: func(c *SurfaceCell) float64 { return of(*e.in(c)) }})
			return &columns[len(columns)-1]
		}
		number, interval := "%.2f", "%.2f .. %.2f"
		if e.unit == "1" {
			number, interval = "%.1p %%", "%.1p .. %.1p %%"
		}
		value := add("", e.meaning, func(x Estimate) float64 { return x.Value })
		value.Heading, value.Explained, value.Format = e.heading, e.explained, number
		low := add("_ci_low", "lower end of its interval", func(x Estimate) float64 { return x.Low })
		if e.heading != "" && !e.noInterval {
			low.Heading, low.Format, low.Beside = "interval", interval, true
			low.Explained = "of the figure before it, at {confidence}"
			low.End = func(c *SurfaceCell) float64 { return e.in(c).High }
		}
		add("_ci_high", "upper end of its interval", func(x Estimate) float64 { return x.High })
	}
	return columns
}

// estimate is a statistic of a surface with an interval; in locates it in a cell. The printed table contains
// those with a heading, with or without the interval.
type estimate struct {
	name, heading, explained string
	in                       func(*SurfaceCell) *Estimate
	noInterval               bool
	unit, meaning            string // those of the statistic with this name, if there is one
}

// estimates returns the statistics of a surface's cells. To add one, add a field to SurfaceCell and a row here:
// the columns of surface.parquet and of its CSV follow, and with a heading those of the printed table.
func estimates() []estimate {
	rows := []estimate{
		{name: "mean_km", heading: "mean km",
			explained: "mean distance to the target where the destination was recognised; 0 where it never was",
			in:        func(c *SurfaceCell) *Estimate { return &c.Mean }},
		{name: "median_km", heading: "median", explained: "of that distance",
			in: func(c *SurfaceCell) *Estimate { return &c.Median }},
		{name: "p10_km", in: func(c *SurfaceCell) *Estimate { return &c.P10 }},
		{name: "p90_km", in: func(c *SurfaceCell) *Estimate { return &c.P90 }},
		{name: "detected_before_handover", heading: "before hand-over",
			explained: "flights recognised while waypoints were still commanded",
			in:        func(c *SurfaceCell) *Estimate { return &c.BeforeHandover }},
		{name: "never_detected", in: func(c *SurfaceCell) *Estimate { return &c.NeverDetected }},
		{name: "cost_of_privacy", heading: "cost", noInterval: true,
			explained: "mean cost of privacy: value lost at the start, as a share of the best there is",
			in:        func(c *SurfaceCell) *Estimate { return &c.CostOfPrivacy }},
		{name: "path_overhead", heading: "detour", noInterval: true,
			explained: "how much longer a flight takes than the planned one, on average",
			in:        func(c *SurfaceCell) *Estimate { return &c.PathOverhead }},
		{name: "median_path_overhead", unit: "1", meaning: "median of the same",
			in: func(c *SurfaceCell) *Estimate { return &c.MedianOverhead }},
		{name: "fallback", in: func(c *SurfaceCell) *Estimate { return &c.Fallback }},
	}
	for _, s := range Statistics() {
		if i := slices.IndexFunc(rows, func(e estimate) bool { return e.name == s.Name }); i >= 0 {
			rows[i].unit, rows[i].meaning = s.Unit, s.Meaning
		}
	}
	return rows
}

// SegmentColumns returns the columns of a surface whose rows hold on a range of epsilon: those of
// SurfaceColumns, and the end of the range.
func SegmentColumns() []table.Column[SurfaceCell] {
	return slices.Insert(SurfaceColumns(), 1, table.Column[SurfaceCell]{Name: "epsilon_high", Unit: "1",
		Meaning: "epsilon at which the next row of the radius begins; epsilon itself where only listed ones were flown",
		Value:   func(c *SurfaceCell) float64 { return c.EpsilonHigh }})
}

// WriteSurface writes a surface as CSV; values for which there are too few runs are empty.
func WriteSurface(w io.Writer, cells [][]SurfaceCell) error {
	return table.WriteCSV(w, SurfaceColumns(), cells...)
}
