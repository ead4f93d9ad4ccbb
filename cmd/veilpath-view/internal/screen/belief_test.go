package screen

import (
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// believe shows beliefs and waits for them.
func (d *desk) believe() {
	d.do("map", "belief")
	for range 8 {
		d.Model.Work()
		d.step(ui.Input{Outside: true})
	}
}

// The belief is painted as the flight unfolds, and its observer is the one whose row is clicked.
func TestBeliefUnfolds(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		d.Tab = layout.TabGuess
		d.believe()
		d.Model.Clock.Seek(0)
		d.step(ui.Input{Outside: true})
		first, version := d.Belief(), d.layers[groundLayer].Version
		if first == nil {
			t.Fatal("nothing is believed")
		}
		d.Model.Clock.Seek(60)
		d.step(ui.Input{Outside: true})
		if later := d.Belief(); !(later.Entropy < first.Entropy) || d.layers[groundLayer].Version == version {
			t.Errorf("after 60 s %v bits are left of %v, and the map is painted anew: %v", later.Entropy, first.Entropy,
				d.layers[groundLayer].Version != version)
		}
		most := d.Belief().Entropy
		d.clickOn("observer.geometry")
		d.step(ui.Input{Outside: true})
		if least := d.Belief().Entropy; d.View().Name != "geometry" || !(least > most) {
			t.Errorf("painted is what %s believes, with %v bits left; the observer who knows the mechanism has %v",
				d.View().Name, least, most)
		}
		for i, v := range d.Model.Inference.Views {
			d.Observer = i
			if text := d.BeliefText(); !strings.HasPrefix(text, "The observer called "+v.Name+" has ") ||
				!strings.HasSuffix(text, ".") {
				t.Errorf("in words: %q", text)
			}
		}
		d.Observer = 0
		other := newDesk(t, size[0], size[1])
		other.Follow(d.Link())
		if other.Heat != answer.HeatBelief || other.Observer != 0 {
			t.Errorf("the link %s shows map %v of observer %d", d.Link(), other.Heat, other.Observer)
		}
		d.do("map", "off")
		d.step(ui.Input{Outside: true})
		if d.Model.Inference.Wanted() {
			t.Error("beliefs are worked out that nobody sees")
		}
	}
}

// While what an observer believes is not known, the map says so.
func TestBeliefIsAwaited(t *testing.T) {
	d := newDesk(t, 1280, 800)
	said := func() string {
		text := ""
		list := draw.NewList(d.Atlas())
		list.OnText = func(_ draw.Rect, _ colour, s string) { text += s + " " }
		list.Reset(d.Layout.Map, 1)
		d.plan.Shown().DrawGround(list)
		return text
	}
	d.do("map", "belief")
	if d.Belief() == nil && !strings.Contains(said(), "Working out what the observer mechanism believes") {
		t.Errorf("the map says %q", said())
	}
	d.believe()
	if d.Belief() == nil || said() != "" {
		t.Errorf("with the belief on it the map says %q", said())
	}
}

// Nothing is believed of the direct flight: the map says so, under the legend of beliefs, and shows no reward.
func TestBeliefOfTheDirectFlight(t *testing.T) {
	for _, before := range []string{"belief", "noise", "off"} {
		d := newDesk(t, 1280, 800)
		ground, painted := d.Screen.layers[groundLayer].List, ""
		ground.OnText = func(_ draw.Rect, _ colour, s string) { painted = s }
		d.do("map", before)
		d.do("direct")
		d.believe()
		said := ""
		list := draw.NewList(d.Atlas())
		list.OnText = func(_ draw.Rect, _ colour, s string) { said += s + "\n" }
		list.Reset(d.Layout.Window, 1)
		d.plan.Shown().DrawGround(list)
		if words := strings.Join(d.Outline().Why, " "); !strings.Contains(painted, "commands no waypoints") ||
			!strings.Contains(words, "commands no waypoints") {
			t.Errorf("%s: the layer of the map says %q, the outline %q", before, painted, words)
		}
		if !strings.Contains(said, "The direct flight commands no waypoints") ||
			strings.Contains(said, "reward") {
			t.Errorf("%s: the map says %q", before, said)
		}
		if d.plan.Shown().DrawLegend(list, d.Layout.Map, 1); !strings.Contains(said, "goal's probability") ||
			strings.Contains(said, "reward") {
			t.Errorf("%s: the legend says %q", before, said)
		}
		if d.clickOn("heat.off"); d.HeatShown() != answer.HeatOff || d.Inferring() {
			t.Errorf("%s: no map is chosen, shown is %s", before, heatNames[d.HeatShown()])
		}
	}
}

// Each observer of the goal is a button of its own, large enough for a finger.
func TestObserverRowsCanBeHit(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.Tab = layout.TabGuess
	d.believe()
	for _, v := range d.Model.Inference.Views {
		if r := d.widget("observer." + v.Name); r.H < layout.TouchTarget || !d.Layout.Error.Contains(r.Center()) {
			t.Errorf("%s: %v in %v", v.Name, r, d.Layout.Error)
		}
	}
}
