package draw

import (
	"image"
	"image/color"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// sketch draws shapes of every kind at places of a random source.
func sketch(l *List, rng *rand.Rand, window Rect, shapes int) {
	at := func() Point { return Point{X: (window.W+80)*rng.Float64() - 40, Y: (window.H+80)*rng.Float64() - 40} }
	for range shapes {
		c := color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), 90, 160}
		l.Clip(Rect{X: at().X, Y: at().Y, W: 150, H: 120})
		l.Line([]Point{at(), at(), at()}, 3, c)
		l.Unclip()
		l.Disc(at(), 15, c)
		l.Triangle(at(), at(), at(), c)
		l.Text(Style{Size: 13}, at(), c, "text")
	}
}

// Outside of the parts that change, every pixel is as it was, whatever is drawn next: more, less, the same elsewhere.
// What does not change has no part.
func TestChangesHaveAllThatDiffers(t *testing.T) {
	atlas, err := NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	const width, height = 500, 310
	window := Rect{W: width, H: height}
	draw := func(seed uint64, common, own int) (*List, *image.RGBA) {
		l := NewList(atlas)
		l.Reset(window, 1)
		sketch(l, rand.New(rand.NewPCG(1, 2)), window, common)
		sketch(l, rand.New(rand.NewPCG(seed, 3)), window, own)
		picture := image.NewRGBA(image.Rect(0, 0, width, height))
		Raster(l, picture)
		return l, picture
	}
	var c Changes
	_, last := draw(0, 0, 0)
	spared := 0
	for seed := range uint64(60) {
		common, own := int(seed%5), int(seed%3)
		l, now := draw(seed/2, common, own) // every other time the same again, where the numbers are
		c.Begin()
		c.Compare(width, height, l)
		if len(c.Parts) > mostParts {
			t.Fatalf("%d parts", len(c.Parts))
		}
		for i, p := range c.Parts {
			if slices.ContainsFunc(c.Parts[:i], p.Overlaps) {
				t.Fatalf("parts %v overlap", c.Parts)
			}
		}
		for y := range height {
			for x := range width {
				part := slices.ContainsFunc(c.Parts, func(r image.Rectangle) bool { return image.Pt(x, y).In(r) })
				if !part {
					spared++
				}
				if !part && seed > 0 && now.RGBAAt(x, y) != last.RGBAAt(x, y) {
					t.Fatalf("drawing %d differs at %d, %d outside of %v", seed, x, y, c.Parts)
				}
			}
		}
		last = now
		c.Begin()
		if c.Compare(width, height, l); len(c.Parts) > 0 {
			t.Fatalf("drawing %d has parts %v that differ from itself", seed, c.Parts)
		}
	}
	if spared < 60*width*height/10 {
		t.Errorf("%d pixels in 60 drawings are in no part", spared)
	}
}

// A small change is a small part; what cannot be compared is drawn whole, for as long as it may be wrong.
func TestChangesAreSmall(t *testing.T) {
	atlas, err := NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	var c Changes
	drawn := func(what string, low, high int, width float64, shapes func(*List)) {
		t.Helper()
		l := NewList(atlas)
		l.Reset(Rect{W: width, H: 320}, 1)
		l.Rect(Rect{X: 10, Y: 10, W: 600, H: 300}, color.NRGBA{90, 90, 90, 255})
		shapes(l)
		c.Begin()
		c.Compare(int(width), 320, l)
		pixels := 0
		for _, r := range c.Parts {
			pixels += r.Dx() * r.Dy()
		}
		if pixels < low || pixels > high {
			t.Errorf("%s: %d pixels in parts, want %d to %d", what, pixels, low, high)
		}
	}
	disc := func(x float64, c color.NRGBA) func(*List) {
		return func(l *List) { l.Disc(Point{X: x, Y: 100}, 10, c) }
	}
	red, green := color.NRGBA{200, 0, 0, 255}, color.NRGBA{0, 200, 0, 255}
	const width, whole, most = 640, 640 * 320, 600 * 300
	const one, four = tile * tile, 4 * tile * tile // a disc touches so many tiles
	nothing := func(*List) {}
	drawn("the first drawing", whole, whole, width, nothing)
	drawn("nothing new", 0, 0, width, nothing)
	drawn("a disc", one, four, width, disc(100, red))
	drawn("a disc of another colour", one, four, width, disc(100, green))
	drawn("a disc elsewhere", 2*one, 2*four, width, disc(500, red))
	drawn("a clip", one, four, width, func(l *List) {
		l.Clip(Rect{X: 495, W: 100, H: 300})
		disc(500, red)(l)
		l.Unclip()
	})
	drawn("less", one, four, width, nothing)
	atlas.begun++
	drawn("with an atlas begun anew", most, whole, width, nothing)
	drawn("after that", most, whole, width, nothing)
	drawn("nothing new again", 0, 0, width, nothing)
	drawn("another size", 700*320, 700*320, 700, nothing)
}

// Every number of every corner tells drawings apart.
func TestChangesSeeEveryNumber(t *testing.T) {
	atlas, err := NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	l := NewList(atlas)
	l.Reset(Rect{W: 100, H: 100}, 1)
	l.Triangle(Point{X: 10, Y: 10}, Point{X: 60, Y: 20}, Point{X: 30, Y: 70}, color.NRGBA{90, 80, 70, 200})
	var c Changes
	c.Compare(100, 100, l)
	corners := l.Batches()[0].Vertices
	for i := range corners {
		for number := range reflect.TypeFor[Vertex]().NumField() {
			field := reflect.ValueOf(&corners[i]).Elem().Field(number)
			was := field.Float()
			for _, now := range []float64{was + 0.25, was} {
				field.SetFloat(now)
				c.Begin()
				if c.Compare(100, 100, l); len(c.Parts) == 0 {
					t.Errorf("corner %d: number %d is not seen", i, number)
				}
			}
		}
	}
}

// BenchmarkChanges compares drawings of as many shapes as move in a window.
func BenchmarkChanges(b *testing.B) {
	atlas, err := NewAtlas()
	if err != nil {
		b.Fatal(err)
	}
	var lists [2]*List
	for i := range lists {
		lists[i] = NewList(atlas)
		lists[i].Reset(Rect{W: 1280, H: 800}, 1)
		sketch(lists[i], rand.New(rand.NewPCG(uint64(i), 1)), Rect{W: 1280, H: 800}, 200)
	}
	b.ReportMetric(float64(lists[0].Vertices()), "vertices")
	var c Changes
	for i := 0; b.Loop(); i++ {
		c.Begin()
		c.Compare(1280, 800, lists[i%2])
	}
}

// What a batch takes of another draws some areas as all of it does, by fewer vertices.
func TestTakenTrianglesDrawTheAreas(t *testing.T) {
	atlas, err := NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	const width, height = 500, 310
	rng := rand.New(rand.NewPCG(4, 5))
	draw := func(l *List) *image.RGBA {
		picture := image.NewRGBA(image.Rect(0, 0, width, height))
		Raster(l, picture)
		return picture
	}
	var all, kept int
	taken := NewList(atlas)
	for range 40 {
		l := NewList(atlas)
		l.Reset(Rect{W: width, H: height}, 1)
		sketch(l, rng, Rect{W: width, H: height}, 6)
		areas := make([]image.Rectangle, 1+rng.IntN(3))
		for i := range areas {
			x, y := rng.IntN(width), rng.IntN(height)
			areas[i] = image.Rect(x, y, x+1+rng.IntN(90), y+1+rng.IntN(60)).Intersect(image.Rect(0, 0, width, height))
		}
		taken.used = len(l.Batches())
		taken.batches = append(taken.batches, make([]Batch, taken.used)...)
		for i := range l.Batches() {
			taken.batches[i].Take(&l.Batches()[i], areas)
		}
		all, kept = all+l.Vertices(), kept+taken.Vertices()
		whole, part := draw(l), draw(taken)
		for _, area := range areas {
			for y := area.Min.Y; y < area.Max.Y; y++ {
				for x := area.Min.X; x < area.Max.X; x++ {
					if whole.RGBAAt(x, y) != part.RGBAAt(x, y) {
						t.Fatalf("%d, %d in %v: %v, want %v", x, y, area, part.RGBAAt(x, y), whole.RGBAAt(x, y))
					}
				}
			}
		}
	}
	if kept == 0 || 2*kept > all {
		t.Errorf("%d of %d vertices are taken", kept, all)
	}
}
