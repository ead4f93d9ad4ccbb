package report

import (
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg"

	"veilpath/assets"
	"veilpath/sim/study"
)

// crowdedSurvey returns cells with falling distance, rising cost and arbitrary detour over epsilon.
func crowdedSurvey(random *rand.Rand, epsilons int) SurveyResult {
	r := SurveyResult{Chosen: math.NaN(), Delta: 0.01}
	for i := range epsilons {
		km := 58 - 16/float64(i+1) + random.Float64()
		r.Cells = append(r.Cells, []study.SurfaceCell{{
			Epsilon: 0.2 * float64(i+1), RadiusKm: 0.7, Runs: 200,
			Mean:          study.Estimate{Value: km, Low: km - 2, High: km + 2},
			CostOfPrivacy: study.Estimate{Value: 0.3 / float64(i+2)},
			PathOverhead:  study.Estimate{Value: 0.05 + 0.01*random.Float64()},
		}})
	}
	random.Shuffle(len(r.Cells), func(i, k int) { r.Cells[i], r.Cells[k] = r.Cells[k], r.Cells[i] })
	return r
}

func TestFrontsOfPricesFall(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		for _, p := range SurveyPrices(crowdedSurvey(random, 20)).Panels {
			front := p.(*Chart).Series[1]
			for i := 1; i < len(front.X); i++ {
				if front.X[i] <= front.X[i-1] || front.Y[i] >= front.Y[i-1] {
					t.Fatalf("the front doubles back: %v over %v", front.Y, front.X)
				}
			}
		}
	}
}

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
		f := SurveyPrices(crowdedSurvey(random, 20))
		f.Panels = f.Panels[:1]
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
