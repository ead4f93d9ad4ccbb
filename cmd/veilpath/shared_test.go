package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/version"
)

// eachVerb calls a function with every verb, those below others too.
func eachVerb(visit func(*cobra.Command)) {
	a := &app{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		visit(cmd)
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	for _, verb := range a.rootCommand().Commands() {
		walk(verb)
	}
}

// A verb has the shared flags that it reads; another is an error that names it, and nothing is done.
func TestVerbsHaveOnlyTheFlagsTheyRead(t *testing.T) {
	t.Chdir(t.TempDir())
	shared := strings.Fields("config set seed workers out force format quiet")
	eachVerb(func(cmd *cobra.Command) {
		reads := strings.Fields(sharedFlags[cmd.CommandPath()])
		for _, flag := range shared {
			if has := cmd.Flags().Lookup(flag) != nil; has != slices.Contains(reads, flag) {
				t.Errorf("%s has --%s: %v", cmd.CommandPath(), flag, has)
			}
			if slices.Contains(reads, flag) {
				continue
			}
			args := append(strings.Fields(cmd.CommandPath())[1:], "--"+flag+"=true")
			if got := veilpath(t, args...); got.code != exitUsage || got.stdout != "" ||
				!strings.HasPrefix(got.stderr, "veilpath: --"+flag+": ") {
				t.Errorf("%s: exit %d, %q", strings.Join(args, " "), got.code, got.stderr)
			}
		}
	})
	for name := range refusals {
		verb, flag, _ := strings.Cut(name, " ")
		if slices.Contains(strings.Fields(sharedFlags["veilpath "+verb]), flag) {
			t.Errorf("%s reads --%s, yet there is a reason why not", verb, flag)
		}
	}
}

func TestCompletionOffersValues(t *testing.T) {
	for _, c := range []struct {
		line string // after veilpath, blanks between words
		want []string
	}{
		{"completion ", []string{"bash", "zsh", "fish", "powershell"}},
		{"", []string{"completion\t", "study\t", "reproduce\t"}},
		{"study --config ", []string{"quick\tA first look", "paper\t"}},
		{"run --set ", []string{"privacy.calibration=\tHow much noise", "study.noise="}},
		{"run --set privacy.calibration=", []string{"privacy.calibration=classical\n", "privacy.calibration=analytic\n"}},
		{"run --set sim.step_s=", []string{"sim.step_s=0.1\n"}},
		{"run --set nothing=", []string{":4\n"}},
		{"study --sweep ", []string{"vehicle.speed_km_s=\t"}},
		{"study --noise ", []string{"common\n", "independent\n"}},
		{"design --format ", []string{"table\n", "csv\n", "json\n"}},
		{"reproduce ", []string{"table1a\t", "all\t", "scalars\t"}},
		{"config show ", []string{"privacy\n", "example2\n"}},
		{"merge ", []string{":16\n"}}, // folders
	} {
		got := veilpath(t, append([]string{"__complete"}, strings.Split(c.line, " ")...)...)
		for _, want := range c.want {
			if got.code != exitDone || !strings.Contains(got.stdout, want) {
				t.Errorf("%q: exit %d, lacks %q:\n%s", c.line, got.code, want, got.stdout)
			}
		}
	}
	for shell, want := range map[string]string{"bash": "complete -o default", "zsh": "#compdef veilpath",
		"fish": "complete -c veilpath", "powershell": "Register-ArgumentCompleter"} {
		if got := veilpath(t, "completion", shell); got.code != exitDone || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: exit %d, %q", shell, got.code, got.stderr)
		}
	}
	if got := veilpath(t, "completion", "bsh"); got.code != exitUsage ||
		!strings.Contains(got.stderr, "want bash, zsh, fish, powershell") {
		t.Errorf("an unknown shell: exit %d, %q", got.code, got.stderr)
	}
	if got := veilpath(t, "--help"); !strings.Contains(got.stdout, "  completion ") {
		t.Errorf("help does not list completion:\n%s", got.stdout)
	}
}

func TestVersionSaysWhatItWasBuiltFrom(t *testing.T) {
	if got := veilpath(t, "--version"); !strings.HasPrefix(got.stdout, "veilpath "+version.Number+" (commit ") ||
		!strings.Contains(got.stdout, ", go1.") {
		t.Errorf("--version prints %q", got.stdout)
	}
}
