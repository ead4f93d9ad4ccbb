package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// folderOf runs a verb into a folder.
func folderOf(t *testing.T, dir string, args ...string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), dir)
	if r := veilpath(t, append(args, "--quiet", "--out", folder)...); r.code != exitDone {
		t.Fatalf("%v: exit %d, %s", args, r.code, r.stderr)
	}
	return folder
}

type differences struct {
	Paired   bool
	Finding  string
	Settings []struct{ Key, A, B string }
	Places   []struct {
		Epsilon    float64
		RunsA      int `json:"runs_a"`
		Quantities map[string]struct{ A, B, Difference, Low, High *float64 }
	}
}

// A comparison tells the differences of the summaries, the settings that differ, and where a condition is met.
func TestCompareStudies(t *testing.T) {
	t.Parallel()
	a := folderOf(t, "a", append([]string{"study"}, small...)...)
	b := folderOf(t, "b", append([]string{"study", "--set", "adversary.lambda_per_s=0.2"}, small...)...)
	r := veilpath(t, "compare", a, b, "--format", "json")
	var c differences
	if err := json.Unmarshal([]byte(r.stdout), &c); r.code != exitDone || err != nil {
		t.Fatalf("exit %d, %s: %v", r.code, r.stderr, err)
	}
	if !c.Paired || len(c.Places) != 2 || c.Places[0].RunsA != 20 || len(c.Settings) != 1 ||
		c.Settings[0].Key != "adversary.lambda_per_s" || c.Settings[0].B != "0.2" {
		t.Errorf("%+v", c)
	}
	of := func(folder string, column int) float64 {
		text, err := os.ReadFile(filepath.Join(folder, "summary.csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows, _ := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		x, _ := strconv.ParseFloat(rows[1][column], 64)
		return x
	}
	mean := c.Places[0].Quantities["mean_km"]
	if *mean.A != of(a, 3) || *mean.B != of(b, 3) || *mean.Difference != *mean.B-*mean.A || *mean.Low > *mean.Difference {
		t.Errorf("mean %g and %g, the summaries say %g and %g", *mean.A, *mean.B, of(a, 3), of(b, 3))
	}
	if r := veilpath(t, "compare", a, a, "--fail-if", "|mean_km|>0", "--format", "csv"); r.code != exitDone ||
		strings.Count(r.stdout, "\n") != 1+2*29 {
		t.Errorf("a study and itself: exit %d, %s%s", r.code, r.stdout, r.stderr)
	}
	folder := filepath.Join(t.TempDir(), "out")
	r = veilpath(t, "compare", a, b, "--fail-if", "median_km<-5", "--out", folder)
	if r.code != exitFailed || !strings.Contains(r.stderr,
		"median_km<-5 holds at 2 of 2 epsilons, first at epsilon 0.5: median_km went from") ||
		!strings.Contains(r.stdout, "\n1 setting differs: adversary.lambda_per_s, 0.1 in A and 0.2 in B.\n") {
		t.Errorf("exit %d, %s%s", r.code, r.stdout, r.stderr)
	}
	for _, name := range []string{"comparison.csv", "figure.png", "figure.svg", "manifest.json"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
}

// What cannot be compared is refused with what is wrong and what to do.
func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	a := folderOf(t, "a", append([]string{"study"}, small...)...)
	other := folderOf(t, "other", "study", "--epsilons", "3", "--runs", "5")
	cost := folderOf(t, "cost", "cost", "example2", "--epsilons", "1", "--runs", "5")
	run, tune := folderOf(t, "run", "run"), folderOf(t, "tune", "tune", "--epsilons", "1,2", "--runs", "5")
	for says, args := range map[string][]string{
		"name two that veilpath study wrote":                      {a},
		"contains a cost; compare takes two folders with studies": {a, cost},
		"contains a tune; compare takes two folders with studies; fly one with its settings: " +
			"veilpath study --config " + tune: {tune, a},
		"have no epsilon in common: the first has epsilon 0.5; epsilon 2, the second epsilon 3; repeat " +
			"one with the --epsilons of the other": {a, other},
		"contains a run":          {a, run},
		"holds no manifest.json;": {a, t.TempDir()},
		"holds no manifest.json, because there is no such folder": {a, filepath.Join(t.TempDir(), "none")},
		"did you mean mean_km?":                                   {a, a, "--fail-if", "mean_kn>1"},
		"not a condition":                                         {a, a, "--fail-if", "mean_km"},
		"is one of the two folders":                               {a, a, "--out", a},
	} {
		if r := veilpath(t, append([]string{"compare"}, args...)...); r.code != exitUsage ||
			!strings.Contains(r.stderr, says) || r.stdout != "" {
			t.Errorf("%v: exit %d, %q, want %q", args, r.code, r.stderr, says)
		}
	}
}
