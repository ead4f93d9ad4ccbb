package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/planner/audit"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
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
	got := veilpath(t, append([]string{"audit", "--format", "json"}, args...)...)
	var answer auditJSON
	if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil {
		t.Fatalf("exit %d, %s: %v", got.code, got.stderr, err)
	}
	codes := map[string]int{audit.Consistent: exitDone, audit.Broken: exitFailed, audit.NotAsDescribed: exitUndescribed}
	if want, known := codes[answer.Verdict]; !known || got.code != want {
		t.Errorf("%s: exit %d, want %d", answer.Verdict, got.code, want)
	}
	return answer
}

func TestAuditFindsThePaperMechanismConsistent(t *testing.T) {
	t.Parallel()
	for of, entry := range map[string]string{"reward": "16,11,to_target", "policy": "16,11,to_target",
		"route": "1,8,east"} {
		got := auditedBy(t, "--of", of, "--epsilon", "1", "--samples", "1500", "--seed", "4")
		const fourErrors = 4
		if got.Verdict != "consistent" || got.Entry != entry || got.Samples != 1500 ||
			math.Abs(got.MuClaimed-0.3961) > 1e-4 || math.Abs(got.Attained-0.6734) > 1e-4 ||
			math.Abs(got.Mu-map[string]float64{"reward": 0.3961, "policy": 0.371,
				"route": 0.224}[of]) > fourErrors*got.MuStandardError {
			t.Errorf("%s: %+v", of, got)
		}
	}
}

func TestAuditWritesItsNumbersAndItsFigure(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "audit")
	first := veilpath(t, "audit", "--samples", "500", "--tables", "10", "--report", "--out", folder)
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
	page, err := os.ReadFile(filepath.Join(folder, campaign.PageName))
	for _, want := range []string{"Whether the mechanism keeps its promise", "consistent with the promise",
		"Epsilon is at least ",
		"claim about", "Trade-off of one entry", "<svg"} {
		if err != nil || !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q: %v", want, err)
		}
	}
	again := veilpath(t, "audit", "--samples", "500", "--tables", "10", "--workers", "3", "--out", folder, "--force")
	if repeated, err := os.ReadFile(filepath.Join(folder, "audit.json")); err != nil || again.code != exitDone ||
		string(repeated) != string(text) {
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
		"this problem has no flights":                              {"--config", "example1"},
	} {
		got := veilpath(t, append([]string{"audit"}, args...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q, want %q", args, got.code, got.stderr, want)
		}
	}
}

func TestAuditJudgesReleasesOfOthers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: 1})
	z := make([]float64, 4000)
	noise.Normals(z)
	for _, c := range []struct {
		sigma   float64
		verdict string
	}{{3, audit.Consistent}, {1.5, audit.NotAsDescribed}, {0.5, audit.Broken}} {
		text := "table,neighbour\n"
		for i := 0; i < len(z); i += 2 {
			text += fmt.Sprintf("%v,%v\n", c.sigma*z[i], 1+c.sigma*z[i+1])
		}
		csv := filepath.Join(folder, "r.csv")
		if err := os.WriteFile(csv, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		promise := []string{"--epsilon", "1", "--delta", "0.01", "--adjacency", "1", "--sigma", "2.53"}
		if got := auditedBy(t, append(promise, "--from", csv)...); got.Verdict != c.verdict || got.Samples != 2000 {
			t.Errorf("sigma %g: %+v, want %s", c.sigma, got, c.verdict)
		}
	}
}

// A command that releases what it is given has no noise; one that says the same whatever it is given tells nothing.
func TestAuditRunsTheCommandsOfOthers(t *testing.T) {
	t.Parallel()
	rewards := fileWith(t, "state,go,stay\na,1,2\nb,3,4\nc,5,6\n")
	promise := []string{"--epsilon", "1", "--delta", "1e-9", "--adjacency", "0.5", "--rewards", rewards, "--samples",
		"200"}
	if got := auditedBy(t, append(promise, "--command", "cat")...); got.Verdict != "broken" || got.EpsilonLow < 3 {
		t.Errorf("a copy: %+v", got)
	}
	if got := auditedBy(t, append(promise, "--command", "cat >/dev/null; cat "+rewards)...); got.Verdict != "consistent" ||
		got.EpsilonLow != 0 {
		t.Errorf("a constant: %+v", got)
	}
	broken := append([]string{"audit", "--command", "cat", "--resume", "--out", filepath.Join(t.TempDir(), "broken")},
		promise...)
	for _, session := range []string{"first", "resumed"} {
		if got := veilpath(t, broken...); got.code != exitFailed {
			t.Errorf("%s: exit code %d of a broken promise: %s", session, got.code, got.stderr)
		}
	}
	for command, want := range map[string]string{
		"echo out of order >&2; exit 3":                     "out of order",
		"cat >/dev/null; echo state,go":                     "no release",
		"cat >/dev/null; printf 'state,go,walk\\na,1,2\\n'": "agents, states or actions differ",
	} {
		got := veilpath(t, append([]string{"audit", "--command", command}, promise...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q, want %q", command, got.code, got.stderr, want)
		}
	}
}

func TestAuditRefusesFlagsOfAnotherKind(t *testing.T) {
	promise := []string{"audit", "--epsilon", "1", "--delta", "0.01", "--adjacency", "1"}
	for want, args := range map[string][]string{
		"leave one out": {"--from", "x.csv", "--command", "cat"},
		"--of has no effect on existing releases":           {"--from", "x.csv", "--of", "policy"},
		"--tables is for the built-in mechanism":            {"--command", "cat", "--rewards", "r.csv", "--tables", "9"},
		"--tables is for built-in mechanisms":               {"--mechanism", "exec:cat", "--tables", "300"},
		"add --rewards FILE":                                {"--command", "cat"},
		"add --from FILE or --command":                      {"--sigma", "1"},
		"x.csv: no such file":                               {"--from", "x.csv"},
		".parquet files are not read; let DuckDB write CSV": {"--from", "x.parquet"},
	} {
		got := veilpath(t, append(promise, args...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q, want %q", args, got.code, got.stderr, want)
		}
	}
	if got := veilpath(t, "audit", "--from", "x.csv", "--epsilon", "1"); got.code != exitUsage ||
		!strings.Contains(got.stderr, "--delta is missing") {
		t.Errorf("exit code %d, %q", got.code, got.stderr)
	}
}
