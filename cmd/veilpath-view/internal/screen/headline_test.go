package screen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// No sentence takes a flight that is never recognised for one that is recognised at the target.
func TestNeverIsNoDistance(t *testing.T) {
	d := newDesk(t, 1280, 800)
	all := func() string {
		o := d.Outline()
		return strings.Join(append(o.Why, o.Title, d.Status()), " ")
	}
	check := func(what string, wants ...string) {
		t.Helper()
		text := all()
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q does not say %q", what, text, want)
			}
		}
		for _, wrong := range []string{"(0.0 km)", " 0.0 km", "Inf", "early"} {
			if strings.Contains(text, wrong) {
				t.Errorf("%s: %q says %q", what, text, wrong)
			}
		}
	}
	for _, observer := range []string{"mechanism", "handover_circle", "heading"} {
		d.Model.SetObserver(observer)
		if d.Model.Nominal.Run.Detected || !d.Model.Private.Run.Detected {
			t.Fatalf("%s: the direct flight is recognised: %v, the private one: %v", observer, d.Model.Nominal.Run.Detected,
				d.Model.Private.Run.Detected)
		}
		check(observer, "With privacy: recognised", "straight never)")
		if text := d.FilledIn("at {direct} km"); text != "at – km" {
			t.Errorf("%s: a story says %q", observer, text)
		}
		d.Model.SetShown(model.ShowDirect)
		check(observer+", direct", "Straight to the target: never recognised", "this observer never recognises that")
		d.Model.SetShown(model.ShowPrivate)
	}
	d.Model.SetObserver("ballistic")
	d.Model.SetRadius(0.1)
	d.Model.Select(8)
	check("a private flight", "With privacy: never recognised", "Planned without noise: 53.0 km; straight 56.8 km.")
	p, never := d.distribution.Plot(), 0
	for _, m := range d.Model.Ensemble.Members {
		never += either(m.Run.Detected, 0, 1)
	}
	d.step(ui.Input{Pointer: draw.Point{X: p.PX(70), Y: p.Area.Center().Y}})
	if text := d.UI.HintText(); never == 0 || !strings.Contains(text,
		fmt.Sprintf("%d nearer, %d never. Drag", d.Model.Runs()-never, never)) {
		t.Errorf("with %d flights that are never recognised: %q", never, text)
	}
	d.Model.SetRadius(0.001)
	check("both", "With privacy: never recognised", "Nor is the planned flight without noise (straight never).")
	state, _ := d.waypoint(2)
	d.Model.MoveWaypoint(state, -60, 30)
	check("changed by hand", "The planned flight: never recognised")
}

// A flight that was changed by hand is called so and not private wherever it is named, and is marked where it lies.
func TestChangedByHandIsCalledSo(t *testing.T) {
	d := newDesk(t, 1280, 800)
	own := d.distribution.ShownAt()
	legend := func(text string) bool {
		return slices.Contains(d.legend(), text)
	}
	if len(own) != 1 || !legend("private flight") || strings.Contains(d.Status(), "by hand") {
		t.Fatalf("run 0 lies at %v; %s", own, d.Status())
	}
	state, _ := d.waypoint(2)
	d.Model.MoveWaypoint(state, -60, 30)
	d.settled()
	o := d.Outline()
	if text := o.Title + strings.Join(o.Why, " "); !strings.Contains(text, "Changed by hand: ") ||
		!strings.Contains(text, "not a private flight") || strings.Contains(text, "–") ||
		strings.Contains(text, "With privacy") {
		t.Error(text)
	}
	if legend("private flight") || !legend("changed by hand") || !strings.Contains(d.Status(), "run 0 changed by hand") {
		t.Errorf("the status is %q", d.Status())
	}
	for _, row := range o.Results {
		if strings.Contains(row[1], "–") {
			t.Errorf("%s: %s", row[0], row[1])
		}
	}
	p := d.distribution.Plot()
	if at := d.distribution.ShownAt(); len(at) != 1 || math.Abs(at[0].X-p.PX(d.Model.Private.Run.DetectionKm)) > 1e-9 ||
		at[0] == own[0] {
		t.Errorf("recognised at %v km, it is marked at %v", d.Model.Private.Run.DetectionKm, at)
	}
	d.resize(320, 568)
	if text := d.ShortStory(); !strings.HasPrefix(text, "By hand: recognised ") ||
		draw.NewList(d.Atlas()).Width(d.Theme().Small, text) > d.Layout.Headline.W-8 {
		t.Errorf("%q has %v points", text, d.Layout.Headline.W-8)
	}
	d.Model.Select(293)
	d.step(ui.Input{Outside: true})
	p = d.distribution.Plot()
	if at := d.distribution.ShownAt(); len(at) != 1 || math.Abs(at[0].X-p.PX(d.Model.Private.Run.DetectionKm)) > 1e-9 {
		t.Errorf("run 293 is recognised at %v km and marked at %v", d.Model.Private.Run.DetectionKm, at)
	}
}

// The distribution reaches to the farthest of its flights, also where the direct one is never recognised.
func TestDistributionHoldsItsFlights(t *testing.T) {
	d := newDesk(t, 1280, 800)
	near := d.distribution.Plot()
	if near.X.High != 110 {
		t.Errorf("it reaches to %v km", near.X.High)
	}
	d.Model.SetObserver("heading")
	d.settled()
	p, far := d.distribution.Plot(), d.FarthestKm()
	if d.Model.Nominal.Run.Detected || far <= 110 || p.X.High < far-1 ||
		p.PX(d.Model.Ensemble.Summary().MeanKm) > p.Area.Right() {
		t.Errorf("flights are recognised up to %v km, it reaches to %v km", far, p.X.High)
	}
}

// The answer says which goal the distances of several are to, that the direct flight turns to it, and what the
// intervals leave out; for one goal and a watcher who learns nothing, none of it.
func TestAnswerSaysWhatItRestsOn(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.settled()
	if text := d.Answer(); strings.Contains(text, "goal") || strings.Contains(text, "leave out") {
		t.Errorf("of one goal is said %q", text)
	}
	observer := &d.Model.Config.Adversary.Observer
	before := *observer
	*observer = "mechanism"
	if text := d.Answer(); !strings.HasSuffix(text, " Intervals leave out that the observer learns from 100 policies.") {
		t.Errorf("of an observer who learns is said %q", text)
	}
	*observer = before
	phone := newDesk(t, 360, 740)
	phone.Model.SetObserver("mechanism")
	phone.Tab = layout.TabFlights
	phone.step(ui.Input{Outside: true})
	phone.step(ui.Input{Outside: true})
	var panel []string
	for _, w := range phone.written(false) {
		if phone.Layout.Distribution.Contains(w.r.Center()) {
			panel = append(panel, w.text)
		}
	}
	phone.Model.SetObserver("ballistic")
	phone.do("mission.three-goals")
	phone.settled()
	if lines := phone.layers[topLayer].List.Wrap(phone.Theme().Small, phone.FlightSentence(),
		phone.Layout.Headline.W-8); len(lines) > 3 {
		t.Errorf("a phone has no room for %q", lines)
	}
	const left = "Intervals leave out that the observer learns from 100 policies."
	if text := strings.Join(panel, " "); !strings.Contains(text, left) {
		t.Errorf("on a phone is said %q", text)
	}
	d.do("mission.three-goals")
	d.settled()
	legend := d.legend()
	const turning = " turning to its goal. Each distance is to the goal where the flight ends"
	if text := d.Answer(); !strings.Contains(text, turning) ||
		slices.Contains(legend, "straight to the target") || !slices.Contains(legend, "turning to the goal") {
		t.Errorf("of three goals is said %q; the legend is %q", text, legend)
	}
	for _, show := range []model.Shown{model.ShowPrivate, model.ShowPlanned, model.ShowDirect} {
		d.Model.SetShown(show)
		said := strings.ToLower(strings.ReplaceAll(d.said(), "predicts straight flight", ""))
		if before, after, calls := strings.Cut(said, "straight"); calls {
			t.Errorf("a flight that turns is called straight: …%s straight %.60s…", before[max(0, len(before)-60):], after)
		}
	}
	d.Model.SetShown(model.ShowPrivate)
	if text := d.FlightSentence(); !strings.HasPrefix(text, "Run 0. With privacy: recognised 14.2 km from goal 3 of 3. ") {
		t.Errorf("the flight to one of three goals is told as %q", text)
	}
	if text := d.ShortStory(); text != "Run 0: recognised 14.2 km from goal 3 of 3" {
		t.Errorf("where there is little room as %q", text)
	}
	for _, goal := range []string{"goal 1", "goal 2", "goal 3"} {
		if d.plan.Shown().Named()[goal].Empty() {
			t.Errorf("the map does not name %s: %v", goal, d.plan.Shown().Named())
		}
	}
}

// Another observer than the usual one is named in the question and, where there is none, beside the settings.
func TestQuestionNamesTheObserver(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if d.Question() != answer.TheQuestion || slices.ContainsFunc(d.bar.Subject(), func(part string) bool {
		return strings.HasPrefix(part, "seen by")
	}) {
		t.Errorf("the usual observer: %q, %q", d.Question(), d.bar.Subject())
	}
	d.Model.SetObserver("constant_velocity")
	d.step(ui.Input{Outside: true})
	const want = "Can the observer “constant_velocity” tell where it is going?"
	if d.Question() != want || !slices.Contains(d.bar.Subject(), "seen by constant_velocity") {
		t.Errorf("another observer: %q, %q", d.Question(), d.bar.Subject())
	}
}

// Of a radius that the vehicle flies through within the steps it is asked for, it is said that recognitions are missed.
func TestSmallRadiiAreRemarkedOn(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if text := d.LeftOut(); text != "" {
		t.Errorf("at the usual radius it says %q", text)
	}
	d.Model.SetRadius(0.05)
	const want = " Near the target some are missed: 3 steps take 0.34 km, more than ρ."
	if text := d.Answer(); !strings.HasSuffix(text, want) {
		t.Errorf("at 50 m it says %q", text)
	}
}

// The bar names a mission that is not the usual one, and one of the user's own.
func TestTheBarNamesTheMission(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for setting, want := range map[string]string{"": "", "mission=three-goals": "mission three-goals",
		"planner.keep_out=[[5,8]]": "own mission"} {
		d.Follow(setting)
		named := slices.IndexFunc(d.bar.Subject(), func(part string) bool { return strings.Contains(part, "mission") })
		if got := d.bar.Subject()[max(0, named)]; (named < 0) != (want == "") || want != "" && got != want {
			t.Errorf("%q: the bar says %v, want %q", setting, d.bar.Subject(), want)
		}
	}
}
