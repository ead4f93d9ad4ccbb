package setup

import (
	"math"
	"testing"

	"veilpath/configs"
	"veilpath/sim/study"
)

// The goal of a flight is the one beside which its last sample lies, and its number is that of the settings: 1 is
// target_km, here the goal of the plan without noise, and the cells of planner.goals follow.
func TestTheGoalsOfFlights(t *testing.T) {
	loaded, err := configs.Load(configs.Request{Config: "three-goals"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	// The start is over cell (9, 4) at (0, 0) km, and cells are 20 km wide.
	goals := [][2]float64{{-140, 120}, {140, 120}, {140, -80}}
	f, err := e.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	sigma, err := e.Sigma(0.5)
	if err != nil {
		t.Fatal(err)
	}
	planned := f.FlyPlanned().Goal
	seen := map[int]bool{}
	for run := range 60 {
		r, err := f.Fly(study.Draw{Run: run, Epsilon: 0.5}, sigma)
		if err != nil {
			t.Fatal(err)
		}
		samples := f.Detail().History.Samples
		end := samples[len(samples)-1].R
		if r.Goal < 1 || r.Goal > 3 || math.Hypot(end.X-goals[r.Goal-1][0], end.Y-goals[r.Goal-1][1]) > 1 {
			t.Errorf("run %d ends at %.1f %.1f km, at goal %d of %v", run, end.X, end.Y, r.Goal, goals)
		}
		if r.OtherGoal != (r.Goal != planned) {
			t.Errorf("run %d: goal %d, other goal than %d: %v", run, r.Goal, planned, r.OtherGoal)
		}
		seen[r.Goal] = true
	}
	if len(seen) != 3 {
		t.Errorf("flights end at %v only", seen)
	}
}
