package screen

import (
	"image"
	"image/color"
	"math"
	"testing"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// The legend lies over the guess where both are, so that the guess is not taken for one of its signs.
func TestLegendLiesOverTheGuess(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.4)
	d.Model.Select(3)
	d.step(ui.Input{Outside: true})
	f := d.Model.Flight()
	seen := 0
	for i := 0; i < f.HandoverSample; i += 5 {
		if !f.Foreseen(i) || !d.legendArea().Contains(d.plan.Map.Camera.Place(f.Predicted[i])) {
			continue
		}
		d.Model.Clock.Seek(f.TimeS(i))
		over := false
		d.lastTop.OnText = func(_ draw.Rect, _ colour, text string) { over = over || text == "observer's guess" }
		d.step(ui.Input{Outside: true})
		if seen++; !over {
			t.Fatalf("the guess lies over the legend at %v s", f.TimeS(i))
		}
	}
	if seen == 0 {
		t.Error("no guess lies over the legend")
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

// Names of signs that stand close together are clearly nearer to their own.
func TestNamesTellSignsApart(t *testing.T) {
	for _, size := range [][2]float64{{360, 740}, {1280, 800}} {
		d := newDesk(t, size[0], size[1])
		d.Follow("run=3&privacy.epsilon=0.3&t=146")
		d.step(ui.Input{Outside: true})
		m := d.plan.Shown()
		direct, private := &d.Model.Nominal, &d.Model.Private
		ring := d.plan.Map.Camera.Place(direct.Samples[direct.Detection.Sample].R)
		diamond := d.plan.Map.Camera.Place(private.Samples[private.HandoverSample].R)
		for _, name := range []struct {
			text       string
			own, other draw.Point
		}{{"straight: 101.6 km", ring, diamond}, {"hand-over", diamond, ring}} {
			at, there := m.Named()[name.text]
			if own, other := at.Away(name.own), at.Away(name.other); !there || other < own+6 {
				t.Errorf("%v: %s at %v is %v from its sign, %v from the other", size, name.text, at, own, other)
			}
		}
	}
}

// Cells can be told apart before one of them is clicked to keep out of it.
func TestCellsAreDrawnToBeKeptOutOf(t *testing.T) {
	d := newDesk(t, 1280, 800)
	ground := d.layers[groundLayer]
	before := ground.List.Vertices()
	d.do("keepout")
	if now := ground.List.Vertices(); now <= before {
		t.Errorf("%d vertices, before %d", now, before)
	}
	d.press(ui.Escape)
	if now := ground.List.Vertices(); now != before {
		t.Errorf("%d vertices afterwards, before %d", now, before)
	}
}

// The guess of the observer and the vehicle are seen wherever they are, also where a sign has its name.
func TestWhatMovesLiesOverNames(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.step(ui.Input{Outside: true})
	f := d.Model.Flight()
	name := d.plan.Map.Named()["target"]
	now := f.At(d.Model.Clock.TimeS)
	x, y := d.plan.Map.Camera.World(name.Center())
	f.Predicted[now].X, f.Predicted[now].Y = x, y
	d.step(ui.Input{Outside: true})
	picture := image.NewRGBA(image.Rect(0, 0, 1280, 800))
	draw.Raster(d.layers[topLayer].List, picture)
	at, ink := d.plan.Map.Camera.Place(f.Predicted[now]), d.Theme().ObserverInk()
	if got := picture.RGBAAt(int(at.X), int(at.Y)); got != (color.RGBA(ink)) {
		t.Errorf("below the name at %v is drawn %v, want the guess, %v", at, got, ink)
	}
	f.Predicted[now].Y -= 100
	f.Samples[now].R.X, f.Samples[now].R.Y = x, y
	d.step(ui.Input{Outside: true})
	draw.Raster(d.layers[topLayer].List, picture)
	ink = d.Theme().PrivateInk()
	if got := picture.RGBAAt(int(at.X), int(at.Y)); got != (color.RGBA(ink)) {
		t.Errorf("below the name at %v is drawn %v, want the vehicle, %v", at, got, ink)
	}
}

// The guess covers no name of a mark: that goes out of its way.
func TestGuessCoversNoName(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("mission.three-goals")
	d.settled()
	f := d.Model.Flight()
	names, met := d.plan.Shown().Named(), 0
	for sample := 0; sample < len(f.Samples); sample += 20 {
		if !f.Foreseen(sample) {
			continue
		}
		d.Model.StopAt(f, sample)
		guess := d.plan.Map.Camera.Place(f.Predicted[sample])
		for text, area := range names {
			if !area.Contains(guess) {
				continue
			}
			met++
			for _, w := range d.written(false) {
				if w.text == text && w.r.Inset(-4).Contains(guess) {
					t.Fatalf("%.1f s: the guess at %v covers %q at %v", f.TimeS(sample), guess, text, w.r)
				}
			}
		}
	}
	if met == 0 {
		t.Error("the guess comes to no name, nothing was tested")
	}
}

// The guess says how far off it is where the pointer rests on it.
func TestGuessTellsHowFarOffItIs(t *testing.T) {
	d := newDesk(t, 1280, 800)
	f := d.Model.Flight()
	sample := f.At(60)
	d.Model.StopAt(f, sample)
	d.step(ui.Input{Outside: true})
	want := "The observer's guess after 60.0 s, off by " + chart.DistanceText(f.Errors.ErrorKm[sample])
	if hint := d.hint(d.plan.Map.Camera.Place(f.Predicted[sample])); hint != want {
		t.Errorf("the guess says %q, want %q", hint, want)
	}
}
