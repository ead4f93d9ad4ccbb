package record

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sweep has a column of every type.
var sweep = []Swept{
	{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.4, 1.7}},
	{Key: "adversary.consecutive_steps", Unit: "steps", Values: []any{int64(2), int64(3), int64(5)}},
	{Key: "privacy.calibration", Values: []any{"classical", "analytic"}},
}

func TestPointValuesVaryTheLastKeyFastest(t *testing.T) {
	for point, want := range map[int][]any{
		0:  {1.4, int64(2), "classical"},
		1:  {1.4, int64(2), "analytic"},
		2:  {1.4, int64(3), "classical"},
		6:  {1.7, int64(2), "classical"},
		11: {1.7, int64(5), "analytic"},
	} {
		if d := cmp.Diff(want, PointValues(sweep, point)); d != "" {
			t.Errorf("point %d: %s", point, d)
		}
	}
}

func TestSweptKeepsItsTypesInJSON(t *testing.T) {
	text, err := json.Marshal(sweep)
	if err != nil {
		t.Fatal(err)
	}
	var got []Swept
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sweep, got); d != "" {
		t.Error(d)
	}
}
