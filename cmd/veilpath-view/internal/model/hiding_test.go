package model

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"veilpath/configs"
	"veilpath/sim/study"
)

// drawing returns a model whose goals are drawn by a mechanism.
func drawing(t *testing.T, mechanism string, epsilon float64) *Model {
	t.Helper()
	c := configs.Default()
	c.Study.Runs, c.Privacy.Mechanism, c.Privacy.Epsilon = 10, mechanism, epsilon
	m, err := New(c, Workers{AxisRuns: 1, SurveyRuns: 4}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// The goal told is the one whose optimal policy the run on show has, also after changes of run, epsilon and mechanism.
func TestDrawnGoalIsTheOnePlannedFor(t *testing.T) {
	for _, mechanism := range []string{"goal", "parameter"} {
		m := drawing(t, mechanism, 3)
		look := func(when string) {
			t.Helper()
			drawn := m.DrawnGoal()
			planned := m.Experiment.Decoys.Missions[drawn.State]
			for state, action := range m.Private.Policy {
				if action != planned.Optimal.Policy[state] {
					t.Fatalf("%s, %s: the policy in state %d is not that for the goal %d", mechanism, when, state, drawn.State)
				}
			}
			g := m.Experiment.Mission.Grid
			one, other := g.Position(g.Goal), g.Position(drawn.State)
			if want := math.Hypot(one.X-other.X, one.Y-other.Y); math.Abs(want-drawn.OffKm) > 1e-9 {
				t.Errorf("%s, %s: %v km off, want %v", mechanism, when, drawn.OffKm, want)
			}
		}
		look("at first")
		m.Select(4)
		look("another run")
		m.SetEpsilon(0.5)
		look("another epsilon")
	}
	m := drawing(t, "goal", 3)
	m.SetMechanism(configs.OnReward)
	if m.DrawnGoal() != nil {
		t.Error("with noise on the reward a goal is drawn")
	}
}

// A flight that keeps out of a cell still goes for the goal that was drawn for it, at any epsilon.
func TestByHandTheDrawnGoalStays(t *testing.T) {
	m := drawing(t, "goal", 0.5)
	for m.DrawnGoal().OffKm < 80 {
		m.Select(m.RunNumber + 1)
	}
	g := m.Experiment.Mission.Grid
	unused := g.States() - 1
	if unused == g.Goal || unused == m.DrawnGoal().State {
		t.Fatal("the cell that is kept out of matters")
	}
	before := m.Private.Visits
	m.KeepOut(unused)
	if len(m.Private.Visits) != len(before) {
		t.Fatalf("%d waypoints, before %d", len(m.Private.Visits), len(before))
	}
	for i, v := range m.Private.Visits {
		if v.Commanded != before[i].Commanded {
			t.Fatalf("waypoint %d is %d, before %d", i, v.Commanded, before[i].Commanded)
		}
	}
	m.SetEpsilon(3)
	drawn, err := m.Experiment.Decoys.Draw(m.Experiment.Mission, 3, study.DrawDecoy(m.draw(m.RunNumber, 3), 0))
	if err != nil || m.DrawnGoal().State != drawn.Grid.Goal {
		t.Errorf("changed by hand, the goal told is %d, drawn is %d, %v", m.DrawnGoal().State, drawn.Grid.Goal, err)
	}
}

// A mechanism that gives no plan at some epsilons is flown at the others: the slider says why it stays, the map leaves
// those out, and settings that ask for one are refused.
func TestEpsilonsWithoutPlansAreRefused(t *testing.T) {
	m := drawing(t, "policy", 1)
	m.SetEpsilon(0.1)
	if m.Config.Privacy.Epsilon != 1 || !m.Message.Wrong || !strings.Contains(m.Message.Text, "cannot be given epsilon") {
		t.Errorf("epsilon is %v: %q", m.Config.Privacy.Epsilon, m.Message.Text)
	}
	m.Work()
	m.Advance(0)
	s := &m.Survey
	if slices.Contains(s.Epsilons, 0.1) || !slices.Contains(s.Epsilons, 1) || s.Flights() != m.SurveyRuns() {
		t.Errorf("the map has %v, %d flights of %d", s.Epsilons, s.Flights(), m.SurveyRuns())
	}
	c := m.Config
	c.Privacy.Epsilon = 0.1
	if err := m.apply(c); err == nil || m.Config.Privacy.Epsilon != 1 {
		t.Errorf("settings without a plan are taken over: %v", err)
	}
}
