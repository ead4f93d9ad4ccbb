package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Wherever the user gives study.runs, --until stops there; the preset's own number is no limit.
func TestUntilStopsAtTheRunsGiven(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(file, []byte("study:\n  runs: 50\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args    []string
		environ []string
		capped  bool
	}{
		"flag":     {args: []string{"--runs", "50"}, capped: true},
		"set":      {args: []string{"--set", "study.runs=50"}, capped: true},
		"file":     {args: []string{"--config", file}, capped: true},
		"variable": {environ: []string{"VEILPATH_STUDY_RUNS=50"}, capped: true},
		"sweep":    {args: []string{"--set", "study.runs=50", "--sweep", "sim.step_s=0.1"}, capped: true},
		"preset":   {args: []string{"--config", "quick"}},
		"nothing":  {},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"study", "--epsilons", "0.4", "--until", "2.5km", "--format", "json", "--out", filepath.Join(t.TempDir(), "study")}, c.args...)
			r := veilpathIn(t, context.Background(), c.environ, args...)
			var study struct {
				Flights int `json:"flights"`
			}
			wanted := map[bool]int{true: exitFailed, false: exitDone}[c.capped] // capped, the precision is not reached
			if err := json.Unmarshal([]byte(r.stdout), &study); err != nil || r.code != wanted {
				t.Fatalf("exit %d, %v: %s", r.code, err, r.stderr)
			}
			if capped := study.Flights == 50; capped != c.capped || (!capped && study.Flights <= 200) {
				t.Errorf("%d flights; capped at the 50 given: want %v", study.Flights, c.capped)
			}
		})
	}
}
