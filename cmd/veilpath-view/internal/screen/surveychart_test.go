package screen

import (
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// While the map of epsilon and radius is empty it says why, in its panel and in the outline.
func TestEmptySurveySaysWhy(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(*desk)
		want string
	}{
		{"flown along epsilon", func(d *desk) { d.Model.SetLambda(0.2) }, "Flying"},
		{"flown for each epsilon", func(d *desk) { d.Follow(small + "&adversary.observer=mechanism&folded=none") },
			"With an observer who knows ε each ε is flown by itself"},
		{"selected is none of it", func(d *desk) {
			d.Model.Work()
			d.step(ui.Input{})
			d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{1, 2}}})
		}, "none is selected"},
		{"not possible", func(d *desk) {
			d.Follow(small + "&adversary.observer=mechanism&folded=none")
			d.Model.Survey.Problem = "no noise does that"
		}, "There is no map: no noise does that"},
	} {
		d := newDesk(t, 1280, 800)
		test.do(d)
		d.step(ui.Input{Pointer: d.survey.Chart().Cell(4, 9).Center()})
		hint, shown := d.UI.HintText(), ""
		for _, w := range d.written(false) {
			shown += w.text + " "
		}
		inWords := func(r [2]string) bool { return strings.Contains(r[1], test.want) }
		if !strings.Contains(shown, test.want) || strings.Contains(shown, " 0 flights") ||
			!slices.ContainsFunc(d.Outline().Results, inWords) {
			t.Errorf("%s: the panels say %q", test.name, shown)
		}
		if !strings.Contains(hint, "km: no flights.") {
			t.Errorf("%s: under the pointer %q", test.name, hint)
		}
		d.Choose(answer.Selection{})
		d.Model.Survey.Problem = ""
		d.Model.Work()
		d.step(ui.Input{Outside: true})
		if text := d.SurveyAwaited(); text != "" || slices.ContainsFunc(d.Outline().Results, inWords) {
			t.Errorf("%s: with flights it says %q", test.name, text)
		}
	}
}
