package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/model"
)

// wall is settings with cells that are kept out of in the way of the direct flight, where noise makes hiding worse.
const wall = "planner.keep_out=[[8,0,8,15]]&privacy.epsilon=0.5&run=3&study.runs=60&t=60"

// said is all that is told and written.
func (d *desk) said() string {
	d.t.Helper()
	text := []string{fmt.Sprint(d.Outline())}
	for _, w := range d.written(false) {
		text = append(text, w.text)
	}
	return strings.Join(text, "\n")
}

// It is said that noise hides where it does, that it gives the target away where it does that, and neither where
// neither is shown.
func TestNoiseHidesWhereItDoes(t *testing.T) {
	for name, c := range map[string]struct{ settings, want, flight string }{
		"the preset": {"privacy.epsilon=0.4&run=3&study.runs=60&t=60", "noise hides the target for",
			"later than planned without noise (60.8 km; straight 101.6 km)"},
		"a wall": {wall, "noise gives the target away", "sooner than planned without noise (18.9 km; no straight way)"},
		"few runs": {"privacy.epsilon=4&study.runs=12&t=60", "no effect of the noise is shown",
			"than planned without noise (60.8 km; straight 101.6 km)"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 1280, 800)
			d.Follow(c.settings)
			d.settled()
			sum := d.Model.Ensemble.Summary()
			if effect := d.NoiseSentence(); !strings.Contains(effect, c.want) || !strings.Contains(d.said(), effect) {
				t.Errorf("of %+.1f km (%+.1f to %+.1f) it is said that %q", sum.NoiseKm, sum.NoiseLowKm, sum.NoiseHighKm, effect)
			}
			if more := d.FlightSentence(); !strings.Contains(strings.ToLower(more), c.flight) {
				t.Errorf("the flight is recognised at %.1f km, its planned one at %.1f: %q", d.Model.Private.Run.DetectionKm,
					d.Model.Private.Run.PlannedKm, more)
			}
			for _, wrong := range []string{"ithout privacy", "NaN", "idden for"} {
				if said := d.said(); strings.Contains(said, wrong) {
					t.Errorf("it is said that %q", said[strings.Index(said, wrong):][:60])
				}
			}
		})
	}
}

// Where a cell that is kept out of is in its way the direct flight is no baseline: it is neither drawn nor flagged
// unless it is requested, and then called what it is.
func TestBlockedDirectFlightIsNoBaseline(t *testing.T) {
	d := newDesk(t, 1280, 800)
	written := func() (of []string) {
		for _, w := range d.written(false) {
			if strings.HasPrefix(w.text, "straight") {
				of = append(of, w.text)
			}
		}
		return of
	}
	d.settled()
	if of := written(); len(of) != 4 { // legend, mark, flag and chart
		t.Errorf("written of the direct flight is %q", of)
	}
	d.Follow(wall)
	d.settled()
	if of := written(); of != nil || len(d.plan.Shown().Drawn()) != 1 {
		t.Errorf("round a wall, written of the direct flight is %q; %d flights are drawn", of,
			len(d.plan.Shown().Drawn()))
	}
	if want := [2]string{"Straight to the target",
		"not given: a cell that is kept out of is in its way"}; !slices.Contains(d.Outline().Results, want) {
		t.Errorf("the results are %q", d.Outline().Results)
	}
	d.Model.SetShown(model.ShowDirect)
	if more := d.FlightSentence(); !strings.Contains(more, "crosses cells that are kept out of") {
		t.Errorf("the direct flight is told as %q", more)
	}
}

// The command that is named for a flight flies it.
func TestCommandsOfBaselines(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.Select(3)
	for _, want := range []string{"veilpath.yaml --run 3 flies", "veilpath.yaml --nominal flies",
		"veilpath.yaml --epsilon none --run 3 flies"} {
		if d.do("export.config"); !strings.Contains(d.Model.Message.Text, want) {
			t.Errorf("of %s it is said that %q, want %q", answer.ShownNames[d.Model.Show], d.Model.Message.Text, want)
		}
		d.do(either(d.Model.Show == model.ShowPrivate, "direct", "planned"))
	}
}

// Where a wall lies as far to one side as to the other, the plan without noise is one of two: what private flights
// differ by from it depends on which of them it is, so no sentence or figure says that noise does it.
func TestTiedPlansShowNothingOfTheNoise(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("planner.moves=8&vehicle.start_km=[-200,0,10]&planner.start_cell=[0,10]&planner.keep_out=[[7,7,7,13]]&" +
		"privacy.epsilon=0.5&study.runs=40&t=60")
	d.settled()
	sum := d.Model.Ensemble.Summary()
	if sum.NoiseLowKm <= 0 && sum.NoiseHighKm >= 0 {
		t.Fatalf("the difference of %+.1f to %+.1f km tempts nobody", sum.NoiseLowKm, sum.NoiseHighKm)
	}
	const several = "several plans without noise are equally good"
	for name, text := range map[string]string{"effect": d.NoiseSentence(), "story's word": d.FilledIn("{noise}")} {
		if !strings.Contains(text, several) {
			t.Errorf("%s: %q does not say that the plan without noise is one of several", name, text)
		}
	}
	said := d.said()
	for _, e := range d.Model.Events() {
		said += "\n" + d.EventText(e)
	}
	for _, wrong := range []string{"noise hides", "noise gives", "noise +", "noise -", "noise −", "noise turned"} {
		if at := strings.Index(said, wrong); at >= 0 {
			t.Errorf("it is said that %q", said[max(0, at-40):][:80])
		}
	}
	d.Follow("planner.keep_out=[[7,7,7,14]]")
	d.settled()
	if text := d.NoiseSentence(); d.Model.Tied() || !strings.Contains(text, "noise") || strings.Contains(text, several) {
		t.Errorf("round a wall that is longer on one side: %q", text)
	}
}
