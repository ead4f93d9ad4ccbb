package setup

import (
	"fmt"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/sim/study"
)

// flown returns the settings of a small mission and what its first flights come to.
func flown(t *testing.T, sets ...string) (*configs.Loaded, string) {
	t.Helper()
	loaded, err := configs.Load(configs.Request{Sets: append([]string{"planner.columns=8", "planner.rows=6",
		"planner.start_cell=[0, 2]", "vehicle.start_km=[-75, 0, 10]", "vehicle.heading=90", "privacy.handover_km=30",
		"deception.bogus=[[5, 5]]"},
		sets...)})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	flyer, err := e.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	const epsilon = 0.5
	sigma, err := e.Sigma(epsilon)
	text := fmt.Sprint(sigma, err)
	for run := range 10 {
		r, err := flyer.Fly(study.Draw{Seed: 1, Run: run, Epsilon: epsilon, Noise: study.Common}, sigma)
		text += fmt.Sprintln(r, err)
	}
	return loaded, text
}

// A setting is reported exactly where it changes nothing: for every mechanism that settings name and every setting that
// only some of them read.
func TestUnreadSettingsHaveNoEffect(t *testing.T) {
	field, _ := configs.Lookup("privacy.mechanism")
	values := map[string]string{"privacy.delta": "0.3", "privacy.adjacency": "5", "privacy.calibration": "analytic",
		"privacy.reward_range": "[-50, 10]", "privacy.row_adjacency": "0.02", "privacy.row_uniform": "0.5",
		"deception.temperature": "7", "deception.observer_temperature": "3", "deception.detour": "0.05"}
	for _, mechanism := range field.Choices() {
		sets := []string{"privacy.mechanism=" + mechanism}
		if mechanism == "transitions" {
			sets = append(sets, "planner.slip=0.1") // without slip there is no law to protect
		}
		loaded, without := flown(t, sets...)
		if said := loaded.Unread(mechanism); said != nil {
			t.Errorf("%s: %q, and nothing is set", mechanism, said)
		}
		for key, value := range values {
			loaded, with := flown(t, append(sets, key+"="+value)...)
			unread := strings.Join(loaded.Unread(mechanism), "\n")
			if changes := with != without; changes == strings.HasPrefix(unread, key+" (flag --set) has no effect") {
				t.Errorf("%s: with %s=%s the flights are other ones: %t; reported: %q", mechanism, key, value, changes, unread)
			}
			if loaded.Unread("exec:anything", mechanism) != nil {
				t.Errorf("%s: a setting that a command may read is reported", key)
			}
		}
	}
}
