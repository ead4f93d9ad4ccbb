package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// What a verb prints without --full is short, and fits lines of any terminal.
func TestAnswersAreShortAndFitEveryTerminal(t *testing.T) {
	t.Parallel()
	const mostLines = 24
	dir := t.TempDir()
	studies := [2]string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	for i, folder := range studies {
		veilpath(t, "study", "--epsilons", "0.2:4:0.2", "--runs", "5", "--seed", fmt.Sprint(i), "--out", folder)
	}
	for i, text := range []string{
		"study --epsilons 0.2:4:0.1 --runs 5",
		"study --epsilons 1,2 --runs 5 --sweep vehicle.speed_km_s=1.6,1.7 --sweep privacy.calibration=classical,analytic",
		"study --epsilons 1,2 --runs 5 --sweep vehicle.speed_km_s=1.4,1.5,1.6,1.7,1.8,1.9",
		"study --epsilons 0.2..4 --runs 5", "study --epsilons 1,4 --runs 5 --observer ballistic,impact_time,filtered",
		"study --epsilons 0.2,1,4 --runs 5 --observer ballistic,mechanism,heading --attribution --set adversary.policies=4",
		"tune --epsilons 0.4,1 --runs 20",
		"tune --epsilons 0.4,1 --runs 20 --hidden-until 30 --between 0.5,20 --resolution 0.5 --max-runs 200",
		"run --epsilons 1", "run --nominal",
		"leak --flights 6 --observers geometry,mechanism --epsilons 0.2,1 --candidates 16:11,3:4 --policies 2",
		"leak mechanisms --flights 4 --policies 2 --set adversary.candidates=16:11,3:4",
		"leak rewards --draws 2 --epsilons 0.2,1,none --family table",
		"audit --samples 1000 --tables 8", "cost example1 --runs 20 --epsilons 0.2:4:0.2",
		"tune example1 --max-cost 20% --max-runs 100 --resolution 0.5", "plan example2 --epsilons 1",
		"design paper --draws 2", "reproduce table1a thm6a scalars --set study.runs=20",
		"compare " + studies[0] + " " + studies[1],
	} {
		args := strings.Fields(text)
		switch args[0] {
		case "design", "run":
		case "compare", "plan":
			args = append(args, "--out", filepath.Join(dir, fmt.Sprint(i)), "--force")
		default:
			args = append(args, "--out", filepath.Join(dir, fmt.Sprint(i))) // whose answer is printed again
		}
		for _, columns := range []int{40, 80} {
			r := call(t.Context(), []string{fmt.Sprintf("COLUMNS=%d", columns)}, args)
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
