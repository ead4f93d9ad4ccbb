package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLeakMechanismsComparesWaysOfHiding(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "contest")
	got := veilpath(t, "leak", "mechanisms", "--mechanisms", "reward:1,goal:1,parameter:16", "--flights", "3",
		"--policies", "1", "--quiet", "--format", "json", "--out", folder)
	if got.code != exitDone || got.stderr != "" {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var answer struct {
		FlownKm    float64  `json:"flown_km"`
		PriorBits  float64  `json:"prior_bits"`
		Words      []string `json:"in_words"`
		Mechanisms []struct {
			Mechanism string   `json:"mechanism"`
			Epsilon   float64  `json:"epsilon"`
			Bits      *float64 `json:"bits_learned"`
			Cost      *float64 `json:"cost_of_privacy"`
			Detour    *float64 `json:"detour"`
		} `json:"mechanisms"`
	}
	if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.FlownKm != 50 || !(answer.PriorBits > 8.361 && answer.PriorBits < 8.363) || len(answer.Mechanisms) != 3 {
		t.Errorf("%+v", answer)
	}
	for i, name := range []string{"reward", "goal", "parameter"} {
		if m := answer.Mechanisms[i]; m.Mechanism != name || m.Bits == nil || m.Cost == nil || !(*m.Cost >= 0) ||
			m.Detour == nil {
			t.Errorf("%d: %+v, want %s", i, m, name)
		}
	}
	if words := answer.Words; !strings.Contains(words[0], "reward at epsilon 1 (delta 0.01)") ||
		!strings.HasPrefix(words[len(words)-1], "Of intervals from only 3 flights of every way less") {
		t.Errorf("%q", words)
	}
	for _, name := range []string{"figure.png", "figure.svg", "mechanisms.csv", "manifest.json"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLeakMechanismsNamesMistakes(t *testing.T) {
	for list, want := range map[string]string{
		"goal":          "want NAME:EPSILON",
		"goal:0":        "want NAME:EPSILON",
		"gaol:1":        "did you mean goal?",
		"goal:1,goal:1": "twice",
	} {
		got := veilpath(t, "leak", "mechanisms", "--mechanisms", list)
		if got.code != exitUsage || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q, want %q", list, got.code, got.stderr, want)
		}
	}
}
