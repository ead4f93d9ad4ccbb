package screen

import (
	"math"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// shaded reports whether there is something on the map in the colour of shadows.
func (d *desk) shaded() bool {
	const alpha, rounding = 0.3, 0.01
	for _, b := range d.layers[routeLayer].List.Batches() {
		for _, v := range b.Vertices {
			if math.Abs(float64(v.ColorA)-alpha) < rounding {
				return true
			}
		}
	}
	return false
}

// A tilted map lifts what flies off the ground, in step with its altitude; the flat map is what there is first.
func TestTilt(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		r := d.Model.Private.Samples[300].R
		if flat := d.camera.Place(r); d.camera.Tilted || flat != d.camera.Screen(r.X, r.Y) {
			t.Errorf("flat, %v lies at %v", r, flat)
		}
		if d.shaded() {
			t.Error("a flat map has shadows")
		}
		d.press("i")
		d.step(ui.Input{Outside: true})
		low := r
		low.Z /= 2
		ground, half, full := d.camera.Screen(r.X, r.Y), d.camera.Place(low), d.camera.Place(r)
		const rounding = 1e-9
		if !(full.Y < half.Y && half.Y < ground.Y) || math.Abs((ground.Y-full.Y)-2*(ground.Y-half.Y)) > rounding || full.X != ground.X {
			t.Errorf("tilted, the ground is at %v, half the altitude at %v, all of it at %v", ground, half, full)
		}
		if !d.shaded() {
			t.Error("nothing casts a shadow")
		}
		p := draw.Point{X: d.layout.Map.X + 90, Y: d.layout.Map.Y + 70}
		x, y := d.camera.World(p)
		if back := d.camera.Screen(x, y); math.Hypot(back.X-p.X, back.Y-p.Y) > rounding {
			t.Errorf("%v came back as %v", p, back)
		}
		if !strings.Contains(d.Link(), "tilt=on") {
			t.Errorf("the link is %s", d.Link())
		}
		d.press("i")
		if d.camera.Tilted {
			t.Error("it stays tilted")
		}
	}
}

// Two taps show the whole map even where there is something to drag.
func TestTwoTapsOnAWaypoint(t *testing.T) {
	d := newDesk(t, 360, 740)
	_, at := d.waypoint(2)
	d.camera.Zoom(3, at)
	d.step(ui.Input{Pointer: at, Touch: true, Down: true})
	d.step(ui.Input{Pointer: at, Touch: true})
	d.step(ui.Input{Pointer: at, Touch: true, Down: true, Clicks: 2})
	d.step(ui.Input{Pointer: at, Touch: true})
	if strings.Contains(d.Link(), "zoom=") {
		t.Errorf("the link is %s", d.Link())
	}
}

// The legend lies over the guess where both are, flat and tilted, so that the guess is not taken for one of its signs.
func TestLegendLiesOverTheGuess(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.4)
	d.Model.Select(3)
	for _, tilted := range []bool{false, true} {
		d.camera.Tilted = tilted
		d.step(ui.Input{Outside: true})
		f := d.Model.Flight()
		seen := map[bool]int{}
		for i := 0; i < f.HandoverSample; i += 5 {
			within := f.Foreseen(i) && d.legendArea().Contains(d.camera.Place(f.Predicted[i]))
			if !within && (tilted || i%100 > 0) {
				continue
			}
			d.Model.Clock.Seek(f.TimeS(i))
			over := false
			d.lastTop.OnText = func(_ draw.Rect, _ colour, text string) { over = over || text == "observer's guess" }
			d.step(ui.Input{Outside: true})
			if seen[over]++; within && !over {
				t.Fatalf("tilted %v: the guess lies over the legend at %v s", tilted, f.TimeS(i))
			}
		}
		if seen[true] == 0 || !tilted && seen[false] == 0 {
			t.Errorf("tilted %v: the legend is drawn anew %d times, not %d times", tilted, seen[true], seen[false])
		}
	}
}
