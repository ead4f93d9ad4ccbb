package screen

import (
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// compared is a desk with two settings on a map each.
func compared(t *testing.T, width, height float64) *desk {
	d := newDesk(t, width, height)
	d.Tab = TabFlights
	d.Model.SetEpsilon(4)
	d.Model.Work()
	d.step(ui.Input{Outside: true})
	d.do("compare")
	d.Model.SetEpsilon(0.2)
	d.Model.Work()
	d.step(ui.Input{Outside: true})
	d.do("beside")
	d.step(ui.Input{Outside: true})
	return d
}

// Two maps lie side by side or one above the other, as large as each other, cover nothing and say what they are of.
func TestTwoMaps(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}, {740, 360}} {
		d := compared(t, size[0], size[1])
		l := &d.layout
		if l.Kept.W != l.Map.W || math.Abs(l.Kept.H-l.Map.H) > 1 || l.Kept.Overlaps(l.Map) || l.maps().Overlaps(l.Headline) ||
			l.maps().Overlaps(l.Dock) || l.maps().Overlaps(l.Side) {
			t.Errorf("%v: the maps are %v and %v", size, l.Kept, l.Map)
		}
		var titles []string
		for _, m := range d.maps() {
			titles = append(titles, m.Title)
		}
		if strings.Join(titles, ", ") != "now: epsilon 0.2, kept: epsilon 4" {
			t.Errorf("%v: the maps are called %q", size, titles)
		}
		d.do("beside")
		d.step(ui.Input{Outside: true})
		if d.beside() || !d.layout.Kept.Empty() {
			t.Errorf("%v: there are two maps still", size)
		}
	}
}

// A frame is laid out for what it shows, whatever ends or begins a comparison in it.
func TestLayoutFollowsTheComparison(t *testing.T) {
	for name, end := range map[string]func(*desk){
		"key":     func(d *desk) { d.do("compare") },
		"button":  func(d *desk) { d.do("compare") },
		"undo":    func(d *desk) { d.do("compare"); d.do("compare"); d.press(ui.Undo) },
		"outline": func(d *desk) { d.operate("compare", ""); d.svg("map"); d.step(ui.Input{Outside: true}) },
		"list":    func(d *desk) { d.do("menu"); d.step(ui.Input{Outside: true}); d.chooseIn("command.compare") },
	} {
		d := compared(t, 1280, 800)
		if end(d); d.Model.Pair != nil || d.beside() || !d.layout.Kept.Empty() {
			t.Errorf("%s: compared is still %v, the kept map is at %v", name, d.Model.Pair != nil, d.layout.Kept)
		}
		d.do("compare")
		if d.layout.Kept.Empty() || !d.beside() {
			t.Errorf("%s: compared again, there is one map", name)
		}
	}
}

// chooseIn chooses an entry of the list that is open by the keys.
func (d *desk) chooseIn(id string) {
	d.t.Helper()
	at := slices.IndexFunc(d.shown(), func(it panel.Item) bool { return it.ID == id })
	for range at + 1 {
		d.press(ui.ArrowDown)
	}
	d.press(ui.Enter)
}

// operate does what a control of the outline asks for.
func (d *desk) operate(id, value string) {
	d.t.Helper()
	if err := d.Operate(id, value); err != nil {
		d.t.Fatal(err)
	}
}

// Both maps show the same part of the world, whichever is moved, on one clock; each has its own flights.
func TestTwoMapsMoveTogether(t *testing.T) {
	d := compared(t, 1280, 800)
	from := d.layout.Kept.Center()
	before := d.plan.Camera
	d.drag(draw.Point{X: from.X, Y: from.Y + 120}, draw.Point{X: from.X + 40, Y: from.Y + 120})
	if moved := (before.CenterX - d.plan.Camera.CenterX) * d.plan.Camera.PointsPerKm; math.Abs(moved-40) > 1e-6 {
		t.Errorf("dragging the kept map by 40 points moves the map by %v", moved)
	}
	x, y := d.maps()[1].Camera.World(from)
	d.step(ui.Input{Pointer: from, Wheel: 2})
	if a, b := d.maps()[1].Camera.World(from); math.Abs(a-x)+math.Abs(b-y) > 1e-6 {
		t.Errorf("zooming about a place of the kept map moves it from %v, %v to %v, %v", x, y, a, b)
	}
	d.do("fit")
	pair := d.Model.Pair
	for _, run := range []int{4, 17} {
		path := pair.Ensemble.Members[run].Path[0]
		p := path[len(path)/2]
		at := d.maps()[1].Camera.Screen(float64(p.X), float64(p.Y))
		if text := d.hint(at); !strings.Contains(text, "Click to see it") {
			t.Errorf("over a kept track: %q", text)
		}
	}
	if pair.Private.Run.Epsilon != 4 || d.Model.Private.Run.Epsilon != 0.2 ||
		d.Model.Clock.EndS < pair.Private.DurationS() {
		t.Errorf("kept is ε %v, in force %v; the clock ends at %v s, the kept flight at %v s", pair.Private.Run.Epsilon,
			d.Model.Private.Run.Epsilon, d.Model.Clock.EndS, pair.Private.DurationS())
	}
}

// An area of the kept map selects the runs whose kept flights go through it, on both maps.
func TestBrushOfTheKeptMap(t *testing.T) {
	d := compared(t, 1280, 800)
	path := d.Model.Pair.Ensemble.Members[3].Path[0]
	p := path[len(path)/3]
	c := d.maps()[1].Camera.Screen(float64(p.X), float64(p.Y))
	d.do("brush")
	d.drag(draw.Point{X: c.X - 6, Y: c.Y - 6}, draw.Point{X: c.X + 6, Y: c.Y + 6})
	d.step(ui.Input{Outside: true})
	if _, n := d.selectedRuns(); !d.selection.kept || !d.isSelected(3) || n == 0 || n == d.Model.Runs() {
		t.Errorf("%d flights are selected, run 3: %v, %+v", n, d.isSelected(3), d.selection)
	}
	link := d.Link()
	other := newDesk(t, 1280, 800)
	other.Follow(link)
	other.step(ui.Input{Outside: true})
	if again := other.Link(); again != link || !other.beside() {
		t.Errorf("%s\nbecomes\n%s", link, again)
	}
}
