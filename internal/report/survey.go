package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"veilpath/sim/study"
)

// SurveyResult is what the figures of a survey draw: the same flights as observers of every radius see them.
type SurveyResult struct {
	Cells  [][]study.SurfaceCell // at listed epsilons, by epsilon and by radius
	Treads [][]study.SurfaceCell // on ranges of epsilon that follow each other, or the same as Cells
	Radius int                   // the observer's own among the radii
	Chosen float64               // the epsilon found, NaN for none
	Delta  float64               // of the guarantee
}

// ascending returns the cells in order of epsilon.
func (r *SurveyResult) ascending() [][]study.SurfaceCell {
	return slices.SortedFunc(slices.Values(r.Cells),
		func(a, b []study.SurfaceCell) int { return cmp.Compare(a[0].Epsilon, b[0].Epsilon) })
}

// heatColumns is how many columns a heat map of a range has, about one for two pixels.
const heatColumns = 240

// columns returns the surface at the epsilons of a heat map's columns: those listed, or epsilons of equal ratio on
// all of a range.
func (r *SurveyResult) columns() (epsilons []float64, columns [][]study.SurfaceCell) {
	last := len(r.Treads) - 1
	if r.Treads[last][0].EpsilonHigh == r.Treads[last][0].Epsilon {
		columns = r.ascending()
		for _, c := range columns {
			epsilons = append(epsilons, c[0].Epsilon)
		}
		return epsilons, columns
	}
	low, high := r.Treads[0][0].Epsilon, r.Treads[last][0].EpsilonHigh
	at := 0
	for i := range heatColumns {
		epsilon := low * math.Pow(high/low, (float64(i)+0.5)/heatColumns)
		for at < last && r.Treads[at+1][0].Epsilon <= epsilon {
			at++
		}
		epsilons, columns = append(epsilons, epsilon), append(columns, r.Treads[at])
	}
	return epsilons, columns
}

// SurveyHeatMap shows the mean detection distance over epsilon and radius, of which it needs two each.
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
	if len(r.Treads) > len(r.Cells) {
		subtitle = fmt.Sprintf("%d runs, delta %g; every epsilon and radius from the same flights", own.Runs, r.Delta)
	}
	return &Figure{Title: title, Panels: []Panel{s}, Subtitle: subtitle}
}

// flightsOf says how many flights there are at an epsilon, from the fewest to the most.
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

// SurveyPrices shows privacy against its two prices, each with the Pareto front of that price and the distance, and the
// epsilon chosen where it is one of the cells.
func SurveyPrices(r SurveyResult) *Figure {
	var own []study.SurfaceCell
	rows := r.ascending()
	for _, row := range rows {
		own = append(own, row[r.Radius])
	}
	return &Figure{
		Title: "What privacy costs: nearer is better, cheaper is better", Columns: 1,
		Subtitle: fmt.Sprintf("Observer of radius %g km, %s per epsilon, delta %g; the numbers are epsilons", own[0].RadiusKm,
			flightsOf(rows), r.Delta),
		Panels: []Panel{
			pricePanel(own, r.Chosen, "Against the cost of privacy", "Mean cost of privacy (% of the value)",
				func(c *study.SurfaceCell) float64 {
					return max(0, c.CostOfPrivacy.Value) // below 0 by rounding alone
				}),
			pricePanel(own, r.Chosen, "Against the detour", "Mean detour (%)",
				func(c *study.SurfaceCell) float64 { return c.PathOverhead.Value }),
		},
	}
}

// pricePanel draws the cells over one price, and the front of those that no other beats in both. The front of two
// quantities falls from left to right, which that of three need not do in a projection.
func pricePanel(cells []study.SurfaceCell, chosen float64, title, label string,
	price func(*study.SurfaceCell) float64) *Chart {
	all := Series{Label: "every epsilon", Mark: Points, Hue: 1}
	for i := range cells {
		mean := cells[i].Mean
		all.X, all.Y = append(all.X, 100*price(&cells[i])), append(all.Y, mean.Value)
		all.Low, all.High = append(all.Low, mean.Low), append(all.High, mean.High)
	}
	all.Names = epsilonNames(cells)
	front := Series{Label: "Pareto front", Mark: Computed}
	for _, i := range paretoFront(all.X, all.Y) {
		front.X, front.Y = append(front.X, all.X[i]), append(front.Y, all.Y[i])
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

// epsilonNames names as many of ascending epsilons as there is room for: each at least half as large again as the
// last, or by a tenth of the way from the smallest to the largest, and the largest.
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
