package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Verbs with a problem take the mechanism that the settings name, unless --mechanism names another, and their sentence
// of what was read has the start that was given.
func TestProblemVerbsTakeSettings(t *testing.T) {
	name := filepath.Join(t.TempDir(), "problem.csv")
	rows := "state,action,next,probability,reward\n0,0,1,1,1\n0,1,0,1,5\n1,0,0,1,3\n1,1,1,1,0\n"
	if err := os.WriteFile(name, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, want string }{
		{"plan %s --epsilons 1", "mechanism input"},
		{"plan %s --epsilons 1 --set privacy.mechanism=laplace", "mechanism laplace"},
		{"plan %s --epsilons 1 --set privacy.mechanism=laplace --mechanism input", "mechanism input"},
		{"cost %s --epsilons 1 -n 4 --set privacy.mechanism=laplace", "mechanism laplace"},
		{"cost %s --epsilons 1 -n 4", "mechanism input"},
		{"plan %s --start 1", "start 1, as given"},
		{"plan %s", "start 0, the first, because the file names none (--start)"},
	} {
		r := veilpath(t, append(strings.Fields(strings.Replace(c.args, "%s", name, 1)), "--discount", "0.9")...)
		if all := strings.Join(strings.Fields(r.stdout+r.stderr), " "); r.code != exitDone || !strings.Contains(all, c.want) {
			t.Errorf("%s: exit %d, no %q in %s", c.args, r.code, c.want, all)
		}
	}
	if err := os.WriteFile("named.yaml", []byte("privacy:\n  mechanism: 'exec:exit 1'\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := veilpath(t, "plan", "named.yaml", "--epsilons", "1"); r.code == exitDone ||
		!strings.Contains(r.stderr, "--allow-commands") {
		t.Errorf("a command of a settings file: exit %d, %s", r.code, r.stderr)
	}
}

// The settings that tune writes have its demand, so that the study of them answers it.
func TestTheSettingsOfATuneHaveItsDemand(t *testing.T) {
	t.Chdir(t.TempDir())
	veilpath(t, "tune", "--hidden-until", "90", "--max-runs", "200", "--between", "0.5,4", "--out", "tuned")
	text, err := os.ReadFile(filepath.Join("tuned", "config.yaml"))
	if err != nil || !strings.Contains(string(text), "hidden_until_km: 90") {
		t.Errorf("%v, %s", err, text)
	}
}
