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
		if flat := d.plan.Camera.Place(r); d.plan.Camera.Tilted || flat != d.plan.Camera.Screen(r.X, r.Y) {
			t.Errorf("flat, %v lies at %v", r, flat)
		}
		if d.shaded() {
			t.Error("a flat map has shadows")
		}
		d.do("tilt")
		d.step(ui.Input{Outside: true})
		low := r
		low.Z /= 2
		ground, half, full := d.plan.Camera.Screen(r.X, r.Y), d.plan.Camera.Place(low), d.plan.Camera.Place(r)
		const rounding = 1e-9
		if !(full.Y < half.Y && half.Y < ground.Y) || math.Abs((ground.Y-full.Y)-2*(ground.Y-half.Y)) > rounding ||
			full.X != ground.X {
			t.Errorf("tilted, the ground is at %v, half the altitude at %v, all of it at %v", ground, half, full)
		}
		if !d.shaded() {
			t.Error("nothing casts a shadow")
		}
		p := draw.Point{X: d.layout.Map.X + 90, Y: d.layout.Map.Y + 70}
		x, y := d.plan.Camera.World(p)
		if back := d.plan.Camera.Screen(x, y); math.Hypot(back.X-p.X, back.Y-p.Y) > rounding {
			t.Errorf("%v came back as %v", p, back)
		}
		if !strings.Contains(d.Link(), "tilt=on") {
			t.Errorf("the link is %s", d.Link())
		}
		d.do("tilt")
		if d.plan.Camera.Tilted {
			t.Error("it stays tilted")
		}
	}
}

// Two taps show the whole map even where there is something to drag.
func TestTwoTapsOnAWaypoint(t *testing.T) {
	d := newDesk(t, 360, 740)
	_, at := d.waypoint(2)
	d.plan.Camera.Zoom(3, at)
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
		d.plan.Camera.Tilted = tilted
		d.step(ui.Input{Outside: true})
		f := d.Model.Flight()
		seen := 0
		for i := 0; i < f.HandoverSample; i += 5 {
			if !f.Foreseen(i) || !d.legendArea().Contains(d.plan.Camera.Place(f.Predicted[i])) {
				continue
			}
			d.Model.Clock.Seek(f.TimeS(i))
			over := false
			d.lastTop.OnText = func(_ draw.Rect, _ colour, text string) { over = over || text == "observer's guess" }
			d.step(ui.Input{Outside: true})
			if seen++; !over {
				t.Fatalf("tilted %v: the guess lies over the legend at %v s", tilted, f.TimeS(i))
			}
		}
		if seen == 0 {
			t.Errorf("tilted %v: no guess lies over the legend", tilted)
		}
	}
}

// inked reports whether something on the map is drawn in a colour close to a place.
func (d *desk) inked(ink colour, at draw.Point) bool {
	const near, rounding = 10, 0.01
	for _, b := range d.layers[routeLayer].List.Batches() {
		for _, v := range b.Vertices {
			own := math.Abs(float64(v.ColorR)-float64(ink.R)/255)+math.Abs(float64(v.ColorG)-float64(ink.G)/255)+
				math.Abs(float64(v.ColorB)-float64(ink.B)/255) < rounding
			if own && math.Hypot(float64(v.DstX)-at.X, float64(v.DstY)-at.Y) < near {
				return true
			}
		}
	}
	return false
}

// Waypoints lie where the flight passes them, tilted too, and one that is dragged there stays under the pointer.
func TestTiltedWaypoints(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("tilt")
	for n := range 6 {
		v := d.Model.Private.Visits[n]
		at, nearest := d.plan.Camera.Place(d.Model.WaypointAt(v.State)), math.Inf(1)
		for _, s := range d.Model.Private.Samples {
			p := d.plan.Camera.Place(s.R)
			nearest = math.Min(nearest, math.Hypot(p.X-at.X, p.Y-at.Y))
		}
		if !d.inked(d.theme().WaypointInk(), at) {
			t.Errorf("waypoint %d is not drawn at %v", v.State, at)
		}
		if most := 5 * d.plan.Camera.PointsPerKm; nearest > most {
			t.Errorf("the flight is drawn %.1f points from waypoint %d, at most %.1f", nearest, v.State, most)
		}
	}
	state := d.Model.Private.Visits[2].Commanded
	from := d.plan.Camera.Place(d.Model.WaypointAt(state))
	to := draw.Point{X: from.X + 9, Y: from.Y + 30}
	d.drag(from, to)
	at, moved := d.Model.WhatIf.Moved[state]
	if p := d.plan.Camera.Place(at); !moved || math.Hypot(p.X-to.X, p.Y-to.Y) > 1 {
		t.Errorf("dragged to %v, the waypoint is at %v; moved: %v", to, p, moved)
	}
}

// A tilted map says by how much it raises what flies, and that the ensemble is on the ground; pointing at the flight
// tells its values and not those of a track below.
func TestTiltedMapExplainsItself(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, tilted := range []bool{false, true} {
		d.plan.Camera.Tilted = tilted
		said := map[string]bool{}
		for _, w := range d.written(false) {
			said[w.text] = true
		}
		if said["their ground tracks"] != tilted || said["20 km, altitude × 4"] != tilted || said["20 km"] == tilted {
			t.Errorf("tilted %v: it is written that %v", tilted, said)
		}
	}
	f := d.Model.Flight()
	at := d.plan.Camera.Place(f.Samples[f.At(33)].R)
	if text := d.hint(at); !strings.Contains(text, "Run 0: recognised") || !strings.Contains(text, "km high") {
		t.Errorf("at the flight: %q", text)
	}
	for i := range f.Samples {
		if m := d.nearestTrack(d.main(), d.plan.Camera.Place(f.Samples[i].R), d.trackReach()); m != nil {
			t.Fatalf("a click on the flight at %v s shows run %d", f.TimeS(i), m.Run.Run)
		}
	}
}
