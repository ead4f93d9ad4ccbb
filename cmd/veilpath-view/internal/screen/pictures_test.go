package screen

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// Two rasterisers round the feathered edges differently: a channel may differ by tolerance, and a share
// of the pixels by more, where a ramp meets a half.
const (
	tolerance = 8     // of 255
	mayDiffer = 0.002 // of all pixels
)

// comparePictures reports how a picture differs from the one in a file, of which a share may differ. What differs is
// kept as a file in VIEWER_SCREENSHOTS, where that is set.
func comparePictures(name string, got image.Image, share float64) error {
	want, err := readPicture(name)
	if err != nil {
		return fmt.Errorf("%w; go test with -update writes it", err)
	}
	if want.Bounds().Size() != got.Bounds().Size() {
		return fmt.Errorf("the picture is %v, want %v", got.Bounds().Size(), want.Bounds().Size())
	}
	wrong, size := 0, got.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			if apart(got.At(got.Bounds().Min.X+x, got.Bounds().Min.Y+y), want.At(want.Bounds().Min.X+x, want.Bounds().Min.Y+y)) {
				wrong++
			}
		}
	}
	limit := int(share * float64(size.X*size.Y))
	if wrong <= limit {
		return nil
	}
	where := ""
	if folder := os.Getenv("VIEWER_SCREENSHOTS"); folder != "" {
		where = "; the picture is " + filepath.Join(folder, "got-"+filepath.Base(name))
		if err := writePicture(filepath.Join(folder, "got-"+filepath.Base(name)), got); err != nil {
			return err
		}
	}
	return fmt.Errorf("%d pixels differ from %s by more than %d, at most %d may%s", wrong, filepath.Base(name), tolerance,
		limit, where)
}

// apart reports whether two colours differ by more than tolerance.
func apart(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	for _, pair := range [3][2]uint32{{ar, br}, {ag, bg}, {ab, bb}} {
		if d := int(pair[0]>>8) - int(pair[1]>>8); d > tolerance || d < -tolerance {
			return true
		}
	}
	return false
}

// halved returns a picture of half the size, every pixel the mean of four.
func halved(p image.Image) *image.RGBA {
	b := p.Bounds()
	half := image.NewRGBA(image.Rect(0, 0, b.Dx()/2, b.Dy()/2))
	for y := range half.Rect.Dy() {
		for x := range half.Rect.Dx() {
			var sum [3]uint32
			for i := range 4 {
				r, g, b, _ := p.At(b.Min.X+2*x+i%2, b.Min.Y+2*y+i/2).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8
			}
			half.SetRGBA(x, y, color.RGBA{uint8(sum[0] / 4), uint8(sum[1] / 4), uint8(sum[2] / 4), 255})
		}
	}
	return half
}

// readPicture reads a PNG file.
func readPicture(name string) (image.Image, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return png.Decode(file)
}

// writePicture writes a PNG file as small as it gets.
func writePicture(name string, p image.Image) error {
	var data bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&data, p); err != nil {
		return err
	}
	return os.WriteFile(name, data.Bytes(), 0o644)
}

// A picture is as good as the one that is kept while few pixels differ, and no more with many, or another size.
func TestCompare(t *testing.T) {
	name := filepath.Join(t.TempDir(), "kept.png")
	p := image.NewRGBA(image.Rect(0, 0, 20, 10))
	for i := range p.Pix {
		p.Pix[i] = 200
	}
	if err := writePicture(name, p); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		err := comparePictures(name, p, 0.01) // 2 of 200 pixels
		if want := i > 2; (err != nil) != want {
			t.Errorf("with %d pixels that differ: %v", i, err)
		}
		p.Set(i, 0, color.RGBA{200, 200 + tolerance + 1, 200, 200})
	}
	if err := comparePictures(name, halved(p), 1); err == nil {
		t.Error("a picture of another size is taken")
	}
	if c := halved(p).RGBAAt(5, 3); c != (color.RGBA{200, 200, 200, 255}) {
		t.Errorf("the mean of four is %v", c)
	}
}
