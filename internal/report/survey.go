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
