package screen

import (
	"math"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// phones and tablets are sizes of compact layouts, upright and lying.
var phones = [][2]float64{{320, 568}, {360, 740}, {500, 900}, {820, 1180}, {740, 360}, {844, 390}, {1024, 768},
	{1366, 1024}}

// whole is what may lie over or below other widgets.
var whole = map[string]bool{"map": true, "menu": true, "help": true, "error": true, "error.radius": true}

// On a phone every panel has room, nothing covers anything else, and fingers hit what they aim at.
func TestCompactLayouts(t *testing.T) {
	for _, size := range phones {
		d := newDesk(t, size[0], size[1])
		d.Touch = true
		window := draw.Rect{W: size[0], H: size[1]}
		for tab := range layout.TabNone {
			d.Tab = tab
			d.step(ui.Input{Outside: true})
			l := d.Layout
			least := 140. // points; on the smallest phone the map has room once the panel is folded away
			if size[1] > size[0] && size[1] < 600 {
				least = 60
			}
			if !l.Compact || l.Map.W < 150 || l.Map.H < least || l.Side.H < 180 && size[1] > 400 {
				t.Errorf("%v, %s: the map is %v, the panel %v", size, layout.TabIDs[tab], l.Map, l.Side)
			}
			parts := map[string]draw.Rect{"bar": l.Bar, "headline": l.Headline, "map": l.Map, "dock": l.Dock, "side": l.Side,
				"tabs": l.Tabs}
			apart(t, size, parts, window)
			widgets := map[string]draw.Rect{}
			for id, r := range d.UI.Regions() {
				if whole[id] {
					continue
				}
				widgets[id] = r
				if r.W < layout.TouchTarget || r.H < layout.TouchTarget {
					t.Errorf("%v, %s: %s is %v, too small for a finger", size, layout.TabIDs[tab], id, r)
				}
			}
			apart(t, size, widgets, window)
		}
		if small := d.Theme().Small.Size; small < 12 {
			t.Errorf("%v: text of %v points", size, small)
		}
	}
}

// apart reports what overlaps or leaves the window.
func apart(t *testing.T, size [2]float64, parts map[string]draw.Rect, window draw.Rect) {
	t.Helper()
	for a, r := range parts {
		const rounding = 1e-6 // points
		if r.X < 0 || r.Y < 0 || r.Right() > window.W+rounding || r.Bottom() > window.H+rounding {
			t.Errorf("%v: %s leaves the window: %v", size, a, r)
		}
		for b, q := range parts {
			if a < b && r.Overlaps(q) {
				t.Errorf("%v: %s %v and %s %v overlap", size, a, r, b, q)
			}
		}
	}
}

// tap touches a widget with a finger.
func (d *desk) tap(id string) { d.t.Helper(); at := d.widget(id).Center(); d.swipe(at, at) }

// pick opens the palette by touch, brings an entry into view and taps it.
func (d *desk) pick(id string) {
	d.t.Helper()
	d.tap("menu")
	d.step(ui.Input{Outside: true})
	for range 200 {
		if r, ok := d.UI.Regions()[id]; ok && r.H > 30 {
			d.tap(id)
			d.step(ui.Input{Outside: true})
			return
		}
		at := d.Layout.Window.Center()
		d.swipe(draw.Point{X: at.X, Y: at.Y + 60}, draw.Point{X: at.X, Y: at.Y - 60})
	}
	d.t.Fatalf("%s is not reached", id)
}

// Taps choose panels, fold the open one away, and reach the menu.
func TestCompactByTouch(t *testing.T) {
	d := newDesk(t, 360, 740)
	before := d.Layout.Map.H
	d.tap("tab.flights")
	d.step(ui.Input{Outside: true})
	if d.Layout.Distribution.Empty() || !d.Layout.Controls.Empty() {
		t.Error("the panel of the flights is not shown")
	}
	dots := d.distribution.Dots().Dots
	want := dots[len(dots)-1]
	if d.swipe(want.At, want.At); d.Model.RunNumber != want.Of.Run.Run {
		t.Errorf("a tap on the dot of run %d shows run %d", want.Of.Run.Run, d.Model.RunNumber)
	}
	d.tap("tab.flights")
	d.step(ui.Input{Outside: true})
	if d.Tab != layout.TabNone || d.Layout.Map.H < before+100 {
		t.Errorf("folding the panel away leaves a map of %v", d.Layout.Map)
	}
	d.pick("command.direct")
	if d.Model.Show != model.ShowDirect || d.palette.Open {
		t.Error("the palette does not show the direct flight")
	}
	d.tap("play")
	if !d.Model.Clock.Playing {
		t.Error("a tap does not play")
	}
}

// A tap on a value opens a field with the name of what it is of, and a number that is typed there, with a point or a
// comma, sets it. A mouse types without a field.
func TestValuesAreTypedByTouch(t *testing.T) {
	for _, test := range []struct {
		tab         layout.Tab
		at          string
		words, sets string
	}{{layout.TabSettings, "epsilon", "epsilon ", "epsilon"}, {layout.TabSettings, "radius", "radius of recognition ",
		"radius"},
		{layout.TabSettings, "run.value", "flight on show ", "run"}, {layout.TabSettings, "time.value",
			"moment of the flight ", "time"}, {layout.TabMap, "epsilon.value", "epsilon ", "epsilon"},
		{layout.TabMap, "demand", "hidden on average until ", "demand"}} {
		d := newDesk(t, 360, 740)
		d.Touch, d.Tab = true, test.tab
		d.wholeAxis()
		d.step(ui.Input{Outside: true})
		r := d.widget(test.at)
		d.swipe(draw.Point{X: r.Right() - 10, Y: r.Center().Y}, draw.Point{X: r.Right() - 10, Y: r.Center().Y})
		d.step(ui.Input{Outside: true})
		area, words := d.Field()
		if area.H < layout.TouchTarget || area.W < 200 || words != test.words {
			t.Errorf("a tap on %s opens %v for %q, want %q", test.at, area, words, test.words)
			continue
		}
		if stays := d.Find(words+"3,5", ""); !stays {
			t.Errorf("%s: the field closes before Enter", test.at)
		}
		if stays := d.Find(words+"3,5", ui.Enter); stays || math.Abs(d.row(test.sets).get()-3.5) > 0.5 {
			t.Errorf("%s is set to %v, and the field stays: %v", test.sets, d.row(test.sets).get(), stays)
		}
	}
	for _, size := range [][2]float64{{360, 740}, {768, 1024}} {
		d := newDesk(t, size[0], size[1])
		for _, id := range []string{"observer", "mission"} {
			d.clickOn(id)
			if !d.palette.Open {
				t.Errorf("%v: the settings have no %s", size, id)
			}
			d.press(ui.Escape)
		}
	}
	d := newDesk(t, 1280, 800)
	if r := d.UI.Regions()["epsilon.value"]; !r.Contains(draw.Point{X: d.Layout.Along.X + layout.Pad + 4,
		Y: r.Center().Y}) {
		t.Errorf("the name of epsilon is not part of its value, at %v", r)
	}
	d.clickOn("epsilon.value")
	d.step(ui.Input{Outside: true})
	if area, _ := d.Field(); !area.Empty() || !d.palette.Open {
		t.Errorf("for a mouse the field is %v, the palette is open: %v", area, d.palette.Open)
	}
	for _, k := range []ui.Key{"0", ".", "3", ui.Enter} {
		d.press(k)
	}
	if d.Find("direct flight", ui.Enter); d.Model.Config.Privacy.Epsilon != 0.3 || d.Model.ShowsBaseline() {
		t.Errorf("epsilon is %v; what is closed finds something: %v", d.Model.Config.Privacy.Epsilon, d.Model.ShowsBaseline())
	}
}

// The menu undoes and does again, and a button closes a list.
func TestCompactMenuUndoes(t *testing.T) {
	d := newDesk(t, 360, 740)
	settle := func() {
		d.Model.Work()
		d.step(ui.Input{Outside: true})
		d.step(ui.Input{Outside: true})
	}
	settle()
	before := d.Model.Config.Privacy.Epsilon
	d.Model.SetEpsilon(before / 2)
	settle()
	for _, button := range []struct {
		id   string
		want float64
	}{{"command.undo", before}, {"command.redo", before / 2}} {
		d.pick(button.id)
		settle()
		if now := d.Model.Config.Privacy.Epsilon; now != button.want {
			t.Errorf("%s leads to epsilon %g, want %g", button.id, now, button.want)
		}
	}
	d.pick("command.observer")
	if r := d.widget("list.close"); r.W < layout.TouchTarget || r.H < layout.TouchTarget {
		t.Errorf("what closes a list is %v", r)
	}
	if d.tap("list.close"); d.palette.Open {
		t.Error("the list does not close")
	}
}
