package main

import (
	"os"
	"strings"
	"testing"
)

func TestEmptyValuesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--config", ""}, `--config "": an empty value, perhaps of a variable that is not set; want preset, or leave the flag out`},
		{[]string{"run", "--config="}, `--config ""`},
		{[]string{"run", "--out", ""}, `--out "": an empty value, perhaps of a variable that is not set; want folder, or leave the flag out`},
		{[]string{"study", "--resume", "--out", ""}, `--out ""`},
		{[]string{"study", "--until", ""}, "want half-width"},
		{[]string{"study", "--shard", ""}, "want i/n"},
		{[]string{"run", "--from", ""}, `--from ""`},
		{[]string{"run", "--epsilon", ""}, "want a value"},
		{[]string{"config", "show", "--config", ""}, `--config ""`},
	} {
		got := veilpath(t, c.args...)
		if got.code != exitUsage || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%q: exit %d, %q; want one line with %s", c.args, got.code, got.stderr, c.want)
		}
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
