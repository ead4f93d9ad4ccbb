package main

import (
	"fmt"
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
		r := veilpathIn(t, t.Context(), []string{"COLUMNS=80"}, append(args, "--quiet", "--full", "--out",
			filepath.Join(dir, name))...)
		help := veilpath(t, args[0], "--help", "--full").stdout
		tables := 0
		for line := range strings.Lines(r.stdout) {
			line = strings.TrimSpace(line)
			if utf8.RuneCountInString(line) > 80 {
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

// What a verb prints without --full is short, and fits lines of any terminal.
func TestAnswersAreShortAndFitEveryTerminal(t *testing.T) {
	t.Parallel()
	const mostLines = 40
	widths := []int{40, 60, 80, 120, 200}
	if testing.Short() {
		widths = widths[:1]
	}
	dir := t.TempDir()
	studies := [2]string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	for i, folder := range studies {
		veilpath(t, "study", "--epsilons", "0.2:4:0.2", "--runs", "5", "--seed", fmt.Sprint(i), "--out", folder)
	}
	for _, text := range []string{
		"study --epsilons 0.2:4:0.1 --runs 5",
		"study --epsilons 1,2 --runs 5 --sweep vehicle.speed_km_s=1.6,1.7 --sweep privacy.calibration=classical,analytic",
		"study --epsilons 1,2 --runs 5 --sweep vehicle.speed_km_s=1.4,1.5,1.6,1.7,1.8,1.9",
		"study --epsilons 0.2..4 --runs 5", "study --epsilons 1,4 --runs 5 --observer ballistic,impact_time,filtered",
		"study --epsilons 0.2,1,4 --runs 5 --observer ballistic,mechanism,heading --attribution",
		"tune --epsilons 0.4,1 --runs 20",
		"tune --epsilons 0.4,1 --runs 20 --hidden-until 30 --between 0.5,20 --resolution 0.5 --max-runs 200",
		"run --epsilon 1", "run --nominal",
		"leak --flights 6 --observers geometry,mechanism --epsilons 0.2,1 --candidates 16:11,3:4 --policies 2",
		"leak mechanisms --flights 4 --policies 2", "leak goals 16:11,3:4 --draws 10",
		"audit --samples 1000 --tables 8", "cost example1 --runs 20 --epsilons 0.2:4:0.2",
		"tune example1 --max-cost 20% --max-runs 100 --resolution 0.5", "plan example2 --epsilon 1",
		"design paper --draws 2", "reproduce table1a thm6a scalars", "compare " + studies[0] + " " + studies[1],
	} {
		for i, columns := range widths {
			args := strings.Fields(text)
			again := "--force"
			if i > 0 && args[0] != "plan" && args[0] != "compare" && args[1] != "goals" {
				again = "--resume" // which prints a finished answer again
			}
			if args[0] != "design" && args[0] != "run" {
				args = append(args, "--out", filepath.Join(dir, "out"), again)
			}
			r := veilpathIn(t, t.Context(), []string{fmt.Sprintf("COLUMNS=%d", columns)}, args...)
			if lines := strings.Count(r.stdout, "\n"); r.stdout == "" || lines > mostLines && columns >= 60 {
				t.Errorf("%s at %d columns: exit %d, %d lines\n%s%s", text, columns, r.code, lines, r.stdout, r.stderr)
			}
			for line := range strings.Lines(r.stdout) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
					t.Errorf("%s at %d columns: %d in %q", text, columns, n, line)
				}
			}
		}
	}
}
