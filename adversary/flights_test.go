package adversary_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// scenario is the paper's, with the given step.
func scenario(step float64) *sim.Scenario {
	return &sim.Scenario{
		SpeedKmS: 1.7, AccelLimitKmS2: 0.2, Start: r3.Vec{X: -200, Y: -50, Z: 10}, HeadingRad: math.NaN(),
		HandoverKm: 80, WaypointGain: 3, WaypointMinTgoS: 2, GenexMinTgoS: 0.3, SteepeningRad: 1.38 * math.Pi / 180,
		MaxTransitions: 100, StepS: step, CaptureKm: 5, MaxTimeS: 2000,
	}
}

// flights returns the nominal flight and some private ones at sigma 11.84, the paper's least epsilon.
func flights(tb testing.TB, step float64) []*sim.History {
	tb.Helper()
	s := scenario(step)
	mission, err := planner.NewMission(planner.Spec{
		Columns: 20, Rows: 20, SpacingKm: 12.5, StartCell: planner.Cell{Row: 7}, RewardWeight: 2, Discount: 0.95,
		Tolerance: 1e-10,
	}, s.Start, s.Target)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := planner.NewPlanner(mission.Solved, privacy.InputPerturbation{})
	if err != nil {
		tb.Fatal(err)
	}
	nominal := new(sim.History)
	s.Fly(nil, nominal)
	all := []*sim.History{nominal}
	var noise privacy.Noise
	z := make([]float64, p.Normals())
	for run := range uint64(6) {
		noise.Seek(privacy.Address{Seed: 1, Run: run})
		noise.Normals(z)
		plan := p.Plan(p.Privatize(11.84, z))
		history := new(sim.History)
		s.Fly(planner.Route{Grid: mission.Grid, Policy: plan.Policy}, history)
		all = append(all, history)
	}
	return all
}
