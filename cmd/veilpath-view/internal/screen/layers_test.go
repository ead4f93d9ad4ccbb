package screen

import (
	"encoding/json"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// stale draws all layers again, and returns the name of one that should have been drawn before; empty for none.
func (d *desk) stale() (name string) {
	before := make([]*draw.List, len(layerRows))
	for i, layer := range d.Screen.layers {
		before[i], layer.List, layer.seen = layer.List, draw.NewList(d.Atlas()), [needs]any{}
	}
	d.step(ui.Input{Outside: true})
	for i, layer := range d.Screen.layers {
		if layerRows[i].draw != nil && !layer.List.Same(before[i]) {
			name = layer.Name
		}
	}
	return name
}

// small are settings of a mission that is planned in a moment.
const small = "planner.columns=10&planner.rows=8&planner.spacing_km=22&planner.start_cell=[0,4]" +
	"&study.runs=8&adversary.policies=2"

// Every control is used, on a laptop and in every panel of a phone. After each, every layer is as if it were drawn from
// the beginning, since it depends on no more than what it declares; the frame is laid out for what it shows, its
// vertices are numbers, and its document and its link can be read.
func TestEveryControl(t *testing.T) {
	for _, width := range []float64{1280, 360} {
		d := newDesk(t, width, 740)
		d.Follow(small)
		clock := time.Now()
		d.Screen.now = func() time.Time { return clock }
		for tab := range layout.TabNone {
			d.Tab = tab
			for i := range d.table {
				c := &d.table[i]
				if !c.offered() || c.id == "open" || c.id == "open.folder" {
					continue
				}
				switch {
				case c.isButton():
					c.do()
				default:
					c.turn(1)
				}
				d.Help.Open, d.palette.Open = false, false
				for still := 0; still < 3; { // all is flown and known
					before := d.seen
					clock = clock.Add(time.Second)
					d.settled()
					d.Model.Work()
					d.step(ui.Input{Outside: true})
					still = either(d.seen == before, still+1, 0)
				}
				if name := d.stale(); name != "" {
					t.Fatalf("%v wide, panel %d: after %s the layer %s is not drawn again", width, tab, c.id, name)
				}
				if d.Layout != d.newLayout(d.width, d.height) {
					t.Fatalf("%v wide, panel %d: after %s the frame is laid out for another state", width, tab, c.id)
				}
				d.checkVertices()
				if _, err := json.Marshal(d.Outline()); err != nil {
					t.Fatalf("%v wide, panel %d: after %s: %v", width, tab, c.id, err)
				}
				if _, err := d.parseLink(d.Link()); err != nil {
					t.Fatalf("%v wide, panel %d: after %s: %v", width, tab, c.id, err)
				}
			}
			if !d.Layout.Compact {
				break
			}
		}
	}
}
