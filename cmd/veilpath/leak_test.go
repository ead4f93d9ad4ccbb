package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/internal/record"
	"veilpath/sim/campaign"
)

// leakShort is a study of leakage that takes a moment.
var leakShort = []string{"leak", "--flights", "4", "--policies", "2", "--candidates", "beyond 215", "--quiet"}

// JSON has a row for every observer, epsilon and distance asked for, and what they add up to.
func TestLeakAsJSON(t *testing.T) {
	got := veilpath(t, append(leakShort, "--observers", "geometry,moves,mechanism", "--epsilons", "1,none", "--at",
		"25 km,50km", "--format", "json")...)
	if got.code != exitDone {
		t.Fatal(got.stderr)
	}
	var raw struct {
		PriorBits float64 `json:"prior_bits"`
		Leakage   []map[string]any
		Learned   []map[string]any `json:"learned_from"`
	}
	if err := json.Unmarshal([]byte(got.stdout), &raw); err != nil {
		t.Fatal(err)
	}
	if len(raw.Leakage) != 3*2*2 {
		t.Fatalf("%d rows, want 3 observers x 2 epsilons x 2 distances", len(raw.Leakage))
	}
	for _, name := range []string{"observer", "epsilon", "flown_km", "bits_left", "standard_error"} {
		if _, ok := raw.Leakage[0][name]; !ok {
			t.Errorf("the first row has no %s: %v", name, raw.Leakage[0])
		}
	}
	if raw.Leakage[0]["epsilon"] != 1.0 || raw.Leakage[11]["epsilon"] != nil || raw.Leakage[1]["flown_km"] != 50.0 {
		t.Errorf("rows are not by epsilon, observer and distance: %v", raw.Leakage)
	}
	// What was learned from one thing after the other is all that the last observer learned.
	sum := 0.0
	for _, l := range raw.Learned {
		if l["epsilon"] == 1.0 && l["flown_km"] == 50.0 {
			sum += l["bits"].(float64)
		}
	}
	for _, row := range raw.Leakage {
		if row["observer"] == "mechanism" && row["epsilon"] == 1.0 && row["flown_km"] == 50.0 &&
			math.Abs(sum-row["bits_learned"].(float64)) > 1e-9 {
			t.Errorf("learned %v bits in parts, %v in all", sum, row["bits_learned"])
		}
	}
}

func TestLeakRefuses(t *testing.T) {
	for flags, want := range map[string]string{
		"--observers seer":                  "there are geometry",
		"--observers mecanism":              "did you mean mechanism?",
		"--observers ballistic":             "veilpath study --observer ballistic",
		"--observers moves,moves":           "twice",
		"--epsilons -1":                     "1e-9",
		"--epsilons some":                   "decimal",
		"--flights 1":                       "from 2",
		"--policies 0":                      "out of range",
		"--at here":                         "--at",
		"--at -5km":                         "out of range",
		"--goal mine":                       "want prior",
		"--candidates 16:11,20:0":           "outside the grid",
		"--candidates 16:11,1:2x":           "not a cell",
		"--candidates 16:11":                "no secret",
		"--candidates 0:0,1:1 --goal paper": "not among those",
		"--candidates 0:0,1:1 --prior 1":    "2 possible goals",
		"--against planner.discount":        "want key=value",
		"--against planner.disc=1":          "planner.discount",
		"--config example1":                 "this problem has no flights",
		"--set adversary.discount=2":        "adversary.discount",
		"--radii 1,1":                       "twice",
		"--set privacy.epsilon=0":           "privacy.epsilon",
		"--candidates 16:11,3:4,16:11 ":     "twice",
	} {
		got := veilpath(t, append([]string{"leak", "--flights", "2"}, strings.Fields(flags)...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("leak %s: exit %d, %q; want %d and %q", flags, got.code, got.stderr, exitUsage, want)
		}
	}
}

// Several observers watch the same flights: each has the rows that a study of its own gives it.
func TestStudyOfSeveralObservers(t *testing.T) {
	t.Parallel()
	rows := func(observer string) [][]string {
		got := veilpath(t, "study", "--observer", observer, "--epsilons", "0.5,2", "--runs", "20", "--quiet", "--format",
			"csv")
		if got.code != exitDone {
			t.Fatal(got.stderr)
		}
		all, err := csv.NewReader(strings.NewReader(got.stdout)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return all[1:]
	}
	both := rows("ballistic, handover_circle")
	if len(both) != 4 {
		t.Fatalf("%d rows, want 2 observers x 2 epsilons", len(both))
	}
	for i, name := range []string{"ballistic", "handover_circle"} {
		for k, want := range rows(name) {
			if got := both[2*i+k]; got[0] != name || !slices.Equal(got[1:], want) {
				t.Errorf("%s among others: %v, alone %v", name, got, want)
			}
		}
	}
	for flags, want := range map[string]string{
		"--observer balistic":            "did you mean ballistic?",
		"--observer ballistic,ballistic": "twice",
		"--observer ballistic,filtered --sweep adversary.observer=filtered,ballistic": "adversary.observer",
	} {
		if got := veilpath(t, append([]string{"study"}, strings.Fields(flags)...)...); got.code != exitUsage ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("study %s: exit %d, %q; want %q", flags, got.code, got.stderr, want)
		}
	}
}

// A figure that leaves epsilons out says so.
func TestTheFigureOfLeakSaysHowManyEpsilonsItShows(t *testing.T) {
	t.Parallel()
	for epsilons, want := range map[string]bool{"1,2,4": false, "1,2,3,4": true} {
		folder := filepath.Join(t.TempDir(), "out")
		if got := veilpath(t, "leak", "--observers", "geometry", "--flights", "2", "--candidates", "beyond 220", "--epsilons",
			epsilons, "--quiet", "--out", folder); got.code != exitDone {
			t.Fatal(got.stderr)
		}
		figure, err := os.ReadFile(filepath.Join(folder, "figure.svg"))
		if err != nil {
			t.Fatal(err)
		}
		if says := strings.Contains(string(figure), "3 of 4 epsilons"); says != want {
			t.Errorf("%s: says that it leaves some out: %v", epsilons, says)
		}
	}
}

// The folder has the answer in every form, and the page says it in words.
func TestLeakWritesFiles(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "out")
	got := veilpath(t, append(leakShort, "--epsilons", "1,none", "--out", folder)...)
	if got.code != exitDone {
		t.Fatal(got.stderr)
	}
	m, err := record.ReadManifest(record.Disk{}, folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := record.CheckFiles(context.Background(), record.Disk{}, folder, m); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"leakage.csv", "leakage.parquet", "recognition.csv", "recognition.parquet",
		"learned_from.csv", "leakage.json", "report.html", "figure.png", "figure.svg"} {
		if m.Files[name] == "" {
			t.Errorf("there is no %s", name)
		}
	}
	page, err := os.ReadFile(filepath.Join(folder, campaign.PageName))
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"One who knows the policy (&#34;mechanism&#34;) has ", "hand-over rule"} {
		if !strings.Contains(string(page), words) {
			t.Errorf("the page does not say %q", words)
		}
	}
	curve, err := os.ReadFile(filepath.Join(folder, "leakage.csv"))
	if err != nil {
		t.Fatal(err)
	}
	// observers x epsilons x distances, every 5 km to 205
	if lines := strings.Count(string(curve), "\n"); lines != 1+len(adversary.GoalNames())*2*42 {
		t.Errorf("%d lines of leakage.csv", lines)
	}
	if strings.Count(string(curve), "geometry,,") != 42 {
		t.Error("the epsilon of no noise is not blank")
	}
}

// Several releases, two goals and an epsilon for so many bits are told as tables, JSON and files.
func TestLeakTellsOfReleasesGoalsAndBits(t *testing.T) {
	t.Parallel()
	small := []string{"--candidates", "beyond 215", "--quiet", "--format", "json"}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"leak", "releases", "--counts", "1,6", "--goals", "3", "--epsilons", "1", "--observers", "moves"},
			[]string{`"releases"`, `"composed_epsilon": 0.67`, `"bits_left_reused"`, `"policies": 150`}},
		{[]string{"leak", "releases", "--counts", "16", "--goals", "3", "--epsilons", "0.2", "--policies", "2"},
			[]string{`"policies_standard_error": 0.`}},
		{[]string{"leak", "goals", "16:11,16:10", "--epsilons", "0.2", "--draws", "3"},
			[]string{`"distance_b": 58.8`, `"mu": 4.96`, `"entries": 1960`, `"told": 0.99`,
				"A released reward names goal 16:11 among 70 possible goals"}},
		{[]string{"leak", "--against", "vehicle.heading=random", "--flights", "3", "--observers", "heading", "--epsilons",
			"1"}, []string{`"saved"`, `"way": "heading=random"`}},
		{[]string{"tune", "--observer", "moves", "--leak", "8bits", "--runs", "3", "--between", "1,2"},
			[]string{`"epsilon": 2`, `"leak_bits": 8`, `"met": true`}},
		{[]string{"tune", "--observer", "moves", "--hidden-until", "200", "--runs", "3", "--between", "1,2", "--candidates",
			"all"}, []string{"no such flag"}},
	} {
		args := append(c.args, small...)
		if c.args[0] == "tune" {
			args = append(c.args, "--quiet", "--format", "json", "--set", "adversary.candidates=beyond 200")
		}
		got := veilpath(t, args...)
		for _, want := range c.want {
			if !strings.Contains(got.stdout+got.stderr, want) {
				t.Errorf("%v: no %s in %s%s", c.args, want, got.stdout, got.stderr)
			}
		}
	}
	folder := t.TempDir()
	goals := veilpath(t, "leak", "goals", "16:11,16:10", "--draws", "3", "--report", "--force", "--out", folder)
	page, err := os.ReadFile(filepath.Join(folder, campaign.PageName))
	if err != nil || !strings.Contains(string(page), "epsilon between, delta 0.01") ||
		!strings.Contains(goals.stdout, "distinguished") {
		t.Errorf("leak goals: %v, %s%s", err, goals.stdout, goals.stderr)
	}
	for flags, want := range map[string]string{
		"leak goals 16:11":                 "two different cells",
		"leak goals 16:11,20:0":            "outside the grid",
		"leak goals 16:11,16:11":           "two different cells",
		"leak releases --counts 0":         "whole number",
		"tune --leak 2bits":                "choose an observer of the goal",
		"tune --observer moves --leak two": "want bits",
	} {
		if got := veilpath(t, strings.Fields(flags)...); got.code != exitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: exit %d, %q; want %q", flags, got.code, got.stderr, want)
		}
	}
}
