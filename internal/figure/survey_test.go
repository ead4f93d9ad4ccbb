package figure

import (
	"math"
	"slices"
	"testing"

	"veilpath/internal/plot"
	"veilpath/sim/study"
)

// A subtitle gives the number of flights per epsilon, or its smallest and largest value.
func TestFlightsOfASurvey(t *testing.T) {
	for want, runs := range map[string][]int{"7 flights": {7, 7}, "5 to 9 flights": {7, 9, 5}} {
		var columns [][]study.SurfaceCell
		for _, n := range runs {
			columns = append(columns, []study.SurfaceCell{{Runs: n}})
		}
		if got := flightsOf(columns); got != want {
			t.Errorf("%v: %q, want %q", runs, got, want)
		}
	}
}

// The plane names the sides of the demanded contour, draws that contour thick, and marks the chosen epsilons with what
// they cost and what is undecided above them.
func TestThePlaneAnswersTheDemand(t *testing.T) {
	var cells [][]study.SurfaceCell
	for i := range 9 {
		var row []study.SurfaceCell
		for j := range 5 {
			c := study.SurfaceCell{Epsilon: float64(i + 1), EpsilonHigh: float64(i + 1), RadiusKm: float64(j + 1), Runs: 7}
			c.Mean.Value = 0.1 * float64(i+1)
			row = append(row, c)
		}
		cells = append(cells, row)
	}
	r := SurveyResult{Cells: cells, Segments: cells, Radius: 1, Delta: 0.01, Limit: 1 - 0.6, BeyondKm: 56,
		Answers: []SurveyAnswer{{RadiusKm: 1, Epsilon: 5}, {RadiusKm: 2, Epsilon: 4, Undecided: study.Range{Low: 4, High: 6},
			Lost: 1.71}, {RadiusKm: 3, Epsilon: math.NaN()}}}
	f := SurveyPlane(r)
	p := f.Panels[0].(*surface)
	if want := "Where the destination stays hidden until 56 km in 60 % of the flights"; f.Title != want {
		t.Errorf("%q, want %q", f.Title, want)
	}
	if want := "flights recognised\nbeyond 56 km (%);\ndark: recognised early"; p.ZLabel != want ||
		math.Abs(p.Z[2][0]-30) > 1e-9 {
		t.Errorf("%q, want %q; %v", p.ZLabel, want, p.Z[2])
	}
	c, err := p.chart()
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]plot.Label{}
	for _, l := range c.Labels {
		named[l.Text] = l
	}
	if met, not := named["met"], named["not met"]; !(met.X > 0 && met.X < 4 && not.X > 4) || named["40"].X != 4 {
		t.Errorf("met is named at %v, not met at %v, the contour at %v", met.X, not.X, named["40"].X)
	}
	checkLayout(t, f)
	undecided, chosen := p.Points[0], p.Points[1]
	if !slices.Equal(chosen.X, []float64{5, 4}) || !slices.Equal(chosen.Y, []float64{1, 2}) ||
		!slices.Equal(chosen.Names, []string{"", "chosen: ε = 4, 171 % of the value lost"}) {
		t.Errorf("chosen: %+v", chosen)
	}
	if undecided.X[0] != 4 || undecided.X[1] != 6 || undecided.Y[1] != 2 || undecided.Names[1] != "undecided" {
		t.Errorf("undecided: %+v", undecided)
	}
}
