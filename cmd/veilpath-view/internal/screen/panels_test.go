package screen

import (
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Every panel of a wide window folds away, leaves its room to others, and comes back from the list.
func TestPanelsFold(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {2560, 1440}} {
		d := newDesk(t, size[0], size[1])
		whole := d.Layout
		for p := layout.PanelAxis; p <= layout.PanelBelief; p++ {
			if d.Layout.Place(p).Empty() {
				continue // of larger windows, or of an observer of the goal
			}
			d.clickOn("fold." + layout.PanelNames[p])
			d.step(ui.Input{Outside: true})
			if !d.Layout.Place(p).Empty() {
				t.Errorf("%v: %s does not fold", size, layout.PanelNames[p])
			}
			d.do("panels")
			d.clickOn("panel." + layout.PanelNames[p])
			d.step(ui.Input{Outside: true})
			if d.Layout != whole || d.palette.Open {
				t.Errorf("%v: %s does not come back", size, layout.PanelNames[p])
			}
		}
		d.do("panels")
		d.clickOn("panel.all")
		d.step(ui.Input{Outside: true})
		if l := &d.Layout; !l.Side.Empty() || !l.Altitude.Empty() || l.Map.W < size[0]-3*layout.Gap ||
			l.Map.H < whole.Map.H+50 {
			t.Errorf("%v: folded away, the map is %v, the strips %v", size, l.Map, l.Altitude)
		}
		other := newDesk(t, size[0], size[1])
		other.Follow(d.Link())
		other.step(ui.Input{Outside: true})
		if other.Layout != d.Layout {
			t.Errorf("%v: %s folds other panels", size, d.Link())
		}
	}
}

// At first the panels that are seldom asked for are away. What is folded is remembered for the next time, and a panel
// that is asked for in a window without room for it has others fold away.
func TestFoldedPanelsAreRemembered(t *testing.T) {
	d := newDesk(t, 1024, 640)
	d.Folded = layout.UsuallyFolded
	d.step(ui.Input{Outside: true})
	if l := &d.Layout; l.Along.Empty() || l.Distribution.Empty() || !l.Controls.Empty() ||
		!l.Error.Empty() || !l.Altitude.Empty() || !d.readingsArea().Empty() {
		t.Errorf("at first on show: %+v", l)
	}
	d.do("privacy")
	if d.Layout.Controls.Empty() {
		t.Error("Privacy shows no settings")
	}
	for _, p := range []layout.Panel{layout.PanelGuess} {
		d.do("panel." + layout.PanelNames[p])
		if d.Layout.Place(p).H < layout.LeastPanel {
			t.Errorf("%s has %v", layout.PanelNames[p], d.Layout.Place(p))
		}
	}
	again := newDesk(t, 1024, 640)
	again.shell.kept = d.shell.kept
	if again.Recall(); again.Folded != d.Folded || d.Folded == layout.UsuallyFolded {
		t.Errorf("folded were %v, the next time %v", d.Folded, again.Folded)
	}
}

// A large window shows more panels at once.
func TestLargeWindowsShowMore(t *testing.T) {
	d := newDesk(t, 2560, 1440)
	d.Heat, d.Folded = answer.HeatBelief, 0
	d.step(ui.Input{Outside: true})
	if d.Layout.Belief.Empty() || d.Layout.Error.Empty() {
		t.Error("the belief takes the place of the guess")
	}
	if small := layout.New(1280, 800, layout.Shape{Belief: true}); !small.Belief.Empty() {
		t.Error("a usual window shows panels that it has no room for")
	}
}
