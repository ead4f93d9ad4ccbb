package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"veilpath/cmd/internal/terminal"
)

func TestEmptyValuesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--config", ""},
			`--config "": an empty value, perhaps from a variable that is not set; want --config preset, or leave the flag out`},
		{[]string{"study", "--until", ""}, "want --until km"},
		{[]string{"study", "--shard", ""}, "want --shard i/n"},
	} {
		got := veilpath(t, c.args...)
		if got.code != exitUsage || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 ||
			!strings.Contains(got.stderr, c.want) {
			t.Errorf("%q: exit %d, %q; want one line with %s", c.args, got.code, got.stderr, c.want)
		}
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestFlagMistakesAreNamedInOurWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"run --run 3.5",
			`--run 3.5: not a whole number; want a whole number from 0 to 1000000000; veilpath run --help lists the flags`},
		{"study --runs 010", "study.runs = 010 (flag --runs): not a decimal number"},
		{"study --resume=perhaps", `--resume perhaps: not true or false; want true or false, or the flag alone`},
		{"run --seed -1", "study.seed = -1 (flag --seed): out of range; allowed: a whole number from 0 to 9007199254740991"},
		{"study --out", "--out: no value follows; want --out folder; veilpath study --help lists the flags"},
		{"study --runz 3", "--runz: no such flag of veilpath study; did you mean --runs?"},
		{"design --seed 1", "--seed: no such flag of veilpath design; veilpath design --help lists the flags"},
		{"merge a --config quick", "--config: merge takes the settings from the parts; leave it out"},
		{"run --format jsno", "--format jsno: no such format; did you mean json?"},
		{"study --curves", "--curves: it is gone; veilpath tune finds"},
		{"stdy --runs 5", "no such verb: stdy; did you mean study?"},
	} {
		got := veilpath(t, strings.Fields(c.line)...)
		if got.code != exitUsage || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 ||
			!strings.Contains(got.stderr, c.want) {
			t.Errorf("%s: exit %d, %q; want one line with %s", c.line, got.code, got.stderr, c.want)
		}
		if strings.Contains(got.stderr, "strconv") {
			t.Errorf("%s: the message speaks of the program's inside: %s", c.line, got.stderr)
		}
	}
}

// Numbers in flags are written as those of settings are, and counts have limits: no flag has a grammar of its own.
func TestNumbersInFlagsAreWrittenAsInSettings(t *testing.T) {
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.(type) {
			case *terminal.NumberFlag[int], *terminal.NumberFlag[float64]:
				return
			}
			if kind := f.Value.Type(); kind != "bool" && kind != "string" && kind != "stringArray" {
				t.Errorf("%s --%s is a %s; take terminal.Whole or terminal.Number", cmd.CommandPath(), f.Name, kind)
			}
		})
		for _, below := range cmd.Commands() {
			each(below)
		}
	}
	each((&app{}).rootCommand())
	plain := veilpath(t, "run", "--run", "20", "--format", "csv")
	if other := veilpath(t, "run", "--run", "2e1", "--format", "csv"); plain.code != exitDone || other != plain {
		t.Errorf("--run 2e1: %v, want that of --run 20", other)
	}
}

func TestHelpIsOnVerbs(t *testing.T) {
	for line, want := range map[string]string{
		"help":             "veilpath simulates the privacy",
		"help study":       "study flies many private policies",
		"help config show": "veilpath config show [GROUP ...]",
	} {
		if got := veilpath(t, strings.Fields(line)...); got.code != exitDone || got.stderr != "" ||
			!strings.Contains(got.stdout, want) {
			t.Errorf("%s: exit %d, %q\n%s\nwant %s", line, got.code, got.stderr, got.stdout, want)
		}
	}
	for line, want := range map[string]string{
		"help foo":         "no such verb: foo; veilpath --help lists the verbs",
		"help studdy":      "no such verb: studdy; did you mean study?",
		"help config shoe": "no such verb: config shoe; did you mean show?",
		"help run foo":     "no such verb: run foo; veilpath run --help lists the verbs",
	} {
		if got := veilpath(t, strings.Fields(line)...); got.code != exitUsage || got.stdout != "" ||
			got.stderr != "veilpath: "+want+"\n" {
			t.Errorf("%s: exit %d, %q; want %s", line, got.code, got.stderr, want)
		}
	}
}
