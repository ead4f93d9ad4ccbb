package screen

import (
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/draw"
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
	mid, dots := d.errorPlot().area.Center(), d.distributionPlot()
	dot := d.dots().dots[7].at
	track := d.Model.Ensemble.Members[9].Path[0]
	place := track[len(track)/2]
	for want, at := range map[string]draw.Point{
		"the guess is off by": {X: mid.X, Y: d.errorPlot().area.Y + 3},
		"altitude":            d.layout.Acceleration.Center(),
		"recognised":          dot,
		"on average":          d.surveyArea().Center(),
		"the same from":       d.axisArea().Center(),
		"recognised farther":  {X: dots.px(40), Y: dots.area.Center().Y},
		"Click to see it":     d.camera.Screen(float64(place.X), float64(place.Y)),
	} {
		if text := d.hint(at); !strings.Contains(text, want) {
			t.Errorf("at %v: %q, want %q", at, text, want)
		}
	}
	g := d.Model.Experiment.Mission.Grid
	at := g.Position(g.Goal)
	text := d.placeText(d.camera.Screen(at.X, at.Y))
	for _, want := range []string{fixed(at.X, 1) + " km east", "private reward", "the policy goes"} {
		if !strings.Contains(text, want) {
			t.Errorf("at the goal: %q, want %q", text, want)
		}
	}
	if before := d.layers[3].List.Vertices(); d.hint(draw.Point{X: d.layout.Map.X + 30, Y: d.layout.Map.Bottom() - 60}) != "" || d.layers[3].List.Vertices() == before {
		t.Error("the values of a place on the map are not written")
	}
	d.step(ui.Input{Outside: true})
	d.step(ui.Input{Pointer: d.layout.Map.Center(), Touch: true, Down: true})
	if d.step(ui.Input{Pointer: d.layout.Map.Center(), Touch: true, Down: true, Long: true}); d.UI.HintText() == "" {
		t.Error("a finger that rests on the map learns nothing")
	}
	i := f.FirstWithin(100)
	if f.Errors.DistanceKm[i] > 100 || f.Errors.DistanceKm[i-1] <= 100 {
		t.Errorf("sample %d is %v km off", i, f.Errors.DistanceKm[i])
	}
}

// Whoever watches can be chosen from a list, and the flights are judged by them.
func TestChooseWhoWatches(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		before := d.Model.Private.Run.DetectionKm
		d.press("m")
		d.step(ui.Input{Outside: true})
		last := adversary.Names()[1]
		d.clickOn("watcher." + last)
		d.step(ui.Input{Outside: true})
		if d.ShowObservers || d.Model.Config.Adversary.Observer != last || d.Model.Private.Run.DetectionKm == before {
			t.Errorf("%s watches, recognised at %v km, before %v; the list is open: %v", d.Model.Config.Adversary.Observer, d.Model.Private.Run.DetectionKm, before, d.ShowObservers)
		}
	}
}
