package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
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
		Mechanism  string `json:"mechanism"`
		RunsA      int    `json:"runs_a"`
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
		strings.Count(r.stdout, "\n") != 1+2*27 {
		t.Errorf("a study and itself: exit %d, %s%s", r.code, r.stdout, r.stderr)
	}
	folder := filepath.Join(t.TempDir(), "out")
	r = veilpath(t, "compare", a, b, "--fail-if", "median_km<-5", "--out", folder)
	if r.code != exitFailed || !strings.Contains(r.stderr,
		"median_km<-5 holds at 2 of 2 places, first at epsilon 0.5: median_km went from") ||
		!strings.Contains(r.stdout, "adversary.lambda_per_s: 0.1, 0.2") || strings.Contains(r.stdout, "one radius") {
		t.Errorf("exit %d, %s%s", r.code, r.stdout, r.stderr)
	}
	for _, name := range []string{"comparison.csv", "figure.png", "figure.svg", "manifest.json"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
}

// Costs are compared by mechanism; a tune has numbers with intervals.
func TestCompareCosts(t *testing.T) {
	t.Parallel()
	a := folderOf(t, "a", "cost", "example2", "--epsilons", "1,2", "--runs", "5")
	b := folderOf(t, "b", "cost", "example2", "--epsilons", "2,4", "--runs", "5", "--discount", "0.8")
	r := veilpath(t, "compare", a, b, "--format", "json")
	var c differences
	if err := json.Unmarshal([]byte(r.stdout), &c); r.code != exitDone || err != nil {
		t.Fatalf("exit %d, %s: %v", r.code, r.stderr, err)
	}
	asked := map[string]bool{}
	for _, s := range c.Settings {
		asked[s.Key] = true
	}
	if !asked["problem_sha256"] || !asked["study.epsilons"] || asked["seed"] {
		t.Errorf("settings %+v", c.Settings)
	}
	if len(c.Places) != 2 || c.Places[0].Mechanism != "input" || c.Places[1].Mechanism != "output" ||
		c.Places[0].Epsilon != 2 {
		t.Fatalf("%+v", c)
	}
	if d := c.Places[0].Quantities["cost_of_privacy"]; math.Abs(*d.Difference-(*d.B-*d.A)) > 0 || *d.Low > *d.Difference ||
		*d.High < *d.Difference {
		t.Errorf("%+v", d)
	}
}

// compared returns how two folders compare.
func compared(t *testing.T, a, b string) (c differences) {
	t.Helper()
	r := veilpath(t, "compare", a, b, "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &c); r.code != exitDone || err != nil {
		t.Fatalf("exit %d, %s: %v", r.code, r.stderr, err)
	}
	return c
}

// Tunes of one seed are compared run by run at every radius, which tells more than the intervals of their tables; those
// of two seeds, and those without runs, by what each comes to alone.
func TestCompareTunes(t *testing.T) {
	t.Parallel()
	tune := []string{"tune", "--epsilons", "1,2", "--radii", "0.5,0.7", "--runs", "40"}
	a, b := folderOf(t, "a", tune...), folderOf(t, "b", append(tune, "--set", "adversary.lambda_per_s=0.11")...)
	without := func(folder string) string { // as earlier versions wrote it
		to := copyFolder(t, folder)
		name := filepath.Join(to, "manifest.json")
		text, err := os.ReadFile(name)
		if err := errors.Join(err, os.Remove(filepath.Join(to, "runs.parquet"))); err != nil {
			t.Fatal(err)
		}
		edit(t, name, string(regexp.MustCompile(`"runs.parquet": "[0-9a-f]*",\s*`).Find(text)), "")
		return to
	}
	paired, joined, half := compared(t, a, b), compared(t, without(a), without(b)), compared(t, a, without(b))
	other := compared(t, a, folderOf(t, "other", append(tune, "--seed", "9")...))
	if !paired.Paired || joined.Paired || half.Paired || other.Paired {
		t.Errorf("paired %t; without runs %t, with those of one %t, of two seeds %t", paired.Paired, joined.Paired,
			half.Paired, other.Paired)
	}
	if len(paired.Places) != 4 || len(joined.Places) != 4 || paired.Places[0].RunsA != 40 || joined.Places[0].RunsA != 0 ||
		len(other.Places) != 4 {
		t.Fatalf("%+v", paired)
	}
	for i, p := range paired.Places {
		for name, of := range joined.Places[i].Quantities {
			if d, ok := p.Quantities[name]; !ok || math.Abs(*d.A-*of.A) > 1e-12*math.Abs(*d.A) ||
				math.Abs(*d.B-*of.B) > 1e-12*math.Abs(*d.B) {
				t.Errorf("epsilon %g: %s is %+v by run, %+v in the tables", p.Epsilon, name, d, of)
			}
		}
		by, of := p.Quantities["mean_km"], joined.Places[i].Quantities["mean_km"]
		if !(*by.Low <= *by.Difference && *by.Difference <= *by.High && *by.High-*by.Low < 0.9*(*of.High-*of.Low)) {
			t.Errorf("epsilon %g: mean by run %g, from %g to %g; joined from %g to %g", p.Epsilon, *by.Difference, *by.Low,
				*by.High, *of.Low, *of.High)
		}
		if apart := other.Places[i].Quantities["mean_km"]; !(*apart.High-*apart.Low > *by.High-*by.Low) {
			t.Errorf("epsilon %g: two seeds tell more than one", p.Epsilon)
		}
	}
}

// The table of two tunes is of the listed epsilons against the observer's own radius; the file has the other radii.
func TestCompareOfTunesPrintsTheListedEpsilons(t *testing.T) {
	t.Parallel()
	tune := []string{"tune", "--epsilons", "1,2", "--runs", "5"}
	out := filepath.Join(t.TempDir(), "compared")
	r := veilpath(t, "compare", folderOf(t, "a", tune...), folderOf(t, "b", append(tune, "--seed", "9")...), "--out", out)
	if strings.Count(r.stdout, "radius_km 0.7, epsilon") != strings.Count(r.stdout, "radius_km") ||
		strings.Count(r.stdout, "  mean km") != 2 ||
		!strings.Contains(r.stdout, "leaves out 20 more; comparison.csv has them") {
		t.Errorf("exit %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if text, err := os.ReadFile(filepath.Join(out, "comparison.csv")); err != nil ||
		bytes.Count(text, []byte("mean_km")) != 2*21 {
		t.Errorf("comparison.csv: %v\n%s", err, text)
	}
}

// What cannot be compared is refused with what is wrong and what to do.
func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	a := folderOf(t, "a", append([]string{"study"}, small...)...)
	other := folderOf(t, "other", "study", "--epsilons", "3", "--runs", "5")
	cost := folderOf(t, "cost", "cost", "example2", "--epsilons", "1", "--runs", "5")
	run := folderOf(t, "run", "run")
	for says, args := range map[string][]string{
		"name two that veilpath study, cost or tune wrote": {a},
		"two results of the same verb":                     {a, cost},
		"have no place in common: the first has epsilon 0.5; epsilon 2, the second epsilon 3; repeat " +
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
