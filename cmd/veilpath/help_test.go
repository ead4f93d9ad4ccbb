package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"veilpath/cmd/internal/terminal"
	"veilpath/cmd/internal/version"
	"veilpath/configs"
	"veilpath/planner/privacy"
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

// A page of help is short, has an example, and no place that nothing fills; --full has what the columns mean.
func TestHelpIsShort(t *testing.T) {
	const mostLines = 45
	pages := 0
	eachVerb(func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		args := append(strings.Fields(path)[1:], "--help")
		help := veilpath(t, args...)
		if lines := strings.Count(help.stdout, "\n"); help.code != exitDone || lines > mostLines || lines < 5 {
			t.Errorf("%s: exit %d, %d lines\n%s", path, help.code, lines, help.stdout)
		}
		if cmd.Long == "" || cmd.Short == "" ||
			cmd.Parent() == cmd.Root() && !strings.Contains(cmd.Example, "veilpath "+cmd.Name()) {
			t.Errorf("%s: the help lacks a summary, what it does, or an example", path)
		}
		if place := regexp.MustCompile(`\{[0-9]+\}`).FindString(help.stdout); place != "" {
			t.Errorf("%s: the help has %s", path, place)
		}
		for line := range strings.Lines(help.stdout) {
			if n := utf8.RuneCountInString(line); n > 121 && !strings.HasPrefix(line, "  veilpath ") {
				t.Errorf("%s: %d characters in %s", path, n, line)
			}
		}
		if pages++; cmd.Flag("full") == nil {
			return
		}
		if full := veilpath(t, append(args, "--full")...); full.code != exitDone || !strings.HasPrefix(full.stdout,
			help.stdout[:strings.Index(help.stdout, "\n\n")]) {
			t.Errorf("%s --full: exit %d\n%s", path, full.code, full.stdout)
		}
	})
	if pages < 15 {
		t.Errorf("%d pages", pages)
	}
}

// The help of the program lists its exit codes, and that of a verb that simulates says what its noise is not for.
func TestHelpWarns(t *testing.T) {
	help := veilpath(t, "--help").stdout
	for _, code := range []int{exitDone, exitFailed, exitUsage, exitUndescribed, exitInterrupted} {
		if line := fmt.Sprintf("\n  %-3d  ", code); !strings.Contains(help, line) {
			t.Errorf("the help does not list exit code %d", code)
		}
	}
	for _, verb := range strings.Fields("plan study run cost leak") {
		text := strings.Join(strings.Fields(veilpath(t, verb, "--help").stdout), " ")
		if !strings.Contains(text, privacy.SimulationNotice) {
			t.Errorf("%s --help does not say it", verb)
		}
	}
}

// A verb has the shared flags that it reads; another is an error that names it, and nothing is done.
func TestVerbsHaveOnlyTheFlagsTheyRead(t *testing.T) {
	t.Chdir(t.TempDir())
	eachVerb(func(cmd *cobra.Command) {
		reads := strings.Fields(sharedFlags[cmd.CommandPath()])
		for flag := range strings.FieldsSeq("config set seed workers out force format quiet no-such-flag") {
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

// Numbers in flags are written as those of settings are, and counts have limits: no flag has a grammar of its own.
func TestNumbersInFlagsAreWrittenAsInSettings(t *testing.T) {
	eachVerb(func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.(type) {
			case *terminal.NumberFlag[int], *terminal.NumberFlag[float64]:
				return
			}
			if kind := f.Value.Type(); kind != "bool" && kind != "string" && kind != "stringArray" {
				t.Errorf("%s --%s is a %s; take terminal.Whole or terminal.Number", cmd.CommandPath(), f.Name, kind)
			}
		})
	})
}

// A script tests of every verb that makes files that none are left where the answer is for another program.
func TestEveryVerbWithFilesIsTested(t *testing.T) {
	script, err := os.ReadFile("testdata/script/files.txtar")
	if err != nil {
		t.Fatal(err)
	}
	eachVerb(func(cmd *cobra.Command) {
		name := cmd.CommandPath()
		if cmd.Flag("out") != nil && cmd.Parent() == cmd.Root() &&
			!regexp.MustCompile(`(0|!) (veilpath )?`+cmd.Name()+` .*--format (json|csv)\n`).Match(script) {
			t.Errorf("%s makes files and is not in files.txtar", name)
		}
	})
}

// All settings and all presets are listed.
func TestConfigListsAll(t *testing.T) {
	var keys, presets []any
	shown := veilpath(t, "config", "show", "--format", "json")
	listed := veilpath(t, "config", "presets", "--format", "json")
	if json.Unmarshal([]byte(shown.stdout), &keys) != nil || len(keys) != len(configs.Schema()) ||
		json.Unmarshal([]byte(listed.stdout), &presets) != nil || len(presets) != len(configs.Presets()) {
		t.Errorf("%d settings and %d presets: %s%s", len(keys), len(presets), shown.stderr, listed.stderr)
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
	if got := veilpath(t, "--help"); !strings.Contains(got.stdout, "  completion ") {
		t.Errorf("help does not list completion:\n%s", got.stdout)
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
	if got := veilpath(t, "--version"); !strings.HasPrefix(got.stdout, "veilpath "+version.Number+" (commit ") {
		t.Errorf("--version prints %q", got.stdout)
	}
}
