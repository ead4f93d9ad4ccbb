package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
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
	folder := folderOf(t, append([]string{"study", "--epsilons", "0.5,2", "--runs", "4", "--trajectories", "3",
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
	trajectory := func(extra ...string) [][]string {
		single := folderOf(t, append(append([]string{"run", "--epsilon", "0.5", "--run", "2"}, settings...),
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
	rows, straight := trajectory(), trajectory("--set", "adversary.observer=constant_velocity")
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
