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

// Cells of the map of epsilon and radius that are dragged over leave the flights that are flown there, in every panel,
// and a click on one shows it at its epsilon.
func TestBrushOfTheSurface(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDeskOf(t, size[0], size[1], 0)
		d.Tab, d.ShowSurface = TabMap, true
		d.Model.SetEpsilon(3)
		d.wholeAxis()
		d.step(ui.Input{Outside: true})
		d.drag(d.surfaceChart().Cell(3, 2).Center(), d.surfaceChart().Cell(7, 5).Center())
		d.step(ui.Input{Outside: true})
		c := d.selection
		if c.kind != bySettings || c.spans != [2][2]float64{{0.3, 1}, {0.2, 0.5}} {
			t.Fatalf("%v: selected is %+v", size, c)
		}
		if now := d.Model.Config; now.Privacy.Epsilon != 1 || now.Adversary.RadiusKm != 0.5 {
			t.Errorf("%v: ε %v and ρ %v are not in the area", size, now.Privacy.Epsilon, now.Adversary.RadiusKm)
		}
		flights := d.flights()
		if len(flights) <= d.Model.Runs() {
			t.Errorf("%v: %d flights of %d runs", size, len(flights), d.Model.Runs())
		}
		if text := d.selectionText(); !strings.Contains(text, "flights at ε 0.3 to 1, ρ 0.2 to 0.5 km: ") {
			t.Errorf("%v: the selection is called %q", size, text)
		}
		d.Tab = TabFlights
		d.step(ui.Input{Outside: true})
		if len(d.dots().Dots) != len(flights) {
			t.Errorf("%v: %d dots for %d flights", size, len(d.dots().Dots), len(flights))
		}
		for _, dot := range d.dots().Dots {
			if dot.Of.Run.Epsilon < 0.9 {
				d.showMember(dot.Of, false)
				if d.Model.RunNumber != dot.Of.Run.Run || d.Model.Config.Privacy.Epsilon != dot.Of.Run.Epsilon ||
					d.Model.Private.Run.DetectionKm != dot.Of.Run.DetectionKm {
					t.Errorf("%v: run %d at ε %v is shown as run %d at ε %v, recognised at %v km, want %v", size, dot.Of.Run.Run,
						dot.Of.Run.Epsilon, d.Model.RunNumber, d.Model.Config.Privacy.Epsilon, d.Model.Private.Run.DetectionKm,
						dot.Of.Run.DetectionKm)
				}
				break
			}
		}
		d.press(ui.Escape)
		if len(d.flights()) != d.Model.Runs() {
			t.Errorf("%v: Escape leaves %d flights", size, len(d.flights()))
		}
	}
}
