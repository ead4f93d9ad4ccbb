package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"veilpath/sim/study"
)

// SurveyResult holds the data for the figures of a survey: the same flights for observers of every radius.
type SurveyResult struct {
	Cells    [][]study.SurfaceCell // at listed epsilons, by epsilon and by radius
	Segments [][]study.SurfaceCell // on successive ranges of epsilon, or the same as Cells
	Radius   int                   // index of the observer's radius
	Chosen   float64               // the chosen epsilon, NaN for none
	Delta    float64               // of the guarantee
}

// ascending returns the cells in ascending order of epsilon.
func (r *SurveyResult) ascending() [][]study.SurfaceCell {
	return slices.SortedFunc(slices.Values(r.Cells),
		func(a, b []study.SurfaceCell) int { return cmp.Compare(a[0].Epsilon, b[0].Epsilon) })
}

// heatColumns is the number of columns of a heat map over a range, about one for two pixels.
const heatColumns = 240

// columns returns the surface at the epsilons of a heat map's columns: the listed epsilons, or epsilons of equal
// ratio over the whole range.
func (r *SurveyResult) columns() (epsilons []float64, columns [][]study.SurfaceCell) {
	last := len(r.Segments) - 1
	if r.Segments[last][0].EpsilonHigh == r.Segments[last][0].Epsilon {
		columns = r.ascending()
		for _, c := range columns {
			epsilons = append(epsilons, c[0].Epsilon)
		}
		return epsilons, columns
	}
	low, high := r.Segments[0][0].Epsilon, r.Segments[last][0].EpsilonHigh
	at := 0
	for i := range heatColumns {
		epsilon := low * math.Pow(high/low, (float64(i)+0.5)/heatColumns)
		for at < last && r.Segments[at+1][0].Epsilon <= epsilon {
			at++
		}
		epsilons, columns = append(epsilons, epsilon), append(columns, r.Segments[at])
	}
	return epsilons, columns
}

// SurveyHeatMap shows the mean detection distance over epsilon and radius. It needs at least two of each.
func SurveyHeatMap(r SurveyResult) *Figure {
	s := &Surface{Title: "Mean detection distance", ZLabel: "Mean detection distance (km)"}
	xs, columns := r.columns()
	own := columns[0][r.Radius]
	for _, c := range columns[0] {
		s.Ys = append(s.Ys, c.RadiusKm)
	}
	s.Xs = xs
	for _, row := range columns {
		column := make([]float64, len(row))
		for j := range row {
			column[j] = row[j].Mean.Value
		}
		s.Z = append(s.Z, column)
	}
	s.X = Axis{Label: "epsilon", Scale: ScaleFor(s.Xs)}
	s.Y = Axis{Label: "Observer's radius (km)", Scale: ScaleFor(s.Ys)}
	title := "How near the vehicle gets unrecognised, over epsilon and the observer's radius"
	if !math.IsNaN(r.Chosen) {
		title = fmt.Sprintf("Chosen: epsilon %g against radius %g km", r.Chosen, own.RadiusKm)
		if r.Chosen >= s.Xs[0] && r.Chosen <= s.Xs[len(s.Xs)-1] {
			s.Points = []Series{{Label: "chosen", Mark: Points, X: []float64{r.Chosen}, Y: []float64{own.RadiusKm}}}
		}
	}
	subtitle := fmt.Sprintf("%s per epsilon, delta %g; every radius from the same flights", flightsOf(columns), r.Delta)
	if len(r.Segments) > len(r.Cells) {
		subtitle = fmt.Sprintf("%d runs, delta %g; every epsilon and radius from the same flights", own.Runs, r.Delta)
	}
	return &Figure{Title: title, Panels: []Panel{s}, Subtitle: subtitle}
}

// flightsOf returns the number of flights per epsilon, from the smallest to the largest.
func flightsOf(columns [][]study.SurfaceCell) string {
	fewest, most := columns[0][0].Runs, columns[0][0].Runs
	for _, c := range columns {
		fewest, most = min(fewest, c[0].Runs), max(most, c[0].Runs)
	}
	if fewest == most {
		return fmt.Sprintf("%d flights", most)
	}
	return fmt.Sprintf("%d to %d flights", fewest, most)
}

// SurveyPrices shows the detection distance over the cost of privacy and over the detour, each with its Pareto
// front, and the chosen epsilon if it is listed.
func SurveyPrices(r SurveyResult) *Figure {
	var own []study.SurfaceCell
	rows := r.ascending()
	for _, row := range rows {
		own = append(own, row[r.Radius])
	}
	return &Figure{
		Title: "Detection distance and the cost of privacy: smaller is better", Columns: 1,
		Subtitle: fmt.Sprintf("Observer of radius %g km, %s per epsilon, delta %g; the numbers are epsilons", own[0].RadiusKm,
			flightsOf(rows), r.Delta),
		Panels: []Panel{
			pricePanel(own, r.Chosen, "Against the cost of privacy", "Mean cost of privacy (% of the value)",
				func(c *study.SurfaceCell) float64 {
					return max(0, c.CostOfPrivacy.Value) // below 0 only by rounding
				}),
			pricePanel(own, r.Chosen, "Against the detour", "Mean detour (%)",
				func(c *study.SurfaceCell) float64 { return c.PathOverhead.Value }),
		},
	}
}

// pricePanel returns the panel of one price. Its Pareto front is that of the price and the distance, which falls
// from left to right; the projection of a front of three quantities need not.
func pricePanel(cells []study.SurfaceCell, chosen float64, title, label string,
	price func(*study.SurfaceCell) float64) *Chart {
	all := Series{Label: "every epsilon", Mark: Points, Hue: 1}
	for i := range cells {
		mean := cells[i].Mean
		all.AddInterval(100*price(&cells[i]), mean.Value, mean.Low, mean.High)
	}
	all.Names = epsilonNames(cells)
	front := Series{Label: "Pareto front", Mark: Computed}
	best := study.Front(len(all.X), func(i int) []float64 { return []float64{all.X[i], all.Y[i]} })
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(all.X[a], all.X[b]) })
	for _, i := range best {
		front.Add(all.X[i], all.Y[i])
	}
	scale := Linear
	if slices.Min(all.X) > 0 {
		scale = Log
	}
	series := []Series{all, front}
	if i := slices.IndexFunc(cells, func(c study.SurfaceCell) bool { return c.Epsilon == chosen }); i >= 0 {
		series = append(series, Series{Label: "chosen", Mark: Points, Hue: 2, X: all.X[i : i+1], Y: all.Y[i : i+1]})
	}
	return &Chart{Title: title, X: Axis{Label: label, Scale: scale}, Y: Axis{Label: "Mean detection distance (km)"},
		Series: series}
}

// epsilonNames returns names for as many ascending epsilons as fit: the largest, and those at least 1.5 times the
// last named one, or more if the range is wide.
func epsilonNames(cells []study.SurfaceCell) []string {
	names, last := make([]string, len(cells)), 0.0
	apart := max(1.5, math.Pow(cells[len(cells)-1].Epsilon/cells[0].Epsilon, 0.1))
	for i := range cells {
		if e := cells[i].Epsilon; e >= last*apart || i == len(cells)-1 {
			names[i], last = fmt.Sprintf("%.4g", e), e
		}
	}
	return names
}
