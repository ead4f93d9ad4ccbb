package configs

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// Every setting reaches its own field of what is made of the settings, angles in radians and times as durations.
func TestPartsOfSettings(t *testing.T) {
	c := mustLoad(t, Request{Sets: []string{
		"vehicle.speed_km_s=1.25", "vehicle.accel_limit_km_s2=0.5", "vehicle.start_km=-40,-20,6", "vehicle.heading=90",
		"target_km=10,20,0", "privacy.handover_km=30", "guidance.waypoint_gain=3.5",
		"guidance.waypoint_min_tgo_s=1.5", "guidance.genex_n=0.5", "guidance.genex_min_tgo_s=0.25",
		"guidance.terminal_steepening_deg=45", "planner.max_transitions=77", "sim.step_s=0.125", "sim.capture_km=2",
		"sim.max_time_s=500", "planner.columns=8", "planner.rows=9", "planner.spacing_km=10", "planner.start_cell=1,2",
		"planner.moves=8", "planner.keep_out=[[3, 4], [5, 6, 7, 8]]", "planner.goals=[[7, 0]]", "planner.reward_weight=1.75",
		"planner.discount=0.875", "planner.slip=0.0625", "planner.tolerance=1e-7", "exec.timeout_s=2.5",
		"privacy.epsilon=3", "privacy.delta=0.25", "privacy.adjacency=2", "privacy.row_adjacency=0.5",
		"privacy.row_uniform=0.75", "adversary.consecutive_steps=4",
	}}).Config
	if d := cmp.Diff(sim.Scenario{SpeedKmS: 1.25, AccelLimitKmS2: 0.5, Start: r3.Vec{X: -40, Y: -20, Z: 6},
		HeadingRad: math.Pi / 2, Target: r3.Vec{X: 10, Y: 20}, HandoverKm: 30, WaypointGain: 3.5,
		WaypointMinTgoS: 1.5, GenexN: 0.5, GenexMinTgoS: 0.25, SteepeningRad: math.Pi / 4, MaxTransitions: 77,
		StepS: 0.125, CaptureKm: 2, MaxTimeS: 500}, c.Scenario()); d != "" {
		t.Errorf("scenario (-want +got):\n%s", d)
	}
	if d := cmp.Diff(planner.Spec{Columns: 8, Rows: 9, SpacingKm: 10, StartCell: planner.Cell{Column: 1, Row: 2},
		Moves: planner.EightMoves, KeepOut: []planner.Area{
			{From: planner.Cell{Column: 3, Row: 4}, To: planner.Cell{Column: 3, Row: 4}},
			{From: planner.Cell{Column: 5, Row: 6}, To: planner.Cell{Column: 7, Row: 8}}},
		Goals: []planner.Cell{{Column: 7}}, RewardWeight: 1.75, Discount: 0.875, Slip: 0.0625, Tolerance: 1e-7},
		c.Mission()); d != "" {
		t.Errorf("mission (-want +got):\n%s", d)
	}
	// The farthest cell is 7 columns and 8 rows away.
	if d := cmp.Diff(privacy.Guarantee{Epsilon: 3, Delta: 0.25, Adjacency: 2, Calibration: privacy.Classical,
		Range: privacy.Range{Low: -1.75 * math.Sqrt(7*7+8*8)}, Rows: privacy.Rows{Adjacency: 0.5, Uniform: 0.75}},
		c.Guarantee()); d != "" {
		t.Errorf("guarantee (-want +got):\n%s", d)
	}
	if got := c.Exec.Timeout(); got != 2500*time.Millisecond {
		t.Errorf("timeout %v, want 2.5 s", got)
	}
	if c.Adversary.Recognition() != adversary.InARow(4) {
		t.Errorf("rule %v, want 4 in a row", c.Adversary.Recognition())
	}
	if got, want := c.recognitionKm(), 3*1.25*0.125; got != want {
		t.Errorf("recognition takes %v km, want %v", got, want)
	}
}
