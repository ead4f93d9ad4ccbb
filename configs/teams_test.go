package configs

import (
	"strings"
	"testing"
)

// The examples' presets state what the paper states and what the published numbers ask for.
func TestExamplePresets(t *testing.T) {
	one := mustLoad(t, Request{Config: "example1"})
	if p := one.Privacy; one.Problem != TwoState || p.Epsilon != 1 || p.Delta != 0.1 || p.Adjacency != 2 ||
		p.Calibration != Classical || one.Study.Runs != 500 {
		t.Errorf("example1: problem %s, %+v, %d runs", one.Problem, p, one.Study.Runs)
	}
	two := mustLoad(t, Request{Config: "example2"})
	if p := two.Privacy; two.Problem != Gridworld || p.Delta != 0.1 || p.Adjacency != 1 || p.Calibration != Classical ||
		two.Study.Runs != 1000 || len(two.Study.Epsilons) != 16 {
		t.Errorf("example2: problem %s, %+v, %+v", two.Problem, p, two.Study)
	}
}

func TestTeamsThatDoNotFit(t *testing.T) {
	expect(t, Request{Sets: []string{"example2.start_cells=0,16"}},
		"example2.start_cells = [0, 16] (flag --set): cell 16 is outside the gridworld; allowed: cells 0 to 15; move "+
			"example2.start_cells or enlarge example2.columns and example2.rows")
	expect(t, Request{Sets: []string{"example2.columns=32", "example2.rows=32"}},
		"example2.columns = 32 (flag --set): the joint reward of 2 agents on 1024 cells has 2.62e+07 entries; allowed: at "+
			"most 2000000 entries, (5 * cells)^agents; take fewer agents or a smaller grid")
	mustLoad(t, Request{Sets: []string{"example2.start_cells=0,15,3", "example2.columns=5", "example2.rows=5"}})
	mustLoad(t, Request{Sets: []string{"example2.start_cells=1023", "example2.columns=32", "example2.rows=32"}})
}

// A flight has at least one step, and no more than a history holds.
func TestStepsOfAFlight(t *testing.T) {
	const allowed = "; allowed: sim.max_time_s from 1 to 20000000 times sim.step_s; "
	expect(t, Request{Sets: []string{"sim.max_time_s=1e-310"}},
		"sim.max_time_s = 1e-310 (flag --set): a flight of at most 1e-310 s ends before its first step of 0.1 s"+allowed+
			"raise sim.max_time_s")
	expect(t, Request{Sets: []string{"sim.step_s=0.001"}},
		"sim.step_s = 0.001 (flag --set): a flight may last 3.6e+07 steps of 0.001 s"+allowed+
			"raise sim.step_s or reduce sim.max_time_s")
	mustLoad(t, Request{Sets: []string{"sim.step_s=0.001", "sim.max_time_s=20000"}})
	mustLoad(t, Request{Sets: []string{"sim.step_s=0.5", "sim.max_time_s=0.5"}})
}

func TestCommentedGroups(t *testing.T) {
	text := string(mustLoad(t, Request{}).Commented("example2", "privacy"))
	for key, want := range map[string]bool{"slip_model: other-actions": true, "epsilon: 1": true, "obedience": false,
		"speed_km_s": false, "problem": false} {
		if strings.Contains(text, "\n"+strings.Repeat(" ", 2)+key) != want {
			t.Errorf("%s shown: %v, want %v", key, !want, want)
		}
	}
}
