package screen

import (
	"strings"
	"testing"
)

// Where there is no curve along epsilon, the reason is told.
func TestWhyNoCurveIsTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for setting, want := range map[string]string{"privacy.mechanism=goal": "drawn goals",
		"study.noise=independent": "independent noise", "planner.slip=0.1": "uncertain moves",
		"vehicle.heading=random": "these settings"} {
		d.Follow(setting)
		if d.Model.Message.Wrong || d.Model.HasAxis() || !strings.Contains(d.NoCurve(), "with "+want+":") {
			t.Errorf("%s: no curve with %q, want %q; there is one: %v; %s", setting, d.NoCurve(), want, d.Model.HasAxis(),
				d.Model.Message.Text)
		}
	}
}
