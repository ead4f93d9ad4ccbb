package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

type keptStep struct {
	Run      int64    `parquet:"run"`
	Epsilon  float64  `parquet:"epsilon"`
	TimeS    float64  `parquet:"t_s,optional"`
	X        float64  `parquet:"x_km,optional"`
	Error    float64  `parquet:"prediction_error_km,optional"`
	Straight *float64 `parquet:"prediction_error_km_constant_velocity,optional"`
	GuessX   *float64 `parquet:"guess_x_km,optional"`
	GuessY   *float64 `parquet:"guess_y_km,optional"`
	GuessZ   *float64 `parquet:"guess_z_km,optional"`
}

// What is kept of many flights is what a single flight writes, step by step, with where the observer guesses.
func TestTrajectoriesAreThoseOfSingleFlights(t *testing.T) {
	t.Parallel()
	settings := []string{"--set", "planner.goals=[[12,2]]"}
	folder := folderOf(t, "study", append([]string{"study", "--epsilons", "0.5,2", "--runs", "4", "--trajectories", "3",
		"--observer", "ballistic,constant_velocity"}, settings...)...)
	steps, err := parquet.ReadFile[keptStep](filepath.Join(folder, "trajectories.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	flights := map[[2]float64][]keptStep{}
	for _, s := range steps {
		key := [2]float64{float64(s.Run), s.Epsilon}
		flights[key] = append(flights[key], s)
	}
	if len(flights) != 6 {
		t.Fatalf("%d flights are kept, want 3 runs at 2 epsilons", len(flights))
	}
	trajectory := func(name string, extra ...string) [][]string {
		single := folderOf(t, name, append(append([]string{"run", "--epsilon", "0.5", "--run", "2"}, settings...),
			extra...)...)
		text, err := os.ReadFile(filepath.Join(single, "trajectory.csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows, straight := trajectory("run"), trajectory("straight", "--set", "adversary.observer=constant_velocity")
	kept := flights[[2]float64{2, 0.5}]
	if len(kept) != len(rows)-1 {
		t.Fatalf("%d steps are kept, the flight has %d", len(kept), len(rows)-1)
	}
	for i, s := range kept {
		number := func(column int) float64 { x, _ := strconv.ParseFloat(rows[i+1][column], 64); return x }
		if s.TimeS != number(0) || s.X != number(1) || s.Error != number(11) || s.GuessX == nil || s.GuessY == nil ||
			s.GuessZ == nil {
			t.Fatalf("step %d: %+v, the flight says %v", i, s, rows[i+1])
		}
		if want, _ := strconv.ParseFloat(straight[i+1][11], 64); s.Straight == nil || *s.Straight != want {
			t.Fatalf("step %d: the second observer errs by %v km, and alone by %v", i, s.Straight, want)
		}
	}
}

// The table and its figure are the same to the byte whatever the workers, parts and interruptions.
func TestTrajectoriesAreTheSameToTheByte(t *testing.T) {
	t.Parallel()
	args := []string{"study", "--config", "passage", "--epsilons", "0.5,5", "--runs", "6", "--trajectories", "4"}
	whole := folderOf(t, "whole", append(args, "--workers", "1")...)
	files := map[string][]byte{}
	for _, name := range []string{"trajectories.parquet", "flights.png", "flights.svg"} {
		text, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = text
	}
	check := func(what, folder string) {
		t.Helper()
		for name, want := range files {
			if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %s differs: %v", what, name, err)
			}
		}
	}
	check("3 workers", folderOf(t, "workers", append(args, "--workers", "3")...))
	one, two := folderOf(t, "one", append(args, "--shard", "1/2")...),
		folderOf(t, "two", append(args, "--shard", "2/2")...)
	if _, err := os.Stat(filepath.Join(one, "trajectories.parquet")); err == nil {
		t.Error("a part of a study keeps trajectories")
	}
	check("merged", folderOf(t, "merged", "merge", one, two))
}

func TestTrajectoriesRefuses(t *testing.T) {
	t.Parallel()
	folder := folderOf(t, "study", "study", "--epsilons", "1", "--runs", "3", "--trajectories", "2")
	for says, args := range map[string][]string{
		"that sweeps no settings": {"--trajectories", "2", "--sweep", "adversary.radius_km=1,2", "--out",
			filepath.Join(t.TempDir(), "x")},
		"needs --out": {"--trajectories", "2", "--format", "json"},
		"--trajectories was 2, now it is 1": {"--epsilons", "1", "--runs", "3", "--trajectories", "1", "--resume", "--out",
			folder},
	} {
		if r := veilpath(t, append([]string{"study"}, args...)...); r.code != exitUsage || !strings.Contains(r.stderr, says) {
			t.Errorf("%v: exit %d, %s, want %s", args, r.code, r.stderr, says)
		}
	}
}

// A page holds the figures and tables of its folder and needs nothing from outside.
func TestReportPages(t *testing.T) {
	t.Parallel()
	study := folderOf(t, "study", append([]string{"study", "--trajectories", "2", "--report"}, small...)...)
	other := folderOf(t, "other", append([]string{"study", "--seed", "2"}, small...)...)
	pages := map[string]string{
		"study": study,
		"sweep": folderOf(t, "sweep", "study", "--epsilons", "1", "--runs", "4", "--sweep", "adversary.radius_km=0.5,0.7",
			"--report"),
		"cost":    folderOf(t, "cost", "cost", "example1", "--epsilons", "1,2", "--runs", "4", "--report"),
		"tune":    folderOf(t, "tune", "tune", "--epsilons", "1,2", "--radii", "0.5,0.7", "--runs", "5", "--report"),
		"compare": folderOf(t, "compare", "compare", study, other, "--report"),
		"tried":   folderOf(t, "tried", "tune", "example1", "--max-cost", "60%", "--max-runs", "200", "--report"),
	}
	figures := map[string]int{"study": 3, "sweep": 2, "cost": 1, "tune": 1, "compare": 1, "tried": 1}
	for verb, folder := range pages {
		text, err := os.ReadFile(filepath.Join(folder, "report.html"))
		if err != nil {
			t.Error(err)
			continue
		}
		page := string(text)
		if n := strings.Count(page, "<svg"); n != 2*figures[verb] || // for wide and for narrow screens
			!strings.Contains(page, "<table") ||
			!strings.Contains(page, "manifest.json") {
			t.Errorf("%s: %d figures", verb, n)
		}
		if flies := verb == "study" || verb == "sweep" || verb == "tune"; flies != strings.Contains(page, "vehicle") &&
			verb != "compare" {
			t.Errorf("%s: the page speaks of a vehicle: %v", verb, !flies)
		}
		for _, outside := range []string{"src=", "href=", "url(", "<script", "@import"} {
			if at := strings.Index(page, outside); at >= 0 && !strings.HasPrefix(page[at:], `href="#`) {
				t.Errorf("%s: the page asks for something: %.60q", verb, page[at:])
			}
		}
	}
}
