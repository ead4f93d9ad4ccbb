package png_test

import (
	"bytes"
	"image"
	"image/color"
	standard "image/png"
	"io"
	"math/rand/v2"
	"testing"

	"veilpath/internal/png"
)

// noisyImage has every value of every channel, and runs of one colour.
func noisyImage(width, height int) *image.RGBA {
	random := rand.New(rand.NewPCG(5, 6))
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	c := color.RGBA{A: 0xFF}
	for y := range height {
		for x := range width {
			if random.IntN(4) == 0 {
				c.R, c.G, c.B = uint8(random.IntN(256)), uint8(random.IntN(256)), uint8(random.IntN(256))
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func TestPNGHoldsEveryPixel(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {7, 3}, {640, 480}} {
		m := noisyImage(size.X, size.Y)
		var b bytes.Buffer
		if err := png.Encode(&b, m, "noise"); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(b.Bytes(), []byte("\x00\x00\x00\x11tEXtDescription\x00noise")) {
			t.Error("the description is not there")
		}
		read, err := standard.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if read.Bounds() != m.Bounds() {
			t.Fatalf("read %v, want %v", read.Bounds(), m.Bounds())
		}
		for y := range size.Y {
			for x := range size.X {
				if got := color.RGBAModel.Convert(read.At(x, y)); got != m.RGBAAt(x, y) {
					t.Fatalf("%v: pixel %d, %d is %v, want %v", size, x, y, got, m.RGBAAt(x, y))
				}
			}
		}
		if b.Len() != 0 {
			t.Errorf("%d bytes after the end of the image", b.Len())
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	m := noisyImage(1350, 1125)
	for b.Loop() {
		if err := png.Encode(io.Discard, m, ""); err != nil {
			b.Fatal(err)
		}
	}
}
