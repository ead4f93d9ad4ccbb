package draw

import (
	"image/color"
	"math"
	"strings"
	"testing"
)

var ink = color.NRGBA{R: 255, A: 255}

func newList(t testing.TB, scale float64) *List {
	t.Helper()
	a, err := NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	l := NewList(a)
	l.Reset(Rect{W: 1000, H: 800}, scale)
	return l
}

func TestRectFallsOnPixels(t *testing.T) {
	l := newList(t, 1.5)
	l.Rect(Rect{X: 1, Y: 1, W: 3, H: 3}, ink)
	v := l.Batches()[0].Vertices
	if v[0].DstX != 2 || v[2].DstX != 6 {
		t.Errorf("from %v to %v pixels, want 2 to 6", v[0].DstX, v[2].DstX)
	}
}

// A batch never holds more vertices than its indices can name, and loses none.
func TestBatchesStayWithinIndices(t *testing.T) {
	l := newList(t, 1)
	const discs = 40_000
	for range discs {
		l.Disc(Point{X: 10, Y: 10}, 2, ink)
	}
	if l.Vertices() != 4*discs {
		t.Errorf("%d vertices, want %d", l.Vertices(), 4*discs)
	}
	checkIndices(t, l)
}

// A line of any length is drawn whole, whatever batches it takes.
func TestLongLineIsWhole(t *testing.T) {
	l := newList(t, 1)
	const n = 100_000
	points := make([]Point, n)
	for i := range points {
		points[i] = Point{X: float64(i), Y: float64(i % 2 * 10)}
	}
	l.Line(points, 1, ink)
	checkIndices(t, l)
	last := l.Batches()[len(l.Batches())-1]
	if end := last.Vertices[len(last.Vertices)-1].DstX; math.Abs(float64(end)-(n-1)) > 2 {
		t.Errorf("the line ends at %v, want about %d", end, n-1)
	}
}

func checkIndices(t *testing.T, l *List) {
	t.Helper()
	for i, b := range l.Batches() {
		if len(b.Vertices) > MaxBatchVertices {
			t.Errorf("batch %d holds %d vertices", i, len(b.Vertices))
		}
		for _, k := range b.Indices {
			if int(k) >= len(b.Vertices) {
				t.Fatalf("batch %d names vertex %d of %d", i, k, len(b.Vertices))
			}
		}
	}
}

// A straight line is as wide as asked, plus a pixel each side for the ramp.
func TestLineGeometry(t *testing.T) {
	l := newList(t, 2)
	l.Line([]Point{{X: 10, Y: 20}, {X: 50, Y: 20}}, 3, ink)
	v := l.Batches()[0].Vertices
	const half, ramp = 3, 1 // pixels at scale 2
	if len(v) != 4 || math.Abs(float64(v[0].DstY-v[1].DstY)) != 2*(half+ramp) || v[0].Custom2 != half {
		t.Errorf("vertices %+v", v)
	}
}

func TestLineLeavesOutNothings(t *testing.T) {
	l := newList(t, 1)
	l.Line([]Point{{X: 5, Y: 5}, {X: 5, Y: 5}, {X: 5, Y: 5}}, 2, ink)
	l.Line(nil, 2, ink)
	l.Line([]Point{{X: 1, Y: 1}}, 2, ink)
	if l.Vertices() != 0 {
		t.Errorf("%d vertices for lines without length", l.Vertices())
	}
	l.Line([]Point{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 0, Y: 0}}, 2, ink)
	for _, v := range l.Batches()[0].Vertices {
		if math.IsNaN(float64(v.DstX)) || math.Abs(float64(v.DstX)) > 20 {
			t.Errorf("a line that turns back reaches %v", v.DstX)
		}
	}
}

func TestDashes(t *testing.T) {
	l := newList(t, 1)
	l.Dashed([]Point{{X: 0, Y: 0}, {X: 100, Y: 0}}, 1, 10, 10, ink)
	const dashes = 5
	if l.Vertices() != 4*dashes {
		t.Errorf("%d vertices, want 4 for each of %d dashes", l.Vertices(), dashes)
	}
}

func TestClipsNest(t *testing.T) {
	l := newList(t, 1)
	l.Clip(Rect{X: 10, Y: 10, W: 50, H: 50})
	l.Clip(Rect{X: 0, Y: 0, W: 20, H: 20})
	l.Rect(Rect{W: 100, H: 100}, ink)
	l.Unclip()
	l.Unclip()
	l.Rect(Rect{W: 100, H: 100}, ink)
	b := l.Batches()
	if b[0].Clip != (Rect{X: 10, Y: 10, W: 10, H: 10}) || b[1].Clip != (Rect{X: 0, Y: 0, W: 1000, H: 800}) {
		t.Errorf("clips %v and %v", b[0].Clip, b[1].Clip)
	}
}

func TestText(t *testing.T) {
	l := newList(t, 1)
	style := Style{Size: 12}
	if a, b := l.Width(style, "ε 0.4"), l.Width(style, "ε 0.45"); !(a > 0 && b > a) {
		t.Errorf("widths %v and %v", a, b)
	}
	if drawn := l.Text(style, Point{X: 10, Y: 20}, ink, "radius"); math.Abs(drawn-l.Width(style, "radius")) > 1e-9 {
		t.Errorf("drawn %v wide, measured %v", drawn, l.Width(style, "radius"))
	}
	short := l.shorten(style, "a rather long text", 50)
	if w := l.Width(style, short); w > 50 || short == "" {
		t.Errorf("shortened to %q, %v wide", short, w)
	}
	for _, line := range l.Wrap(style, "words that do not fit one line of a hundred points", 100) {
		if w := l.Width(style, line); w > 100 {
			t.Errorf("%q is %v wide", line, w)
		}
	}
}

// Every sign that the viewer writes is in the font.
func TestFontHasTheSigns(t *testing.T) {
	l := newList(t, 1)
	f := l.Atlas.face(faceKey{size: 12})
	for _, r := range "εδσρλ→←↑↓…–×²°·%≤" {
		if _, ok := f.GlyphAdvance(r); !ok {
			t.Errorf("the font has no %q", r)
		}
	}
}

// An atlas that is full begins again and stays within its pixels.
func TestAtlasOverflows(t *testing.T) {
	l := newList(t, 1)
	for size := 10.0; size < 120; size++ {
		l.Text(Style{Size: size}, Point{X: 0, Y: 200}, ink, "The quick brown fox jumps over the lazy dog 0123456789")
	}
	if faces, glyphs := len(l.Atlas.faces), len(l.Atlas.glyphs); faces > 60 || glyphs > 2000 {
		t.Errorf("%d faces and %d glyphs are kept", faces, glyphs)
	}
	for _, b := range l.Batches() {
		for _, v := range b.Vertices {
			if v.SrcX < 0 || v.SrcX > atlasSide || v.SrcY < 0 || v.SrcY > atlasSide {
				t.Fatalf("a glyph at %v, %v of the atlas", v.SrcX, v.SrcY)
			}
		}
	}
}

func TestSame(t *testing.T) {
	a, b := newList(t, 1), newList(t, 1)
	for _, l := range []*List{a, b} {
		l.Disc(Point{X: 5, Y: 5}, 3, ink)
	}
	if !a.Same(b) {
		t.Error("equal drawings differ")
	}
	b.Disc(Point{X: 5, Y: 6}, 3, ink)
	if a.Same(b) {
		t.Error("different drawings are the same")
	}
}

func TestRectCuts(t *testing.T) {
	r := Rect{X: 10, Y: 20, W: 100, H: 50}
	top, rest := r.CutTop(20)
	if top != (Rect{X: 10, Y: 20, W: 100, H: 20}) || rest != (Rect{X: 10, Y: 40, W: 100, H: 30}) {
		t.Errorf("%v and %v", top, rest)
	}
	right, rest := r.CutRight(30)
	if right != (Rect{X: 80, Y: 20, W: 30, H: 50}) || rest != (Rect{X: 10, Y: 20, W: 70, H: 50}) {
		t.Errorf("%v and %v", right, rest)
	}
	if left, rest := r.CutLeft(1000); left != r || rest.W != 0 {
		t.Errorf("cutting more than there is gives %v and %v", left, rest)
	}
	if r.Inset(40).H != 0 {
		t.Error("an inset rectangle is smaller than nothing")
	}
}

func BenchmarkFan(b *testing.B) {
	l := newList(b, 1)
	points := make([]Point, 100)
	for i := range points {
		points[i] = Point{X: float64(i * 5), Y: 200 + 50*math.Sin(float64(i)/9)}
	}
	for b.Loop() {
		l.Reset(Rect{W: 1000, H: 800}, 1)
		for range 200 {
			l.Line(points, 1, ink)
		}
	}
}

// A unit is in the line of its number.
func TestWrapKeepsUnits(t *testing.T) {
	l := newList(t, 1)
	const text = "It loses 5 % of its value, is 2 % shorter and seen 60.9 km out, after 91 s."
	for width := 20.; width < 300; width += 3 {
		for _, line := range l.Wrap(Style{Size: 13}, text, width) {
			if first, _, _ := strings.Cut(line, " "); isUnit(first) {
				t.Errorf("%v points: a line begins with %q", width, line)
			}
		}
	}
}
