package screen

import (
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
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
		f, text := d.Model.Flight(), d.why().sentence
		w, _ := d.Model.Why()
		if f.Run.Fallback != strings.Contains(text, "given up") || (w.Steered && !strings.Contains(text, degrees(w.OffDeg))) {
			t.Errorf("run %d, %+v: %s", run, f.Run, text)
		}
		if passing := strings.Contains(text, "in passing"); passing != w.Passing(f) || !strings.Contains(text, "are recognised at") {
			t.Errorf("run %d: %s", run, text)
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
	d.press("d")
	if text := d.why().sentence; !strings.Contains(text, "heads for the target from the start, 0.0°") {
		t.Error(text)
	}
	d.press("d")
	d.Model.SetRadius(model.MinRadius / 1000)
	if text := d.why().sentence; !strings.Contains(text, "never stayed within ρ") {
		t.Error(text)
	}
	d.Model.SetRadius(model.MaxRadius)
	if text := d.why().sentence; !strings.Contains(text, "Still between waypoints") {
		t.Error(text)
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
		if d.Model.Clock.TimeS == f.TimeS(f.HandoverSample) && !strings.Contains(d.Model.Message.Text, "Privacy is disabled") {
			t.Errorf("at the hand-over: %s", d.Model.Message.Text)
		}
		if d.Model.Clock.TimeS == f.TimeS(f.Detection.Sample) && !strings.Contains(d.Model.Message.Text, "Recognised") {
			t.Errorf("at the recognition: %s", d.Model.Message.Text)
		}
	}
	if len(there) < 8 || there[len(there)-1] != f.DurationS() || !strings.Contains(d.Spoken(), "Nothing more") {
		t.Errorf("%d events, the last at %v s; said %q", len(there), there[len(there)-1], d.Spoken())
	}
	for i := len(there) - 2; i >= 0; i-- {
		if d.press("w"); d.Model.Clock.TimeS != there[i] {
			t.Errorf("back to %v s, want %v", d.Model.Clock.TimeS, there[i])
		}
	}
	mark := plot{d.layout.Scrub, d.times(), ui.Scale{High: 1}}
	before := d.lastTop.Vertices()
	d.step(ui.Input{Pointer: draw.Point{X: mark.px(f.TimeS(f.HandoverSample)) + 2, Y: d.scrubY() + 1}})
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
			for _, k := range []ui.Key{"0", "z", "z", "z", "z", "z", "v", "z", "z", "z", "z", "v", "x"} {
				d.Model.Clock.Seek(float64(10 * run))
				d.press(k)
				cards := map[string]draw.Rect{"legend": d.legendArea(), "lens": d.lensArea(), "readings": d.readingsArea()}
				for name, r := range cards {
					if r.Empty() {
						if k == "0" && size[0] > 1100 {
							t.Errorf("%v, run %d: the %s is left out", size, run, name)
						}
						continue
					}
					for _, f := range []*model.Flight{&d.Model.Private, &d.Model.Nominal} {
						for i := 1; i < len(f.Samples); i++ {
							a, b := d.camera.Screen(f.Samples[i-1].R.X, f.Samples[i-1].R.Y), d.camera.Screen(f.Samples[i].R.X, f.Samples[i].R.Y)
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

// No text of either layout is below 12 points.
func TestTextIsLegible(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d.resize(size[0], size[1])
		th := d.theme()
		for _, style := range []draw.Style{th.Body, th.Small, th.Strong, th.Title, th.Headline} {
			if style.Size < 12 {
				t.Errorf("%v: text of %v points", size, style.Size)
			}
		}
	}
}

// The panel of why has what decides, however little room there is, and says what it leaves out; the sentence fits
// everywhere, and names the part of the ensemble that the flight belongs to.
func TestWhyFits(t *testing.T) {
	d := newDesk(t, 2560, 1440)
	list := draw.NewList(d.Atlas())
	for run := range 20 {
		d.Model.Select(run)
		d.step(ui.Input{Outside: true})
		w, _ := d.Model.Why()
		f, text := d.Model.Flight(), d.why().sentence
		former := f.Run.DetectionKm >= w.Humps.Far.NearKm
		if strings.Contains(text, "of the former") != former || strings.Contains(text, "of the latter") == former {
			t.Errorf("run %d, recognised at %v km: %s", run, f.Run.DetectionKm, text)
		}
		for _, h := range []float64{800, 300, 200, 130} {
			rows := d.reasonRows(list, draw.Rect{W: 360, H: h})
			decisive, bottom := 0, 0.0
			for _, row := range rows {
				if row.event.Kind != model.Waypoint {
					decisive++
				}
				if row.area.Y != bottom || row.area.Bottom() > h {
					t.Fatalf("run %d, height %v: a row at %v after %v", run, h, row.area, bottom)
				}
				bottom = row.area.Bottom()
			}
			if h == 800 && len(rows) != len(d.why().events) || decisive < 4 {
				t.Errorf("run %d, height %v: %d of %d events, of which %d decide", run, h, len(rows), len(d.why().events), decisive)
			}
		}
		for size, at := range map[[2]float64]func(*Layout) draw.Rect{
			{1024, 640}: func(l *Layout) draw.Rect { return l.Headline.Trim(4, 49, 4, 0) },
			{1280, 800}: func(l *Layout) draw.Rect { return l.Headline.Trim(4, 49, 4, 0) },
			{360, 740}:  func(l *Layout) draw.Rect { return l.Why },
		} {
			l := NewLayout(size[0], size[1], Shape{Tab: TabWhy})
			if lines := list.Wrap(d.theme().Small, text, at(&l).W); whyRow*float64(len(lines)) > at(&l).H {
				t.Errorf("%v, run %d: %d lines do not fit into %v: %s", size, run, len(lines), at(&l), text)
			}
		}
	}
	d.toggleCompare() // which has more results
	d.saved(panelsNamed("results"), 1, func() {
		list.Reset(d.layout.Results, 1)
		if n, all := d.writeResults(list), len(d.outlineResults()); n != all {
			t.Errorf("%d of %d results are in the saved table", n, all)
		}
	})
}

// What is marked on the error chart lies on it, however far off the guess is.
func TestErrorsAreMarkedOnTheChart(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.06)
	f, p := &d.Model.Private, d.errorPlot()
	beyond := 0
	for i, e := range f.Errors.ErrorKm {
		if e > mostErrorKm || e < leastErrorKm {
			beyond++
		}
		const rounding = 1e-9 // points
		if at := d.errorAt(&p, f, i); !(at.Y >= p.area.Y-rounding && at.Y <= p.area.Bottom()+rounding) {
			t.Fatalf("sample %d, off by %g km, is marked at %v, the chart is %v", i, e, at, p.area)
		}
	}
	if beyond == 0 {
		t.Error("no guess is off by more than the chart shows")
	}
}
