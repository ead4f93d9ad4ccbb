package report

import (
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/plot/vg"

	"veilpath/assets"
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

// barTracer records the places of names and error bars.
type barTracer struct {
	tracer
	names []vg.Rectangle
	bars  [][]vg.Point
}

func (c *barTracer) Line(st stroke, points []vg.Point) {
	if st.color == assets.LightPalette().Series[1] && len(points) == 2 && points[0] != points[1] {
		c.bars = append(c.bars, points)
	}
}

func (c *barTracer) Letter(style typeStyle, ink color.NRGBA, start vg.Point, upwards bool, glyphs []glyph) {
	c.tracer.Letter(style, ink, start, upwards, glyphs)
	if style == noteType {
		c.names = append(c.names, c.texts[len(c.texts)-1])
	}
}

func TestNamesKeepOffErrorBars(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	letters, err := newLettering()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		points := Series{Label: "every epsilon", Mark: Points, Hue: 1}
		for i := range 20 {
			km := 58 - 16/float64(i+1) + random.Float64()
			points.AddInterval(30/float64(i+2), km, km-2, km+2)
			points.Names = append(points.Names, "")
			if i%4 == 0 {
				points.Names[i] = strconv.Itoa(i)
			}
		}
		f := &Figure{Panels: []Panel{&Chart{X: Axis{Label: "x", Scale: Log}, Y: Axis{Label: "y"}, Series: []Series{points}}}}
		c := &barTracer{}
		l, err := f.lay(letters)
		if err != nil {
			t.Fatal(err)
		}
		f.drawOn(c, letters, l)
		if len(c.names) < 4 || len(c.bars) < 20 {
			t.Fatalf("%d names and %d bars", len(c.names), len(c.bars))
		}
		for _, name := range c.names {
			for _, bar := range c.bars {
				if pieces := clip(name, bar); len(pieces) > 0 {
					t.Errorf("a name at %v lies on an error bar at %v", name, bar)
				}
			}
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
	p := f.Panels[0].(*Surface)
	if want := "Where the destination stays hidden until 56 km in 60 % of the flights"; f.Title != want {
		t.Errorf("%q, want %q", f.Title, want)
	}
	if want := "Flights recognised beyond 56 km (%); dark: recognised early"; p.ZLabel != want ||
		math.Abs(p.Z[2][0]-30) > 1e-9 {
		t.Errorf("%q, want %q; %v", p.ZLabel, want, p.Z[2])
	}
	for _, side := range p.Sides {
		x, y, found := p.deepest(side)
		if met := x <= 4; !found || met != (side.Name == "met") || y < 2 || y > 4 || side.Level != 40 {
			t.Errorf("%+v is named at %g, %g", side, x, y)
		}
	}
	if _, _, found := p.deepest(Side{"beyond all", 95, true}); found {
		t.Error("a side without points is named")
	}
	undecided, chosen := p.Points[0], p.Points[1]
	if !slices.Equal(chosen.X, []float64{5, 4}) || !slices.Equal(chosen.Y, []float64{1, 2}) ||
		!slices.Equal(chosen.Names, []string{"", "chosen: ε = 4, 171 % of the value lost"}) {
		t.Errorf("chosen: %+v", chosen)
	}
	if undecided.X[0] != 4 || undecided.X[1] != 6 || undecided.Y[1] != 2 || undecided.Names[1] != "undecided" {
		t.Errorf("undecided: %+v", undecided)
	}
	if levels := p.contours(); levels[len(levels)-1] != 40 || slices.Contains(levels[:len(levels)-1], 40) {
		t.Errorf("contours %v", levels)
	}
}
