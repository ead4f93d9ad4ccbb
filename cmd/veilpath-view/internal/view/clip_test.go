//go:build viewer && !js

package view

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/screen"
)

// What moves is clipped on a window as a part of a picture is: lines, discs and text, translucent or not, and what has
// another clip, or none, beside it.
func TestWindowClips(t *testing.T) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	list := draw.NewList(atlas)
	list.Reset(draw.Rect{W: 200, H: 150}, 1)
	at := func() draw.Point { return draw.Point{X: 240*random.Float64() - 20, Y: 190*random.Float64() - 20} }
	for _, clip := range []draw.Rect{{X: 40, Y: 30, W: 90, H: 70}, {W: 200, H: 150}, {X: 100, Y: 80, W: 100, H: 70}} {
		list.Clip(clip)
		for range 20 {
			c := color.NRGBA{uint8(random.IntN(256)), uint8(random.IntN(256)), 90, 160}
			list.Line([]draw.Point{at(), at(), at()}, 3, c)
			list.Disc(at(), 15, c)
			list.Text(draw.Style{Size: 14}, at(), c, "clipped")
		}
		list.Unclip()
	}
	c, err := newCanvas()
	if err != nil {
		t.Fatal(err)
	}
	c.takeGlyphs(atlas)
	drawn := func(on func(*ebiten.Image)) []byte {
		target := ebiten.NewImage(200, 150)
		defer target.Deallocate()
		on(target)
		picture := image.NewRGBA(target.Bounds())
		target.ReadPixels(picture.Pix)
		return picture.Pix
	}
	want := drawn(func(target *ebiten.Image) { c.list(target, list) })
	got := drawn(func(target *ebiten.Image) {
		c.moving(target, []*screen.Layer{{Overlay: true, List: list}})
	})
	if !bytes.Equal(got, want) || len(list.Batches()) < 3 {
		t.Errorf("%d batches are clipped otherwise on a window", len(list.Batches()))
	}
}
