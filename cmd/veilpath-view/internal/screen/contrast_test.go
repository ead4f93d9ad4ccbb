package screen

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// written is a line of text on screen.
type written struct {
	r    draw.Rect
	ink  color.NRGBA
	text string
}

// written draws everything again and returns what is written. Where it is blocked out, the area of a text is filled in
// its colour.
func (d *desk) written(blocked bool) (all []written) {
	lists := []*draw.List{d.lastTop}
	for _, l := range d.Screen.layers {
		l.seen, lists = [needs]any{}, append(lists, l.List)
	}
	for _, l := range lists {
		l.OnText = func(r draw.Rect, c color.NRGBA, text string) {
			all = append(all, written{r, c, text})
			if blocked {
				l.Rect(r, c)
			}
		}
		defer func() { l.OnText = nil }()
	}
	d.step(ui.Input{Outside: true})
	return all
}

// texts draws everything again and returns what is written, the picture without any of it, and the one in which it is
// blocked out, which shows what is painted over.
func (d *desk) texts() (all []written, without, blocked *image.RGBA) {
	d.written(true)
	blocked = d.shapes()
	all = d.written(false)
	return all, d.shapes(), blocked
}

// shapes is the picture of the frame without its text.
func (d *desk) shapes() *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, int(d.width), int(d.height)))
	b := d.Theme().Background
	for i := 0; i < len(picture.Pix); i += 4 {
		copy(picture.Pix[i:], []byte{b.R, b.G, b.B, 255})
	}
	atlas := d.layers[0].List.Atlas
	glyphs := slices.Clone(atlas.Pixels)
	clear(atlas.Pixels)
	for _, l := range d.layers {
		if !l.Area.Empty() {
			draw.Raster(l.List, picture)
		}
	}
	copy(atlas.Pixels, glyphs)
	return picture
}

// behind is the colour behind a text, on average.
func behind(picture *image.RGBA, r draw.Rect) color.NRGBA {
	var sum [3]int
	n := 0
	for y := int(math.Ceil(r.Y)); y < int(r.Bottom()); y++ {
		for x := int(math.Ceil(r.X)); x < int(r.Right()); x++ {
			if p := image.Pt(x, y); p.In(picture.Rect) {
				c := picture.RGBAAt(x, y)
				sum[0], sum[1], sum[2], n = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B), n+1
			}
		}
	}
	if n == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{R: uint8(sum[0] / n), G: uint8(sum[1] / n), B: uint8(sum[2] / n), A: 255}
}

// readable checks that all text stands out from what is behind it as WCAG asks for at level AA, 4.5 to 1, and that
// nothing is painted over it. It returns how many texts there are.
func (d *desk) readable(where string) int {
	d.t.Helper()
	const least = 4.5
	d.Model.Message = model.Message{} // which covers the map for a while
	all, picture, blocked := d.texts()
	for _, w := range all {
		back := behind(picture, w.r)
		switch shown := behind(blocked, w.r); {
		case w.ink.A != 255:
			d.t.Errorf("%s: %q is translucent", where, w.text)
		case back.A == 0:
		case ui.Contrast(w.ink, back) < least:
			d.t.Errorf("%s: %q has contrast %.2f", where, w.text, ui.Contrast(w.ink, back))
		case ui.Contrast(shown, back) < least:
			d.t.Errorf("%s: %q is painted over and has contrast %.2f", where, w.text, ui.Contrast(shown, back))
		}
	}
	return len(all)
}

// All text can be read in every panel, map and theme.
func TestAllTextCanBeRead(t *testing.T) {
	seen := 0
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		d.wholeAxis()
		d.do("compare")
		d.Model.SetEpsilon(0.4)
		for _, tab := range []layout.Tab{layout.TabSettings, layout.TabKey, layout.TabGuess, layout.TabFlights,
			layout.TabMap, layout.TabWhy} {
			if size[0] > 1000 && tab != layout.TabSettings {
				continue
			}
			for _, look := range []struct{ dark, strong bool }{{true, false}, {false, false}, {true, true}, {false, true}} {
				for _, heat := range []answer.Heat{answer.HeatNoise, answer.HeatBelief} {
					if heat != answer.HeatNoise && (look.strong || size[0] < 1000) || look.strong && (tab != layout.TabSettings ||
						look.dark) {
						continue
					}
					d.Tab, d.Heat = tab, heat
					d.SetDark(look.dark)
					d.SetContrast(look.strong)
					d.Model.Clock.Seek(60)
					for range either(heat == answer.HeatBelief, 7, 1) {
						d.Model.Work()
						d.step(ui.Input{Outside: true})
					}
					seen += d.readable(fmt.Sprint(size, " panel ", tab, look, " map ", heat))
				}
			}
		}
	}
	if seen < 400 {
		t.Errorf("only %d texts were looked at", seen)
	}
}
