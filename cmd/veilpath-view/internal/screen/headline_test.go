package screen

import (
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
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
		check(observer+", direct", "Straight to the target: never recognised")
		d.Model.SetShown(model.ShowPrivate)
	}
	d.Model.SetObserver("ballistic")
	d.Model.SetRadius(0.1)
	d.Model.Select(8)
	check("a private flight", "With privacy: never recognised", "Planned without noise: 53.0 km; straight 56.8 km.")
	d.Model.SetRadius(0.001)
	check("both", "With privacy: never recognised", "Nor is the planned flight without noise (straight never).")
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
	p, far := d.distribution.Plot(), d.FarthestDot()
	if d.Model.Nominal.Run.Detected || far <= 110 || p.X.High < far-1 ||
		p.PX(d.Model.Ensemble.Summary().MeanKm) > p.Area.Right() {
		t.Errorf("flights are recognised up to %v km, it reaches to %v km", far, p.X.High)
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
