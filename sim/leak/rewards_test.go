package leak_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/irl"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// rewards is a study of a small mission, of which the observer knows the family of rewards.
func rewards(t *testing.T, epsilons ...float64) *leak.Rewards {
	t.Helper()
	m, err := planner.NewMission(planner.Spec{Columns: 5, Rows: 4, SpacingKm: 10, RewardWeight: 1, Discount: 0.9,
		Tolerance: 1e-9, Moves: planner.EightMoves}, r3.Vec{Z: 10}, r3.Vec{X: 30, Y: 20})
	if err != nil {
		t.Fatal(err)
	}
	return &leak.Rewards{Problem: m.Solved, Mechanism: planner.Standard(), Epsilons: epsilons, Draws: 3, Seed: 1,
		Workers:   2,
		Guarantee: privacy.Guarantee{Delta: 0.01, Adjacency: 1, Calibration: privacy.Classical},
		Features:  irl.MissionFeatures(m.Grid)}
}

func measure(t *testing.T, s *leak.Rewards) []leak.RewardsRow {
	t.Helper()
	rows, err := s.Measure(context.Background(), ignore, ignore)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(s.Epsilons) * len(leak.Sightings()); len(rows) != want {
		t.Fatalf("%d rows, want %d", len(rows), want)
	}
	return rows
}

// More noise hides more of a released reward, none hides nothing, and no sighting tells rewards apart more often than
// the guarantee allows. The rows are the same on any number of workers.
func TestRewardsAreHiddenByNoise(t *testing.T) {
	s := rewards(t, 0.5, 5, leak.Unprivate)
	rows := measure(t, s)
	s.Workers = 1
	for i, again := range measure(t, s) {
		if row := rows[i]; row.Distance != again.Distance && !math.IsNaN(row.Distance.Low+again.Distance.Low) ||
			row.Told != again.Told && !math.IsNaN(row.Told.Mean+again.Told.Mean) {
			t.Errorf("%+v on two workers, %+v on one", row, again)
		}
	}
	n := len(leak.Sightings())
	if low, high, none := rows[0], rows[n], rows[2*n]; !(low.Distance.Low > high.Distance.High) ||
		none.Distance.Mean > 1e-4 || none.Lost.Mean != 0 { // which the ridge of irl.Fit leaves
		t.Errorf("released %+v, %+v, %+v", low, high, none)
	}
	for _, row := range rows[:2*n] {
		if row.Told.Low > row.ToldMost || row.Lost.Low < 0 || !(row.Distance.Low <= row.Distance.Mean) {
			t.Errorf("%+v", row)
		}
	}
	if told := rows[n].Told; math.Abs(told.Mean-rows[n].ToldMost) > 0.03 { // three standard errors
		t.Errorf("a released reward is told apart in %v, and may be in %v", told, rows[n].ToldMost)
	}
	if r := rows[2*n+2]; r.Distance.Low != r.Distance.High || !math.IsNaN(r.ToldMost) {
		t.Errorf("a route without noise: %+v", r)
	}
}

// Mechanisms without a guarantee show no reward, and those that fly a path no policy. Routes of a stochastic policy
// differ.
func TestRewardsOfMechanismsWithoutGuarantee(t *testing.T) {
	for name, c := range map[string]struct{ policy, routes bool }{"soft": {true, true}, "pi_d1": {false, false}} {
		s := rewards(t, math.NaN())
		var err error
		if s.Mechanism, err = deception.New(name, deception.Settings{Temperature: 1, Bogus: deception.Bogus{
			Cells: []planner.Cell{{Column: 4, Row: 0}}}}); err != nil {
			t.Fatal(err)
		}
		rows := measure(t, s)
		route := rows[2].Distance
		if !math.IsNaN(rows[0].Distance.Mean) || math.IsNaN(rows[1].Distance.Mean) == c.policy ||
			!(route.Mean > 0 && route.Mean < 1) || (route.Low < route.High) != c.routes {
			t.Errorf("%s: %+v", name, rows)
		}
	}
}

// A problem without a grid is measured over a table. Where moves are uncertain, routes of one policy differ.
func TestRewardsOfAnyProblem(t *testing.T) {
	law, err := mdp.NewModel(4, 2, func(state, action int) []mdp.Outcome {
		return []mdp.Outcome{{State: (state + 1) % 4, Probability: 0.75}, {State: (3*state + action) % 4, Probability: 0.25}}
	})
	if err != nil {
		t.Fatal(err)
	}
	problem, err := planner.NewProblem(law, [][]float64{{9, 2, 7, 6, 1, 4, 0, 3}}, 0.9, 2)
	if err != nil {
		t.Fatal(err)
	}
	s := rewards(t, 5, leak.Unprivate)
	if s.Problem, err = problem.Solve(1e-9, 0); err != nil {
		t.Fatal(err)
	}
	s.Features = nil
	rows := measure(t, s)
	n := len(leak.Sightings())
	for i, row := range rows[:3] {
		if !(row.Told.Mean >= 0.4 && row.Told.Low <= row.ToldMost) {
			t.Errorf("%+v", row)
		}
		if none := rows[n+i].Distance; (none.Low < none.High) != (row.Seen == "route") {
			t.Errorf("%s without noise: %+v", row.Seen, none)
		}
	}
}

func TestRewardsRefuse(t *testing.T) {
	for want, change := range map[string]func(*leak.Rewards){
		"1 draws": func(s *leak.Rewards) { s.Draws = 1 },
		"lack actions": func(s *leak.Rewards) {
			table := slices.Clone(s.Problem.Rewards.Joint)
			table[0] = math.Inf(-1)
			p, err := planner.NewProblem(s.Problem.Law, [][]float64{table}, 0.9, 0)
			if err != nil {
				t.Fatal(err)
			}
			s.Problem = &planner.Solved{Problem: p}
		},
	} {
		s := rewards(t, 1)
		change(s)
		if _, err := s.Measure(context.Background(), ignore, ignore); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
