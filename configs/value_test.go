package configs_test

import (
	"errors"
	"testing"

	"veilpath/configs"
)

func TestFieldValueHasTheTypeOfItsKey(t *testing.T) {
	for _, c := range []struct {
		key, text string
		want      any
	}{
		{"vehicle.speed_km_s", "1.40", 1.4},
		{"planner.columns", "2e1", int64(20)},
		{"privacy.calibration", "analytic", "analytic"},
		{"vehicle.heading", "line_of_sight", "line_of_sight"},
		{"vehicle.heading", "90", 90.0},
		{"vehicle.heading", "9e1", 90.0},
		{"target_km", "[0, 1,2]", "[0, 1, 2]"},
		{"target_km", "-0, 1.0,0.2e1", "[0, 1, 2]"},
		{"target_km", "[0,0,-1e-7]", "[0, 0, -1e-07]"},
		{"planner.start_cell", "[0,7.0]", "[0, 7]"},
		{"study.epsilons", "0.2:0.6:0.2", "[0.2, 0.4, 0.6]"},
		{"planner.goals", "[[1,2], [3,4]]", "[[1, 2], [3, 4]]"},
		{"planner.rewards", "a.csv", "a.csv"},
		{"planner.rewards", "[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]"},
		{"study.axis", "0.2 .. 4", "0.2..4"},
	} {
		field, ok := configs.Lookup(c.key)
		if !ok {
			t.Fatalf("no key %s", c.key)
		}
		if got, err := field.Value(c.text, "sweep"); err != nil || got != c.want {
			t.Errorf("%s = %s is %v (%T), %v; want %v", c.key, c.text, got, got, err, c.want)
		}
	}
	field, _ := configs.Lookup("vehicle.speed_km_s")
	var problem *configs.Error
	if _, err := field.Value("-1", "sweep"); !errors.As(err, &problem) || problem.Key != "vehicle.speed_km_s" ||
		problem.Origin != "flag --sweep" {
		t.Errorf("got %v, want an error that names key and flag", err)
	}
}
