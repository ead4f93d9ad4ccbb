package configs

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// A range among the epsilons sets study.axis; epsilons without one set it to none, whatever a weaker layer says.
func TestEpsilonsWithARange(t *testing.T) {
	yaml := func(text string) Request {
		return Request{Config: "my.yaml", ReadFile: func(string) ([]byte, error) { return []byte(text), nil }}
	}
	sets := func(sets ...string) Request { return Request{Sets: sets} }
	twenty, noNoise := Default().Study.Epsilons, math.Inf(1)
	for name, c := range map[string]struct {
		request Request
		axis    Axis
		listed  []float64
	}{
		"alone":            {sets("study.epsilons=0.2..4"), Axis{0.2, 4}, twenty},
		"narrow":           {sets("study.epsilons=0.7..1.3"), Axis{0.7, 1.3}, []float64{0.7, 0.8, 1, 1.2, 1.3}},
		"beyond the paper": {sets("study.epsilons= 5 .. 10 "), Axis{5, 10}, []float64{5, 10}},
		"with others":      {sets("study.epsilons=0.2..4,1,0.5"), Axis{0.2, 4}, []float64{1, 0.5}},
		"after others":     {sets("study.epsilons=[1, 0.2..4]"), Axis{0.2, 4}, []float64{1}},
		"with steps":       {sets("study.epsilons=0.2..4,0.5:1:0.25"), Axis{0.2, 4}, []float64{0.5, 0.75, 1}},
		"in a file":        {yaml("study: {epsilons: 0.2..4}"), Axis{0.2, 4}, twenty},
		"in a file's list": {yaml("study: {epsilons: [0.2..4, 2]}"), Axis{0.2, 4}, []float64{2}},
		"by its own key":   {yaml("study: {axis: 0.1..5, epsilons: [2]}"), Axis{0.1, 5}, []float64{2}},
		"own key alone":    {sets("study.axis=0.1..5"), Axis{0.1, 5}, twenty},
		"none":             {sets("study.epsilons=1,2"), Axis{}, []float64{1, 2}},
		"no noise":         {sets("study.epsilons=none"), Axis{}, []float64{noNoise}},
		"no noise, steps":  {sets("study.epsilons=none,0.2:4:0.2"), Axis{}, append([]float64{noNoise}, twenty...)},
		"no noise, range":  {sets("study.epsilons=0.2..4, none"), Axis{0.2, 4}, append([]float64{noNoise}, twenty...)},
		"no noise, all":    {sets("study.epsilons=[none, 0.5, 0.2..4]"), Axis{0.2, 4}, []float64{noNoise, 0.5}},
		"range kept":       {sets("study.axis=0.1..5", "study.epsilons=2"), Axis{0.1, 5}, []float64{2}},
		"flag over a file": {Request{Config: "my.yaml", ReadFile: yaml("study: {epsilons: 0.2..4}").ReadFile,
			Overrides: []Override{{Key: "study.epsilons", Flag: "epsilons", Value: "1"}}}, Axis{}, []float64{1}},
	} {
		loaded, err := Load(c.request)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if loaded.Study.Axis != c.axis || !slices.Equal(loaded.Study.Epsilons, c.listed) {
			t.Errorf("%s: %v and %v, want %v and %v", name, loaded.Study.Axis, loaded.Study.Epsilons, c.axis, c.listed)
		}
		encoded, err := json.Marshal(loaded.Config)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(loaded.YAML()), string(encoded)} {
			again, err := Load(yaml(text))
			if err != nil || again.SHA256() != loaded.SHA256() || again.Study.Axis != c.axis {
				t.Errorf("%s: %s gives %v, %v", name, text, again, err)
			}
		}
	}
	for text, want := range map[string]string{
		"study.epsilons=0.2..4,1..2": "holds two ranges",
		"study.epsilons=4..0.2":      "the range 4..0.2: does not go upwards",
		"study.epsilons=0..4":        "the range 0..4: 0 (value 1) is out of range",
		"study.epsilons=1..2..3":     "not two numbers",
		"study.epsilons=1..":         "value 2 is missing",
		"study.epsilons=0.2..4,5":    "epsilon 5 is outside the range 0.2..4",
		"study.epsilons=none,none":   "holds none twice",
		"study.epsilons=inf":         "not a finite number",
		"study.epsilons=none,1:2":    "2 numbers between colons, not 3",
	} {
		if _, err := Load(sets(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := Load(sets("study.epsilons=0.2..4", "study.axis=1..2")); err == nil ||
		!strings.Contains(err.Error(), "given twice") {
		t.Errorf("two ranges: %v", err)
	}
}
