package screen

import (
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// The keys go from event to event, there and back, and say what each is; so does the pointer over a mark.
func TestEventsExplainThemselves(t *testing.T) {
	d := newDesk(t, 1280, 800)
	f := d.Model.Flight()
	var there []float64
	for range 100 {
		d.press("e")
		if strings.Contains(d.Model.Message.Text, "Nothing more") {
			break
		}
		there = append(there, d.Model.Clock.TimeS)
		if d.Model.Clock.TimeS == f.TimeS(f.HandoverSample) &&
			!strings.Contains(d.Model.Message.Text, "Hand-over ") {
			t.Errorf("at the hand-over: %s", d.Model.Message.Text)
		}
		if d.Model.Clock.TimeS == f.TimeS(f.Detection.Sample) && !strings.Contains(d.Model.Message.Text, "Recognised") {
			t.Errorf("at the recognition: %s", d.Model.Message.Text)
		}
	}
	if len(there) < 8 || there[len(there)-1] != f.DurationS() {
		t.Errorf("%d events, the last at %v s", len(there), there[len(there)-1])
	}
	for i := len(there) - 2; i >= 0; i-- {
		if d.press("w"); d.Model.Clock.TimeS != there[i] {
			t.Errorf("back to %v s, want %v", d.Model.Clock.TimeS, there[i])
		}
	}
	line := d.time.Timeline()
	before := d.lastTop.Vertices()
	d.step(ui.Input{Pointer: draw.Point{X: line.X(f.TimeS(f.HandoverSample)) + 2, Y: line.Y() + 1}})
	if with := d.layers[topLayer].List.Vertices(); with <= before {
		t.Error("the pointer over a mark shows nothing")
	}
}

// What lies over the map covers nothing of the flight, wherever the map is; at the first view nothing is left out.
func TestCardsNeverCoverTheFlight(t *testing.T) {
	for _, size := range [][2]float64{{1024, 640}, {1280, 800}, {2560, 1440}} {
		d := newDesk(t, size[0], size[1])
		for run := range 12 {
			d.Model.Select(run)
			for _, k := range []string{"fit", "zoom-in", "zoom-in", "zoom-in", "zoom-in", "zoom-in",
				"zoom-in", "zoom-in", "zoom-in", "zoom-in", "zoom-out"} {
				d.Model.Clock.Seek(float64(10 * run))
				d.do(k)
				cards := map[string]draw.Rect{"legend": d.legendArea(), "readings": d.readingsArea()}
				for name, r := range cards {
					if r.Empty() {
						if k == "fit" && size[0] > 1100 {
							t.Errorf("%v, run %d: the %s is left out", size, run, name)
						}
						continue
					}
					for _, f := range []*model.Flight{&d.Model.Private, &d.Model.Nominal} {
						for i := 1; i < len(f.Samples); i++ {
							a, b := d.plan.Map.Camera.Screen(f.Samples[i-1].R.X, f.Samples[i-1].R.Y),
								d.plan.Map.Camera.Screen(f.Samples[i].R.X, f.Samples[i].R.Y)
							const pieces = 8
							for k := range pieces + 1 {
								u := float64(k) / pieces
								if p := (draw.Point{X: a.X + u*(b.X-a.X), Y: a.Y + u*(b.Y-a.Y)}); r.Contains(p) {
									t.Fatalf("%v, run %d: the %s at %v covers the flight at %v", size, run, name, r, p)
								}
							}
						}
					}
				}
			}
		}
	}
}

// What is marked on the error chart lies on it, however far off the guess is.
func TestErrorsAreMarkedOnTheChart(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.06)
	g := d.guesses.Chart()
	p, curve, beyond := g.Plot(), g.Errors[len(g.Errors)-1], 0
	for i := range curve.N {
		x, e := curve.At(i)
		if e > p.Y.High || e < p.Y.Low {
			beyond++
		}
		const rounding = 1e-9 // points
		if at := g.At(&p, [2]float64{x, e}); !(at.Y >= p.Area.Y-rounding &&
			at.Y <= p.Area.Bottom()+rounding) {
			t.Fatalf("sample %d, off by %g km, is marked at %v, the chart is %v", i, e, at, p.Area)
		}
	}
	if beyond == 0 {
		t.Error("no guess is off by more than the chart shows")
	}
}

// settled waits until the whole ensemble is flown.
func (d *desk) settled() {
	d.t.Helper()
	for !d.Model.Ensemble.Complete() {
		d.Model.Work()
		d.step(ui.Input{Outside: true})
	}
}
