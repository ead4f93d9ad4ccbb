package screen

import (
	"testing"

	"veilpath/cmd/veilpath-view/internal/ui"
)

// The fan is laid again where its flights, their colours or their places differ, and not where something else on the
// map does.
func TestFanIsLaidWhereItDiffers(t *testing.T) {
	d := newDesk(t, 1280, 800)
	layer := d.layers[fanLayer]
	still := func() { d.step(ui.Input{Outside: true}) }
	for _, change := range []struct {
		what string
		do   func()
		laid bool
	}{
		{"nothing", still, false},
		{"the heat map", func() { d.do("map", "off") }, false},
		{"another run on show", func() { d.Model.Select(3); still() }, false},
		{"the clock", func() { d.Model.Clock.Seek(50); still() }, false},
		{"the camera", func() { d.plan.Map.Camera.Pan(10, 0); still() }, true},
		{"the theme", func() { d.do("theme") }, true},
		{"the radius", func() { d.Model.SetRadius(9); still() }, true},
		{"a new sample, of which no flight is there", func() { d.Model.NewSample(); still() }, false},
		{"its flights", func() { d.Model.Work(); still() }, true},
		{"no fan", func() { d.do("fan") }, true},
		{"the fan", func() { d.do("fan") }, true},
		{"the direct flight", func() { d.do("direct") }, true},
	} {
		before, drawn := layer.Version, d.layers[routeLayer].Version
		change.do()
		if laid := layer.Version != before; laid != change.laid {
			t.Errorf("after %s, the fan is laid anew: %v, want %v", change.what, laid, change.laid)
		}
		if stays := change.what == "nothing" || change.what == "the clock"; !stays && d.layers[routeLayer].Version == drawn {
			t.Errorf("after %s, the map is not laid anew", change.what)
		}
	}
}

// While epsilon is dragged the flights are drawn with fewer points, and let go with all of them.
func TestFanIsCoarseWhileEpsilonIsDragged(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.wholeAxis()
	d.step(ui.Input{Outside: true})
	points := d.layers[fanLayer].List.Vertices
	fine, at := points(), d.widget("epsilon").Center()
	d.step(ui.Input{Pointer: at})
	d.step(ui.Input{Pointer: at, Down: true})
	at.X += 2
	if d.step(ui.Input{Pointer: at, Down: true}); points() > fine*3/4 {
		t.Errorf("%d vertices are drawn while epsilon is dragged, %d before", points(), fine)
	}
	d.step(ui.Input{Pointer: at})
	d.Model.Work()
	if d.step(ui.Input{Outside: true}); points() < fine*9/10 {
		t.Errorf("%d vertices are drawn when epsilon is let go, %d before", points(), fine)
	}
}
