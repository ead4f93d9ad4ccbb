package main

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"veilpath/cmd/internal/terminal"
)

// Whatever is printed as a table fits a terminal, and the help of its verb explains its headings.
func TestTablesFitATerminalAndAreExplained(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, args := range map[string][]string{
		"study": append([]string{"study"}, small...),
		"sweep": append([]string{"study", "--sweep", "vehicle.speed_km_s=1.6,1.7", "--sweep",
			"adversary.consecutive_steps=2,3", "--sweep", "privacy.calibration=classical,analytic"}, small...),
		"point": append([]string{"study", "--sweep", "vehicle.speed_km_s=1.6,1.7"}, small...),
		"far":   append([]string{"study", "--sweep", "adversary.radius_km=0.2,3"}, small...),
		"tune": strings.Fields("tune --epsilons 0.4,1 --runs 20 --hidden-until 30 --quantile 0.25 --between 0.5,20 " +
			"--resolution 0.5 --max-runs 200"),
	} {
		r := veilpath(t, append(args, "--quiet", "--out", filepath.Join(dir, name))...)
		help := veilpath(t, args[0], "--help").stdout
		tables := 0
		for line := range strings.Lines(r.stdout) {
			line = strings.TrimSpace(line)
			if strings.HasSuffix(line, ".") { // a sentence
				continue
			}
			if utf8.RuneCountInString(line) > terminal.Width {
				t.Errorf("%s: %d columns: %s", name, utf8.RuneCountInString(line), line)
			}
			if !strings.Contains(line, "mean km") && !strings.Contains(line, "hand-over") &&
				!strings.HasPrefix(line, "setting ") {
				continue
			}
			tables++
			for heading := range strings.SplitSeq(line, terminal.Gap) {
				if heading = strings.TrimSpace(heading); heading != "" && !strings.ContainsAny(heading, "._") &&
					heading != "setting" && heading != "point" && !strings.Contains(help, "\n  "+heading+terminal.Gap) {
					t.Errorf("%s: the help does not explain %q", name, heading)
				}
			}
		}
		if want := map[string]int{"far": 3}[name]; tables < max(want, 2) {
			t.Errorf("%s: %d tables in\n%s", name, tables, r.stdout)
		}
	}
}
