package screen

import (
	"slices"
	"strings"
	"testing"
)

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
