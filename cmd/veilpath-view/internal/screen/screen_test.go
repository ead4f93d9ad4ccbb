package screen

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// shell keeps what the screen saves.
type shell struct {
	saved  map[string][]byte
	link   string
	kept   map[string]string
	choose func(folder bool)
	fail   error
	refuse bool // to copy a link
}

func (s *shell) Save(name string, data []byte) (string, error) {
	if s.saved == nil {
		s.saved = map[string][]byte{}
	}
	s.saved[name] = data
	return name, s.fail
}

func (s *shell) Remember(name, value string) {
	if s.kept == nil {
		s.kept = map[string]string{}
	}
	s.kept[name] = value
}

func (s *shell) Chooser() func(bool) { return s.choose }

func (s *shell) Recall(name string) string { return s.kept[name] }

func (s *shell) Share(fragment string, copied func(bool)) bool {
	s.link = fragment
	copied(!s.refuse)
	return true
}

// desk is a screen with somebody in front of it.
type desk struct {
	t testing.TB
	*Screen
	shell         *shell
	width, height float64
	layers        []*Layer
}

// experiments are those of all desks, which fly nothing twice.
var experiments sync.Map

// sharedExperiment returns the experiment of settings, whatever the epsilon and the radius in force.
func sharedExperiment(c configs.Config) (*study.Experiment, error) {
	plain := c
	plain.Study, plain.Privacy.Epsilon, plain.Adversary.RadiusKm = configs.Study{}, 0, 0
	made, _ := experiments.LoadOrStore(string(plain.YAML()),
		sync.OnceValues(func() (*study.Experiment, error) { return setup.Experiment(c) }))
	return made.(func() (*study.Experiment, error))()
}

// newDesk is one with the axis of a few runs alone, which is there sooner.
func newDesk(t testing.TB, width, height float64) *desk {
	t.Helper()
	return newDeskOf(t, width, height, 8)
}

// do does what a control of the table does.
func (d *desk) do(id string, value ...string) {
	d.t.Helper()
	if err := d.Operate(id, strings.Join(value, "")); err != nil {
		d.t.Fatal(err)
	}
	d.step(ui.Input{Outside: true})
}

// openDesk is one with a model of some settings, as it opens.
func openDesk(t testing.TB, width, height float64, c configs.Config, w model.Workers) *desk {
	t.Helper()
	m, err := model.New(c, w, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	d := &desk{t: t, shell: &shell{}, width: width, height: height}
	if d.Screen, err = New(m, d.shell, true, time.Now); err != nil {
		t.Fatal(err)
	}
	return d
}

// newDeskOf is one with the axis of so many runs, 0 for all, and with all that there is on show.
func newDeskOf(t testing.TB, width, height float64, axisRuns int) *desk {
	t.Helper()
	c := configs.Default()
	c.Study.Runs = 60
	d := openDesk(t, width, height, c, model.Workers{AxisRuns: axisRuns, InferencePolicies: 3,
		Experiment: sharedExperiment})
	d.Folded, d.Heat = 0, answer.HeatNoise
	for !d.Model.Ensemble.Complete() {
		d.Model.Work()
		d.step(ui.Input{ElapsedS: 0.1, Outside: true})
	}
	d.step(ui.Input{Outside: true})
	return d
}

// legend is what the legend says of the signs that are drawn.
func (d *desk) legend() (texts []string) {
	list := draw.NewList(d.Atlas())
	list.Reset(d.Layout.Window, 1)
	list.OnText = func(_ draw.Rect, _ colour, text string) { texts = append(texts, text) }
	d.plan.Shown().DrawLegend(list, draw.Rect{W: 4000, H: 400}, 1) // so wide that nothing is cut short
	return texts
}

// shown returns the entries of the palette that are listed.
func (d *desk) shown() []panel.Item { return d.palette.Found(d.offers()) }

// The cards of the map.
func (d *desk) legendArea() draw.Rect   { return d.plan.Map.Cards()[0] }
func (d *desk) readingsArea() draw.Rect { return d.plan.Map.Cards()[1] }

func (d *desk) step(in ui.Input) { d.layers = d.Advance(in, d.width, d.height, 1) }

func (d *desk) press(keys ...ui.Key) { d.step(ui.Input{Outside: true, Keys: keys}) }

// drag presses the button at one place, moves and lets go at another.
func (d *desk) drag(from, to draw.Point) {
	d.step(ui.Input{Pointer: from})
	d.step(ui.Input{Pointer: from, Down: true})
	d.step(ui.Input{Pointer: to, Down: true})
	d.step(ui.Input{Pointer: to})
}

func (d *desk) click(at draw.Point) { d.drag(at, at) }

func (d *desk) widget(id string) draw.Rect {
	d.t.Helper()
	r, ok := d.UI.Regions()[id]
	if !ok {
		d.t.Fatalf("there is no widget %q", id)
	}
	return r
}

func (d *desk) clickOn(id string) { d.t.Helper(); d.click(d.widget(id).Center()) }

// Buttons and sliders do not cover each other, nor do the cards on the map.
func TestWidgetsDoNotOverlap(t *testing.T) {
	for _, size := range [][2]float64{{1024, 640}, {1280, 800}, {2560, 1440}, {3200, 1800}} {
		d := newDesk(t, size[0], size[1])
		regions := map[string]draw.Rect{"legend": d.legendArea(), "readings": d.readingsArea(),
			"scale": d.plan.Map.Scalebar()}
		for id, r := range d.UI.Regions() {
			if id != "map" && id != "error" && id != "error.radius" {
				regions[id] = r
			}
		}
		for a, r := range regions {
			for b, q := range regions {
				if a < b && r.Overlaps(q) {
					t.Errorf("%v: %s %v and %s %v overlap", size, a, r, b, q)
				}
			}
		}
	}
}

func TestDraggingEpsilon(t *testing.T) {
	d := newDesk(t, 1280, 800)
	before := d.Model.Private.Run
	r := d.widget("epsilon")
	d.drag(draw.Point{X: r.Center().X, Y: r.Center().Y}, draw.Point{X: r.X + 60, Y: r.Y + 300})
	if e := d.Model.Config.Privacy.Epsilon; !(e < 0.5) {
		t.Errorf("epsilon %v after dragging to the left", e)
	}
	if d.Model.Private.Run == before {
		t.Error("the flight on show is the old one")
	}
}

func TestDraggingTheRadiusLine(t *testing.T) {
	d := newDesk(t, 1280, 800)
	from := d.widget("error.radius").Center()
	d.drag(from, draw.Point{X: from.X, Y: from.Y - 30})
	if r := d.Model.Config.Adversary.RadiusKm; !(r > 2) {
		t.Errorf("radius %v km after dragging the line up", r)
	}
}

func TestClickingADotShowsItsRun(t *testing.T) {
	d := newDesk(t, 1280, 800)
	dots := d.distribution.Dots().Dots
	want := dots[len(dots)/4]
	d.click(want.At)
	if d.Model.RunNumber != want.Of.Run.Run || d.Model.Private.Run != d.Model.Ensemble.Members[want.Of.Run.Run].Run {
		t.Errorf("run %d is shown, want %d", d.Model.RunNumber, want.Of.Run.Run)
	}
}

func TestScrubbing(t *testing.T) {
	d := newDesk(t, 1280, 800)
	r := d.Layout.Scrub
	d.drag(draw.Point{X: r.X + 5, Y: r.Y + 6}, draw.Point{X: r.X + r.W/2, Y: r.Y - 200})
	want := d.Times().High / 2
	const tolerance = 0.01 // s
	if math.Abs(d.Model.Clock.TimeS-want) > tolerance {
		t.Errorf("at %v s, want %v", d.Model.Clock.TimeS, want)
	}
}

func TestPanAndZoom(t *testing.T) {
	d := newDesk(t, 1280, 800)
	at := d.Layout.Map.Center()
	x, y := d.plan.Map.Camera.World(at)
	d.drag(at, draw.Point{X: at.X + 50, Y: at.Y - 20})
	p := d.plan.Map.Camera.Screen(x, y)
	const rounding = 1e-6 // points
	if math.Abs(p.X-at.X-50)+math.Abs(p.Y-at.Y+20) > rounding {
		t.Errorf("the place under the pointer went to %v", p)
	}
	scale := d.plan.Map.Camera.PointsPerKm
	d.step(ui.Input{Pointer: at, Wheel: 2})
	if d.plan.Map.Camera.PointsPerKm <= scale {
		t.Error("the wheel does not zoom in")
	}
	d.do("fit")
	if d.plan.Map.Camera != d.plan.AsFitted {
		t.Error("the whole map is not shown again")
	}
}

func TestKeys(t *testing.T) {
	d := newDesk(t, 1280, 800)
	m := d.Model
	f := m.Flight()
	m.Clock.Seek(0)
	steps := []struct {
		key ui.Key
		ok  func() bool
	}{
		{ui.Space, func() bool { return m.Clock.Playing }},
		{ui.Space, func() bool { return !m.Clock.Playing }},
		{ui.ArrowRight, func() bool { return m.Clock.TimeS == 5 }},
		{ui.ArrowLeft, func() bool { return m.Clock.TimeS == 0 }},
		{"e", func() bool { return m.Clock.TimeS == f.TimeS(d.Why().Events[1].Sample) }},
		{"w", func() bool { return m.Clock.TimeS == 0 }},
		{"]", func() bool { return m.RunNumber == 1 }},
		{"[", func() bool { return m.RunNumber == 0 }},
		{ui.ArrowUp, func() bool { return m.Config.Privacy.Epsilon == 1.1 }},
		{ui.Undo, func() bool { return m.Config.Privacy.Epsilon == 1 }},
		{ui.Redo, func() bool { return m.Config.Privacy.Epsilon == 1.1 }},
		{"c", func() bool { return m.Pair != nil }},
		{"p", func() bool { return d.Folded.Has(layout.PanelSettings) }},
		{"s", func() bool { return d.told == 1 }},
		{ui.Escape, func() bool { return d.told == 0 && m.Config.Privacy.Epsilon == 1.1 }},
		{"/", func() bool { return d.palette.Open }},
		{ui.Escape, func() bool { return !d.palette.Open }},
		{ui.Find, func() bool { return d.palette.Open }},
		{ui.Escape, func() bool { return !d.palette.Open }},
		{"?", func() bool { return d.Help.Open }},
		{ui.Escape, func() bool { return !d.Help.Open }},
	}
	for _, s := range steps {
		if d.press(s.key); !s.ok() {
			t.Errorf("the key %q did not do its work", s.key)
		}
	}
}

func TestButtons(t *testing.T) {
	d := newDesk(t, 1024, 640)
	d.clickOn("play")
	if !d.Model.Clock.Playing {
		t.Error("the play button does not play")
	}
	d.do("direct")
	if d.Model.Show != model.ShowDirect || !strings.Contains(d.Status(), "direct flight") {
		t.Error("the direct button does not show the direct flight")
	}
	d.clickOn("run.next")
	if d.Model.RunNumber != 1 || d.Model.Show == model.ShowDirect {
		t.Error("choosing a run does not show it")
	}
	d.clickOn("calibration.analytic")
	if d.Model.Config.Privacy.Calibration != configs.Analytic {
		t.Error("the calibration does not change")
	}
	d.do("help")
	d.click(draw.Point{X: 500, Y: 600})
	if d.Help.Open || d.Model.RunNumber != 1 {
		t.Error("a click closes the help and does nothing else")
	}
}

func TestWhatCannotBeOpenedIsSaid(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Open("dropped", fstest.MapFS{"cat.jpg": {Data: []byte("JFIF")}})
	d.step(ui.Input{Outside: true})
	if m := d.Model.Message; !m.Wrong || !strings.Contains(m.Text, "cat.jpg") {
		t.Errorf("message %+v", m)
	}
	d.shell.fail = errors.New("disk full")
	d.do("export.config")
	if m := d.Model.Message; !m.Wrong || !strings.Contains(m.Text, "disk full") {
		t.Errorf("message %+v", m)
	}
}

// A frame in which nothing happens is the frame before.
func TestStillFramesAreNotRedone(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for !d.Model.AxisComplete() {
		d.Model.Work()
		d.step(ui.Input{ElapsedS: 0.1, Outside: true})
	}
	time.Sleep(2 * refineEvery)
	d.step(ui.Input{Outside: true})
	versions := func() (sum uint64) {
		for _, l := range d.layers {
			sum += l.Version
		}
		return sum
	}
	before := versions()
	d.step(ui.Input{ElapsedS: 0.016, Outside: true})
	if versions() != before {
		t.Error("a still frame was redone")
	}
	d.Model.Clock.Playing = true
	d.step(ui.Input{ElapsedS: 0.016, Outside: true})
	if versions() != before+1 {
		t.Errorf("playing redid %d layers, want the moving one", versions()-before)
	}
}

// checkVertices fails for a vertex that is not a number.
func (d *desk) checkVertices() {
	d.t.Helper()
	if name := d.brokenLayer(); name != "" {
		d.t.Fatalf("layer %s has a vertex that is not a number", name)
	}
}

// brokenLayer names a layer that has such a vertex; empty for none.
func (d *desk) brokenLayer() string {
	for _, l := range d.layers {
		for _, b := range l.List.Batches() {
			for _, v := range b.Vertices {
				if math.IsNaN(float64(v.DstX)) || math.IsNaN(float64(v.DstY)) {
					return l.Name
				}
			}
		}
	}
	return ""
}

// Every size, theme and choice draws without a vertex that is not a number.
func TestEverythingDraws(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, keys := range []string{"1", "2", "3", "4", "dh", "dr", "t", "?", "fa", "n"} {
		for _, k := range keys {
			d.press(ui.Key(string(k)))
			d.checkVertices()
		}
	}
	d.Help.Open = false
	d.Model.SetRadius(model.MinRadius)
	d.Model.SetEpsilon(model.MinEpsilon)
	d.step(ui.Input{Outside: true})
	d.checkVertices()
	for range 40 {
		d.do("zoom-in")
	}
	d.checkVertices()
	for range 90 {
		d.do("zoom-out")
	}
	d.checkVertices()
	d.Open("grid", fstest.MapFS{"grid.yaml": {Data: []byte("planner:\n  columns: 60\n  rows: 60\n  spacing_km: 4\n  " +
		"start_cell: [0, 20]\nstudy:\n  runs: 3\n")}})
	d.do("map", "noise")
	d.checkVertices()
}

func BenchmarkStepPlaying(b *testing.B) {
	d := newDesk(b, 1280, 800)
	d.Model.SetRuns(200)
	for !d.Model.Ensemble.Complete() || !d.Model.AxisComplete() {
		d.Model.Work()
		d.step(ui.Input{ElapsedS: 0.1, Outside: true})
	}
	for b.Loop() {
		if !d.Model.Clock.Playing {
			d.Model.Clock.Toggle()
		}
		d.step(ui.Input{ElapsedS: 1. / 60, Outside: true})
	}
}

// BenchmarkStepEpsilon200 is the frame after a change of epsilon that lies on the axis, with 200 trajectories.
func BenchmarkStepEpsilon200(b *testing.B) {
	for _, epsilon := range []float64{0.06, 1, 12} {
		b.Run(fmt.Sprintf("epsilon=%v", epsilon), func(b *testing.B) {
			d := newDeskOf(b, 1280, 800, 200)
			d.Model.SetRuns(200)
			d.wholeAxis()
			i := 0
			for b.Loop() {
				i++
				d.Model.SetEpsilon(epsilon * (1 + float64(i%2)/100))
				d.step(ui.Input{ElapsedS: 1. / 60, Outside: true})
			}
			vertices := 0
			for _, layer := range d.layers {
				vertices += layer.List.Vertices()
			}
			b.ReportMetric(float64(vertices), "vertices")
		})
	}
}

// BenchmarkStepPanning lays the map with 200 trajectories again every frame.
func BenchmarkStepPanning(b *testing.B) {
	d := newDesk(b, 1280, 800)
	d.Model.SetRuns(200)
	for !d.Model.Ensemble.Complete() || !d.Model.AxisComplete() {
		d.Model.Work()
		d.step(ui.Input{ElapsedS: 0.1, Outside: true})
	}
	i := 0
	for b.Loop() {
		i++
		d.plan.Map.Camera.Pan(float64(i%2*2-1), 0)
		d.step(ui.Input{ElapsedS: 1. / 60, Outside: true})
	}
	b.ReportMetric(float64(d.layers[fanLayer].List.Vertices()), "vertices")
}
