package screen

import (
	"flag"
	"math"
	"runtime"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// dragged is 108,000 for half an hour of dragging at 60 frames/s, which takes minutes; .ci/viewer drags for fewer.
var dragged = flag.Int("dragged", 0, "frames of TestDraggingOnTakesNoMemory, such as 6000")

// Dragging on takes no more memory: epsilon, the map, the radius, the clock and the decay in turn.
func TestDraggingOnTakesNoMemory(t *testing.T) {
	if *dragged == 0 {
		t.Skip("takes as long as -dragged says; .ci/viewer runs it")
	}
	d := unsharedDesk(t)
	frame := 0
	stretch := func(frames int) uint64 {
		for range frames {
			d.dragOn(frame)
			frame++
		}
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	first := stretch(10 * heldFor)
	last := stretch(*dragged)
	t.Logf("%d bytes, after %d frames more %d", first, *dragged, last)
	const most = 16 << 20 // bytes: what is remembered of flights, which goes up and down by 10 MB, and 1 kB a frame of 6,000
	if last > first+most {
		t.Error("dragging on takes memory")
	}
}

// heldFor is how many frames something is dragged before the next.
const heldFor = 60

// unsharedDesk is a desk whose experiments nothing but its model keeps.
func unsharedDesk(t *testing.T) *desk {
	t.Helper()
	c := configs.Default()
	c.Study.Runs = 20
	m, err := model.New(c, model.Crews{SurveyRuns: 1, AxisRuns: 1}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	d := &desk{t: t, shell: &shell{}, width: 1280, height: 800}
	if d.Screen, err = New(m, d.shell, true, time.Now); err != nil {
		t.Fatal(err)
	}
	d.step(ui.Input{Outside: true})
	return d
}

// dragOn is frame i of a long drag, which takes hold of one thing after the other.
func (d *desk) dragOn(i int) {
	across := 0.5 + 0.4*math.Sin(float64(i)/17)
	what := [...]string{"epsilon", "map", "radius", "scrubber", "lambda"}[i/heldFor%5]
	r := d.widget(what)
	at := draw.Point{X: r.X + across*r.W, Y: r.Center().Y + across*float64(either(what == "map", 40, 0))}
	d.step(ui.Input{Pointer: at, Down: i%heldFor > 0 && i%heldFor < heldFor-1, ElapsedS: 1. / 60})
	d.Model.Work()
}
