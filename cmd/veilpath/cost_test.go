package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// costed is what cost prints as JSON, as far as others read it.
type costed struct {
	Value float64 `json:"value"`
	Costs []struct {
		Mechanism     string   `json:"mechanism"`
		Epsilon       float64  `json:"epsilon"`
		CostOfPrivacy float64  `json:"cost_of_privacy"`
		Low           *float64 `json:"ci_low"`
		CostBound     *float64 `json:"cost_bound"`
		Runs          int      `json:"runs"`
	} `json:"costs"`
}

func costOf(t *testing.T, args ...string) costed {
	t.Helper()
	return answerOf[costed](t, append([]string{"cost"}, args...)...)
}

// reproduced is what reproduce computes, by quantity.
func reproduced(t *testing.T, args ...string) map[string]float64 {
	t.Helper()
	got := veilpath(t, append([]string{"reproduce", "--format", "json", "--quiet"}, args...)...)
	if got.code != exitDone && got.code != exitFailed {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var rows []struct {
		Quantity string
		Computed float64
	}
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil {
		t.Fatalf("%v in %s", err, got.stdout)
	}
	computed := map[string]float64{}
	for _, row := range rows {
		computed[row.Quantity] = row.Computed
	}
	return computed
}

// agrees compares a cost with what reproduce computes, in percent.
func agrees(t *testing.T, computed map[string]float64, quantity string, cost float64) {
	t.Helper()
	const solved = 1e-3 // reproduce solves to 1e-7 of the values' range
	if want, known := computed[quantity]; !known || math.Abs(100*cost-want) > solved {
		t.Errorf("%s: %v %%, reproduce finds %v %%, %v", quantity, 100*cost, want, known)
	}
}

// What reproduce finds for Examples 1 and 2 is what cost finds, sample by sample.
func TestCostGivesTheNumbersOfReproduce(t *testing.T) {
	t.Parallel()
	first := reproduced(t, "example1", "--set", "example1.agents=2,4")
	for _, agents := range []string{"2", "4"} {
		for _, c := range costOf(t, "example1", "--agents", agents, "--epsilons", "1", "--mechanism",
			"input,output-l1").Costs {
			mechanism, _, _ := strings.Cut(c.Mechanism, "-")
			agrees(t, first, mechanism+" cost (%), N = "+agents, c.CostOfPrivacy)
		}
	}
	second := reproduced(t, "example2", "--set", "study.runs=4", "--set", "example2.goal_rewards=[5]", "--set",
		"study.epsilons=[1,5]", "--set", "privacy.adjacency=2")
	for _, c := range costOf(t, "example2", "--epsilons", "1,5", "--runs", "4", "--mechanism", "input,output-l1",
		"--adjacency", "2").Costs {
		mechanism, _, _ := strings.Cut(c.Mechanism, "-")
		agrees(t, second, fmt.Sprintf("cost (%%), %s, R_max = 5, ε = %g", mechanism, c.Epsilon), c.CostOfPrivacy)
	}
}

// The files are the same whether the runs were done at once, by two workers, or stopped and resumed.
func TestCostIsResumed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "corridor.json")
	if err := os.WriteFile(file, []byte(corridor), 0o666); err != nil {
		t.Fatal(err)
	}
	args := func(out string, more ...string) []string {
		return append([]string{"cost", file, "--discount", "0.9", "--epsilons", "0.5..4,1,4", "--out", out}, more...)
	}
	whole, parts := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "parts")
	if got := veilpath(t, args(whole, "--runs", "40", "--workers", "2")...); got.code != exitDone {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	// The second command finds the finished answer.
	for range 2 {
		if got := veilpath(t, args(parts, "--runs", "40", "--resume", "--workers", "1")...); got.code != exitDone {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
	}
	for _, name := range []string{"costs.csv", "costs.parquet", "request.json", "axis.parquet", "figure.svg",
		"figure.png"} {
		a, err := os.ReadFile(filepath.Join(whole, name))
		b, failed := os.ReadFile(filepath.Join(parts, name))
		if err != nil || failed != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v, %v", name, err, failed)
		}
	}
	for says, other := range map[string][]string{"seed": {"--runs", "40", "--seed", "9"}, "runs": {"--runs", "50"}} {
		if got := veilpath(t, args(parts, append(other, "--resume")...)...); got.code != exitUsage ||
			!strings.Contains(got.stderr, "holds other work") || !strings.Contains(got.stderr, says) ||
			!strings.Contains(got.stderr, "replace it with --force") {
			t.Errorf("another number of %s was resumed: exit code %d, %s", says, got.code, got.stderr)
		}
	}
	interrupted, stop := context.WithCancel(context.Background())
	stop()
	if got := veilpathIn(t, interrupted, nil, args(filepath.Join(t.TempDir(), "stopped"), "--runs",
		"40")...); got.code != exitInterrupted {
		t.Errorf("an interrupted cost exits with %d: %s", got.code, got.stderr)
	}
}

// --until ends when the means are known, and says so when they are not, also of a finished answer.
func TestCostUntil(t *testing.T) {
	c := costOf(t, "example1", "--epsilons", "4", "--until", "10%")
	if n := c.Costs[0].Runs; n < 20 || n >= 100_000 {
		t.Errorf("%d runs", n)
	}
	args := []string{"cost", "example1", "--epsilons", "1", "--until", "0.1%", "--runs", "200", "--out",
		filepath.Join(t.TempDir(), "out")}
	if got := veilpath(t, args...); got.code != exitFailed || !strings.Contains(got.stderr, "allow more with --runs") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	if got := veilpath(t, append(args, "--resume")...); got.code != exitFailed ||
		!strings.Contains(got.stderr, "allow more with --runs") {
		t.Errorf("resumed: exit code %d: %s", got.code, got.stderr)
	}
}

// The parts of a study make up the bytes of the whole, in any order, and nothing else does.
func TestCostsAreMerged(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "corridor.json")
	if err := os.WriteFile(file, []byte(corridor), 0o666); err != nil {
		t.Fatal(err)
	}
	args := func(out string, more ...string) []string {
		return append([]string{"cost", file, "--discount", "0.9", "--epsilons", "1..4", "--runs", "31", "--out", out},
			more...)
	}
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, run := range [][]string{args(in("whole")), args(in("1"), "--shard", "1/3"), args(in("2"), "--shard", "2/3"),
		args(in("3"), "--shard", "3/3"), args(in("other"), "--shard", "3/3", "--seed", "9"),
		args(in("fewer"), "--shard", "3/3", "--runs", "30")} {
		if got := veilpath(t, run...); got.code != exitDone {
			t.Fatalf("%q: exit code %d: %s", run, got.code, got.stderr)
		}
	}
	if got := veilpath(t, "merge", in("2"), in("3"), in("1"), "--out", in("merged")); got.code != exitDone ||
		!strings.Contains(got.stdout, "mechanism") {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	for _, name := range []string{"costs.csv", "costs.parquet", "axis.parquet", "request.json", "figure.svg",
		"figure.png"} {
		a, err := os.ReadFile(filepath.Join(in("whole"), name))
		b, failed := os.ReadFile(filepath.Join(in("merged"), name))
		if err != nil || failed != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v, %v", name, err, failed)
		}
	}
	for says, more := range map[string][]string{"part 1/3 in " + in("1") + " is done": {"--shard", "1/3"},
		"--shard was 1/3, now it is 2/3": {"--shard", "2/3"}, "--shard was 1/3, now it is none": nil} {
		if got := veilpath(t, append(args(in("1"), "--resume"), more...)...); !strings.Contains(got.stderr, says) {
			t.Errorf("resumed with %q: exit code %d, %s", more, got.code, got.stderr)
		}
	}
	older := copyFolder(t, in("2"))
	edit(t, filepath.Join(older, "manifest.json"), `"version": "`, `"version": "0.1.9+`)
	for want, parts := range map[string][]string{
		"and 0.1.9+0.2.0":     {in("1"), older, in("3")},
		"part 2/3 is missing": {in("1"), in("3")},
		"are both part 1/3":   {in("1"), in("1"), in("2"), in("3")},
		"; make all parts with one command, divided into the same number of parts": {in("1"), in("2"), in("other")},
		"is not a part, because it holds a whole":                                  {in("whole")},
		"parts of different work":                                                  {in("1"), in("2"), in("fewer")},
	} {
		if got := veilpath(t, append([]string{"merge"}, parts...)...); got.code == exitDone ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("%q: exit code %d, %s", want, got.code, got.stderr)
		}
	}
	kept, err := filepath.Glob(filepath.Join(in("1"), "pieces", "*.piece"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("part 1 has no pieces: %v", err)
	}
	if err := os.WriteFile(kept[0], []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := veilpath(t, "merge", in("1"), in("2"), in("3")); got.code == exitDone ||
		!strings.Contains(got.stderr, in("1")+" is damaged") {
		t.Errorf("a damaged part: exit code %d, %s", got.code, got.stderr)
	}
}

// tune of a problem answers with the strongest privacy that costs at most what is asked.
func TestTuneOfAProblem(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "corridor.json")
	if err := os.WriteFile(file, []byte(corridor), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	got := veilpath(t, "tune", file, "--max-cost", "20%", "--discount", "0.9", "--delta", "0.01", "--adjacency", "0.1",
		"--max-runs", "1000", "--resolution", "0.2", "--out", out, "--format", "json")
	var answer struct {
		Epsilon, MaxCost float64
		Met              bool
		Trials           []struct {
			Epsilon, Mean float64
			Decision      string
		}
	}
	if err := json.Unmarshal([]byte(got.stdout), &answer); got.code != exitDone || err != nil || !answer.Met ||
		len(answer.Trials) < 3 {
		t.Fatalf("exit code %d, %v: %s%s", got.code, err, got.stdout, got.stderr)
	}
	for _, trial := range answer.Trials {
		if trial.Decision == "met" && (trial.Epsilon < answer.Epsilon || trial.Mean > 0.2) {
			t.Errorf("epsilon %g costs %g and %g is the answer", trial.Epsilon, trial.Mean, answer.Epsilon)
		}
	}
	for _, name := range []string{"trials.csv", "figure.png", "figure.svg", "manifest.json"} {
		if !fileExists(filepath.Join(out, name)) {
			t.Errorf("no %s", name)
		}
	}
	for want, args := range map[string][]string{
		"--max-cost is missing": {file}, "a PROBLEM has none": {file, "--max-cost", "5%", "--radius", "1"},
		"needs a PROBLEM": {"--discount", "0.5"},
		"one problem":     {file, file, "--max-cost", "5%"}, "--between": {file, "--max-cost", "5%", "--between", "3,2"},
		"%; allow a larger --max-cost": {file, "--max-cost", "1e-6", "--between", "0.1,0.2", "--max-runs", "100", "--format",
			"json"},
	} {
		if got := veilpath(t, append([]string{"tune"}, args...)...); got.code == exitDone ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("%q: exit code %d, %s", want, got.code, got.stderr)
		}
	}
}

// No cost is a share of a value of 0: where the start is worth nothing, all verbs that name costs say so, and another
// start is worth 8.
func TestNoCostIsAShareOfNothing(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "zero.json")
	text := `{"0": {"0": [[1.0, 0, 0.0, false]]}, "1": {"0": [[1.0, 0, 8.0, false]]}}`
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"cost", "--epsilons", "1", "--runs", "3"}, {"plan", "--epsilons", "1"},
		{"tune", "--max-cost", "90%", "--max-runs", "100"}} {
		args = append(args, name, "--discount", "0.95", "--format", "json")
		r := veilpath(t, args...)
		if r.code != exitUsage || !strings.Contains(r.stderr, "the optimal value at the start is 0") ||
			!strings.Contains(r.stderr, "--start") || r.stdout != "" {
			t.Errorf("%q: exit %d, %s%s", args, r.code, r.stdout, r.stderr)
		}
		r = veilpath(t, append(args, "--start", "1")...)
		if r.stdout == "" || strings.Contains(r.stderr, "the optimal value") {
			t.Errorf("%q from state 1: exit %d, %s%s", args, r.code, r.stdout, r.stderr)
		}
	}
}

// Input and output perturbation add the same noise to the reward of one agent, so that one of them is measured.
func TestOneAgentHasOneMechanism(t *testing.T) {
	t.Parallel()
	for agents, rows := range map[string]int{"1": 1, "2": 2} {
		if got := costOf(t, "example1", "--agents", agents, "--epsilons", "1", "--runs", "3").Costs; len(got) != rows {
			t.Errorf("%s agents: %d costs, want %d", agents, len(got), rows)
		}
	}
	c := costOf(t, "paper", "--epsilons", "1", "--runs", "3", "--mechanism", "input,output").Costs
	if c[0].CostOfPrivacy == 0 || c[0].CostOfPrivacy != c[1].CostOfPrivacy {
		t.Errorf("input costs %v, output %v", c[0].CostOfPrivacy, c[1].CostOfPrivacy)
	}
}
