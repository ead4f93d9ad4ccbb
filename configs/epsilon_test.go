package configs

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// none is an epsilon wherever one is set, and comes back from every form in which settings are written.
func TestNoneIsAnEpsilon(t *testing.T) {
	none, published := math.Inf(1), Default().Study.Epsilons
	for text, want := range map[string]struct {
		listed []float64
		axis   Axis
	}{
		"none":                {[]float64{none}, Axis{}},
		"none,1":              {[]float64{none, 1}, Axis{}},
		"[0.5, none]":         {[]float64{0.5, none}, Axis{}},
		"none,0.2:4:0.2":      {append([]float64{none}, published...), Axis{}},
		"1,none,2:3:1":        {[]float64{1, none, 2, 3}, Axis{}},
		"none,0.2..4":         {append([]float64{none}, published...), Axis{0.2, 4}},
		"0.2..4,none":         {append([]float64{none}, published...), Axis{0.2, 4}},
		"none, 1 , 0.2..4":    {[]float64{none, 1}, Axis{0.2, 4}},
		"[none, 0.5, 0.2..4]": {[]float64{none, 0.5}, Axis{0.2, 4}},
		"0.5,none,.2..4":      {[]float64{0.5, none}, Axis{0.2, 4}},
	} {
		loaded, err := Load(Request{Sets: []string{"study.epsilons=" + text}})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !slices.Equal(loaded.Study.Epsilons, want.listed) || loaded.Study.Axis != want.axis {
			t.Errorf("%s: %v and %v, want %v and %v", text, loaded.Study.Epsilons, loaded.Study.Axis, want.listed, want.axis)
		}
		again := func(how string, config []byte) {
			back, err := Load(Request{Config: "again.yaml", ReadFile: func(string) ([]byte, error) { return config, nil }})
			if err != nil {
				t.Errorf("%s as %s: %v", text, how, err)
			} else if back.SHA256() != loaded.SHA256() {
				t.Errorf("%s as %s comes back as %v", text, how, back.Study)
			}
		}
		again("YAML", loaded.YAML())
		encoded, err := json.Marshal(loaded.Config)
		if err != nil {
			t.Fatal(err)
		}
		again("JSON", encoded)
	}
	one, err := Load(Request{Sets: []string{"privacy.epsilon=none"}})
	if err != nil || !math.IsInf(one.Privacy.Epsilon, 1) || one.Texts()["privacy.epsilon"] != "none" {
		t.Errorf("privacy.epsilon %v, error %v", one.Privacy.Epsilon, err)
	}
	for _, bad := range []string{"none,none", "none,0", "nona", "none,0.2..4,1..2", "none,5,0.2..4", "inf", "none,1:2"} {
		if _, err := Load(Request{Sets: []string{"study.epsilons=" + bad}}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
