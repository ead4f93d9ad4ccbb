package screen

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// resize shows a frame in a window of another size.
func (d *desk) resize(width, height float64) {
	d.width, d.height = width, height
	d.step(ui.Input{Outside: true})
}

// Sizing a window there and back ends where it began, however often, and whether or not the map was moved.
func TestResizingBackRestoresTheMap(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, moved := range []bool{false, true} {
		if moved {
			d.step(ui.Input{Pointer: d.Layout.Map.Center(), Wheel: 3})
			d.drag(d.Layout.Map.Center(), draw.Point{X: d.Layout.Map.Center().X + 70, Y: d.Layout.Map.Center().Y})
		}
		before := d.plan.Map.Camera
		for range 20 {
			// on some a panel leaves the map no room
			for _, size := range [][2]float64{{500, 900}, {2560, 600}, {320, 480}, {100, 80}, {360, 740}, {1280, 800}} {
				d.resize(size[0], size[1])
			}
		}
		const rounding = 1e-9 // relative
		if math.Abs(d.plan.Map.Camera.PointsPerKm/before.PointsPerKm-1) > rounding ||
			d.plan.Map.Camera.CenterX != before.CenterX ||
			d.plan.Map.Camera.CenterY != before.CenterY {
			t.Errorf("moved %v: the camera went from %+v to %+v", moved, before, d.plan.Map.Camera)
		}
	}
}

func entries(n int) []Entry {
	list := make([]Entry, n)
	for i := range list {
		list[i] = Entry{Name: fmt.Sprintf("study-%03d", i), Verb: "study",
			Load: func() (recording.Files, error) { return recording.Files{}, errors.New("opened") }}
	}
	return list
}

// Every recording of a long list can be reached by the wheel, by the keys and by a finger.
func TestLibraryScrolls(t *testing.T) {
	const last = "library.study-119"
	for name, scroll := range map[string]func(*desk){
		"wheel":  func(d *desk) { d.step(ui.Input{Pointer: d.Layout.Window.Center(), Wheel: -5}) },
		"key":    func(d *desk) { d.press(ui.End) },
		"finger": func(d *desk) { d.swipe(draw.Point{X: 640, Y: 600}, draw.Point{X: 640, Y: 200}) },
	} {
		d := newDesk(t, 1280, 800)
		d.Library = entries(120)
		d.palette.Begin(recordSection)
		for i := 0; ; i++ {
			d.step(ui.Input{Outside: true})
			if r, ok := d.UI.Regions()[last]; ok && r.H > 20 {
				break
			}
			if i == 200 {
				t.Fatalf("%s: the last recording is not reached", name)
			}
			if scroll(d); !d.shows(recordSection)() {
				t.Fatalf("%s: scrolling opened a recording", name)
			}
		}
		if d.clickOn(last); d.shows(recordSection)() {
			t.Errorf("%s: the last recording is not opened", name)
		}
	}
}

// swipe moves a finger.
func (d *desk) swipe(from, to draw.Point) {
	d.step(ui.Input{Pointer: from, Touch: true, Down: true})
	for i := 1; i <= 4; i++ {
		f := float64(i) / 4
		d.step(ui.Input{Pointer: draw.Point{X: from.X + f*(to.X-from.X), Y: from.Y + f*(to.Y-from.Y)}, Touch: true,
			Down: true})
	}
	d.step(ui.Input{Pointer: to, Touch: true})
	d.step(ui.Input{Pointer: to, Touch: true, Outside: true})
}

// What a folder does not hold is said, and a recording that is damaged does not hide the next.
func TestOffer(t *testing.T) {
	broken := Entry{Name: "old", Problem: "manifest.json is cut short"}
	for _, test := range []struct {
		entries []Entry
		want    string
	}{
		{nil, "out holds no recorded run"},
		{[]Entry{broken}, "old: manifest.json is cut short"},
		{append(entries(1), broken), "study-000: opened"},
	} {
		d := newDesk(t, 1280, 800)
		d.Offer("out", test.entries)
		for range 100 {
			if d.step(ui.Input{Outside: true}); d.Model.Message.Text != "" {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if m := d.Model.Message; !m.Wrong || !strings.Contains(m.Text, test.want) {
			t.Errorf("%d entries: %+v, want %q", len(test.entries), m, test.want)
		}
	}
}

// recordedStudy is what veilpath study writes of a few runs; swept goes through two decays.
func recordedStudy(t *testing.T, swept bool) recording.Files {
	t.Helper()
	c := configs.Default()
	c.Study.Runs, c.Study.Epsilons = 12, []float64{0.4, 1}
	config, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	sweep := ""
	if swept {
		sweep = `"sweep": [{"key":"adversary.lambda_per_s","type":"number","values": [0.1, 0.3]}], `
	}
	return recording.Files{
		Manifest: fmt.Appendf(nil, `{"program": "veilpath", "verb": "study", "complete": true, "runs": 12, %s"config": %s}`,
			sweep, config),
		Summary: []byte("epsilon,runs,mean_km\n0.4,12,50\n1,12,55\n"),
	}
}

// await steps until something is so.
func (d *desk) await(what string, ok func() bool) {
	d.t.Helper()
	for range 300 {
		if d.step(ui.Input{Outside: true}); ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	d.t.Fatalf("waited in vain for %s; said %q", what, d.Model.Message.Text)
}

// When the first recording is damaged, the next is opened, and the damage is said.
func TestOfferGoesOnToTheNext(t *testing.T) {
	d := newDesk(t, 1280, 800)
	list := entries(3)
	study := recordedStudy(t, false)
	list[2].Load = func() (recording.Files, error) { return study, nil }
	d.Offer("out", list)
	d.await("the third recording", func() bool { return d.Model.Record != nil })
	if m := d.Model.Message; d.Model.Record.Name != "study-002" || !m.Wrong ||
		!strings.Contains(m.Text, "study-000: opened") || !strings.Contains(m.Text, "shown is study-002") {
		t.Errorf("%s; said %+v", d.Model.Record.Name, m)
	}
}

// A recording that is opened plays, but not where nothing is to move by itself.
func TestRecordingsPlayUnlessStill(t *testing.T) {
	study := recordedStudy(t, false)
	for _, still := range []bool{false, true} {
		list := entries(1)
		list[0].Load = func() (recording.Files, error) { return study, nil }
		d := newDesk(t, 1280, 800)
		d.Still = still
		d.Offer("out", list)
		d.await("the recording", func() bool { return d.Model.Record != nil })
		if d.Model.Clock.Playing == still {
			t.Errorf("still %v: playing %v", still, d.Model.Clock.Playing)
		}
		d.Model.Record = nil
		d.Open("dropped", fstest.MapFS{recording.ManifestName: {Data: study.Manifest}, "summary.csv": {Data: study.Summary}})
		if d.Model.Record == nil || d.Model.Clock.Playing == still {
			t.Errorf("still %v, dropped: playing %v; %s", still, d.Model.Clock.Playing, d.Model.Message.Text)
		}
	}
}

// A link names the recording and the panel: who follows it among the same recordings sees both.
func TestLinkHoldsRecordingAndPanel(t *testing.T) {
	list := entries(2)
	study := recordedStudy(t, false)
	list[1].Load = func() (recording.Files, error) { return study, nil }
	d := newDesk(t, 360, 740)
	d.Library = list
	d.openEntry(1, asked{})
	d.await("the recording", func() bool { return d.Model.Record != nil })
	d.Model.Select(3)
	d.tap("tab.flights")
	link := d.Link()
	if !strings.Contains(link, "recording=study-001") || !strings.Contains(link, "panel=flights") {
		t.Fatal(link)
	}
	other := newDesk(t, 360, 740)
	other.Library = list
	other.Follow(link)
	other.await("the recording of the link", func() bool {
		return other.Model.Record != nil && other.Model.RunNumber == 3
	})
	if other.Tab != layout.TabFlights || other.Link() != link {
		t.Errorf("panel %d; followed\n%s, which gives\n%s", other.Tab, link, other.Link())
	}
	other.Follow("run=2")
	if other.Model.Record != nil || other.Model.RunNumber != 2 || other.Tab != layout.TabSettings {
		t.Errorf("a link without a recording leaves %+v", other.Model.Record)
	}
	alone := newDesk(t, 360, 740)
	alone.Follow(link)
	if m := alone.Model.Message; !m.Wrong || !strings.Contains(m.Text, "study-001") || alone.Model.RunNumber != 3 {
		t.Errorf("where the recording is not: run %d, said %+v", alone.Model.RunNumber, m)
	}
}

// The points of a sweep are on offer, with the one in force.
func TestChoosingAPointOfASweep(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if _, ok := d.UI.Regions()["bar.points"]; ok {
		t.Error("points are on offer without a sweep")
	}
	if err := d.Model.OpenRecord("swept", recording.ManifestName, recordedStudy(t, true)); err != nil {
		t.Fatal(err)
	}
	d.step(ui.Input{Outside: true})
	d.do("points")
	d.step(ui.Input{Outside: true})
	d.clickOn("point.1")
	if d.shows(pointSection)() || d.Model.Config.Adversary.LambdaPerS != 0.3 || d.Model.Point() != 1 {
		t.Errorf("lambda %v, point %d", d.Model.Config.Adversary.LambdaPerS, d.Model.Point())
	}
}

// Two fingers zoom the map about the place between them, and move it.
func TestPinchZoomsTheMap(t *testing.T) {
	d := newDesk(t, 1280, 800)
	at := d.Layout.Map.Center()
	x, y := d.plan.Map.Camera.World(at)
	scale := d.plan.Map.Camera.PointsPerKm
	d.step(ui.Input{Touch: true, Pinch: 1.5, PinchAt: draw.Point{X: at.X + 10, Y: at.Y}, PinchBy: draw.Point{X: 10}})
	const rounding = 1e-9
	p := d.plan.Map.Camera.Screen(x, y)
	if math.Abs(d.plan.Map.Camera.PointsPerKm/scale-1.5) > rounding || math.Abs(p.X-at.X-10)+math.Abs(p.Y-at.Y) > 1e-6 {
		t.Errorf("the place between the fingers went to %v, the scale from %v to %v", p, scale, d.plan.Map.Camera.PointsPerKm)
	}
}

// A finger that taps shows the run of a dot; one that rests on it says what it is and shows nothing.
func TestFingersOnTheDistribution(t *testing.T) {
	d := newDesk(t, 1280, 800)
	dot := d.distribution.Dots().Dots[len(d.distribution.Dots().Dots)/4]
	finger := ui.Input{Pointer: dot.At, Touch: true, Down: true}
	d.step(finger)
	finger.Long = true
	d.step(finger)
	d.step(ui.Input{Pointer: dot.At, Touch: true})
	if d.Model.RunNumber == dot.Of.Run.Run {
		t.Error("resting on a dot shows its run")
	}
	d.swipe(dot.At, dot.At)
	if d.Model.RunNumber != dot.Of.Run.Run {
		t.Errorf("a tap on the dot of run %d shows run %d", dot.Of.Run.Run, d.Model.RunNumber)
	}
}

// The error chart of a flight whose policy was given up goes by time, so that it never runs back.
func TestErrorOfAFlightThatWasGivenUp(t *testing.T) {
	d := newDesk(t, 1280, 800)
	c := d.Model.Config
	c.Planner.MaxTransitions = 5
	d.Open("short", fstest.MapFS{"short.yaml": {Data: c.YAML()}})
	d.step(ui.Input{Outside: true})
	f := d.Model.Flight()
	if !f.Run.Fallback {
		t.Fatal("the flight was not given up")
	}
	g := d.guesses.Chart()
	p, curve, last := g.Plot(), g.Errors[len(g.Errors)-1], math.Inf(-1)
	for i := range curve.N {
		s, _ := curve.At(i)
		x := p.PX(s)
		if x < last {
			t.Fatalf("sample %d lies left of the one before", i)
		}
		last = x
	}
	at := f.DurationS() / 2
	y := p.Area.Y + 4
	d.click(draw.Point{X: p.PX(at), Y: y})
	const pixel = 0.5 // s
	if math.Abs(d.Model.Clock.TimeS-at) > pixel {
		t.Errorf("a click at %v s leads to %v s", at, d.Model.Clock.TimeS)
	}
}

// A study that is open is drawn beside what the page flies, and both are called what they are.
func TestRecordedMeansAreDrawn(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if err := d.Model.OpenRecord("study", recording.ManifestName, recordedStudy(t, false)); err != nil {
		t.Fatal(err)
	}
	d.step(ui.Input{Outside: true})
	along := d.Known().Along
	if len(along) != 2 || along[0].Epsilon != 0.4 || along[0].MeanKm != 50 || along[1].MeanKm != 55 {
		t.Errorf("recorded is %+v", along)
	}
	foot := d.axis.Foot(draw.NewList(d.Atlas()), 1000)
	if !strings.Contains(foot, "flown by the page") || !strings.Contains(foot, "rings: recorded") {
		t.Errorf("the chart is %q", foot)
	}
}
