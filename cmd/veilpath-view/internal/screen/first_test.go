package screen

import (
	"math"
	"testing"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// The first flight on show is one that reacts to epsilon, in any mission, and nobody who has done something loses it.
func TestFirstFlightReacts(t *testing.T) {
	const other = "planner.columns=12&planner.rows=12&planner.spacing_km=19&planner.start_cell=[0,4]"
	for _, mission := range []string{"", other} {
		d := newDeskOf(t, 1280, 800, 0)
		d.Follow("study.runs=60&" + mission)
		d.Begin()
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
	listing := newDeskOf(t, 1280, 800, 0)
	listing.Begin()
	listing.press("/")
	listing.wholeAxis()
	for _, covered := range []bool{true, false} {
		if listing.step(ui.Input{Outside: true}); (listing.Model.RunNumber == 0) != covered {
			t.Errorf("with a list open, %v, run %d is on show", covered, listing.Model.RunNumber)
		}
		listing.press(ui.Escape)
	}
	looking := newDeskOf(t, 1280, 800, 0)
	looking.Begin()
	looking.press(ui.Escape)
	looking.press("e")
	looking.wholeAxis()
	if looking.step(ui.Input{Outside: true}); looking.Model.RunNumber != 0 {
		t.Errorf("who looks at an event of run 0 is shown run %d", looking.Model.RunNumber)
	}
	d := newDeskOf(t, 1280, 800, 0)
	d.Begin()
	d.press("]")
	d.wholeAxis()
	if d.step(ui.Input{Outside: true}); d.Model.RunNumber != 1 {
		t.Errorf("run 1 was chosen, shown is run %d", d.Model.RunNumber)
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
	if items := kept("fan"); len(items) == 0 || items[0].ID != "command.fan" {
		t.Errorf("fan finds %+v", items)
	}
	d.press(ui.Enter)
	if d.plan.ShowFan || d.palette.Open {
		t.Error("Enter does not hide the fan")
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
	for words, id := range map[string]string{"share": "command.link",
		"download": "export.png", "obstacle": "command.keepout"} {
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
