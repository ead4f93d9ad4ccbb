package plot

import (
	"image/color"
	"math"
	"slices"
	"testing"
)

// canvas notes what is drawn on it. A letter is ten points wide.
type canvas struct {
	texts []string
	boxes []Rect // of the texts
	lines int
	discs []Point
	clips int
}

func (c *canvas) Rect(Rect, color.NRGBA)                                 {}
func (c *canvas) RoundRect(Rect, float64, color.NRGBA)                   {}
func (c *canvas) Triangle(_, _, _ Point, _ color.NRGBA)                  {}
func (c *canvas) Band(_, _ []Point, _ color.NRGBA)                       {}
func (c *canvas) Disc(at Point, _ float64, _ color.NRGBA)                { c.discs = append(c.discs, at) }
func (c *canvas) Ring(Point, float64, float64, color.NRGBA)              {}
func (c *canvas) Line([]Point, float64, color.NRGBA)                     { c.lines++ }
func (c *canvas) Dashed([]Point, float64, float64, float64, color.NRGBA) {}
func (c *canvas) Width(_ Style, text string) float64                     { return 10 * float64(len(text)) }
func (c *canvas) Clip(Rect)                                              { c.clips++ }
func (c *canvas) Unclip()                                                { c.clips-- }
func (c *canvas) TextIn(_ Style, r Rect, _ Align, _ color.NRGBA, text string) float64 {
	c.texts, c.boxes = append(c.texts, text), append(c.boxes, r)
	return c.Width(Style{}, text)
}

// square is a chart of a panel of 220 x 120 points whose data has 200 x 100.
func square() Chart {
	return Chart{Panel: Rect{X: 20, Y: 10, W: 220, H: 120}, Margins: Margins{10, 10, 10, 10},
		X: Scale{High: 100}, Y: Scale{Low: 0.1, High: 10, Log: true}}
}

func line(points ...Point) Series {
	return Series{N: len(points), Width: 1, At: func(i int) (x, y float64) { return points[i].X, points[i].Y }}
}

// Values are found again at the places where they lie, and round ones are marked.
func TestPlaces(t *testing.T) {
	c := square()
	if got, want := c.At(50, 1), (Point{130, 70}); math.Hypot(got.X-want.X, got.Y-want.Y) > 1e-9 {
		t.Errorf("50 and 1 are at %v, want %v", got, want)
	}
	if x, y := c.XAt(130), c.YAt(70); math.Abs(x-50) > 1e-9 || math.Abs(y-1) > 1e-9 {
		t.Errorf("there are %v and %v", x, y)
	}
	for _, test := range []struct {
		scale Scale
		most  int
		want  []float64
	}{
		{Scale{High: 127}, 7, []float64{0, 20, 40, 60, 80, 100, 120}}, {Scale{Low: 210}, 5, []float64{0, 50, 100, 150, 200}},
		{Scale{Low: 0.01, High: 1000, Log: true}, 6, []float64{1000, 100, 10, 1, 0.1, 0.01}},
		{Scale{Low: 0.01, High: 1000, Log: true}, 3, []float64{1000, 10, 0.1}},
	} {
		same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Max(1, b) }
		if got := Ticks(test.scale, test.most); !slices.EqualFunc(got, test.want, same) {
			t.Errorf("%+v: %v, want %v", test.scale, got, test.want)
		}
	}
}

// The pointer hits the line that passes nearest, the later of two that are as near, and none that is broken there, deaf
// or too far.
func TestNearest(t *testing.T) {
	c := square()
	deaf := line(Point{0, 1}, Point{100, 1})
	deaf.Deaf = true
	c.Series = []Series{line(Point{0, 1}, Point{100, 1}), line(Point{0, 1}, Point{50, 1}, Point{50, math.Inf(1)},
		Point{60, 9}),
		deaf}
	for _, test := range []struct {
		at     Point
		series int
	}{{Point{60, 72}, 1}, {Point{180, 72}, 0}, {Point{180, 80}, -1}, {Point{150, 40}, -1}} {
		if got, _ := c.Nearest(test.at, 6); got != test.series {
			t.Errorf("at %v the series %d is hit, want %d", test.at, got, test.series)
		}
	}
}

// A reference that drags has a handle at its height with its name, no farther than the chart; others have none.
func TestHandles(t *testing.T) {
	c := square()
	r := Reference{Name: "abc", At: 1, Drags: true}
	if got := c.Handle(&canvas{}, &Look{}, &r); got.Center().Y != 70 || got.Right() > 230 {
		t.Errorf("the handle is at %v", got)
	}
	r.At = 1e6
	if got := c.Handle(&canvas{}, &Look{}, &r); got.Y < 20 || got.Bottom() > 120 {
		t.Errorf("the handle of a value beyond the chart is at %v", got)
	}
	r.Drags = false
	if got := c.Handle(&canvas{}, &Look{}, &r); !got.Empty() {
		t.Errorf("a line that stays has a handle at %v", got)
	}
}

// A line is broken where it has no value, labels cover none of each other, and an empty chart says why.
func TestDraw(t *testing.T) {
	c := square()
	c.Series = []Series{line(Point{0, 1}, Point{20, 1}, Point{40, math.NaN()}, Point{60, 1}, Point{80, 1})}
	c.Labels = []Label{{X: 50, Y: 1, Text: "one"}, {X: 50, Y: 1, Text: "two"}, {X: 50, Y: 1, Text: "six"}}
	c.Dots = []Dot{{X: 50, Y: 1e9}}
	l := &canvas{}
	c.Draw(l, &Look{})
	if l.lines != 2 || l.clips != 0 || l.discs[0].Y != 20 {
		t.Errorf("%d lines, %d clips left, the dot beyond the chart at %v", l.lines, l.clips, l.discs)
	}
	at := slices.Index(l.texts, "one")
	for i := at; i < at+3; i++ {
		for k := at; k < i; k++ {
			if l.boxes[i].Overlaps(l.boxes[k]) {
				t.Errorf("%q covers %q", l.texts[i], l.texts[k])
			}
		}
	}
	// A label along a line stands on it, at the first free place, or is left out.
	c.Labels = append(c.Labels, Label{X: 50, Y: 1, Text: "on", Along: []Point{{X: 50, Y: 1}, {X: 10, Y: 1}}},
		Label{X: 50, Y: 1, Text: "out", Along: []Point{{X: 10, Y: 1}}})
	l = &canvas{}
	c.drawLabels(l, &Look{})
	if on := slices.Index(l.texts, "on"); on < 0 || !l.boxes[on].Contains(c.At(10, 1)) || slices.Contains(l.texts, "out") {
		t.Errorf("%v at %v", l.texts, l.boxes)
	}
	c.Empty = "flying"
	l = &canvas{}
	if c.Draw(l, &Look{}); !slices.Contains(l.texts, "flying") || l.lines > 0 {
		t.Errorf("%v", l.texts)
	}
}

// What hangs is below the line, about where it belongs, and no two are at one place.
func TestHang(t *testing.T) {
	xs := []float64{10, 10, 10, 200}
	for range 300 {
		xs = append(xs, 100)
	}
	h := Hang(xs, 50, 60)
	seen := map[Point]bool{}
	for i, p := range h.Places {
		if seen[p] || p.Y < 50 || p.Y > 50+60+h.Pitch+3 || math.Abs(p.X-xs[i]) > 30 {
			t.Fatalf("%d of %v hangs at %v", i, xs[i], p)
		}
		seen[p] = true
	}
	if few := Hang(xs[:4], 50, 60); few.Bar || few.Pitch != 3.6 {
		t.Errorf("four dots are %v points", few.Pitch)
	}
}
