package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"veilpath/configs"
)

func TestConfigShowFollowsFormat(t *testing.T) {
	var shown []struct {
		Key, Unit, Origin string
		Value             any
	}
	got := veilpath(t, "config", "show", "--set", "vehicle.heading=30", "--format", "json")
	if err := json.Unmarshal([]byte(got.stdout), &shown); err != nil {
		t.Fatalf("%v: %s%s", err, got.stdout, got.stderr)
	}
	values := map[string]any{}
	for _, s := range shown {
		values[s.Key] = s.Value
	}
	if len(shown) != len(configs.Schema()) || values["privacy.epsilon"] != 1.0 || values["vehicle.heading"] != 30.0 ||
		values["study.runs"] != 200.0 || values["privacy.calibration"] != "classical" ||
		len(values["study.epsilons"].([]any)) != 20 {
		t.Errorf("%d settings, %v", len(shown), values)
	}

	got = veilpath(t, "config", "show", "privacy", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(got.stdout)).ReadAll()
	if err != nil || len(rows) != 11 || rows[2][0] != "privacy.delta" || rows[2][1] != "0.01" ||
		strings.Join(rows[0], ",") != "key,value,unit,origin,allowed,meaning" {
		t.Errorf("%v: %v", err, rows)
	}
	if got := veilpath(t, "config", "show", "privcy"); got.code != exitUsage ||
		!strings.Contains(got.stderr, "did you mean privacy?") {
		t.Errorf("exit %d, %q", got.code, got.stderr)
	}
}

func TestConfigPresetsFollowsFormat(t *testing.T) {
	var presets []struct{ Name, Title string }
	if got := veilpath(t, "config", "presets", "--format", "json"); json.Unmarshal([]byte(got.stdout), &presets) != nil ||
		len(presets) != len(configs.Presets()) || presets[3].Name != "paper" || presets[3].Title == "" {
		t.Errorf("json: %s%s", got.stdout, got.stderr)
	}
	if got := veilpath(t, "config", "presets", "--format", "csv"); !strings.HasPrefix(got.stdout, "name,title\ndense,") {
		t.Errorf("csv: %s%s", got.stdout, got.stderr)
	}
	if got := veilpath(t, "config", "presets"); !strings.Contains(got.stdout, "\ndense ") {
		t.Errorf("table: %s%s", got.stdout, got.stderr)
	}
}
