package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"veilpath/internal/phrase"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// SurveyResult holds the data for the figures of a survey: the same flights for observers of every radius.
type SurveyResult struct {
	Cells    [][]study.SurfaceCell // at listed epsilons, by epsilon and by radius
	Segments [][]study.SurfaceCell // on successive ranges of epsilon, or the same as Cells
	Radius   int                   // index of the observer's radius
	Delta    float64               // of the guarantee
	Limit    float64               // demand: the quantity is at most this; NaN for none
	BeyondKm float64               // above 0: the quantity is the share of flights recognised beyond this distance
	Answers  []SurveyAnswer        // by radius
}

// SurveyAnswer is the answer to a demand for a radius.
type SurveyAnswer struct {
	RadiusKm, Epsilon float64     // chosen; NaN for none
	Undecided         study.Range // above the chosen epsilon
	Lost              float64     // share of the value at the chosen epsilon
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

// SurveyPlane shows the quantity of a demand over epsilon and radius, or the mean detection distance, with the contour
// that is demanded and the epsilons chosen. It needs at least two of each.
func SurveyPlane(r SurveyResult) *Figure {
	s := &surface{ZLabel: "mean distance from\nthe target (km);", X: Axis{Label: "Privacy parameter ε"},
		Y: Axis{Label: "Observer's radius (km)"}, Strong: math.NaN()}
	scale, demand := 1.0, fmt.Sprintf("hidden until %.4g km on average", r.Limit)
	if r.BeyondKm > 0 {
		scale = 100
		s.ZLabel = fmt.Sprintf("flights recognised\nbeyond %g km (%%);", r.BeyondKm)
		demand = fmt.Sprintf("hidden until %g km in %.3g %% of the flights", r.BeyondKm, 100*(1-r.Limit))
	}
	s.ZLabel += "\ndark: recognised early"
	xs, columns := r.columns()
	own := columns[0][r.Radius]
	for _, c := range columns[0] {
		s.Ys = append(s.Ys, c.RadiusKm)
	}
	s.Xs = xs
	for _, row := range columns {
		column := make([]float64, len(row))
		for j := range row {
			column[j] = scale * row[j].Mean.Value
		}
		s.Z = append(s.Z, column)
	}
	s.X.Scale, s.Y.Scale = ScaleFor(s.Xs), ScaleFor(s.Ys)
	title := "How near the vehicle gets unrecognised, over epsilon and the observer's radius"
	if !math.IsNaN(r.Limit) {
		title = "Where the destination stays " + demand
		s.Strong = table.Digits(scale*r.Limit, 9, math.RoundToEven) // 100 (1 - 0.6) is 40
		if s.Points = r.answered(own.RadiusKm); len(s.Points) > 0 {
			s.Sides = true
		} else {
			title = "At no epsilon is the destination shown to stay " + demand
		}
	}
	subtitle := fmt.Sprintf("%s per epsilon, delta %g; every radius from the same flights", flightsOf(columns), r.Delta)
	if len(r.Segments) > len(r.Cells) {
		subtitle = fmt.Sprintf("%d runs, delta %g; every epsilon and radius from the same flights", own.Runs, r.Delta)
	}
	return &Figure{Title: title, Panels: []Panel{s}, Subtitle: subtitle}
}

// answered returns the chosen epsilons, that of the observer with what it costs, and lines over the undecided ones.
func (r *SurveyResult) answered(ownKm float64) []Series {
	chosen := Series{Label: "chosen", Mark: Points, Hue: 3}
	undecided := Series{Label: "undecided", Mark: Computed, Hue: 3}
	for _, a := range r.Answers {
		if math.IsNaN(a.Epsilon) {
			continue
		}
		name, open := "", ""
		if a.RadiusKm == ownKm {
			name, open = fmt.Sprintf("chosen: ε = %.4g, %s of the value lost", a.Epsilon, phrase.Percent(a.Lost)), "undecided"
		}
		chosen.Add(a.Epsilon, a.RadiusKm)
		chosen.Names = append(chosen.Names, name)
		if a.Undecided.High > a.Undecided.Low {
			undecided.Add(a.Undecided.Low, a.RadiusKm)
			undecided.Add(a.Undecided.High, a.RadiusKm)
			undecided.Add(a.Undecided.High, math.NaN())
			undecided.Names = append(undecided.Names, "", open, "")
		}
	}
	var series []Series
	for _, s := range []Series{undecided, chosen} {
		if len(s.X) > 0 {
			series = append(series, s)
		}
	}
	return series
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
