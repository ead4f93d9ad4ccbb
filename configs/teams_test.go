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

func TestCommentedGroups(t *testing.T) {
	text := string(mustLoad(t, Request{}).Commented("example2", "privacy"))
	for key, want := range map[string]bool{"slip_model: other-actions": true, "epsilon: 1": true, "obedience": false,
		"speed_km_s": false, "problem": false} {
		if strings.Contains(text, "\n"+strings.Repeat(" ", 2)+key) != want {
			t.Errorf("%s shown: %v, want %v", key, !want, want)
		}
	}
}
