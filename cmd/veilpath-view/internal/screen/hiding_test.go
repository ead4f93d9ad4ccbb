package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// What hides the destination is told where it is flown, in the document and to tests: noise by its sigma, a drawn goal
// by its distance, and a sigma only where there is noise.
func TestWhatHidesIsTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, c := range []struct {
		mechanism, delta string
		draws, sigma     bool
	}{{configs.OnReward, "0.01", false, true}, {"goal", "0", true, false}, {"parameter", "0.01", true, true}} {
		d.Model.SetMechanism(c.mechanism)
		d.Model.Work()
		d.step(ui.Input{Outside: true})
		signs, text := strings.Join(d.bar.Subject(), " "), d.result("Mechanism of privacy")
		if strings.Contains(signs, "σ ") != c.sigma || strings.Contains(text, "sigma ") != c.sigma ||
			strings.Contains(signs, "σ 0.00") {
			t.Errorf("%s: sigma in %q and %q; want it: %v", c.mechanism, signs, text, c.sigma)
		}
		if !strings.Contains(signs, "δ "+c.delta+" ") || !strings.Contains(text, "delta "+c.delta+":") {
			t.Errorf("%s: delta in %q and %q; want %s", c.mechanism, signs, text, c.delta)
		}
		if about := d.Pictures.About(); !strings.HasSuffix(about, ", delta "+c.delta) {
			t.Errorf("%s: a saved picture says %q; want delta %s", c.mechanism, about, c.delta)
		}
		if !slices.Contains(d.Outline().Results, [2]string{"Mechanism of privacy", text}) {
			t.Errorf("%s: the outline has %q nowhere", c.mechanism, text)
		}
		d.plan.Map.Camera.Zoom(0.2, d.Layout.Map.Center()) // a goal may be drawn far away
		d.step(ui.Input{Outside: true})
		_, named := d.plan.Shown().Named()["drawn goal"]
		if !c.draws {
			if strings.Contains(signs+text, "goal") || named {
				t.Errorf("%s: %q and %q tell of a drawn goal", c.mechanism, signs, text)
			}
			continue
		}
		off := fmt.Sprintf("%.1f km", d.Model.DrawnGoal().OffKm)
		if !strings.Contains(signs, "goal "+off+" off") || !strings.Contains(text, off+" from the true one") ||
			named != (d.Model.DrawnGoal().OffKm > 0) {
			t.Errorf("%s: %q and %q, marked %v; the goal drawn is %s off", c.mechanism, signs, text, named, off)
		}
		if hint := strings.Join(append(d.MapHints(), d.StrengthHint()), " "); strings.Contains(hint, "noise") ||
			strings.Contains(hint, "Gaussian") || strings.Contains(hint, "Ticks") {
			t.Errorf("%s: the hints speak of noise on the reward, or of ticks that there are not: %s", c.mechanism, hint)
		}
	}
}

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
