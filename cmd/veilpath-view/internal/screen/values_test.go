package screen

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// hint puts the pointer somewhere and returns what is told there.
func (d *desk) hint(at draw.Point) string {
	d.step(ui.Input{Pointer: at})
	return d.UI.HintText()
}

// Every panel tells the values under the pointer.
func TestValuesUnderThePointer(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.wholeAxis()
	f := d.Model.Flight()
	mid, along := d.guesses.Chart().Area.Center(), d.axis.Plot()
	dot := d.distribution.Dots().Dots[7].At
	var place draw.Point // of a track that no other flight lies over
	for from := range d.Model.Ensemble.Members[9].Path.Pieces {
		if p := d.plan.Map.Camera.Screen(float64(from.X), float64(from.Y)); d.plan.ShownAt(p) == nil {
			place = p
		}
	}
	for want, at := range map[string]draw.Point{
		"the guess is off by":  {X: mid.X, Y: d.guesses.Chart().Area.Y + 3},
		"altitude":             d.Layout.Acceleration.Center(),
		"recognised":           dot,
		"the same flight from": {X: along.PX(0.2), Y: along.Area.Center().Y},
		"Click to see it":      place,
		"on show":              d.plan.Map.Camera.Place(f.Samples[f.HandoverSample].R),
	} {
		if text := d.hint(at); !strings.Contains(text, want) {
			t.Errorf("at %v: %q, want %q", at, text, want)
		}
	}
	g := d.Model.Experiment.Mission.Grid
	at := g.Position(g.Goal)
	text := d.plan.PlaceText(d.plan.Map.Camera.Screen(at.X, at.Y))
	east := chart.Fixed(math.Abs(at.X), 1) + " km " + either(at.X < 0, "west", "east")
	for _, want := range []string{east, "; noise north "} {
		if !strings.Contains(text, want) {
			t.Errorf("at the goal: %q, want %q", text, want)
		}
	}
	if before := d.layers[topLayer].List.Vertices(); d.hint(draw.Point{X: d.Layout.Map.X + 30,
		Y: d.Layout.Map.Bottom() - 60}) != "" || d.layers[topLayer].List.Vertices() == before {
		t.Error("the values of a place on the map are not written")
	}
	d.step(ui.Input{Outside: true})
	d.step(ui.Input{Pointer: d.Layout.Map.Center(), Touch: true, Down: true})
	if d.step(ui.Input{Pointer: d.Layout.Map.Center(), Touch: true, Down: true, Long: true}); d.UI.HintText() == "" {
		t.Error("a finger that rests on the map learns nothing")
	}
	i := f.FirstWithin(100)
	if f.Errors.DistanceKm[i] > 100 || f.Errors.DistanceKm[i-1] <= 100 {
		t.Errorf("sample %d is %v km off", i, f.Errors.DistanceKm[i])
	}
}

// Anyone who watches can be chosen from a list, and the flights are judged by them.
func TestChooseWhoWatches(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		before := d.Model.Private.Run.DetectionKm
		d.do("observer")
		d.step(ui.Input{Outside: true})
		last := adversary.Names()[1]
		d.clickOn("watcher." + last)
		d.step(ui.Input{Outside: true})
		if d.shows(watcherSection)() || d.Model.Config.Adversary.Observer != last ||
			d.Model.Private.Run.DetectionKm == before {
			t.Errorf("%s watches, recognised at %v km, before %v; the list is open: %v", d.Model.Config.Adversary.Observer,
				d.Model.Private.Run.DetectionKm, before, d.shows(watcherSection)())
		}
	}
}

// A finger that rests on a chart, the line of time or a slider asks for values and changes nothing.
func TestRestingFingersChangeNothing(t *testing.T) {
	d := newDesk(t, 360, 740)
	d.wholeAxis()
	d.Model.Clock.Playing = false
	d.Model.Clock.Seek(50)
	for id, tab := range map[string]layout.Tab{"epsilon": layout.TabSettings, "scrubber": layout.TabSettings,
		"error":        layout.TabGuess,
		"error.radius": layout.TabGuess, "axis": layout.TabMap} {
		d.Tab = tab
		d.step(ui.Input{Outside: true})
		before, time := d.Model.Config, d.Model.Clock.TimeS
		r := d.widget(id)
		finger := ui.Input{Pointer: draw.Point{X: r.X + 0.7*r.W, Y: r.Y + 0.3*r.H}, Touch: true, Down: true}
		d.step(finger)
		finger.Long = true
		d.step(finger)
		d.step(ui.Input{Pointer: finger.Pointer, Touch: true})
		if now := d.Model.Config; !reflect.DeepEqual(now.Privacy, before.Privacy) || now.Adversary != before.Adversary ||
			d.Model.Clock.TimeS != time {
			t.Errorf("%s: %+v, %+v, at %v s", id, now.Privacy, now.Adversary, d.Model.Clock.TimeS)
		}
	}
}

// Who clicks on the line of time, in the chart of the guess, or on the moment to type another, looks at that: the clock
// stops there.
func TestMomentsAreLookedAt(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Folded = 0
	for _, id := range []string{"scrubber", "error"} {
		d.Model.Clock.TimeS, d.Model.Clock.Playing = 0, true
		if d.clickOn(id); d.Model.Clock.Playing || d.Model.Clock.TimeS == 0 {
			t.Errorf("%s clicked, the clock is at %v s and plays: %v", id, d.Model.Clock.TimeS, d.Model.Clock.Playing)
		}
	}
	d.clickOn("time.value")
	d.Model.Clock.Playing = true
	d.press("2", "0", ui.Enter)
	if d.Model.Clock.Playing || d.Model.Clock.TimeS != 20 {
		t.Errorf("typed, the clock is at %v s and plays: %v", d.Model.Clock.TimeS, d.Model.Clock.Playing)
	}
}

// What is typed is set as it is, and what a slider is moved to reads well.
func TestTypedNumbersAreSet(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for id, typed := range map[string]float64{"epsilon": 0.12345, "radius": 12.345, "lambda": 0.1234, "runs": 77,
		"demand": 56.37} {
		c := d.row(id)
		c.to(typed)
		if c.get() != typed {
			t.Errorf("%s is set to %v, typed was %v", id, c.get(), typed)
		}
		err := d.Operate(id, fmt.Sprint(typed))
		if err != nil || c.get() != c.round(typed) || c.get() == typed && id != "runs" {
			t.Errorf("%s is moved to %v, want %v; %v", id, c.get(), c.round(typed), err)
		}
	}
}

// A link to the first run of the first view names it, since a first view chooses the run itself.
func TestLinkNamesSomething(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.Model.Select(0)
	d.Model.Clock.TimeS = 0
	if link := d.Link(); link == "" {
		t.Error("the link to what is on show is empty")
	}
}
