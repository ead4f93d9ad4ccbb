package configs

import "testing"

func TestNearest(t *testing.T) {
	for given, want := range map[string]string{
		// Letters mistaken.
		"privacy.epsilom":    "privacy.epsilon",
		"Privacy.Epsilon":    "privacy.epsilon",
		"PRIVACY_EPSILONN":   "privacy.epsilon",
		"studdy.runs":        "study.runs",
		"study.fun":          "study.runs",
		"vehicle.speed_kmps": "vehicle.speed_km_s",
		"sede":               "study.seed",

		// Pieces.
		"vehicle.speed":     "vehicle.speed_km_s",
		"vehicle.start":     "vehicle.start_km",
		"planner.start":     "planner.start_cell",
		"speed":             "vehicle.speed_km_s",
		"planner.speed":     "vehicle.speed_km_s",
		"radius":            "adversary.radius_km",
		"steepening":        "guidance.terminal_steepening_deg",
		"lambda":            "adversary.lambda_per_s",
		"handover":          "privacy.handover_km",
		"max_time":          "sim.max_time_s",
		"target":            "target_km",
		"STUDY_EPSILON":     "study.epsilons",
		"ADVERSARY_RADIUS":  "adversary.radius_km",
		"example1.other":    "example1.other_reward",
		"planner.max_trans": "planner.max_transitions",

		// In another group, or a group alone.
		"epsilon":           "privacy.epsilon",
		"planner.radius_km": "adversary.radius_km",
		"privacy":           "privacy.epsilon",

		// Nothing near.
		"foo":              "",
		"vehicle.velocity": "",
		"sim.nonsense":     "",
		"x":                "",
		"vehicle.x":        "",
		"":                 "",
	} {
		if got := Nearest(given); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", given, got, want)
		}
	}
}
