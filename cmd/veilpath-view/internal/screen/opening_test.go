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

// The opening takes six seconds, shows one thing after another, and leaves what there would be without it. Any input
// ends it, of which keys that do not only skip it do what they always do; where less motion is wanted there is none.
func TestOpening(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.wholeAxis()
	d.Begin(true)
	var told []string
	seconds := 0.0
	for ; d.Opening.Running && seconds < 10; seconds += 0.1 {
		d.step(ui.Input{ElapsedS: 0.1, Outside: true})
		d.checkVertices()
		if text := d.headline.OpeningText(); d.Opening.Running && (told == nil || told[len(told)-1] != text) {
			told = append(told, text)
		}
	}
	if math.Abs(seconds-panel.OpeningEnd) > 0.25 || len(told) != 4 || !strings.Contains(told[1], "101.6 km") ||
		!strings.Contains(told[2], "60.8 km") || !strings.Contains(told[3], "60 private flights") {
		t.Errorf("after %.1f s it has told %q", seconds, told)
	}
	if !d.Model.Clock.Playing {
		t.Error("after it nothing plays")
	}
	d.Begin(true)
	d.step(ui.Input{ElapsedS: 0.1, Pointer: d.distribution.Dots().Dots[0].At})
	if text := d.UI.HintText(); text != "" || !d.Opening.Running {
		t.Errorf("of dots that have not fallen yet it says %q", text)
	}
	for name, in := range map[string]ui.Input{"a key": {Keys: []ui.Key{ui.Space}}, "the wheel": {Wheel: 1},
		"the pointer": {Down: true, Pointer: draw.Point{X: 600, Y: 400}}} {
		d.Begin(true)
		d.step(ui.Input{ElapsedS: 0.1, Outside: true})
		scale, epsilon := d.plan.Map.Camera.PointsPerKm, d.Model.Config.Privacy.Epsilon
		in.Outside = in.Keys != nil
		if d.step(in); d.Opening.Running || d.plan.Map.Camera.PointsPerKm != scale ||
			d.Model.Config.Privacy.Epsilon != epsilon {
			t.Errorf("%s: the opening runs: %v; epsilon %v", name, d.Opening.Running,
				d.Model.Config.Privacy.Epsilon)
		}
		d.step(ui.Input{Outside: true})
	}
	d.Begin(true)
	d.step(ui.Input{ElapsedS: 0.1, Outside: true})
	if d.press("/"); d.Opening.Running || !d.palette.Open {
		t.Error("the key of the palette ends the opening alone, and what is typed then are other keys")
	}
	d.press(ui.Escape)
	d.Begin(true)
	d.step(ui.Input{ElapsedS: 0.1, Outside: true})
	if d.press(ui.ArrowUp); d.Opening.Running || d.Model.Config.Privacy.Epsilon != 1.1 {
		t.Errorf("a key ends the opening, and leaves epsilon at %v", d.Model.Config.Privacy.Epsilon)
	}
	d.Still = true
	if d.Begin(true); d.Opening.Running {
		t.Error("there is an opening where less motion is wanted")
	}
}

// The first flight on show is one that reacts to epsilon, in any mission, and nobody who has done something loses it.
func TestFirstFlightReacts(t *testing.T) {
	const other = "planner.columns=12&planner.rows=12&planner.spacing_km=19&planner.start_cell=[0,4]"
	for _, mission := range []string{"", other} {
		d := newDeskOf(t, 1280, 800, 0)
		d.Follow("study.runs=60&" + mission)
		d.Begin(false)
		d.wholeAxis()
		d.step(ui.Input{Outside: true})
		run := d.Model.RunNumber
		epsilon := d.Model.Config.Privacy.Epsilon
		own := changesNear(d.Model.Axis.Treads(run, d.Model.Config.Adversary.RadiusKm), epsilon/reach,
			epsilon*reach)
		if own < 30 {
			t.Errorf("%q: run %d is on show, which changes by %.1f km", mission, run, own)
		}
		for other := range reactingRuns {
			treads := d.Model.Axis.Treads(other, d.Model.Config.Adversary.RadiusKm)
			if changes := changesNear(treads, epsilon/reach, epsilon*reach); changes > own {
				t.Errorf("%q: run %d changes by %.1f km, run %d on show by %.1f", mission, other, changes, run, own)
			}
		}
		d.press(ui.Undo)
		if d.Model.RunNumber != run {
			t.Errorf("an undo leads to run %d", d.Model.RunNumber)
		}
	}
	skipped := newDeskOf(t, 1280, 800, 0)
	skipped.Begin(true)
	skipped.press(ui.Escape)
	skipped.press(ui.Space)
	skipped.wholeAxis()
	if skipped.step(ui.Input{Outside: true}); skipped.Model.RunNumber == 0 {
		t.Error("who skips the opening and pauses is shown a flight that does not react")
	}
	listing := newDeskOf(t, 1280, 800, 0)
	listing.Begin(true)
	listing.press("/")
	listing.wholeAxis()
	for _, covered := range []bool{true, false} {
		if listing.step(ui.Input{Outside: true}); (listing.Model.RunNumber == 0) != covered {
			t.Errorf("with a list open, %v, run %d is on show", covered, listing.Model.RunNumber)
		}
		listing.press(ui.Escape)
	}
	looking := newDeskOf(t, 1280, 800, 0)
	looking.Begin(true)
	looking.press(ui.Escape)
	looking.press("e")
	looking.wholeAxis()
	if looking.step(ui.Input{Outside: true}); looking.Model.RunNumber != 0 {
		t.Errorf("who looks at an event of run 0 is shown run %d", looking.Model.RunNumber)
	}
	d := newDeskOf(t, 1280, 800, 0)
	d.Begin(false)
	d.press("]")
	d.wholeAxis()
	if d.step(ui.Input{Outside: true}); d.Model.RunNumber != 1 {
		t.Errorf("run 1 was chosen, shown is run %d", d.Model.RunNumber)
	}
}

// Nothing answers a demand that nobody has made.
func TestNothingIsDemandedAtFirst(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	said := func() (slider, row string) {
		for _, s := range d.Outline().Sliders {
			if s.ID == "demand" {
				slider = s.Text
			}
		}
		for _, it := range d.everything() {
			if it.ID == "command.demand" {
				row = it.Text
			}
		}
		return slider, row
	}
	if slider, row := said(); strings.Contains(slider+row, "shown for") || !strings.Contains(slider, "nothing is asked") {
		t.Errorf("%q, %q", slider, row)
	}
	d.SetDemand(50)
	if slider, row := said(); !strings.Contains(slider, "50 km, shown for") || !strings.Contains(row, slider) {
		t.Errorf("%q, %q", slider, row)
	}
}

// What epsilon a demand takes is answered as precisely as the band along the axis knows it.
func TestDemandIsAnswered(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.wholeAxis()
	c := d.Model.MeanAlong(d.Chosen(), true)
	p := d.axis.Plot()
	grip := d.widget("demand")
	epsilon := d.Model.Config.Privacy.Epsilon
	ask := func(words string) {
		all := d.written(false)
		r := all[slices.IndexFunc(all, func(w written) bool { return strings.Contains(w.text, words) })].r
		d.click(draw.Point{X: r.Center().X, Y: r.Bottom() + 4}) // just below the words
	}
	if ask("hidden until?"); !d.palette.Open || d.Model.Config.Privacy.Epsilon != epsilon {
		t.Errorf("the words beside the grip ask: %v; epsilon is %v", d.palette.Open, d.Model.Config.Privacy.Epsilon)
	}
	d.press(ui.Escape)
	d.drag(grip.Center(), draw.Point{X: grip.Center().X, Y: p.PY(50)})
	if d.DemandKm != 50 {
		t.Fatalf("dragged to 50 km, asked is %v", d.DemandKm)
	}
	ask("50 km: ε")
	if _, words := d.palette.Field(); words != "hidden on average until " || d.Model.Config.Privacy.Epsilon != epsilon {
		t.Errorf("a click on the answer asks %q, epsilon is %v", words, d.Model.Config.Privacy.Epsilon)
	}
	d.press(ui.Escape)
	text := d.DemandText(50)
	below := func(km float64) bool { return km > 50 }
	shown := answer.Short(c.Epsilons[0]) + " to " + answer.Short(c.Epsilons[slices.IndexFunc(c.High, below)-1])
	if !strings.Contains(text, "shown for ε "+shown+" (95 % confidence") || !strings.Contains(d.DemandAnswer(), shown) {
		t.Errorf("%q, %q; the band is below it at %s", text, d.DemandAnswer(), shown)
	}
	d.SetDemand(p.Y.High + 20)
	above := func(w written) bool { return strings.HasPrefix(w.text, "↑ at most ") }
	if !slices.ContainsFunc(d.written(false), above) {
		t.Error("a demand above the axis is not said to be there")
	}
	if row := d.row("demand"); row.within(d.DemandKm) != d.DemandKm {
		t.Errorf("the row of %v km says %v", d.DemandKm, row.within(d.DemandKm))
	}
	d.SetDemand(50)
	other := newDesk(t, 1280, 800)
	if other.Follow(d.Link()); other.DemandKm != d.DemandKm {
		t.Errorf("a link asks for %v km, not %v", other.DemandKm, d.DemandKm)
	}
}

// A finger types a demand by its words, too.
func TestDemandIsTapped(t *testing.T) {
	d := newDeskOf(t, 360, 740, 0)
	d.Touch = true
	d.Tab = layout.TabMap
	d.wholeAxis()
	all := d.written(false)
	r := all[slices.IndexFunc(all, func(w written) bool { return w.text == "hidden until?" })].r
	d.swipe(r.Center(), r.Center())
	if !d.palette.Open {
		t.Errorf("a tap on the words at %v asks nothing", r)
	}
}

// What is typed into the palette finds controls by their words, and a number behind a name sets it.
func TestPaletteFinds(t *testing.T) {
	d := newDesk(t, 1280, 800)
	kept := func(words string) []panel.Item {
		d.press("/")
		for _, r := range words {
			d.press(either(r == ' ', ui.Space, ui.Key(string(r))))
		}
		return d.shown()
	}
	if items := kept("arrows"); len(items) == 0 || items[0].ID != "command.arrows" {
		t.Errorf("arrows finds %+v", items)
	}
	d.press(ui.Enter)
	if d.plan.ShowHead || d.palette.Open {
		t.Error("Enter does not hide the arrows")
	}
	for words, done := range map[string]func() bool{
		"epsilon 0.4": func() bool { return d.Model.Config.Privacy.Epsilon == 0.4 },
		"radius 2":    func() bool { return d.Model.Config.Adversary.RadiusKm == 2 },
		"on show 12":  func() bool { return d.Model.RunNumber == 12 },
		"until 56":    func() bool { return d.DemandKm == 56 },
		"flight 3":    func() bool { return d.Model.RunNumber == 3 },
		"run 4":       func() bool { return d.Model.RunNumber == 4 },
		"radius 4 km": func() bool { return d.Model.Config.Adversary.RadiusKm == 4 },
		"until 57km":  func() bool { return d.DemandKm == 57 },
		"rho 3":       func() bool { return d.Model.Config.Adversary.RadiusKm == 3 },
		"moment 60 s": func() bool { return d.Model.Clock.TimeS == 60 },
		"ensemble 3": func() bool {
			return d.Model.Runs() == model.MinRuns && d.Model.Message.Text == "Flights of the ensemble: the least, 10."
		},
	} {
		kept(words)
		d.press(ui.Enter)
		if !done() {
			t.Errorf("%q does not set it", words)
		}
	}
	for words, id := range map[string]string{"nearest": "command.run.closest", "share": "command.link",
		"download": "export.all.svg", "obstacle": "command.keepout"} {
		if items := kept(words); len(items) == 0 || items[0].ID != id {
			t.Errorf("%q finds %+v", words, items)
		}
		d.press(ui.Escape)
	}
	if items := kept("no such words"); len(items) != 0 {
		t.Errorf("it finds %+v", items)
	}
	d.press(ui.Enter)
	d.press(ui.Backspace)
	d.press(ui.Escape)
	if d.palette.Open {
		t.Error("Escape leaves the palette open")
	}
}

// Every control of the table has a label, an id of its own and something that it does.
func TestTableIsWhole(t *testing.T) {
	d := newDesk(t, 1280, 800)
	ids, keys, links := map[string]bool{}, map[ui.Key]string{}, map[string]bool{}
	for i := range d.table {
		c := &d.table[i]
		if c.label == "" || c.id == "" || ids[c.id] {
			t.Errorf("control %d, %q: label %q", i, c.id, c.label)
		}
		ids[c.id] = true
		if c.isButton() == (c.isNumber() || c.isChoice()) ||
			c.isNumber() && (c.set == nil || c.span == nil || c.text == nil) ||
			c.isChoice() && (c.chosen == nil || c.choose == nil) {
			t.Errorf("%s is no button, number or choice", c.id)
		}
		for _, stroke := range c.keys {
			for _, k := range stroke.keys {
				if keys[k] != "" {
					t.Errorf("%s and %s have the key %s", keys[k], c.id, k)
				}
				keys[k] = c.id
			}
		}
	}
	for _, l := range d.links() {
		if links[l.Name] || l.Write == nil || l.Read == nil {
			t.Errorf("a link says %q twice, or cannot say it", l.Name)
		}
		links[l.Name] = true
	}
	if n := len(d.strokes()); n > 15 {
		t.Errorf("%d keys are to be learned", n)
	}
}

// The first flight is one of so many, and reacts within such a ratio of the epsilon in force.
const reactingRuns, reach = 20, 8

// changesNear adds up the changes of the distance of recognition between two epsilons, km.
func changesNear(treads []model.Tread, low, high float64) (sum float64) {
	for i := 1; i < len(treads); i++ {
		if treads[i].Low > low && treads[i].Low < high {
			sum += math.Abs(treads[i].DetectionKm - treads[i-1].DetectionKm)
		}
	}
	return sum
}
