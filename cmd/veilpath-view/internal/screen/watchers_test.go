package screen

import (
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// The error of an observer who foresees nothing for a while has a gap there.
func TestErrorsHaveGaps(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.switchWatcher("impact_time")
	d.step(ui.Input{Outside: true})
	if w := d.Watcher("impact_time"); !math.IsInf(w.ErrorKm[0], 1) {
		t.Fatalf("foreseen is a place %v km off", w.ErrorKm[0])
	}
	d.checkVertices()
	if text := string(d.Pictures.SVG("guess")); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("the saved chart has places that are no numbers")
	}
}

// The guesses of several observers are drawn at once, each switched on and off in the list, and links hold which.
func TestSeveralObserversAtOnce(t *testing.T) {
	for _, size := range [][2]float64{{1280, 800}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		d.Tab = layout.TabGuess
		d.step(ui.Input{Outside: true})
		before := d.layers[sideLayer].List.Vertices()
		for _, name := range []string{"constant_velocity", "impact_time"} {
			d.do("observer")
			d.step(ui.Input{Outside: true})
			d.press(ui.End)
			d.step(ui.Input{Outside: true})
			d.clickOn("also." + name)
			d.step(ui.Input{Outside: true})
		}
		if d.shows(watcherSection)() || len(d.AlsoWatching()) != 2 || d.layers[sideLayer].List.Vertices() <= before {
			t.Errorf("%v: %d observers more, %d vertices, before %d", size, len(d.AlsoWatching()),
				d.layers[sideLayer].List.Vertices(), before)
		}
		if text := d.hint(d.guesses.Chart().Area.Center()); !strings.Contains(text, "; that of constant velocity by ") {
			t.Errorf("%v: under the pointer %q", size, text)
		}
		other := newDesk(t, size[0], size[1])
		other.Follow(d.Link())
		other.step(ui.Input{Outside: true})
		if other.Link() != d.Link() || len(other.AlsoWatching()) != 2 {
			t.Errorf("%v: %s shows %d observers more", size, d.Link(), len(other.AlsoWatching()))
		}
		d.switchWatcher("impact_time")
		d.Model.SetObserver("constant_velocity")
		if also := d.AlsoWatching(); len(also) != 0 {
			t.Errorf("%v: %d observers watch beside the one in force, who is drawn already", size, len(also))
		}
	}
}

// Each observer's line has another colour than the kept flight's, and no line lies over a name.
func TestObserversBesideAKeptFlight(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("compare")
	names := []string{"impact_time", "constant_velocity", "filtered"}
	for i, name := range names {
		d.switchWatcher(name)
		inks := []colour{d.Theme().KeptInk(), d.Theme().PrivateInk(), d.plan.Shown().DirectInk()}
		if errors := d.guesses.Chart().Errors; len(errors) <= i || slices.Contains(inks, errors[len(errors)-1].Ink) {
			t.Errorf("the line of %s has the colour of a flight", name)
		}
	}
	p := d.guesses.Chart().Plot()
	lines, chart := draw.NewList(d.Atlas()), draw.NewList(d.Atlas())
	lines.Reset(d.Layout.Window, 1)
	for _, e := range d.guesses.Chart().Errors {
		if e.Name != "" {
			p.Curve(lines, new(draw.Thinned), e.N, e.At, e.Width, e.Ink)
		}
	}
	var before []int // vertices, at each name
	var named []draw.Rect
	chart.OnText = func(r draw.Rect, _ colour, text string) {
		if strings.HasPrefix(text, "ρ ") && slices.ContainsFunc(named, r.Inset(-4).Overlaps) {
			t.Errorf("%q at %v covers a name", text, r)
		}
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(text, answer.Spoken(name)) }) {
			before, named = append(before, chart.Vertices()), append(named, r)
		}
	}
	chart.Reset(d.Layout.Window, 1)
	d.guesses.DrawStill(chart)
	if len(before) != len(names) || before[len(names)-1]-before[0] >= lines.Vertices() {
		t.Errorf("there are %v vertices before the names, %d of the lines", before, lines.Vertices())
	}
}

// What is asked for is on show: the panel with the guess of an observer more, and the moment that was typed.
func TestWhatIsAskedForIsShown(t *testing.T) {
	d := newDesk(t, 2560, 1440)
	d.Folded, d.Model.Clock.Playing = layout.UsuallyFolded, true
	d.row("time").set(60)
	d.step(ui.Input{ElapsedS: 1, Outside: true})
	if d.Model.Clock.Playing || d.Model.Clock.TimeS != 60 {
		t.Errorf("the moment is %v, it plays: %v", d.Model.Clock.TimeS, d.Model.Clock.Playing)
	}
	if !d.Folded.Has(layout.PanelGuess) {
		t.Fatal("the panel of the guess is there at first")
	}
	d.switchWatcher("constant_velocity")
	if d.step(ui.Input{Outside: true}); d.Folded.Has(layout.PanelGuess) {
		t.Error("the guess of an observer more is asked for, and its panel is away")
	}
}
