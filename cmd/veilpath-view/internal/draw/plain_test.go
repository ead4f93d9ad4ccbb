package draw

import (
	"image"
	"image/color"
	imagedraw "image/draw"
	"math/rand/v2"
	"testing"
)

// What is plain has its colour in every pixel, whatever is drawn, and the parts are all of the picture, each once.
func TestPlainPartsHaveOneColour(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	atlas, err := NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	inks := []color.NRGBA{{10, 20, 30, 255}, {200, 100, 50, 255}, {90, 90, 90, 120}, {250, 250, 250, 255}}
	size, plain, all := image.Pt(500, 300), 0, 0
	for round := range 300 {
		at := func(most int) float64 { return float64(random.IntN(most+200)-100) / 2 }
		l := NewList(atlas)
		scale := 1 + float64(round%3)/2
		l.Reset(Rect{W: float64(size.X) / scale, H: float64(size.Y) / scale}, scale)
		for range random.IntN(5) {
			r, ink := Rect{at(size.X), at(size.Y), at(2 * size.X), at(2 * size.Y)}, inks[random.IntN(len(inks))]
			l.Clip(Rect{at(size.X) - 50, at(size.Y) - 50, at(3 * size.X), at(3 * size.Y)})
			switch random.IntN(6) {
			case 0:
				l.RoundRect(r, 9, ink)
			case 1:
				l.Disc(Point{r.X, r.Y}, 40, ink)
			case 2:
				l.Line([]Point{{r.X, r.Y}, {r.Right(), r.Bottom()}, {r.X, r.Bottom()}}, 3, ink)
			case 3:
				l.Text(Style{Size: 20}, Point{r.X, r.Y}, ink, "plain")
			default:
				l.Rect(r, ink)
			}
			l.Unclip()
		}
		picture := image.NewRGBA(image.Rectangle{Max: size})
		imagedraw.Draw(picture, picture.Rect, image.NewUniform(inks[0]), image.Point{}, imagedraw.Src)
		Raster(l, picture)
		var p Plain
		p.Begin(size, inks[0])
		p.Add(l)
		pixels := 0
		p.Parts(func(r Rect, is bool, ink Vertex) {
			pixels += int(r.W * r.H)
			want := [4]byte{}
			for i, v := range [4]float32{ink.ColorR, ink.ColorG, ink.ColorB, ink.ColorA} {
				want[i] = byte(255*v + 0.5)
			}
			for y := int(r.Y); is && y < int(r.Bottom()); y++ {
				for x := int(r.X); x < int(r.Right()); x++ {
					if got := [4]byte(picture.Pix[picture.PixOffset(x, y):]); got != want {
						t.Fatalf("round %d: %v at %d, %d of %v, which is plain %v", round, got, x, y, r, want)
					}
					plain++
				}
			}
		})
		if pixels != size.X*size.Y {
			t.Fatalf("round %d: the parts have %d pixels", round, pixels)
		}
		all += pixels
	}
	const least = 0.2
	if float64(plain) < least*float64(all) {
		t.Errorf("%d of %d pixels are plain", plain, all)
	}
}

// BenchmarkPlain finds what is plain under 200 trajectories.
func BenchmarkPlain(b *testing.B) {
	l := newList(b, 1)
	l.Reset(Rect{W: 1000, H: 800}, 1)
	points := make([]Point, 100)
	for i := range points {
		points[i] = Point{float64(i * 5), 200 + float64(i*i%90)}
	}
	for range 200 {
		l.Line(points, 1, ink)
	}
	var p Plain
	for b.Loop() {
		p.Begin(image.Pt(1000, 800), ink)
		p.Add(l)
	}
}
