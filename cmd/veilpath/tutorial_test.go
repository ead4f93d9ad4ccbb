package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fenced returns the blocks of a language below a heading of the guide to problems, up to the next.
func fenced(t *testing.T, heading, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../assets/guide/problem.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("the guide has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var blocks []string
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(section, -1) {
		blocks = append(blocks, block[1])
	}
	return blocks
}

// The tutorial's problem goes through its commands, and they find what it says.
func TestTheTutorialOfAProblem(t *testing.T) {
	t.Parallel()
	const heading = "My own problem, in ten minutes"
	folder := t.TempDir()
	const file = "../../assets/guide/warehouse.json"
	if text, err := os.ReadFile(file); err != nil || string(text) != fenced(t, heading, "json")[0] {
		t.Fatalf("the page does not show %s (%v)", file, err)
	}
	var printed []string
	for line := range strings.Lines(fenced(t, heading, "sh")[0]) {
		args := strings.Fields(line)
		for i, arg := range args {
			switch {
			case arg == "assets/guide/warehouse.json":
				args[i] = file
			case strings.HasPrefix(arg, "out/"), arg == "warehouse.ledger":
				args[i] = filepath.Join(folder, arg)
			}
		}
		got := veilpath(t, args[1:]...)
		if got.code != exitDone {
			t.Fatalf("%s: exit code %d: %s", line, got.code, got.stderr)
		}
		printed = append(printed, got.stdout)
	}
	find := func(text, pattern string) string {
		found := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("%q is not in %s", pattern, text)
		}
		return found[1]
	}
	says(t, "`tune` answers epsilon %s, the strongest privacy shown to cost at most 5 %%",
		find(printed[1], `Epsilon ([0-9.]+) at delta`))
	says(t, "another of epsilon %s fits into the total of 5",
		find(printed[2], `allowed for one more +([0-9.]+)`))
	for _, name := range []string{"out/cost/figure.png", "out/choice/figure.png", "out/public/policy.csv",
		"out/public/guarantee.json"} {
		if !fileExists(filepath.Join(folder, name)) {
			t.Errorf("no %s", name)
		}
	}
}
