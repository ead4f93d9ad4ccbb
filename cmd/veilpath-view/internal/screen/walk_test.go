package screen

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// walk is somebody who does at random what can be done.
type walk struct {
	*desk
	*rand.Rand
	seed  uint64
	now   time.Time
	steps []string // done so far
	links []string // of states that were shown
}

// small are settings of a mission that is planned in a moment.
const small = "planner.columns=10&planner.rows=8&planner.spacing_km=22&planner.start_cell=[0,4]" +
	"&study.runs=8&adversary.policies=2"

// walkFrom are links that walks begin at.
var walkFrom = func() []string {
	compared := func(own, with string) string { return small + "&kept=" + url.QueryEscape(small+"&"+with) + own }
	return []string{
		small, small + "&map=belief&t=70", small + "&run=3&t=70&map=belief&observer=geometry",
		compared("&privacy.epsilon=0.2&run=7&t=70", "privacy.epsilon=4"),
		small + "&direct=true", compared("&t=40", "privacy.epsilon=2"),
		small + "&adversary.observer=rational&run=2&t=90",
		compared("&map=noise", "privacy.mechanism=goal"), small + "&panel=flights",
		"adversary.policies=2&story=3&theme=light",
	}
}()

// walkSizes are the windows that walks are in, points.
var walkSizes = [][2]float64{{1280, 800}, {360, 740}, {740, 360}, {1024, 640}, {820, 1180}, {2560, 1440}, {100, 80}}

// newWalk begins a walk, with a few flights.
func newWalk(t *testing.T, seed uint64) *walk {
	w := &walk{Rand: rand.New(rand.NewPCG(seed, 0)), seed: seed, now: time.Unix(0, 0)}
	c := configs.Default()
	c.Study.Runs = 10
	clock := func() time.Time { return w.now }
	m, err := model.New(c, model.Workers{AxisRuns: 1, InferencePolicies: 1, Experiment: sharedExperiment},
		clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	w.desk = &desk{t: t, shell: &shell{}}
	if w.Screen, err = New(m, w.shell, true, clock); err != nil {
		t.Fatal(err)
	}
	size := walkSizes[seed%uint64(len(walkSizes))]
	w.width, w.height = size[0], size[1]
	return w
}

// do takes a step, and says how it came to it where it fails.
func (w *walk) do(what string, step func()) {
	w.t.Helper()
	w.steps = append(w.steps, what)
	defer func() {
		w.t.Helper()
		if problem := recover(); problem != nil {
			w.t.Fatalf("seed %d: %v after\n\t%s\n%s", w.seed, problem, strings.Join(w.steps, "\n\t"), debug.Stack())
		}
	}()
	step()
	w.check()
}

// frame shows a frame.
func (w *walk) frame(in ui.Input) {
	in.ElapsedS = 0.05 * w.Float64()
	w.now = w.now.Add(50 * time.Millisecond)
	w.step(in)
}

// check fails for a state that no step may lead to.
func (w *walk) check() {
	if w.Layout != w.newLayout(w.width, w.height) {
		panic("the frame is laid out for another state")
	}
	if c := &w.plan.Map.Camera; !(c.PointsPerKm > 0) || c.View != w.Layout.Map {
		panic(fmt.Sprintf("the camera is %+v, the map %+v", c, w.Layout.Map))
	}
	if len(w.steps)%5 == 0 {
		if name := w.brokenLayer(); name != "" {
			panic("a vertex of the layer " + name + " is not a number")
		}
		if _, err := json.Marshal(w.Outline()); err != nil {
			panic(err)
		}
		if _, err := w.parseLink(w.Link()); err != nil {
			panic(err)
		}
	}
}

// any returns a place in a rectangle.
func (w *walk) any(r draw.Rect) draw.Point {
	return draw.Point{X: r.X + r.W*w.Float64(), Y: r.Y + r.H*w.Float64()}
}

func pick[T any](w *walk, from []T) T { return from[w.IntN(len(from))] }

// place returns a place on a widget, by its name, or anywhere.
func (w *walk) place() (name string, at draw.Point) {
	ids := slices.Sorted(maps.Keys(w.UI.Regions()))
	if len(ids) == 0 || w.IntN(6) == 0 {
		return "the window", w.any(draw.Rect{W: w.width, H: w.height})
	}
	id := pick(w, ids)
	return id, w.any(w.UI.Regions()[id])
}

// strike presses one key or two at once.
func (w *walk) strike() {
	keys := []ui.Key{ui.Enter, ui.Backspace, "1", "7"}
	for i := range w.table {
		for _, k := range w.table[i].keys {
			keys = append(keys, k.keys...)
		}
	}
	pressed := []ui.Key{pick(w, keys)}
	if w.IntN(4) == 0 {
		pressed = append(pressed, pick(w, keys))
	}
	w.do(fmt.Sprintf("press %q", pressed), func() { w.frame(ui.Input{Outside: true, Keys: pressed}) })
}

// point clicks, drags or turns the wheel, by the mouse or a finger.
func (w *walk) point() {
	name, from := w.place()
	to, in := from, ui.Input{Touch: w.IntN(3) == 0}
	if w.IntN(3) == 0 {
		_, to = w.place()
	}
	press := ui.Input{Pointer: from, Touch: in.Touch, Down: true, Clicks: 1 + w.IntN(2)}
	frame := func(what string, in ui.Input) {
		w.do(fmt.Sprintf("%s on %s at %.1f", what, name, in.Pointer), func() { w.frame(in) })
	}
	if w.IntN(8) == 0 {
		frame("wheel", ui.Input{Pointer: from, Wheel: 6*w.Float64() - 3})
	}
	frame("press", press)
	for i := range w.IntN(3) {
		f := float64(i+1) / 3
		frame("move", ui.Input{Pointer: draw.Point{X: from.X + f*(to.X-from.X), Y: from.Y + f*(to.Y-from.Y)}, Touch: in.Touch,
			Down: true, Long: in.Touch && w.IntN(3) == 0})
	}
	if w.IntN(8) == 0 {
		w.strike() // while the pointer holds something
	}
	frame("let go", ui.Input{Pointer: to, Touch: in.Touch, Cancel: in.Touch && w.IntN(5) == 0})
}

// pinch spreads two fingers.
func (w *walk) pinch() {
	name, at := w.place()
	w.do("pinch on "+name, func() {
		w.frame(ui.Input{Touch: true, Pinch: 0.5 + w.Float64(), PinchAt: at, PinchBy: draw.Point{X: 20 * w.Float64()}})
	})
}

// operateAny does what a control of the outline does.
func (w *walk) operateAny() {
	o := w.Outline()
	type control struct{ id, value string }
	var controls []control
	for _, b := range o.Buttons {
		controls = append(controls, control{b.ID, ""})
	}
	for _, s := range o.Sliders {
		controls = append(controls, control{s.ID, fmt.Sprint(s.Low + (s.High-s.Low)*w.Float64()*w.Float64())})
	}
	for _, c := range o.Choices {
		controls = append(controls, control{c.ID, pick(w, c.Options)})
	}
	for _, l := range o.Lists {
		for _, it := range l.Items {
			controls = append(controls, control{it.ID, ""})
		}
	}
	c := pick(w, controls)
	if c.id == "export.png" { // which takes long
		return
	}
	w.do(fmt.Sprintf("operate %s %s", c.id, c.value), func() {
		_ = w.Operate(c.id, c.value) // what is not possible is said
		w.Outline()
		w.frame(ui.Input{Outside: true})
	})
}

// follow leads to a link that walks begin at, or to a state that was shown.
func (w *walk) follow() {
	link := pick(w, append(walkFrom, w.links...))
	w.links = append(w.links, w.Link())
	w.do("follow "+link, func() { w.Follow(link); w.frame(ui.Input{Outside: true}) })
}

// drop opens a recording or settings.
func (w *walk) drop(study recording.Files) {
	files := pick(w, []fstest.MapFS{
		{recording.ManifestName: {Data: study.Manifest}, "summary.csv": {Data: study.Summary}},
		{"grid.yaml": {Data: []byte("planner:\n  columns: 12\n  rows: 9\n  spacing_km: 18\n  start_cell: [0, " +
			"4]\nadversary:\n  policies: 2\nstudy:\n  runs: 3\n")}},
		{"short.yaml": {Data: []byte("planner:\n  max_transitions: 5\nadversary:\n  policies: 2\nstudy:\n  runs: 5\n")}},
	})
	w.do(fmt.Sprintf("drop %d", len(files)), func() { w.Open("dropped", files); w.frame(ui.Input{Outside: true}) })
}

// work flies all there is to fly, except for beliefs of large missions, which take long.
func (w *walk) work() {
	if w.Inferring() && w.Model.Experiment.Mission.Grid.States() > 150 {
		return
	}
	w.do("work", func() { w.Model.Work(); w.frame(ui.Input{Outside: true}) })
}

// Whatever is done, in whatever order, is shown: nothing ends in a panic, and every frame is laid out for what it
// shows.
func TestWalkAtRandom(t *testing.T) {
	study := recordedStudy(t, true)
	for seed := range uint64(10) {
		w := newWalk(t, seed)
		w.Follow(walkFrom[seed%uint64(len(walkFrom))])
		w.do("begin", func() { w.frame(ui.Input{Outside: true}) })
		if w.Model.Message.Wrong {
			t.Fatalf("seed %d begins at a link that does not work: %s", seed, w.Model.Message.Text)
		}
		for len(w.steps) < 170 {
			switch n := w.IntN(100); {
			case n < 34:
				w.strike()
			case n < 60:
				w.point()
			case n < 80:
				w.operateAny()
			case n < 84:
				size := pick(w, walkSizes)
				w.do(fmt.Sprintf("size %v", size), func() {
					w.width, w.height = size[0], size[1]
					w.frame(ui.Input{Outside: true})
				})
			case n < 88:
				w.follow()
			case n < 91:
				w.drop(study)
			case n < 96:
				w.pinch()
			default:
				w.work()
			}
		}
	}
}
