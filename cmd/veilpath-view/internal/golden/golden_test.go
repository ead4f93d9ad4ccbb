package golden

import (
	"image"
	"image/color"
	"path/filepath"
	"testing"
)

// A picture is as good as the one that is kept while few pixels differ, and no more with many, or another size.
func TestCompare(t *testing.T) {
	name := filepath.Join(t.TempDir(), "kept.png")
	p := image.NewRGBA(image.Rect(0, 0, 20, 10))
	for i := range p.Pix {
		p.Pix[i] = 200
	}
	if err := Write(name, p); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		err := Compare(name, p, 0.01) // 2 of 200 pixels
		if want := i > 2; (err != nil) != want {
			t.Errorf("with %d pixels that differ: %v", i, err)
		}
		p.Set(i, 0, color.RGBA{200, 200 + tolerance + 1, 200, 200})
	}
	if err := Compare(name, Halved(p), 1); err == nil {
		t.Error("a picture of another size is taken")
	}
	if c := Halved(p).RGBAAt(5, 3); c != (color.RGBA{200, 200, 200, 255}) {
		t.Errorf("the mean of four is %v", c)
	}
}
