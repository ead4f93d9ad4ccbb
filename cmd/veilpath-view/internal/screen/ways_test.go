package screen

import (
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/planner"
	"veilpath/planner/deception"
)

// A way without a guarantee is told by its name and as one that gives none, with the moves that its flight makes;
// it has no private reward to be shown, and what is changed by hand is planned for the true one.
func TestWaysAreTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	g := d.Model.Experiment.Mission.Grid
	for _, w := range deception.Ways() {
		d.Model.SetMechanism(w.Name)
		d.Model.Work()
		d.Heat = answer.HeatPrivate
		d.step(ui.Input{Outside: true})
		signs, text := strings.Join(d.bar.Subject(), " "), d.result("Mechanism of privacy")
		if !strings.Contains(signs, w.Name) || strings.Contains(signs+text, "sigma") ||
			!strings.Contains(text, w.Name+" "+w.Meaning+"; "+deception.NoGuarantee) {
			t.Errorf("%s: %q and %q", w.Name, signs, text)
		}
		if d.HeatShown() != answer.HeatTrue {
			t.Errorf("%s: a map of a private reward", w.Name)
		}
		visits := d.Model.Flight().Visits
		for _, e := range d.Model.Events() {
			if e.Kind != model.Waypoint {
				continue
			}
			v := visits[e.Visit]
			if got := g.Next(v.State, e.Action); got != v.Commanded {
				t.Errorf("%s, waypoint %d: %s goes on to %d, the flight to %d", w.Name, e.Visit, d.EventText(e), got,
					v.Commanded)
			}
			best := planner.Action(d.Model.Experiment.Mission.Optimal.Policy[v.State])
			if says := strings.Contains(d.EventText(e), "the way "+w.Name+" turned it"); says != (best != e.Action) {
				t.Errorf("%s, waypoint %d: %s", w.Name, e.Visit, d.EventText(e))
			}
		}
		d.Model.KeepOut(visits[3].State)
		for _, v := range d.Model.Flight().Visits[1:] {
			if v.Commanded == visits[3].State {
				t.Errorf("%s: the flight goes by state %d, which it keeps out of", w.Name, v.Commanded)
			}
		}
		d.Model.KeepOut(visits[3].State)
	}
}
