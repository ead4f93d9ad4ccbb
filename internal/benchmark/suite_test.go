package benchmark

import (
	"slices"
	"strings"
	"testing"

	"veilpath/assets"
	"veilpath/configs"
)

const small = `
flights: 8
policies: 3
seed: 5
radius_km: 10
observers: [geometry, moves]
missions:
  - name: tiny
    config: paper
    set: {planner.columns: 8, planner.rows: 6, planner.start_cell: "[0, 2]", vehicle.start_km: "[-75, 0, 10]",
      vehicle.heading: 90, privacy.handover_km: 30, adversary.candidates: "6:2,5:5,5:0,7:4"}
ways:
  - {name: planned, set: {privacy.epsilon: none}}
  - {name: gaussian, parameter: privacy.epsilon, values: [0.5, 2]}
`

// A suite is every mission with every way at every strength, with the settings of both.
func TestCasesOfASuite(t *testing.T) {
	s, err := ReadSuite([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	cases := s.Cases()
	var got []string
	for i := range cases {
		got = append(got, cases[i].Way.Name+" "+cases[i].Value)
	}
	if want := []string{"planned ", "gaussian 0.5", "gaussian 2"}; !slices.Equal(got, want) {
		t.Errorf("cases %q, want %q", got, want)
	}
	loaded, err := s.Request(&cases[2]).Load(1)
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Planner.Columns != 8 || loaded.Privacy.Epsilon != 2 || loaded.Study.Seed != 5 || loaded.Study.Workers != 1 {
		t.Errorf("loaded %+v", loaded.Config)
	}
}

// Every row of the embedded suite has settings that load, and a way that the program has.
func TestEmbeddedSuiteLoads(t *testing.T) {
	s, err := ReadSuite(assets.BenchmarkSuite)
	if err != nil {
		t.Fatal(err)
	}
	cases := s.Cases()
	for i := range cases {
		loaded, err := s.Request(&cases[i]).Load(1)
		if err != nil {
			t.Errorf("%s, %s %s: %v", cases[i].Mission.Name, cases[i].Way.Name, cases[i].Value, err)
			continue
		}
		if len(loaded.Planner.Goals) > 0 || loaded.Problem != configs.Waypoints {
			t.Errorf("%s has several goals or no flights", cases[i].Mission.Name)
		}
	}
}

// Mistakes in a suite are named with what is wanted.
func TestMistakesInSuites(t *testing.T) {
	for says, change := range map[string][2]string{
		"want at least 4":            {"flights: 8", "flights: 3"},
		"policies is 0":              {"policies: 3", "policies: 0"},
		"training is 9":              {"policies: 3", "training: 9"},
		"radius_km is -1":            {"radius_km: 10", "radius_km: -1"},
		"observers: want":            {"[geometry, moves]", "[]"},
		"no values; list some":       {"[0.5, 2]", "[]"},
		"no parameter; name":         {"parameter: privacy.epsilon, ", ""},
		"lists 2 twice":              {"[0.5, 2]", "[0.5, 2, 2]"},
		"lists 2.0 twice":            {"[0.5, 2]", "[0.5, 2, '2.0']"},
		"which belongs to missions":  {"parameter: privacy.epsilon", "parameter: planner.columns"},
		"a name of its own for each": {"name: gaussian", "name: planned"},
		"no mission has that name":   {"values: [0.5, 2]", "values: [0.5, 2], only: [large]"},
		"line 4: field sead not found; veilpath help benchmark": {"seed: 5", "sead: 5"},
		"field conf not found":                 {"config: paper", "conf: paper"},
		"line 2: cannot unmarshal str `many`;": {"flights: 8", "flights: many"},
		"line 2: 8.5 is not a whole number":    {"flights: 8", "flights: 8.5"},
		"line 6: cannot unmarshal":             {"[geometry, moves]", "moves"},
		"cannot unmarshal map":                 {"[0.5, 2]", "{a: 2}"},
		"must be the last of them":             {"[geometry, moves]", "['exec:a', moves]"},
		"0 missions":                           {"missions:", "missions: []\nx:"},
	} {
		text := strings.Replace(small, change[0], change[1], 1)
		if says == "0 missions" {
			text = "observers: [moves]\nways: [{name: a}]\n"
		}
		if _, err := ReadSuite([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q gives %v, want an error with %q", change[1], err, says)
		}
	}
}

func FuzzReadSuite(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("ways: [{values: [1]}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := ReadSuite(text); err == nil && (len(s.Cases()) == 0 || len(s.Cases()) > mostCases) {
			t.Errorf("%d cases", len(s.Cases()))
		}
	})
}
