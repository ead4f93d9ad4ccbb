package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/version"
)

// What people type by habit works, or an error has the line that does: short flags, units, a folder of results as
// settings, a file of settings as an argument.
func TestWhatPeopleTypeByHabit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"study -n 2 --epsilons 3 -q -o " + in("a"), exitDone, "at epsilon 3,"},
		{"study -n 3 --epsilons 1 -q -f -o " + in("a"), exitDone, "3 runs per epsilon"},
		{"study -q -o " + in("b") + " --config " + in("a"), exitDone, "3 runs per epsilon"},
		{"study --config " + dir, exitUsage, "holds no manifest.json"},
		{"study mine.yaml", exitUsage, "--config = mine.yaml: neither a preset nor a file"},
		{"config check quick", exitDone, "quick is a valid configuration"},
		{"study quick paper", exitUsage, "veilpath study --config quick"},
		{"config show privacy.epsilon", exitDone, "privacy.epsilon: 1\n"},
		{"config show privacy.epsilom", exitUsage, "did you mean privacy.epsilon?"},
		{"config show adversary.radius_km --set adversary.radius_km=1.5km", exitDone, "adversary.radius_km: 1.5\n"},
		{"config show adversary.radius_km --set adversary.radius_km=1.5s", exitUsage, "not a decimal number"},
		{"config show vehicle.start_km --set vehicle.start_km=[-9km,2,10km]", exitDone, "[-9, 2, 10]"},
		{"run --epsilon 1", exitDone, "Run 0 at epsilon 1 is recognised "},
		{"tune --epsilons 0.4,1 -n 5 -q -o " + in("t"), exitDone, "is given, so no epsilon is chosen.\n"},
		{"plan paper --epsilons 1 -q -o " + in("p"), exitDone, "\nOne draw of noise, delta 0.01, adjacency 1, mechanism"},
		{"config show vehicle --set adversary.radius_km=2miles", exitUsage, "decimal number, with or without km;"},
		{"config show vehicle --set privacy.mechanism=lapalce", exitUsage, "; did you mean laplace?"},
		{"leak --at 50miles", exitUsage, "allowed: distances in km, a list or start:stop:step; write for example 50km"},
		{"completion tcsh", exitUsage, "want bash, zsh, fish"},
		{"audit --from f.csv --epsilon 1", exitUsage, "; add --delta"},
		{"config show privacy.epsilon --set privacy.epsilon=1km", exitUsage, "not a decimal number"},
		{"tune --hidden-until 0km", exitUsage, "with or without km, above 0"},
		{"version", exitDone, "veilpath " + version.Number},
	} {
		r := veilpath(t, strings.Fields(c.args)...)
		if r.code != c.code || !strings.Contains(r.stdout+r.stderr, c.says) {
			t.Errorf("%s: exit %d, want %q in\n%s%s", c.args, r.code, c.says, r.stdout, r.stderr)
		}
	}
}

// Without a name that says so a tuning's distance and radii take their unit.
func TestDistancesOfTuneTakeTheirUnit(t *testing.T) {
	t.Parallel()
	args := strings.Fields("tune --epsilons 1 -n 5 --max-runs 300 --resolution 1 --between 0.5,4 --format json")
	bare := veilpath(t, append(args, "--hidden-until", "65", "--radius", "0.7", "--radii", "0.5,1")...)
	unit := veilpath(t, append(args, "--hidden-until", "65 km", "--radius", "0.7km", "--radii", "0.5km,1 km")...)
	if bare.code != exitDone || unit.stdout != bare.stdout {
		t.Errorf("exit %d and %d, %s%s", bare.code, unit.code, bare.stderr, unit.stderr)
	}
}

// What names a version of the program names this one.
func TestTheVersionIsOneEverywhere(t *testing.T) {
	for path, want := range map[string]string{"../../CITATION.cff": "\nversion: " + version.Number + "\n",
		"../../configs/cluster/job.yaml": "image: veilpath:" + version.Number + "\n"} {
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// A page of help is short; --full has what the columns mean, and no verb's flags are without a group.
func TestHelpIsShort(t *testing.T) {
	const mostLines = 45
	pages := 0
	eachVerb(func(cmd *cobra.Command) {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		help := veilpath(t, args...)
		if lines := strings.Count(help.stdout, "\n"); help.code != exitDone || lines > mostLines || lines < 5 {
			t.Errorf("%s: exit %d, %d lines\n%s", cmd.CommandPath(), help.code, lines, help.stdout)
		}
		if cmd.Long == "" {
			t.Errorf("%s: the help says nothing of what it does", cmd.CommandPath())
		}
		for line := range strings.Lines(help.stdout) {
			if n := utf8.RuneCountInString(line); n > 121 && !strings.HasPrefix(line, "  veilpath ") {
				t.Errorf("%s: %d characters in %s", cmd.CommandPath(), n, line)
			}
		}
		if pages++; cmd.Flag("full") == nil {
			return
		}
		if full := veilpath(t, append(args, "--full")...); full.code != exitDone || !strings.HasPrefix(full.stdout,
			help.stdout[:strings.Index(help.stdout, "\n\n")]) {
			t.Errorf("%s --full: exit %d\n%s", cmd.CommandPath(), full.code, full.stdout)
		}
	})
	if pages < 15 {
		t.Errorf("%d pages", pages)
	}
}
