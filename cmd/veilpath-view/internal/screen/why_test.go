package screen

import (
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// The sentence says of every flight what is true of it.
func TestWhySentences(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.3)
	for !d.Model.Ensemble.Complete() {
		d.Model.Work()
		d.step(ui.Input{Outside: true})
	}
	said := map[string]int{}
	for run := range 60 {
		d.Model.Select(run)
		f, text := d.Model.Flight(), d.Why().Sentence
		w, _ := d.Model.Why()
		if f.Run.Fallback != strings.Contains(text, "It is a fall-back") ||
			(w.Steered && !strings.Contains(text, answer.Degrees(w.OffDeg))) {
			t.Errorf("run %d, %+v: %s", run, f.Run, text)
		}
		if passing := strings.Contains(text, "in passing"); passing != w.Passing(f) ||
			!strings.Contains(text, "are at") {
			t.Errorf("run %d: %s", run, text)
		}
		if strings.Contains(text, "came within ρ in passing") {
			first, rho := f.Detection.Sample, d.Model.Config.Adversary.RadiusKm
			for first > 0 && f.Errors.ErrorKm[first-1] < rho {
				first--
			}
			if !strings.Contains(text, "came within ρ in passing at "+answer.When(f, first)) {
				t.Errorf("run %d, within ρ from %s on: %s", run, answer.When(f, first), text)
			}
		}
		for _, part := range []string{"in passing", "and stayed."} {
			if strings.Contains(text, part) {
				said[part]++
			}
		}
	}
	if said["in passing"] == 0 || said["and stayed."] == 0 {
		t.Errorf("said %v", said)
	}
	d.do("direct")
	if text := d.Why().Sentence; !strings.Contains(text, "heads for the target from the start, 0.0°") {
		t.Error(text)
	}
	d.do("planned")
	d.Model.SetRadius(model.MinRadius / 1000)
	if text := d.Why().Sentence; !strings.Contains(text, "never stayed within ρ") {
		t.Error(text)
	}
	d.Model.SetRadius(model.MaxRadius)
	if text := d.Why().Sentence; !strings.Contains(text, "Still between waypoints") {
		t.Error(text)
	}
}

// Under the rule that guesses must stay, no sentence speaks of steps in a row.
func TestTheRuleThatStaysIsTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("folded=none&adversary.rule=must_stay&adversary.radius_km=5")
	d.Model.Work()
	d.step(ui.Input{Outside: true})
	f := d.Model.Flight()
	if d.Model.Message.Wrong || !f.Run.Detected {
		t.Fatalf("%s; recognised: %v", d.Model.Message.Text, f.Run.Detected)
	}
	text := d.EventText(model.Event{Kind: model.Recognised, Sample: f.Detection.Sample})
	if !strings.Contains(text, "from here on the guess stays within ρ") {
		t.Error(text)
	}
	if hint := d.hint(d.widget("radius").Center()); !strings.Contains(hint, "all further guesses fall") {
		t.Error(hint)
	}
}

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

// The sentence of why fits everywhere, and names the part of the ensemble that the flight belongs to.
func TestWhyFits(t *testing.T) {
	d := newDesk(t, 2560, 1440)
	list := draw.NewList(d.Atlas())
	for run := range 20 {
		d.Model.Select(run)
		d.step(ui.Input{Outside: true})
		w, _ := d.Model.Why()
		f, text := d.Model.Flight(), d.Why().Sentence
		former := f.Run.DetectionKm >= w.Humps.Far.NearKm
		if strings.Contains(text, "in the far hump.") != former || strings.Contains(text, "in the near hump.") == former {
			t.Errorf("run %d, recognised at %v km: %s", run, f.Run.DetectionKm, text)
		}
		for size, at := range map[[2]float64]func(*layout.Layout) draw.Rect{
			{1024, 640}:  func(l *layout.Layout) draw.Rect { return l.Headline.Trim(4, l.WhyAt(), 4, 0) },
			{1280, 800}:  func(l *layout.Layout) draw.Rect { return l.Headline.Trim(4, l.WhyAt(), 4, 0) },
			{1920, 1200}: func(l *layout.Layout) draw.Rect { return l.Headline.Trim(4, l.WhyAt(), 4, 0) },
			{360, 740}:   func(l *layout.Layout) draw.Rect { return l.Why },
		} {
			l := layout.New(size[0], size[1], layout.Shape{Tab: layout.TabWhy})
			if lines := list.Wrap(d.Theme().Small, text, at(&l).W); layout.WhyRow*float64(len(lines)) > at(&l).H {
				t.Errorf("%v, run %d: %d lines do not fit into %v: %s", size, run, len(lines), at(&l), text)
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
