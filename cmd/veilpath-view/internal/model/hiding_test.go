package model

import (
	"math"
	"strings"
	"testing"
	"time"

	"veilpath/configs"
)

// drawing returns a model whose goals are drawn by a mechanism.
func drawing(t *testing.T, mechanism string, epsilon float64) *Model {
	t.Helper()
	c := configs.Default()
	c.Study.Runs, c.Privacy.Mechanism, c.Privacy.Epsilon = 10, mechanism, epsilon
	m, err := New(c, Workers{AxisRuns: 1}, time.Now)
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

// A mechanism that gives no plan at some epsilons is flown at the others: the slider says why it stays, and settings
// that ask for one are refused.
func TestEpsilonsWithoutPlansAreRefused(t *testing.T) {
	m := drawing(t, "policy", 1)
	m.SetEpsilon(0.1)
	if m.Config.Privacy.Epsilon != 1 || !m.Message.Wrong || !strings.Contains(m.Message.Text, "cannot be given epsilon") {
		t.Errorf("epsilon is %v: %q", m.Config.Privacy.Epsilon, m.Message.Text)
	}
	c := m.Config
	c.Privacy.Epsilon = 0.1
	if err := m.apply(c); err == nil || m.Config.Privacy.Epsilon != 1 {
		t.Errorf("settings without a plan are taken over: %v", err)
	}
}
