package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// auditJSON is what audit prints as JSON, as far as others read it.
type auditJSON struct {
	Verdict         string  `json:"verdict"`
	Mu              float64 `json:"mu"`
	MuStandardError float64 `json:"mu_standard_error"`
	MuClaimed       float64 `json:"mu_claimed"`
	EpsilonLow      float64 `json:"epsilon_low"`
	Attained        float64 `json:"epsilon_attained"`
	Entry           string  `json:"entry"`
	Samples         int     `json:"samples"`
}

func auditedBy(t *testing.T, args ...string) auditJSON {
	t.Helper()
	got := veilpath(t, append([]string{"audit", "--quiet", "--format", "json"}, args...)...)
	if got.code != exitDone || got.stderr != "" {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var a auditJSON
	if err := json.Unmarshal([]byte(got.stdout), &a); err != nil {
		t.Fatalf("%v in %s", err, got.stdout)
	}
	return a
}

func TestAuditFindsThePaperMechanismConsistent(t *testing.T) {
	for of, entry := range map[string]string{"reward": "16,11,to_target", "policy": "16,11,to_target", "route": "1,8,east"} {
		got := auditedBy(t, "--of", of, "--epsilon", "1", "--samples", "1500", "--seed", "4")
		const fourErrors = 4
		if got.Verdict != "consistent" || got.Entry != entry || got.Samples != 1500 ||
			math.Abs(got.MuClaimed-0.3961) > 1e-4 || math.Abs(got.Attained-0.6734) > 1e-4 ||
			math.Abs(got.Mu-map[string]float64{"reward": 0.3961, "policy": 0.371, "route": 0.224}[of]) > fourErrors*got.MuStandardError {
			t.Errorf("%s: %+v", of, got)
		}
	}
}

func TestAuditWritesItsNumbersAndItsFigure(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "audit")
	first := veilpath(t, "audit", "--samples", "500", "--tables", "10", "--out", folder)
	if first.code != exitDone || !strings.Contains(first.stdout, "consistent") || !strings.Contains(first.stderr, folder) {
		t.Fatalf("exit code %d: %s%s", first.code, first.stdout, first.stderr)
	}
	text, err := os.ReadFile(filepath.Join(folder, "audit.json"))
	if err != nil || !json.Valid(text) {
		t.Errorf("audit.json: %v, %s", err, text)
	}
	for _, name := range []string{"figure.png", "figure.svg", "tradeoff.csv", "manifest.json"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	again := veilpath(t, "audit", "--samples", "500", "--tables", "10", "--workers", "3", "--out", folder, "--force")
	if repeated, err := os.ReadFile(filepath.Join(folder, "audit.json")); err != nil || again.code != exitDone || string(repeated) != string(text) {
		t.Errorf("exit code %d, %v: the same audit came to\n%s\nand then to\n%s", again.code, err, text, repeated)
	}
}

func TestAuditRefusesWhatItCannotDo(t *testing.T) {
	for want, args := range map[string][]string{
		"--of value: want reward, policy or route":                 {"--of", "value"},
		"--samples 99: out of range; want a whole number from 100": {"--samples", "99"},
		"--tables 3: want 0, or at least 8":                        {"--tables", "3"},
		"--false-alarms 1: out of range":                           {"--false-alarms", "1"},
		"--entry 20,1,east: no such waypoint":                      {"--entry", "20,1,east"},
		"--entry 1,1,up: no action is called":                      {"--entry", "1,1,up"},
		"--entry east: not three parts":                            {"--entry", "east"},
		"privacy.epsilon":                                          {"--epsilon", "0"},
		"not a problem that is flown":                              {"--config", "example1"},
	} {
		got := veilpath(t, append([]string{"audit"}, args...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q, want %q", args, got.code, got.stderr, want)
		}
	}
}
