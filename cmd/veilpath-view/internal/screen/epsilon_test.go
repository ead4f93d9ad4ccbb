package screen

import (
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// wholeAxis waits until the axis of all runs is there.
func (d *desk) wholeAxis() {
	for !d.Model.AxisComplete() {
		d.Model.Work()
		d.step(ui.Input{ElapsedS: 0.1, Outside: true})
	}
}

// Dragging along the chart of epsilon shows the flights and the mean there in the same frame; nothing is flown.
func TestDragAlongTheAxis(t *testing.T) {
	for name, size := range map[string][2]float64{"below the slider": {1280, 800}, "in the panel": {1024, 640},
		"on a phone": {360, 740}} {
		t.Run(name, func(t *testing.T) {
			d := newDeskOf(t, size[0], size[1], 0)
			d.wholeAxis()
			d.Tab = layout.TabMap // of a phone
			d.step(ui.Input{Outside: true})
			area := d.widget("axis")
			place := func(epsilon float64) draw.Point {
				return draw.Point{X: area.X + area.W*panel.EpsilonScale.Share(epsilon), Y: area.Center().Y}
			}
			d.step(ui.Input{Pointer: place(0.2)})
			d.step(ui.Input{Pointer: place(0.2), Down: true})
			for _, epsilon := range []float64{0.3, 0.9, 3} {
				d.step(ui.Input{Pointer: place(epsilon), Down: true})
				if got := d.Model.Config.Privacy.Epsilon; math.Abs(got/epsilon-1) > 0.01 {
					t.Errorf("epsilon %v, dragged to %v", got, epsilon)
				}
				if !d.Model.Ensemble.Complete() {
					t.Errorf("at epsilon %v %d of %d flights are there", epsilon, d.Model.Ensemble.Fresh, d.Model.Runs())
				}
				c := d.Model.MeanAlong(false)
				i := answer.PlaceAlong(c.Epsilons, d.Model.Config.Privacy.Epsilon)
				if mean := d.Model.Ensemble.Summary().MeanKm; math.Abs(mean-c.Mean[i]) > 0.5 {
					t.Errorf("at epsilon %v the mean is %v km, the curve there %v", epsilon, mean, c.Mean[i])
				}
			}
			d.step(ui.Input{Pointer: place(3)})
		})
	}
}

// The slider has a tick wherever the flight on show changes, and the chart says how far the flight reaches.
func TestBreaksOfTheFlightOnShow(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.wholeAxis()
	breaks := slices.Clone(d.Breaks())
	if len(breaks) < 2 {
		t.Fatalf("the flight changes at %v", breaks)
	}
	d.Model.SetEpsilon(breaks[0] * 0.999)
	before := d.Model.Private.Samples
	d.Model.SetEpsilon(breaks[0] * 1.001)
	if slices.Equal(before, d.Model.Private.Samples) {
		t.Errorf("at epsilon %v the flight does not change", breaks[0])
	}
	d.Model.Select(1)
	d.step(ui.Input{Outside: true})
	if slices.Equal(breaks, d.Breaks()) {
		t.Error("another run has the same ticks")
	}
	if text := d.AxisText(1); !strings.Contains(text, "run 1 ") || !strings.Contains(text, "95 %") {
		t.Errorf("at epsilon 1 the chart says %q", text)
	}
	// What the chart says is the same between two ticks, and another on either side of one.
	d.Model.Select(3)
	d.step(ui.Input{Outside: true})
	said := func(epsilon float64) string {
		_, text, _ := strings.Cut(d.AxisText(epsilon), "; run")
		return text
	}
	ends := append(slices.Clone(d.Breaks()), model.MaxEpsilon)
	for i, low := range ends[:len(ends)-1] {
		const edge = 1.001
		if a, b := said(low*edge), said(ends[i+1]/edge); a != b || a == "" || a == said(low/edge) {
			t.Errorf("between ticks at ε %v and %v the chart says %q and %q, before %q", low, ends[i+1], a, b, said(low/edge))
		}
	}
	d.Model.SetRadius(0.001)
	if text := said(1); !strings.Contains(text, " 3 never, the same flight") {
		t.Errorf("a flight that is never recognised reads %q", text)
	}
	d.Model.SetShown(model.ShowDirect)
	if len(d.Breaks()) > 0 {
		t.Error("the direct flight changes with epsilon")
	}
}

// The chart along epsilon reaches no less far while epsilon is dragged, when the band that it reached to is left out.
func TestAxisStaysWhileDragged(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	usual := d.axis.Plot().Y.High
	const far = 400 // km
	d.axis.FarKm = far
	at := d.widget("epsilon").Center()
	for i, want := range []float64{far, far, usual} {
		d.step(ui.Input{Pointer: draw.Point{X: at.X + float64(i), Y: at.Y}, Down: i < 2, ElapsedS: 1})
		d.step(ui.Input{Pointer: draw.Point{X: at.X + float64(i), Y: at.Y}, Down: i < 2, ElapsedS: 1})
		if now := d.axis.Plot().Y.High; now != want {
			t.Errorf("step %d: the chart reaches to %v km, want %v", i, now, want)
		}
	}
}
