package mdp_test

import (
	"math"
	"strings"
	"testing"

	"veilpath/planner/mdp"
)

func TestModelsRefuseBadInput(t *testing.T) {
	one := func(outcomes ...mdp.Outcome) func(int, int) []mdp.Outcome {
		return func(state, action int) []mdp.Outcome {
			if state == 1 && action == 2 {
				return outcomes
			}
			return []mdp.Outcome{{State: state, Probability: 1}}
		}
	}
	model := func(states, actions int, outcomes ...mdp.Outcome) error {
		_, err := mdp.NewModel(states, actions, one(outcomes...))
		return err
	}
	slip := func(actions int, slip float64, next int) error {
		_, err := mdp.NewSlipModel(3, actions, slip, func(int, int) int { return next })
		return err
	}
	agent, err := mdp.NewModel(1000, 2, one(mdp.Outcome{State: 1, Probability: 1}))
	if err != nil {
		t.Fatal(err)
	}
	team := func(n int, memory uint64) error {
		agents := make([]*mdp.Model, n)
		for i := range agents {
			agents[i] = agent
		}
		_, err := mdp.NewJoint(agents, memory)
		return err
	}
	_, missing := mdp.NewJoint([]*mdp.Model{nil}, 0)
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"no states", "at least one state", model(0, 3)},
		{"no actions", "at least one state and one action", model(3, 0)},
		{"too many states", "exceed", func() error { _, err := mdp.NewSlipModel(1<<40, 2, 0, nil); return err }()},
		{"row sums to 0.9", "state 1, action 2: probabilities sum to 0.9, not 1",
			model(3, 3, mdp.Outcome{State: 0, Probability: 0.9})},
		{"empty row", "state 1, action 2: probabilities sum to 0", model(3, 3)},
		{"negative probability", "probability -0.5 of next state 0 is outside [0, 1]",
			model(3, 3, mdp.Outcome{Probability: -0.5}, mdp.Outcome{Probability: 1.5})},
		{"probability NaN", "probability NaN", model(3, 3, mdp.Outcome{Probability: math.NaN()})},
		{"next state outside", "next state 3 is outside 0..2", model(3, 3, mdp.Outcome{State: 3, Probability: 1})},
		{"slip above 1", "slip probability 1.5", slip(3, 1.5, 0)},
		{"slip NaN", "slip probability NaN", slip(3, math.NaN(), 0)},
		{"slip of one action", "single action", slip(1, 0.1, 0)},
		{"successor outside", "state 0, action 0: successor 7 is outside 0..2", slip(3, 0.1, 7)},
		{"no agents", "at least one agent", team(0, 0)},
		{"missing agent", "a model for each", missing},
		{"three large agents", "bytes of memory", team(3, 0)},
		{"a thousand agents", "bytes of memory", team(1000, math.MaxUint64)},
		{"little memory", "1000 bytes are allowed", team(1, 1000)},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, c.err, c.want)
		}
	}
}

func TestRewardsAreChecked(t *testing.T) {
	law, rewards := waypointGrid(t, 3, 2, 0.1)
	if err := mdp.CheckRewards(law, rewards); err != nil {
		t.Errorf("finite rewards: %v", err)
	}
	if err := mdp.CheckRewards(law, rewards[1:]); err == nil {
		t.Error("a short table was accepted")
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		rewards[13] = bad
		if err := mdp.CheckRewards(law, rewards); err == nil || !strings.Contains(err.Error(), "state 2, action 3") {
			t.Errorf("reward %v: error %v, want one that names state 2 and action 3", bad, err)
		}
	}
	rewards[13] = math.Inf(-1)
	if err := mdp.CheckRewards(law, rewards); err != nil {
		t.Errorf("a state without an action: %v", err)
	}
	for a := range 5 {
		rewards[10+a] = math.Inf(-1)
	}
	if err := mdp.CheckRewards(law, rewards); err == nil || !strings.Contains(err.Error(), "state 2 has no action") {
		t.Errorf("a state without any action: error %v, want one that names state 2", err)
	}
}

// Slip by the definition: 1 - p to the commanded successor, p shared by the other actions' successors.
func TestSlipOutcomes(t *testing.T) {
	law, err := mdp.NewSlipModel(4, 3, 0.3, func(state,
		action int) int {
		return []int{state, (state + 1) % 4, (state + 1) % 4}[action]
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		action int
		want   map[int]float64
	}{{0, map[int]float64{2: 0.7, 3: 0.3}}, {1, map[int]float64{2: 0.15, 3: 0.85}}} {
		got := map[int]float64{}
		for _, o := range law.AppendOutcomes(nil, 2, c.action) {
			if _, twice := got[o.State]; twice {
				t.Errorf("action %d: state %d is listed twice", c.action, o.State)
			}
			got[o.State] = o.Probability
		}
		for s, p := range c.want {
			if !(math.Abs(got[s]-p) <= 1e-15) { // one rounding of a number below 1
				t.Errorf("action %d: probability of state %d is %v, want %v", c.action, s, got[s], p)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("action %d: outcomes %v, want %v", c.action, got, c.want)
		}
	}
}
