package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The plan without noise is an epsilon of studies and of what is made of them, under the name none.
func TestNoneGoesThroughEveryVerbOfStudies(t *testing.T) {
	t.Parallel()
	whole := folderOf(t, "whole", "study", "--epsilons", "none,0.5..2", "--runs", "4", "--trajectories", "2",
		"--report")
	only := folderOf(t, "only", "study", "--epsilons", "none", "--runs", "4")
	summary, err := os.ReadFile(filepath.Join(whole, "summary.csv"))
	if rows := strings.Split(string(summary), "\n"); err != nil || !strings.HasPrefix(rows[1], "none,0,4,60.76") ||
		!strings.HasPrefix(rows[2], "0.5,") {
		t.Errorf("%s: %v", summary, err)
	}
	if _, err := os.Stat(filepath.Join(only, "figure.png")); err == nil {
		t.Error("a study without noise has a figure over epsilon")
	}
	for _, c := range []struct {
		code int
		want string // in what is printed
		args []string
	}{
		{exitDone, `"epsilon": "none"`, []string{"run", "--epsilon", "none", "--format", "json"}},
		{exitDone, "recognised 60.8 km", []string{"run", "--from", whole, "--epsilon", "none", "--run", "3"}},
		{exitDone, "identical to", []string{"run", "--from", only, "--run", "3"}},
		{exitUsage, "it has 10 epsilons, 0.5 to none; choose one with --epsilon", []string{"run", "--from", whole}},
		{exitUsage, "--epsilons 3 is not in the study's range 0.5..2", []string{"run", "--from", whole, "--epsilon", "3"}},
		{exitUsage, "--epsilons 3 is not one of the study's epsilons, [none]",
			[]string{"run", "--from", only, "--epsilon", "3"}},
		{exitDone, "epsilon none", []string{"compare", whole, only, "--out", filepath.Join(t.TempDir(), "compared")}},
		{exitDone, `"epsilon": "none"`, []string{"compare", whole, only, "--format", "json"}},
		{exitUsage, "epsilon none means no noise and no guarantee",
			[]string{"design", "--config", "paper", "--epsilon", "none"}},
	} {
		got := veilpath(t, c.args...)
		if printed := got.stdout + got.stderr; got.code != c.code || !strings.Contains(printed, c.want) {
			t.Errorf("%q: exit %d, want %d and %q:\n%s", c.args, got.code, c.code, c.want, printed)
		}
	}
	until := answerOf[struct {
		Summary []struct {
			Epsilon any
			MeanKm  float64 `json:"mean_km"`
			LowKm   float64 `json:"ci_low_km"`
			HighKm  float64 `json:"ci_high_km"`
			NoiseKm float64 `json:"noise_km"`
		}
	}](t, "study", "--epsilons", "none,1", "--until", "4km")
	if s := until.Summary[0]; s.Epsilon != "none" || s.LowKm != s.MeanKm || s.HighKm != s.MeanKm || s.NoiseKm != 0 {
		t.Errorf("the flight without noise is known as %+v", s)
	}
}

// A tune has both baselines, and takes none for no epsilon.
func TestTunesHaveBaselines(t *testing.T) {
	t.Parallel()
	small := []string{"tune", "--max-runs", "300", "--resolution", "1", "--runs", "5", "--epsilons", "none,1", "--full"}
	wall := append(small, "--set", "planner.keep_out=[[8,0,8,15]]", "--hidden-until", "45",
		"--out", filepath.Join(t.TempDir(), "wall"))
	got := veilpath(t, wall...)
	const want = "The plan without noise is recognised 18.94 km from the target; there is no flight straight to the target"
	if !strings.Contains(got.stdout, want) {
		t.Errorf("a wall: exit %d, without %q: %s%s", got.code, want, got.stdout, got.stderr)
	}
	free := veilpath(t, append(small, "--hidden-until", "57", "--out", filepath.Join(t.TempDir(), "free"))...)
	if !strings.Contains(free.stdout, "a flight straight to the target is recognised 101.55 km") {
		t.Errorf("without a wall: %s%s", free.stdout, free.stderr)
	}
	type tuned struct {
		Baselines struct {
			Direct  *float64 `json:"direct_km"`
			Planned float64  `json:"planned_km"`
		}
	}
	b := answerOf[tuned](t, append(wall, "--resume")...).Baselines
	if b.Direct != nil || b.Planned < 18.9 || b.Planned > 19 {
		t.Errorf("baselines %+v", b)
	}
	if none := veilpath(t, "tune", "--epsilons", "none"); none.code != exitUsage ||
		!strings.Contains(none.stderr, "list epsilons") {
		t.Errorf("none alone: exit %d, %s", none.code, none.stderr)
	}
}
