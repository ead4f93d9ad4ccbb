package report

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg"

	"veilpath/assets"
	"veilpath/sim/study"
)

// tracer is a canvas that records where things are drawn.
type tracer struct {
	points []vg.Point
	texts  []vg.Rectangle
}

func (c *tracer) Line(_ stroke, points []vg.Point)      { c.points = append(c.points, points...) }
func (c *tracer) Area(_ color.NRGBA, points []vg.Point) { c.points = append(c.points, points...) }
func (c *tracer) Disc(_ color.NRGBA, at vg.Point, radius vg.Length) {
	box := around(at, radius)
	c.points = append(c.points, box.Min, box.Max)
}

func (c *tracer) Letter(style typeStyle, _ color.NRGBA, start vg.Point, upwards bool, glyphs []glyph) {
	if len(glyphs) == 0 {
		return
	}
	last := glyphs[len(glyphs)-1]
	end := vg.Point{X: last.at.X + last.size/2, Y: capHeight * style.size}
	if upwards {
		end = vg.Point{X: -end.Y, Y: end.X}
	}
	a, b := start, start.Add(end)
	c.texts = append(c.texts, vg.Rectangle{
		Min: vg.Point{X: min(a.X, b.X), Y: min(a.Y, b.Y)}, Max: vg.Point{X: max(a.X, b.X), Y: max(a.Y, b.Y)},
	})
	c.points = append(c.points, a, b)
}

// checkLayout draws a figure and checks that everything is on the page and no text overlaps another.
func checkLayout(t *testing.T, f *Figure) {
	t.Helper()
	letters, err := newLettering()
	if err != nil {
		t.Fatal(err)
	}
	l, err := f.lay(letters)
	if err != nil {
		t.Fatal(err)
	}
	c := &tracer{}
	f.drawOn(c, letters, l)
	page := vg.Rectangle{Max: vg.Point{X: l.width, Y: l.height}}
	for _, p := range c.points {
		if math.IsNaN(float64(p.X)) || math.IsNaN(float64(p.Y)) || !inside(page, p) {
			t.Fatalf("figure %q draws at %v, outside its page of %v x %v points", f.Title, p, l.width, l.height)
		}
	}
	for i, a := range c.texts {
		for _, b := range c.texts[:i] {
			if overlap(a, b) > 0 {
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

func TestSurfacesAreLaidOutWithoutOverlap(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for k := range 30 {
		p := &Surface{Title: "Surface", X: Axis{Label: "ε", Scale: Scale(k % 2)}, Y: Axis{Label: "ρ (km)"},
			ZLabel: "Distance (km)"}
		slope, level := random.NormFloat64(), math.Pow(10, 12*random.Float64()-6)
		x := 0.1
		for range 2 + random.IntN(20) {
			x *= 1 + random.Float64()
			p.Xs = append(p.Xs, x)
		}
		for j := range 2 + random.IntN(20) {
			p.Ys = append(p.Ys, float64(j))
		}
		for _, x := range p.Xs {
			column := make([]float64, len(p.Ys))
			for j, y := range p.Ys {
				column[j] = level * (slope*math.Log(x) + math.Sin(y/4))
			}
			p.Z = append(p.Z, column)
		}
		p.Z[0][0] = math.NaN()
		checkLayout(t, &Figure{Title: fmt.Sprint("Surface ", k), Panels: []Panel{p}})
	}
}

func TestPanelsAreAligned(t *testing.T) {
	panel := func(label string, top float64) *Chart {
		return &Chart{Title: label, X: Axis{Label: "x"}, Y: Axis{Label: label},
			Series: []Series{{Label: label, X: []float64{1, 2}, Y: []float64{0, top}}}}
	}
	f := &Figure{Title: "Grid", Columns: 2, SharedX: true, Palette: assets.DarkPalette(), Panels: []Panel{
		panel("short", 1), panel("a longer label than the others have", 1e6), panel("p", 1e-6), panel("q", 30),
		panel("last", 2),
	}}
	checkLayout(t, f)
	letters, err := newLettering()
	if err != nil {
		t.Fatal(err)
	}
	frames, err := f.arrange(&sheet{lettering: letters, canvas: &tracer{}}, vg.Rectangle{Max: vg.Point{X: 600, Y: 500}})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range frames {
		for j, b := range frames {
			if i%2 == j%2 && (a.data.Min.X != b.data.Min.X || a.data.Max.X != b.data.Max.X) {
				t.Errorf("panels %d and %d of a column are not aligned: %v, %v", i, j, a.data, b.data)
			}
			if i/2 == j/2 && (a.data.Min.Y != b.data.Min.Y || a.data.Max.Y != b.data.Max.Y) {
				t.Errorf("panels %d and %d of a row are not aligned: %v, %v", i, j, a.data, b.data)
			}
			if i%2 == j%2 && a.xs != b.xs {
				t.Errorf("panels %d and %d share no horizontal axis: %v, %v", i, j, a.xs, b.xs)
			}
		}
		if wanted := i < 3; a.xHidden != wanted {
			t.Errorf("panel %d hides its horizontal axis: %v, want %v", i, a.xHidden, wanted)
		}
	}
}

func TestSpread(t *testing.T) {
	const rounding = 1e-9 // points
	random := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		n := 1 + random.IntN(8)
		wanted, heights := make([]vg.Length, n), make([]vg.Length, n)
		total := vg.Length(0)
		for i := range wanted {
			wanted[i], heights[i] = vg.Length(100*random.Float64()), vg.Length(1+20*random.Float64())
			total += heights[i]
		}
		middles := spread(wanted, heights, 0, 200)
		for i := range middles {
			if total <= 200 && (middles[i]-heights[i]/2 < -rounding || middles[i]+heights[i]/2 > 200+rounding) {
				t.Fatalf("box %d of height %v at %v leaves 0..200", i, heights[i], middles[i])
			}
			for j := range middles[:i] {
				if apart := (heights[i] + heights[j]) / 2; math.Abs(float64(middles[i]-middles[j])) < float64(apart-rounding) {
					t.Fatalf("boxes at %v and %v overlap, want %v between them", middles[i], middles[j], apart)
				}
				if (wanted[i] < wanted[j]) != (middles[i] < middles[j]) {
					t.Fatalf("boxes wanted at %v and %v changed their order", wanted[i], wanted[j])
				}
			}
		}
	}
}

func TestSpreadKeepsBoxesThatFit(t *testing.T) {
	got := spread([]vg.Length{80, 20, 50}, []vg.Length{10, 10, 10}, 0, 100)
	for i, want := range []vg.Length{80, 20, 50} {
		if got[i] != want {
			t.Errorf("box %d fits at %v and moved to %v", i, want, got[i])
		}
	}
	// Two boxes wanted at one place share the move.
	got = spread([]vg.Length{50, 50}, []vg.Length{10, 10}, 0, 100)
	if got[0] != 45 || got[1] != 55 {
		t.Errorf("two boxes at 50 went to %v, want 45 and 55", got)
	}
}

// A figure grows in height until all labels fit.
func TestFiguresGrowWithTheirLabels(t *testing.T) {
	letters, err := newLettering()
	if err != nil {
		t.Fatal(err)
	}
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
		l, err := f.lay(letters)
		if err != nil {
			t.Fatal(err)
		}
		if l.height <= 6*vg.Inch || l.width != defaultWidth*vg.Inch {
			t.Errorf("%d columns: the figure is %v high and %v wide", columns, l.height, l.width)
		}
		checkLayout(t, f)
	}
}
