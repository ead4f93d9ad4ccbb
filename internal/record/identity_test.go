package record

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// doneStudy returns the manifest of a finished shard of a study.
func doneStudy() Manifest {
	one := 3
	return Manifest{Program: "veilpath", Version: "1", GoVersion: "go1", Arch: "amd64", Verb: "study", Complete: true,
		Seed: 7, Facts: Facts{Run: &one, Runs: 20, Flights: 60, Pieces: 5, EpsilonResolution: 0.005, Unmet: 1,
			NominalDetectionKm: 101.5, PlannedDetectionKm: 60.25, Answer: json.RawMessage(`{"met":true}`)},
		Sweep:   Sweep{Settings: []Swept{{Key: "sim.step_s", Unit: "s", Values: []any{0.1, 0.2}}}},
		UntilKm: 0, Trajectories: 2,
		Shard: &Shard{2, 3}, Request: "ab",
		ConfigSHA256: "cd", Config: json.RawMessage(`{"study":{"runs":20,"seed":7},"sim":{"step_s":0.1}}`),
		Files:     map[string]string{"runs.parquet": "ef"},
		WallTimeS: 1.5, Workers: 2}
}

// The identity of a study depends only on what its records depend on, and not on results, time or workers. If a
// precision ends the study, it does not depend on the number of runs.
func TestIdentityDependsOnWhatRecordsDependOn(t *testing.T) {
	same := map[string]func(*Manifest){
		"complete": func(m *Manifest) { m.Complete = false }, "runs": func(m *Manifest) { m.Runs = 1 },
		"flights": func(m *Manifest) { m.Flights = 1 },
		"pieces":  func(m *Manifest) { m.Pieces = 1 }, "resolution": func(m *Manifest) { m.EpsilonResolution = 1 },
		"unmet":   func(m *Manifest) { m.Unmet = 0 },
		"files":   func(m *Manifest) { m.Files = nil },
		"time":    func(m *Manifest) { m.WallTimeS = 9 },
		"workers": func(m *Manifest) { m.Workers = 9 }, "nominal": func(m *Manifest) { m.NominalDetectionKm = 1 },
		"planned": func(m *Manifest) { m.PlannedDetectionKm = 1 },
		"answer":  func(m *Manifest) { m.Answer = json.RawMessage(`{"met":false}`) },
		"blanks in the settings": func(m *Manifest) {
			m.Config = json.RawMessage("{ \"study\": {\"runs\": 20, \"seed\": 7},\n \"sim\": {\"step_s\": 0.1}}")
		},
	}
	other := map[string]func(*Manifest){
		"version": func(m *Manifest) { m.Version = "2" }, "arch": func(m *Manifest) { m.Arch = "arm64" },
		"verb": func(m *Manifest) { m.Verb = "leak" },
		"seed": func(m *Manifest) { m.Seed = 8 }, "sweep": func(m *Manifest) { m.Sweep = Sweep{} },
		"until":         func(m *Manifest) { m.UntilKm = 1 },
		"trajectories":  func(m *Manifest) { m.Trajectories = 3 },
		"shard":         func(m *Manifest) { m.Shard = nil },
		"another shard": func(m *Manifest) { m.Shard = &Shard{1, 3} }, "request": func(m *Manifest) { m.Request = "x" },
		"settings": func(m *Manifest) {
			m.Config = json.RawMessage(`{"study":{"runs":20,"seed":7},"sim":{"step_s":0.2}}`)
		},
		"runs in the settings": func(m *Manifest) {
			m.Config = json.RawMessage(`{"study":{"runs":21,"seed":7},"sim":{"step_s":0.1}}`)
		},
	}
	identity := doneStudy().Identity()
	for name, change := range same {
		if m := doneStudy(); func() bool { change(&m); return m.Identity() != identity }() {
			t.Errorf("%s: another identity", name)
		}
	}
	for name, change := range other {
		if m := doneStudy(); func() bool { change(&m); return m.Identity() == identity }() {
			t.Errorf("%s: the same identity", name)
		}
	}
	until := func(runs, step string) [32]byte {
		m := doneStudy()
		m.UntilKm, m.ConfigSHA256 = 0.5, runs
		m.Config = json.RawMessage(`{"study":{"runs":` + runs + `,"seed":7},"sim":{"step_s":` + step + `}}`)
		return m.Identity()
	}
	if until("20", "0.1") != until("5000", "0.1") || until("20", "0.1") == until("20", "0.2") {
		t.Error("with a precision, the identity depends on the number of runs, or not on other settings")
	}
}

// Pieces serve every shard, every number of runs and every end of a study, but no other build and no other settings.
func TestPieceIdentity(t *testing.T) {
	settings := func(runs, step string) json.RawMessage {
		return json.RawMessage(`{"study":{"runs":` + runs + `,"seed":7},"sim":{"step_s":` + step + `}}`)
	}
	identity := doneStudy().PieceIdentity()
	for name, c := range map[string]struct {
		change func(*Manifest)
		same   bool
	}{
		"shard":        {func(m *Manifest) { m.Shard = &Shard{3, 3} }, true},
		"whole":        {func(m *Manifest) { m.Shard = nil }, true},
		"runs":         {func(m *Manifest) { m.Config, m.ConfigSHA256 = settings("5000", "0.1"), "x" }, true},
		"until":        {func(m *Manifest) { m.UntilKm = 1 }, true},
		"trajectories": {func(m *Manifest) { m.Trajectories = 9 }, true},
		"settings":     {func(m *Manifest) { m.Config = settings("20", "0.2") }, false},
		"build":        {func(m *Manifest) { m.Build = "other" }, false},
		"version":      {func(m *Manifest) { m.Version = "2" }, false},
		"verb":         {func(m *Manifest) { m.Verb = "leak" }, false},
	} {
		m := doneStudy()
		if c.change(&m); (m.PieceIdentity() == identity) != c.same {
			t.Errorf("%s: same %t, want %t", name, !c.same, c.same)
		}
	}
	leak := doneStudy()
	leak.Verb = "leak"
	longer := leak
	longer.Config = settings("5000", "0.1")
	if leak.PieceIdentity() == longer.PieceIdentity() {
		t.Error("pieces of another verb serve another number of runs")
	}
}

// A manifest is read back unchanged.
func TestManifestsComeBack(t *testing.T) {
	var out bytes.Buffer
	if err := WriteManifest(&out, doneStudy()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(text []byte) {
		if err := os.WriteFile(filepath.Join(dir, ManifestName), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(out.Bytes())
	got, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := doneStudy()
	var compact bytes.Buffer
	if err := json.Compact(&compact, got.Config); err != nil {
		t.Fatal(err)
	}
	got.Config = compact.Bytes()
	compact = bytes.Buffer{}
	if err := json.Compact(&compact, got.Answer); err != nil {
		t.Fatal(err)
	}
	got.Answer = compact.Bytes()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("comes back as %+v, want %+v", got, want)
	}
}

// A manifest with impossible contents, or with files in other folders, is refused.
func TestManifestsThatAreRefused(t *testing.T) {
	for text, want := range map[string]bool{
		`{"program":"veilpath","verb":"study"}`:                             true,
		`{"program":"other","verb":"study"}`:                                false,
		`{"program":"veilpath","sweep":[{"key":"sim.step_s","values":[]}]}`: false,
		`{"program":"veilpath","files":{"runs.parquet":"ab"}}`:              true,
		`{"program":"veilpath","files":{"manifest.json":"ab"}}`:             false,
		`{"program":"veilpath","files":{"../runs.parquet":"ab"}}`:           false,
		`{"program":"veilpath","files":{"..":"ab"}}`:                        false,
		`{"program":"veilpath","files":{"a/runs.parquet":"ab"}}`:            false,
		`{"program":"veilpath","shard":{"index":4,"of":3}}`:                 false,
		`{"program":"veilpath","verb":"study"`:                              false,
	} {
		if _, err := ParseManifest([]byte(text)); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
