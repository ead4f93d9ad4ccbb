package figure

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/internal/plot"
	"veilpath/sim/study"
)

// tracer is a canvas that records where things are drawn, which it clips as a file does.
type tracer struct {
	file
	points []plot.Point
	texts  []plot.Rect
	words  []string // of texts
}

func (c *tracer) add(points ...plot.Point) {
	for _, p := range points {
		if n := len(c.clips); n > 0 {
			r := c.clips[n-1]
			p = plot.Point{X: min(max(p.X, r.X), r.Right()), Y: min(max(p.Y, r.Y), r.Bottom())}
		}
		c.points = append(c.points, p)
	}
}

func (c *tracer) Rect(r plot.Rect, _ color.NRGBA) {
	c.add(plot.Point{X: r.X, Y: r.Y}, plot.Point{X: r.Right(), Y: r.Bottom()})
}
func (c *tracer) RoundRect(r plot.Rect, _ float64, k color.NRGBA)    { c.Rect(r, k) }
func (c *tracer) Triangle(a, b, d plot.Point, _ color.NRGBA)         { c.add(a, b, d) }
func (c *tracer) Band(low, high []plot.Point, _ color.NRGBA)         { c.add(low...); c.add(high...) }
func (c *tracer) Disc(at plot.Point, _ float64, _ color.NRGBA)       { c.add(at) }
func (c *tracer) Ring(at plot.Point, _, _ float64, _ color.NRGBA)    { c.add(at) }
func (c *tracer) Line(points []plot.Point, _ float64, _ color.NRGBA) { c.add(points...) }
func (c *tracer) Dashed(points []plot.Point, _, _, _ float64, _ color.NRGBA) {
	c.add(points...)
}

func (c *tracer) TextIn(s plot.Style, r plot.Rect, align plot.Align, _ color.NRGBA, text string) float64 {
	w, h := c.Width(s, text), capitals*s.Size
	if w > 0 {
		box := plot.Rect{X: r.X + (r.W-w)*float64(align)/2, Y: r.Center().Y - h/2, W: w, H: h}
		c.texts, c.words = append(c.texts, box), append(c.words, text)
		c.add(plot.Point{X: box.X, Y: box.Y}, plot.Point{X: box.Right(), Y: box.Bottom()})
	}
	return w
}

// checkLayout draws a figure and checks that everything is on the page and no text overlaps another.
func checkLayout(t *testing.T, f *Figure) {
	t.Helper()
	c := &tracer{}
	l, err := f.lay(c)
	if err != nil {
		t.Fatal(err)
	}
	l.draw(c)
	page := plot.Rect{W: l.width, H: l.height}.Inset(-1e-6) // rounding
	for _, p := range c.points {
		if !page.Contains(p) {
			t.Fatalf("figure %q draws at %v, outside its page of %v x %v points", f.Title, p, l.width, l.height)
		}
	}
	for i, a := range c.texts {
		for _, b := range c.texts[:i] {
			if a.Overlaps(b) {
				t.Errorf("figure %q: the texts at %v and %v overlap", f.Title, a, b)
			}
		}
	}
}

// randomStudy returns a study of clustered distances, with undetected flights if undetected is set.
func randomStudy(random *rand.Rand, epsilons, runs int, undetected bool) StudyResult {
	tally := make([][]float64, epsilons)
	r := StudyResult{
		DetectionKm: func(i int) study.Sample { return sample(tally[i]) },
		HandoverKm:  80, Delta: 0.01, RadiusKm: 0.7,
	}
	direct, planned := 101.55, 60.8
	if random.IntN(5) == 0 {
		direct = math.NaN()
	}
	if random.IntN(5) == 0 {
		planned = 18.9
	}
	low, ratio := math.Exp(3*random.NormFloat64()), 1+random.Float64()
	for i := range tally {
		for range runs {
			d := 60.7 + 0.2*random.NormFloat64()
			if random.Float64() < 0.5/float64(i+1) {
				d = 15 + 10*random.Float64()
			}
			if undetected && random.IntN(3) == 0 {
				d = 0
			}
			tally[i] = append(tally[i], d)
		}
		r.Summaries = append(r.Summaries, summarize(low*math.Pow(ratio, float64(i)), tally[i], direct, planned))
	}
	return r
}

func summarize(epsilon float64, distances []float64, direct, planned float64) study.Summary {
	tally := study.NewTally([]float64{epsilon}, []float64{1})
	for i, d := range distances {
		tally.Add([]study.Run{{Epsilon: epsilon, Run: i, DetectionKm: d, Detected: d > 0, DirectKm: direct,
			PlannedKm: planned}})
	}
	return tally.Summaries()[0]
}

func TestStudiesAreLaidOutWithoutOverlap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for k := range 60 {
		epsilons, runs := 1+random.IntN(60), 1+random.IntN(80)
		t.Run(fmt.Sprintf("%d epsilons x %d runs", epsilons, runs), func(t *testing.T) {
			f, err := StudyFigure(randomStudy(random, epsilons, runs, k%2 == 0))
			if err != nil {
				t.Fatal(err)
			}
			checkLayout(t, f)
		})
	}
}

func TestChartsAreLaidOutWithoutOverlap(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for k := range 200 {
		c := &Chart{
			Title: "A panel", X: Axis{Label: "Abscissa (s)"}, Y: Axis{Label: "Ordinate (km)", FromZero: k%3 == 0},
			References: []Reference{{Label: "a level", At: 1}, {Label: "here", At: 2, Vertical: true},
				{Label: "there", At: 2.1, Vertical: true}},
		}
		if k%2 == 0 {
			c.X.Scale = Log
		}
		if k%4 < 2 {
			c.Y.Scale = Log
		}
		magnitude := math.Pow(10, 200*random.Float64()-100)
		for range 1 + random.IntN(5) {
			s := Series{Label: "series", Mark: Mark(random.IntN(5)), Hue: random.IntN(hues)}
			for range 1 + random.IntN(60) {
				y := magnitude * math.Exp(2*random.NormFloat64())
				s.X = append(s.X, math.Exp(4*random.NormFloat64()))
				s.Y = append(s.Y, y)
				s.Low, s.High = append(s.Low, y/1.5), append(s.High, y*1.5)
				if random.IntN(4) == 0 {
					s.Low[len(s.Low)-1] = math.NaN()
				}
				if random.IntN(8) == 0 && len(s.Y) > 1 {
					s.Y[len(s.Y)-1] = math.NaN()
				}
			}
			c.Series = append(c.Series, s)
		}
		checkLayout(t, &Figure{Title: fmt.Sprintf("Chart %d at %.3g", k, magnitude), Panels: []Panel{c}})
	}
}

func TestPanelsAreAligned(t *testing.T) {
	panel := func(label string, top float64) *Chart {
		return &Chart{Title: label, X: Axis{Label: "x"}, Y: Axis{Label: label},
			Series: []Series{{Label: label, X: []float64{1, 2}, Y: []float64{0, top}}}}
	}
	f := &Figure{Title: "Grid", Columns: 2, SharedX: true, Panels: []Panel{
		panel("short", 1), panel("a longer label than the others have", 1e6), panel("p", 1e-6), panel("q", 30),
		panel("last", 2),
	}}
	checkLayout(t, f)
	l, err := f.lay(&file{})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range l.charts {
		for j, b := range l.charts {
			if here, there := a.Area(), b.Area(); i%2 == j%2 && (here.X != there.X || here.W != there.W || a.X != b.X) {
				t.Errorf("panels %d and %d of a column are not aligned: %v, %v", i, j, here, there)
			} else if i/2 == j/2 && (here.Y != there.Y || here.H != there.H) {
				t.Errorf("panels %d and %d of a row are not aligned: %v, %v", i, j, here, there)
			}
		}
		if hidden := a.NameX == ""; hidden != (i < 3) {
			t.Errorf("panel %d hides its horizontal axis: %v", i, hidden)
		}
	}
}

// A figure grows in height until all labels fit.
func TestFiguresGrowWithTheirLabels(t *testing.T) {
	for _, columns := range []int{1, 2} {
		f := &Figure{Columns: columns, HeightInches: 6}
		for k := range 3 {
			c := &Chart{Title: fmt.Sprint("panel ", k)}
			for i := range 5 + 20*k {
				c.Series = append(c.Series, Series{Label: fmt.Sprint("series ", i), Hue: i % hues, X: []float64{1, 2},
					Y: []float64{float64(i), 3}})
			}
			f.Panels = append(f.Panels, c)
		}
		l, err := f.lay(&file{})
		if err != nil {
			t.Fatal(err)
		}
		if l.height <= 6*inch || l.width != defaultWidth*inch {
			t.Errorf("%d columns: the figure is %v high and %v wide", columns, l.height, l.width)
		}
		checkLayout(t, f)
	}
}
