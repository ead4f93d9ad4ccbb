package report

import (
	"image/color"
	"math/rand/v2"
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
