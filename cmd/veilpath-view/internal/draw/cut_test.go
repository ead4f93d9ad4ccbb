package draw

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// What is cut at the clip is, without a clip, what is drawn with it, however many triangles there are.
func TestCutIsTheClip(t *testing.T) {
	atlas, err := NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	window := Rect{W: 200, H: 150}
	list := NewList(atlas)
	list.Reset(window, 1)
	list.Clip(Rect{X: 40, Y: 30, W: 90, H: 70})
	for range 60 {
		at := func() Point { return Point{X: 240*rng.Float64() - 20, Y: 190*rng.Float64() - 20} }
		c := color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), 90, 160}
		list.Line([]Point{at(), at(), at()}, 3, c)
		list.Disc(at(), 15, c)
		list.RoundRect(Rect{X: at().X, Y: at().Y, W: 50, H: 30}, 6, c)
	}
	list.Unclip()
	list.Disc(Point{X: 100, Y: 100}, 20, color.NRGBA{255, 255, 255, 255})
	want, got := image.NewRGBA(image.Rect(0, 0, 200, 150)), image.NewRGBA(image.Rect(0, 0, 200, 150))
	Raster(list, want)
	cut := NewList(atlas)
	cut.Reset(window, 1)
	var storage Batch
	for _, b := range list.Batches() {
		b.Cut(&storage, func(vertices []Vertex, indices []uint16) {
			batch := cut.open(Rect{X: -100, Y: -100, W: 500, H: 500})
			batch.Vertices, batch.Indices = append(batch.Vertices, vertices...), append(batch.Indices, indices...)
		})
	}
	Raster(cut, got)
	drawn, apart := 0, 0
	for i := range want.Pix {
		if want.Pix[i] != 0 {
			drawn++
		}
		const rounding = 2 // of 255, of places between corners
		if d := int(want.Pix[i]) - int(got.Pix[i]); d > rounding || d < -rounding {
			apart++ // its middle lies on an edge, as near as a float32 tells
		}
	}
	if drawn < 10000 || apart > drawn/1000 {
		t.Errorf("%d of %d channels that are drawn differ", apart, drawn)
	}
}

// A batch that grows by being cut is drawn in several.
func TestCutIsNeverTooLarge(t *testing.T) {
	b := Batch{Clip: Rect{W: 10, H: 10}}
	const n = 20000
	for range n {
		first := uint16(len(b.Vertices))
		b.Vertices = append(b.Vertices, Vertex{DstX: -5, DstY: 5}, Vertex{DstX: 5, DstY: -5}, Vertex{DstX: 15, DstY: 15})
		b.Indices = append(b.Indices, first, first+1, first+2)
	}
	triangles, times := 0, 0
	var storage Batch
	b.Cut(&storage, func(vertices []Vertex, indices []uint16) {
		if len(vertices) > MaxBatchVertices {
			t.Fatalf("%d vertices at once", len(vertices))
		}
		times, triangles = times+1, triangles+len(indices)/3
	})
	if times < 2 || triangles < 3*n {
		t.Errorf("%d triangles in %d parts", triangles, times)
	}
}
