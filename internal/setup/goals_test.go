package setup

import (
	"errors"
	"math"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/planner/privacy"
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
	planned := e.Baselines.Planned.Goal
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

// A map shows a grid of three columns, and is an error where a wall cuts the goal off.
func TestMapOfAGrid(t *testing.T) {
	c := configs.Default()
	c.Planner.Columns, c.Planner.Rows, c.Planner.SpacingKm, c.Planner.StartCell = 3, 1, 100, [2]int{0, 0}
	c.Vehicle.StartKm, c.TargetKm = [3]float64{0, 0, 10}, [3]float64{200, 0, 0}
	c.Planner.KeepOut = nil
	if got, err := Map(c); err != nil || !strings.Contains(got, "S.G") || !strings.Contains(got, "\nS start, G goal") {
		t.Errorf("%v\n%s", err, got)
	}
	c.Planner.KeepOut = [][]int{{1, 0, 1, 0}}
	if got, err := Map(c); err == nil || !strings.Contains(err.Error(), "planner.keep_out") {
		t.Errorf("%v\n%s", err, got)
	}
}

// A range of rewards is known if it is set. Otherwise it is that of a mission: from the loss of the farthest cell to 0.
func TestGuaranteeHasTheRangeOfTheRewards(t *testing.T) {
	mission, set := new(study.Experiment), []float64{-3, 4}
	c := configs.Default()
	c.Planner.RewardWeight = 2
	for _, test := range []struct {
		mission *study.Experiment
		set     []float64
		want    privacy.Range
	}{
		{nil, nil, privacy.Range{}}, {nil, set, privacy.Range{Low: -3, High: 4}},
		{mission, set, privacy.Range{Low: -3, High: 4}}, {mission, nil, privacy.Range{Low: -2 * 19 * math.Sqrt2}},
	} {
		c.Privacy.RewardRange = test.set
		g := Input{Settings: &configs.Loaded{Config: c}, Mission: test.mission}
		if got := g.Guarantee().Range; math.Abs(got.Low-test.want.Low) > 1e-12 || got.High != test.want.High {
			t.Errorf("%v, a mission: %t: %v, want %v", test.set, test.mission != nil, got, test.want)
		}
	}
}

// Of several errors each may reveal a setting.
func TestSeveralErrorsRevealWhatOneDoes(t *testing.T) {
	public := &configs.Error{Key: "privacy.epsilon"}
	secret := &configs.Error{Key: "planner.reward_weight"}
	for want, err := range map[bool]error{false: errors.Join(public, errors.New("no setting")),
		true: errors.Join(public, secret)} {
		if got := RevealsSettings(err, []string{"privacy.epsilon"}); got != want {
			t.Errorf("%v reveals settings: %t", err, got)
		}
	}
}
