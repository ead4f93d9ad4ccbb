package configs

import (
	"strings"
	"testing"

	"veilpath/sim/vary"
)

// Settings that vary are read from flags, lists and mappings alike, and written so that they are read again.
func TestVariedSettings(t *testing.T) {
	const want = `vary: ["vehicle.speed_km_s=normal(1.7, 0.05)", "adversary.radius_km=[0.35, 0.7]", ` +
		`"target_km.east=uniform(-2, 2)"]`
	file := func(text string) Request {
		return Request{Config: "my.yaml", ReadFile: func(string) ([]byte, error) { return []byte(text), nil }}
	}
	for name, r := range map[string]Request{
		"flag": {Sets: []string{"vary=vehicle.speed_km_s=normal(1.7,0.05), adversary.radius_km=[0.35,0.7]," +
			" target_km.east = uniform(-2, 2)"}},
		"flags": {Overrides: []Override{{Key: "vary", Flag: "vary", Value: []string{"vehicle.speed_km_s=normal(1.7,0.05)",
			"adversary.radius_km=[0.35,0.7]", "target_km.east=uniform(-2,2)"}}}},
		"list": file("vary:\n  - vehicle.speed_km_s=normal(1.7, 0.05)\n  - adversary.radius_km=[0.35, 0.7]\n" +
			"  - target_km.east=uniform(-2, 2)\n"),
		"mapping": file("vary:\n  vehicle.speed_km_s: normal(1.7, 0.05)\n  adversary:\n    radius_km: [0.35, 0.7]\n" +
			"  target_km.east: uniform(-2, 2)\n"),
		"written": file(want),
	} {
		loaded, err := Load(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := string(loaded.YAML()); !strings.Contains(got, want+"\n") {
			t.Errorf("%s: %s", name, got)
		}
		if got := loaded.Vary[0].Bounds; got != (vary.Bounds{High: 100, AboveLow: true}) {
			t.Errorf("%s: a speed is in %s", name, got)
		}
	}
}

func TestWhatCannotVary(t *testing.T) {
	for text, want := range map[string]string{
		"vehicle.speed_km_s":                          "lacks its setting",
		"vehicle.speed_km_s=1.7":                      "is no distribution; allowed: [], or settings with normal(mean",
		"vehicle.speed_km_s=normal(1.7,0)":            "must be above 0",
		"vehicle.speed_km_s=uniform(2,1)":             "must ascend",
		"vehicle.speed_km_s=uniform(0,1)":             "draws 0, outside (0, 100]",
		"vehicle.heading=triangular(0,90,361)":        "draws 361, outside [-360, 360]",
		"planner.discount=uniform(0.8,0.9)":           "planner.discount is no setting that can vary; these can: adversary",
		"vehicle.speed=normal(1.7,0.1)":               "did you mean vehicle.speed_km_s?",
		"adversary.consecutive_steps=uniform(1,3)":    "which a list",
		"vehicle.heading=[1],vehicle.heading=[2]":     "vehicle.heading varies twice",
		"vehicle.speed_km_s=normal(1.7, wide)":        "is no finite number",
		"vehicle.accel_limit_km_s2=lognormal(-90, 1)": "",
	} {
		_, err := Load(Request{Sets: []string{"vary=" + text}})
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "vary = ")) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Every setting that can vary is a key, or a coordinate of one, and the default lies within its bounds.
func TestSettingsThatVaryHaveBounds(t *testing.T) {
	for _, key := range vary.Settings() {
		whole := key
		for _, coordinate := range []string{".east", ".north", ".up"} {
			whole = strings.TrimSuffix(whole, coordinate)
		}
		f, known := Lookup(whole)
		if !known {
			t.Errorf("%s is no key", key)
		}
		v := vary.Variation{Bounds: boundsOf(key)}
		if v.Bounds == (vary.Bounds{}) || v.Allow(1e9) {
			t.Errorf("%s (%s) has the bounds %s", key, f.Default, v.Bounds)
		}
	}
}
