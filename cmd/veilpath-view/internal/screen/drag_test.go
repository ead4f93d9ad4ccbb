package screen

import (
	"flag"
	"math"
	"runtime"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// dragged is 108,000 for half an hour of dragging at 60 frames/s, which takes minutes; .ci/viewer drags for fewer.
var dragged = flag.Int("dragged", 0, "frames of TestDraggingOnTakesNoMemory, such as 6000")

// Dragging on takes no more memory: epsilon, the map, the radius, the clock and the decay in turn, of one run after the
// other.
func TestDraggingOnTakesNoMemory(t *testing.T) {
	if *dragged == 0 {
		t.Skip("takes as long as -dragged says; .ci/viewer runs it")
	}
	d := unsharedDesk(t)
	start := d.Link()
	frame := 0
	stretch := func(frames int) uint64 {
		for range frames {
			d.dragOn(frame)
			frame++
		}
		d.Follow(start) // so that the same is on show
		d.step(ui.Input{Outside: true})
		d.Model.Work()
		d.step(ui.Input{Outside: true})
		d.Model.Experiment.Forget() // its flights, whose memory is bounded by tests of its own
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	for range mostStates + 10 { // all that can be undone
		d.press("]")
		d.step(ui.Input{Outside: true})
	}
	first := stretch(5 * draggedRuns * heldFor)
	last := stretch(*dragged)
	t.Logf("%d bytes, after %d frames more %d", first, *dragged, last)
	const most = 4 << 20 // bytes; what is flown of runs, and the largest lists, go up and down by 2 MB
	if last > first+most {
		t.Error("dragging on takes memory")
	}
	if n := len(d.past.states); n != mostStates {
		t.Errorf("%d states can be gone back to, want %d", n, mostStates)
	}
}

// Something is dragged for heldFor frames before the next, each of a run of another number below draggedRuns.
const (
	heldFor     = 12
	draggedRuns = 7
)

// unsharedDesk is a desk whose experiments nothing but its model keeps.
func unsharedDesk(t *testing.T) *desk {
	t.Helper()
	c := configs.Default()
	c.Study.Runs = 20
	d := openDesk(t, 1280, 800, c, model.Workers{AxisRuns: 1})
	d.Folded = 0 // so that every slider is on show
	d.step(ui.Input{Outside: true})
	return d
}

// dragOn is frame i of a long drag, which takes hold of one thing after the other.
func (d *desk) dragOn(i int) {
	if i%heldFor == 0 {
		d.Model.Select(i / heldFor % draggedRuns)
	}
	across := 0.5 + 0.4*math.Sin(float64(i)/7)
	what := [...]string{"epsilon", "map", "radius", "scrubber", "lambda"}[i/heldFor%5]
	r := d.widget(what)
	at := draw.Point{X: r.X + across*r.W, Y: r.Center().Y + across*float64(either(what == "map", 40, 0))}
	d.step(ui.Input{Pointer: at, Down: i%heldFor > 0 && i%heldFor < heldFor-1, ElapsedS: 1. / 60})
	d.Model.Work()
}
