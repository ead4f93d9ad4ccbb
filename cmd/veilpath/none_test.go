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
	whole := folderOf(t, "whole", "study", "--epsilons", "none,0.5..2", "--runs", "4", "--trajectories", "2", "--curves",
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
		{exitDone, "60.7683", []string{"run", "--from", whole, "--epsilon", "none", "--run", "3"}},
		{exitDone, "identical to", []string{"run", "--from", only, "--run", "3"}},
		{exitUsage, "it has 10 epsilons, 0.5 to none; choose one with --epsilon", []string{"run", "--from", whole}},
		{exitUsage, "--epsilon 3 is not in the study's range 0.5..2", []string{"run", "--from", whole, "--epsilon", "3"}},
		{exitUsage, "--epsilon 3 is not one of the study's epsilons, [none]",
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
	shards := []string{folderOf(t, "p1", "study", "--epsilons", "none,0.5..2", "--runs", "4", "--shard", "1/2"),
		folderOf(t, "p2", "study", "--epsilons", "none,0.5..2", "--runs", "4", "--shard", "2/2")}
	merged := filepath.Join(t.TempDir(), "merged")
	if got := veilpath(t, append([]string{"merge", "--out", merged}, shards...)...); got.code != exitDone {
		t.Fatal(got.stderr)
	}
	for _, name := range []string{"summary.csv", "runs.parquet", "axis.parquet"} {
		a, errA := os.ReadFile(filepath.Join(whole, name))
		b, errB := os.ReadFile(filepath.Join(merged, name))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s of the shards is another: %v %v", name, errA, errB)
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
	small := []string{"tune", "--max-runs", "300", "--resolution", "1", "--runs", "5", "--epsilons", "none,1"}
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

// A study of the plan alone does not say that its flights have noise.
func TestAStudyOfThePlanAloneSaysSo(t *testing.T) {
	t.Parallel()
	for epsilons, want := range map[string]string{"none": "No flight has noise.\n",
		"none,1": "The destination is recognised on average "} {
		if got := veilpath(t, "study", "--epsilons", epsilons, "--runs", "3", "--out",
			filepath.Join(t.TempDir(), "out")); !strings.Contains(got.stdout, want) {
			t.Errorf("--epsilons %s: %s%s, want %q", epsilons, got.stdout, got.stderr, want)
		}
	}
	got := veilpath(t, "study", "--epsilons", "none", "--runs", "3", "--set", "privacy.mechanism=soft", "--out",
		filepath.Join(t.TempDir(), "out"))
	if !strings.Contains(got.stdout, "No flight takes the way soft, because epsilon none is the plan without it.") ||
		!strings.Contains(got.stderr, "except none, which flies the plan without this way") {
		t.Errorf("soft without epsilons: %s%s", got.stdout, got.stderr)
	}
}
