package vary

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/gonum/stat"

	"veilpath/sim"
)

// Quantiles and probabilities are those of the closed forms, and the text of a distribution is read as itself.
func TestDistributions(t *testing.T) {
	for text, c := range map[string]struct{ p, quantile, at, cdf float64 }{
		"normal(1.7, 0.05)":          {0.975, 1.7 + 0.05*1.959963984540054, 1.7, 0.5},
		"lognormal(0.5, 0.2)":        {0.025, math.Exp(0.5 - 0.2*1.959963984540054), math.Exp(0.5), 0.5},
		"uniform(-2, 6)":             {0.25, 0, 4, 0.75},
		"triangular(0, 1, 4)":        {0.25, 1, 2, 1 - 4./12},
		"[0.7, 1.4, 0.7, 2.8]":       {0.5, 1.4, 0.7, 0.5},
		"triangular(1, 1, 3)":        {0.75, 2, 2, 0.75},
		"[5]":                        {0.3, 5, 4.9, 0},
		" uniform ( 1e-3 , 2.5e-3 )": {0.5, 1.75e-3, 1e-3, 0},
	} {
		d, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		const rounding = 1e-12
		if got := d.Quantile(c.p); math.Abs(got-c.quantile) > rounding {
			t.Errorf("%s: quantile %g is %.15g, want %.15g", text, c.p, got, c.quantile)
		}
		if got := d.CDF(c.at); math.Abs(got-c.cdf) > rounding {
			t.Errorf("%s: %.15g lie at or below %g, want %g", text, got, c.at, c.cdf)
		}
		if again, err := Parse(d.String()); err != nil || again.String() != d.String() {
			t.Errorf("%s is written %s and read as %s, %v", text, d, again, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"normal(1,2)", "[1, 2]", "uniform(1,2", "[]", "[1)",
		"triangular(1,NaN,2)", "(1)", "a(1,2)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(d.String()); err != nil || again.String() != d.String() {
			t.Errorf("%q is written %q and read as %q, %v", text, d, again, err)
		}
		if x := d.Quantile(0.5); math.IsNaN(x) {
			t.Errorf("%q has no median", text)
		}
	})
}

// Values follow their distribution, and those of two settings, of two runs and of two seeds are unrelated.
func TestDrawsFollowTheirDistribution(t *testing.T) {
	const n = 4000
	draw := func(key string, seed uint64, first int) (all []float64) {
		d, err := Parse("triangular(1, 2, 5)")
		if err != nil {
			t.Fatal(err)
		}
		v := Variation{Key: key, Distribution: d, Bounds: Bounds{Low: 1, High: 5}}
		for run := range n {
			x, err := v.Draw(seed, first+run)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, d.CDF(x))
		}
		return all
	}
	own := draw("vehicle.speed_km_s", 1, 0)
	sorted := slices.Sorted(slices.Values(own))
	for i, u := range sorted {
		if off := math.Abs(u - (float64(i)+0.5)/n); off > 1.95/math.Sqrt(n) { // Kolmogorov, at 0.1 %
			t.Fatalf("a share of %g lies at or below quantile %g", (float64(i)+0.5)/n, u)
		}
	}
	for name, other := range map[string][]float64{"setting": draw("vehicle.heading", 1, 0),
		"seed": draw("vehicle.speed_km_s", 2, 0), "run": draw("vehicle.speed_km_s", 1, 1)} {
		if r := stat.Correlation(own, other, nil); math.Abs(r) > 3.3/math.Sqrt(n) {
			t.Errorf("draws of another %s have the correlation %g", name, r)
		}
	}
}

// A value out of bounds is an error that names the run, the setting and the bounds.
func TestDrawsOutOfBounds(t *testing.T) {
	v, err := ParseVariation("vehicle.speed_km_s=normal(1.7, 5)")
	if err != nil {
		t.Fatal(err)
	}
	v.Bounds = Bounds{High: 100, AboveLow: true}
	refused := 0
	for run := range 20 {
		if x, err := v.Draw(1, run); (err != nil) != (x <= 0) || err != nil &&
			(!strings.Contains(err.Error(), "draws vehicle.speed_km_s = ") || !strings.Contains(err.Error(), "(0, 100]")) {
			t.Errorf("run %d draws %g, %v", run, x, err)
		} else if err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no value is refused")
	}
	for _, c := range []struct {
		b    Bounds
		x    float64
		want bool
	}{{Bounds{}, math.Inf(1), true}, {Bounds{High: 1, AboveLow: true}, 0, false}, {Bounds{High: 1}, 0, true},
		{Bounds{High: 1, Within: true}, 1, false}, {Bounds{High: 1}, 1, true}, {Bounds{High: 1}, 1.1, false}} {
		if c.b.Allow(c.x) != c.want {
			t.Errorf("%s allows %g: %v", c.b, c.x, !c.want)
		}
	}
}

// Every setting of a vehicle sets its own quantity of a scenario, angles in radians, and nothing else.
func TestScenariosOfRuns(t *testing.T) {
	base := sim.Scenario{SpeedKmS: 1, AccelLimitKmS2: 1, Start: r3.Vec{X: -200, Y: 1, Z: 10}, HeadingRad: math.NaN(),
		HandoverKm: 80, WaypointGain: 3, WaypointMinTgoS: 2, GenexMinTgoS: 1, MaxTransitions: 100, StepS: 0.1, MaxTimeS: 100}
	x := 15.0
	degrees := x * math.Pi / 180 // rounded as settings are
	for key, want := range map[string]func(*sim.Scenario){
		"vehicle.speed_km_s":               func(s *sim.Scenario) { s.SpeedKmS = 15 },
		"vehicle.accel_limit_km_s2":        func(s *sim.Scenario) { s.AccelLimitKmS2 = 15 },
		"vehicle.start_km.east":            func(s *sim.Scenario) { s.Start.X = 15 },
		"vehicle.start_km.north":           func(s *sim.Scenario) { s.Start.Y = 15 },
		"vehicle.start_km.up":              func(s *sim.Scenario) { s.Start.Z = 15 },
		"vehicle.heading":                  func(s *sim.Scenario) { s.HeadingRad = degrees },
		"target_km.east":                   func(s *sim.Scenario) { s.Target.X = 15 },
		"target_km.north":                  func(s *sim.Scenario) { s.Target.Y = 15 },
		"target_km.up":                     func(s *sim.Scenario) { s.Target.Z = 15 },
		"guidance.genex_n":                 func(s *sim.Scenario) { s.GenexN = 15 },
		"guidance.terminal_steepening_deg": func(s *sim.Scenario) { s.SteepeningRad = degrees },
		"guidance.genex_min_tgo_s":         func(s *sim.Scenario) { s.GenexMinTgoS = 15 },
		"guidance.waypoint_gain":           func(s *sim.Scenario) { s.WaypointGain = 15 },
		"guidance.waypoint_min_tgo_s":      func(s *sim.Scenario) { s.WaypointMinTgoS = 15 },
		"privacy.handover_km":              func(s *sim.Scenario) { s.HandoverKm = 15 },
		"adversary.radius_km":              func(*sim.Scenario) {},
		"adversary.lambda_per_s":           func(*sim.Scenario) {},
		"adversary.noise_km":               func(*sim.Scenario) {},
		"adversary.consecutive_steps":      func(*sim.Scenario) {},
	} {
		wanted := base
		want(&wanted)
		got, err := Scenario(&base, []Variation{{Key: key, Distribution: Distribution{Numbers: []float64{15}}}}, 1, 2)
		if math.IsNaN(wanted.HeadingRad) && math.IsNaN(got.HeadingRad) {
			wanted.HeadingRad, got.HeadingRad = 0, 0
		}
		if err != nil || !reflect.DeepEqual(got, wanted) {
			t.Errorf("%s: %+v, %v, want %+v", key, got, err, wanted)
		}
	}
	if n := len(Settings()); n != 19 {
		t.Errorf("%d settings can vary, and 19 are tested", n)
	}
	if _, err := Scenario(&base, []Variation{{Key: "vehicle.speed_km_s", Distribution: Distribution{
		Numbers: []float64{-1}}}}, 1, 7); err == nil || !strings.Contains(err.Error(), "run 7") {
		t.Errorf("a speed below 0: %v", err)
	}
}
