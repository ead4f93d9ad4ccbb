package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever is printed as a table fits a terminal, and the help of its verb explains its headings.
func TestTablesFitATerminalAndAreExplained(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, args := range map[string][]string{
		"study": append([]string{"study"}, small...),
		"sweep": append([]string{"study", "--sweep", "vehicle.speed_km_s=1.6,1.7", "--sweep", "adversary.consecutive_steps=2,3", "--sweep", "privacy.calibration=classical,analytic"}, small...),
		"point": append([]string{"study", "--sweep", "vehicle.speed_km_s=1.6,1.7"}, small...),
		"far":   append([]string{"study", "--sweep", "adversary.radius_km=0.2,3"}, small...),
		"tune":  strings.Fields("tune --epsilons 0.4,1 --runs 20 --hidden-until 30 --quantile 0.25 --between 0.5,20 --resolution 0.5 --max-runs 200"),
	} {
		r := veilpath(t, append(args, "--quiet", "--out", filepath.Join(dir, name))...)
		help := veilpath(t, args[0], "--help").stdout
		tables := 0
		for line := range strings.Lines(r.stdout) {
			line = strings.TrimSpace(line)
			if strings.HasSuffix(line, ".") { // a sentence
				continue
			}
			if utf8.RuneCountInString(line) > tableWidth {
				t.Errorf("%s: %d columns: %s", name, utf8.RuneCountInString(line), line)
			}
			if !strings.Contains(line, "mean km") && !strings.Contains(line, "hand-over") && !strings.HasPrefix(line, "setting ") {
				continue
			}
			tables++
			for heading := range strings.SplitSeq(line, tableGap) {
				if heading = strings.TrimSpace(heading); heading != "" && !strings.ContainsAny(heading, "._") && heading != "setting" && heading != "point" && !strings.Contains(help, "\n  "+heading+tableGap) {
					t.Errorf("%s: the help does not explain %q", name, heading)
				}
			}
		}
		if want := map[string]int{"far": 3}[name]; tables < max(want, 2) {
			t.Errorf("%s: %d tables in\n%s", name, tables, r.stdout)
		}
	}
}

// No cell is broken or lost, however narrow the columns must be packed.
func TestWideTablesFollowBelow(t *testing.T) {
	word := func(n int) func(*int) string { return func(x *int) string { return strings.Repeat("x", n+*x) } }
	lead := []column[int]{{heading: "lead", cell: word(1)}}
	columns := []column[int]{{heading: "a", cell: word(40)}, {heading: "b", beside: true, cell: word(20)}, {heading: "c", cell: word(30)}, {heading: "d", cell: word(100)}, {heading: "e", cell: word(3)}}
	var text strings.Builder
	if err := writeTable(&text, lead, columns, []int{0, 1}); err != nil {
		t.Fatal(err)
	}
	var headings []string
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "lead") {
			headings = append(headings, strings.Join(strings.Fields(line), " "))
		}
	}
	if want := []string{"lead a b", "lead c", "lead d", "lead e"}; !slices.Equal(headings, want) {
		t.Errorf("blocks %q, want %q", headings, want)
	}
	for _, n := range []int{40, 41, 20, 21, 30, 31, 100, 101} {
		if !slices.Contains(strings.Fields(text.String()), strings.Repeat("x", n)) {
			t.Errorf("a cell of %d letters is missing or broken:\n%s", n, text.String())
		}
	}
}
