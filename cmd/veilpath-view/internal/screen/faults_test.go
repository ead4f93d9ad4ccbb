package screen

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/cmd/veilpath-view/internal/views"
	"veilpath/internal/phrase"
	"veilpath/internal/plot"
	"veilpath/sim/study"
)

// Every part has room at every size, lies within the page and over no other; and the layout depends on the width alone,
// not on touch.
func TestLayouts(t *testing.T) {
	for _, size := range [][2]float64{{320, 568}, {360, 740}, {699, 400}, {700, 400}, {768, 1024}, {1280, 800},
		{1390, 869}} {
		l := views.NewLayout(size[0], size[1], 0, size[1] == 740)
		parts := []draw.Rect{l.Top, l.Headline, l.Where, l.Why, l.Transport, l.Choose, l.Cost, l.Comparison, l.Answer}
		for i, r := range parts {
			if r.W < 200 || r.H < 40 || r.X < 0 || r.Right() > size[0] || r.Bottom() > l.Height {
				t.Errorf("%v: part %d is at %v", size, i, r)
			}
			for k := range i {
				if r.Overlaps(parts[k]) {
					t.Errorf("%v: the parts %d and %d lie over each other", size, i, k)
				}
			}
		}
		if want := size[0] < views.NarrowBelow; l.Narrow != want {
			t.Errorf("%v is narrow: %v", size, l.Narrow)
		}
	}
	d := newDesk(t, 1280, 800)
	d.Touch = true
	if d.step(ui.Input{Touch: true, Outside: true}); d.Layout.Narrow {
		t.Error("a finger makes the views narrow")
	}
}

// The flight that is shown first is recognised nearer to the target with more privacy, and at no smaller epsilon
// sooner.
func TestFirstFlightHidesWithPrivacy(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Begin()
	d.step(ui.Input{Outside: true})
	d.step(ui.Input{Outside: true})
	m := d.Model
	now := m.Private.Run.DetectionKm
	nearest := now
	for _, epsilon := range []float64{0.13, 0.2, 0.3, 0.45, 0.7, 0.9} {
		km, _ := m.Axis.DetectionKm(m.RunNumber, epsilon, m.Config.Adversary.RadiusKm)
		if km > now {
			t.Errorf("run %d is recognised %v km out at epsilon %v, and %v at 1", m.RunNumber, km, epsilon, now)
		}
		nearest = math.Min(nearest, km)
	}
	if nearest > now-5 {
		t.Errorf("run %d goes from %v km to %v", m.RunNumber, now, nearest)
	}
	d.key(ui.ArrowRight)
	if run := m.RunNumber; d.first() || m.RunNumber != run {
		t.Error("another flight is shown after the user chose one")
	}
}

// first reports whether a frame shows another flight by itself.
func (d *desk) first() bool {
	before := d.Model.RunNumber
	d.step(ui.Input{Outside: true})
	return d.Model.RunNumber != before
}

// One demand has one answer: the zones of the chart, the sentence and the document say what veilpath tune
// --hidden-until 50 --radii 0.7 prints.
func TestOneDemandHasOneAnswer(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("demand", "50")
	for deadline := time.Now().Add(time.Minute); !d.Model.Sought().Done && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond)
		d.settle()
	}
	if got, want := d.Model.Sought().Sets, (study.Sets{Met: []study.Range{{Low: 0.01, High: 0.3332}},
		NotMet: []study.Range{{Low: 0.3799, High: 100}}, Undecided: []study.Range{{Low: 0.3332, High: 0.3799}},
	}); !reflect.DeepEqual(got, want) {
		t.Errorf("found %+v, want %+v", got, want)
	}
	zones := d.Views.Choose.Zones
	if len(zones) != 3 || zones[0].To != 0.3332 || zones[1].To != 0.3799 || zones[2].To != 10 {
		t.Errorf("zones %+v", zones)
	}
	const said = "Hidden until 50 km on average: ε 0.333 or less. Undecided: ε 0.334 to 0.379."
	if d.DemandAnswer() != said {
		t.Errorf("said is %q", d.DemandAnswer())
	}
	if !strings.Contains(strings.ReplaceAll(d.texts(), "\n", " "), said) {
		t.Errorf("the window does not say %q", said)
	}
}

// A key that shows another flight, while the pointer is at the charts of the one before, is like any other.
func TestKeysWhileThePointerIsAtTheCharts(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, quantity := range views.QuantityNames {
		d.do("quantity", quantity)
		for run := range 12 {
			f := d.Model.Flight()
			at := d.Views.Where.At(f.Samples[len(f.Samples)-1].R.X, f.Samples[len(f.Samples)-1].R.Y)
			if run%2 == 0 {
				at = d.Views.Why.Area().Center()
			}
			d.step(ui.Input{Pointer: at})
			d.step(ui.Input{Pointer: at, Keys: []ui.Key{ui.ArrowRight}})
		}
	}
	if d.Model.RunNumber != 12*len(views.QuantityNames) {
		t.Errorf("shown is run %d", d.Model.RunNumber)
	}
}

// What makes flights of no use is never told as hiding alone.
func TestImpracticalIsSaid(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("epsilon", "0.06")
	d.settle()
	sum := d.Model.Ensemble.Summary()
	_, second := d.Finding()
	if sum.CostOfPrivacy < 0.5 || !strings.HasPrefix(second, "Not practical: ") {
		t.Errorf("%v %% of the plan is lost, %q", 100*sum.CostOfPrivacy, second)
	}
	d.do("epsilon", "1")
	d.settle()
	if _, second := d.Finding(); strings.Contains(second, "Not practical") {
		t.Error(second)
	}
}

// The epsilon that is kept is marked as B beside that in force, and the table has B less A with its interval.
func TestKeptEpsilonIsMarked(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.key("c")
	d.do("epsilon", "0.4")
	d.settle()
	marks := map[string]float64{}
	for _, dot := range d.Views.Choose.Dots {
		if dot.Name != "" {
			marks[dot.Name] = dot.X
		}
	}
	if marks["A"] != 0.4 || marks["B"] != 1 {
		t.Errorf("the marks are %v", marks)
	}
	kept, now := d.Model.Pair.Ensemble.Summary().MeanKm, d.Model.Ensemble.Summary().MeanKm
	want := "B − A: +" + phrase.Fixed(kept-now, 1) + " km (95 % "
	if texts := d.texts(); !strings.Contains(texts, want) {
		t.Errorf("%q is not on the window:\n%s", want, texts)
	}
}

// A hint goes with the pointer.
func TestHintsLeaveWithThePointer(t *testing.T) {
	d := newDesk(t, 1280, 800)
	at := d.Views.Choose.Area().Center()
	d.step(ui.Input{Pointer: at})
	if d.UI.HintText() == "" {
		t.Error("the chart along epsilon has no hint")
	}
	d.step(ui.Input{Pointer: at, Outside: true})
	if text := d.UI.HintText(); text != "" {
		t.Errorf("the hint stays: %q", text)
	}
}

// Whatever is dragged, start, target and the flight on show stay on the map.
func TestMapStaysInSight(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		c := d.Views.Where.Panel.Center()
		for _, to := range []draw.Point{{X: c.X + 900, Y: c.Y}, {X: c.X - 900, Y: c.Y + 300}} {
			d.drag(c, to)
			d.step(ui.Input{Pointer: c, Wheel: 5})
			d.step(ui.Input{Pointer: c, Wheel: -3})
		}
		d.step(ui.Input{Outside: true})
		where := &d.Views.Where
		for _, s := range []int{0, len(d.Model.Flight().Samples) - 1} {
			r := d.Model.Flight().Samples[s].R
			if at := where.At(r.X, r.Y); !where.Panel.Contains(at) {
				t.Errorf("%v: a place of the flight is at %v, the map at %v", size, at, where.Panel)
			}
		}
	}
}

// A link asks for what there can be, or is refused in words and changes nothing.
func TestLinksAreChecked(t *testing.T) {
	d := newDesk(t, 1280, 800)
	before := d.Link()
	for _, fragment := range []string{"privacy.epsilon=999999", "privacy.epsilon=0.0000001", "run=-1", "chart=pie",
		"demand=x",
		"story=9", "map=maze", "zoom=3", "observer=nobody", "theme=pink", "nonsense=1"} {
		if d.Follow(fragment) || d.Link() != before || d.Model.Message.Text == "" {
			t.Errorf("%s: the link is %s, the message %q", fragment, d.Link(), d.Model.Message.Text)
		}
	}
}

// A state's text is a link: followed on another screen it shows the same, and going back through the states undoes
// what was done one by one, a drag at once.
func TestStateIsALink(t *testing.T) {
	d := newDesk(t, 1280, 800)
	links := []string{d.Link()}
	step := func(do func()) {
		do()
		d.settle()
		if now := d.Link(); now == links[len(links)-1] {
			t.Fatalf("nothing has changed: %s", now)
		}
		links = append(links, d.Link())
	}
	step(func() { d.do("run", "7") })
	step(func() { d.do("demand", "50") })
	step(func() {
		a := d.Views.Choose.Area()
		d.drag(draw.Point{X: a.Center().X, Y: a.Bottom() - 30}, draw.Point{X: a.X + 60, Y: a.Bottom() - 30})
	})
	step(func() { d.do("quantity", "altitude") })
	step(func() { d.key("c") })
	step(func() { d.do("radius", "1.5") })
	step(func() { d.do("map", "noise") })
	other := newDesk(t, 360, 740)
	if !other.Follow(d.Link()) {
		t.Fatal(other.Model.Message.Text)
	}
	other.settle()
	if other.Link() != d.Link() {
		t.Errorf("followed, %s is %s", d.Link(), other.Link())
	}
	for i := len(links) - 2; i >= 0; i-- {
		d.key(ui.Undo)
		if now := d.Link(); now != links[i] {
			t.Errorf("%d steps back the link is %s, want %s", len(links)-1-i, now, links[i])
		}
	}
	for range len(links) {
		d.key(ui.Redo)
	}
	if now := d.Link(); now != links[len(links)-1] {
		t.Errorf("done again, the link is %s, want %s", now, links[len(links)-1])
	}
}

// The lines and the charts are dragged: the radius on the chart of the guess, the demand and epsilon at the right, the
// moment below the map; and a line or a dot that is clicked shows its flight.
func TestDragging(t *testing.T) {
	for _, width := range []float64{1280, 360} {
		d := newDesk(t, width, 1400)
		m := d.Model
		c := &d.Views.Why
		at := draw.Point{X: c.Area().X + 30, Y: c.PY(m.Config.Adversary.RadiusKm)}
		d.drag(at, draw.Point{X: at.X, Y: c.PY(2)})
		if r := m.Config.Adversary.RadiusKm; math.Abs(r-2) > 0.1 {
			t.Errorf("%v: the radius is %v km", width, r)
		}
		d.do("radius", "0.7")
		late, km := -1, math.Inf(1) // the flight that is recognised last, whose dot is just below the line of the radius
		for i := range d.Places() {
			if now := m.Ensemble.Members[d.Hung(i)].Run.DetectionKm; now < km {
				late, km = i, now
			}
		}
		want := d.Hung(late)
		if d.click(d.Places()[late]); m.RunNumber != want || m.Config.Adversary.RadiusKm != 0.7 {
			t.Errorf("%v: a dot that is clicked shows run %d, want %d", width, m.RunNumber, want)
		}
		top := d.Views.Why.Area()
		d.drag(draw.Point{X: top.X + 40, Y: top.Y + 2}, draw.Point{X: top.Center().X, Y: top.Y + 2})
		middle := d.Views.Why.XAt(top.Center().X)
		f := m.Flight()
		if got := f.Errors.DistanceKm[f.At(m.Clock.TimeS)]; math.Abs(got-middle) > 1 || m.Clock.Playing {
			t.Errorf("%v: the moment is %v km from the target, want %v", width, got, middle)
		}
		choose := d.Views.Choose.Area()
		d.drag(draw.Point{X: choose.Center().X, Y: choose.Bottom() - 20}, draw.Point{X: d.Views.Choose.PX(0.3),
			Y: choose.Bottom() - 20})
		if e := m.Config.Privacy.Epsilon; math.Abs(e-0.3) > 0.02 {
			t.Errorf("%v: epsilon is %v", width, e)
		}
		d.settle()
		d.drag(d.handle("demand"), draw.Point{X: d.handle("demand").X, Y: d.Views.Choose.PY(50)})
		if math.Abs(d.DemandKm-50) > 1 {
			t.Errorf("%v: the demand is %v km", width, d.DemandKm)
		}
	}
}

// handle is where a line of the chart along epsilon is dragged.
func (d *desk) handle(id string) draw.Point {
	c := &d.Views.Choose
	i := slices.IndexFunc(c.References, func(r plot.Reference) bool { return r.ID == id })
	return c.Handle(d.UI.List, d.Look(), &c.References[i]).Center()
}
