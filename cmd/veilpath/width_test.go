package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Remarks and errors are broken between words, as answers are.
func TestRemarksFitEveryTerminal(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"cost ../../assets/guide/lake.json --epsilons 1 --runs 2 --out out/remarks",
		"study --epsilons 1 --runs 1 --nosuch", "config check"} {
		t.Run(strings.Fields(args)[0], func(t *testing.T) {
			args := strings.Fields(args)
			if args[0] == "cost" {
				args[len(args)-1] = t.TempDir()
			}
			r := veilpathIn(t, t.Context(), []string{"COLUMNS=40"}, args...)
			if r.stderr == "" {
				t.Error("nothing is remarked")
			}
			for line := range strings.Lines(r.stderr) {
				line = strings.TrimSuffix(line, "\n")
				if utf8.RuneCountInString(line) > 40 && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("a line of %d characters: %q", utf8.RuneCountInString(line), line)
				}
			}
		})
	}
}
