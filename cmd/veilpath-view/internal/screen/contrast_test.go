package screen

import (
	"fmt"
	"image"
	"image/color"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// written is a line of text on screen.
type written struct {
	r    draw.Rect
	ink  color.NRGBA
	text string
}

// written draws everything anew and returns what is written.
func (d *desk) written() (all []written) {
	note := func(r draw.Rect, c color.NRGBA, text string) { all = append(all, written{r, c, text}) }
	for _, l := range d.Screen.layers {
		l.key, l.List.OnText = nil, note
	}
	d.lastTop.OnText = note
	d.step(ui.Input{Outside: true})
	return all
}

// texts draws everything anew and returns what is written, and the picture without any of it.
func (d *desk) texts() ([]written, *image.RGBA) {
	all := d.written()
	picture := image.NewRGBA(image.Rect(0, 0, int(d.width), int(d.height)))
	b := d.theme().Background
	for i := 0; i < len(picture.Pix); i += 4 {
		copy(picture.Pix[i:], []byte{b.R, b.G, b.B, 255})
	}
	for _, l := range d.layers {
		if !l.Area.Empty() {
			draw.RasterShapes(l.List, picture)
		}
	}
	return all, picture
}

// behind is the colour behind a text, on average.
func behind(picture *image.RGBA, r draw.Rect) color.NRGBA {
	var sum [3]int
	n := 0
	for y := int(r.Y); y < int(r.Bottom())+1; y++ {
		for x := int(r.X); x < int(r.Right())+1; x++ {
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

// All text stands out from what is behind it as WCAG asks for at level AA: 4.5 to 1.
func TestAllTextCanBeRead(t *testing.T) {
	const least = 4.5
	seen := 0
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		d.wholeAxis()
		d.press("b")
		d.Model.SetEpsilon(0.4)
		for _, tab := range []Tab{TabSettings, TabKey, TabGuess, TabFlights, TabMap, TabWhy} {
			if size[0] > 1000 && tab != TabSettings {
				continue
			}
			for _, look := range []struct{ dark, strong bool }{{true, false}, {false, false}, {true, true}, {false, true}} {
				for _, heat := range []Heat{HeatPrivate, HeatNoise, HeatBelief} {
					if heat != HeatPrivate && (look.strong || size[0] < 1000) || look.strong && (tab != TabSettings || look.dark) {
						continue
					}
					d.Tab, d.Heat = tab, heat
					d.SetDark(look.dark)
					d.SetContrast(look.strong)
					d.Model.Clock.Seek(60)
					for range either(heat == HeatBelief, 7, 1) {
						d.Model.Work()
						d.step(ui.Input{Outside: true})
					}
					all, picture := d.texts()
					seen += len(all)
					for _, w := range all {
						if w.ink.A != 255 {
							t.Errorf("%q is translucent", w.text)
						}
						if back := behind(picture, w.r); back.A > 0 && ui.Contrast(w.ink, back) < least {
							t.Errorf("%s: %q has contrast %.2f", fmt.Sprint(size, " panel ", tab, look, " map ", heat), w.text, ui.Contrast(w.ink, back))
						}
					}
				}
			}
		}
	}
	if seen < 400 {
		t.Errorf("only %d texts were looked at", seen)
	}
}
