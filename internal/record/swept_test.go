package record

import (
	"encoding/json"
	"strings"
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

// The columns of a sweep hold the values of every point with their types.
func TestSweptColumnsHoldThePointValues(t *testing.T) {
	columns := SweptColumns(sweep, func(point *int) int { return *point })
	for point := range 2 * 3 * 2 {
		for k, want := range PointValues(sweep, point) {
			if whole, ok := want.(int64); ok {
				want = int(whole)
			}
			if got := columns[k].Cell(&point); columns[k].Name != sweep[k].Key || got != want {
				t.Errorf("point %d: %s is %v, want %v of %s", point, columns[k].Name, got, want, sweep[k].Key)
			}
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

// NewSweep finds the observers at any place among the keys. They become the last key, in JSON too. A single
// observer becomes the last setting.
func TestSweepSeparatesObserversFromSettings(t *testing.T) {
	watchers := Swept{Key: "adversary.observer", Values: []any{"ballistic", "heading"}}
	got := NewSweep([]Swept{sweep[0], watchers, sweep[2]})
	want := Sweep{Settings: []Swept{sweep[0], sweep[2]}, Observers: []string{"ballistic", "heading"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Swept{sweep[0], sweep[2], watchers}, got.Keys()); d != "" || got.Watching() != 2 || got.IsZero() {
		t.Errorf("%d watch; %s", got.Watching(), d)
	}
	text, err := json.Marshal(Manifest{Sweep: got})
	if err != nil {
		t.Fatal(err)
	}
	var back Manifest
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, back.Sweep); d != "" {
		t.Error(d)
	}
	one := Swept{Key: "adversary.observer", Values: []any{"ballistic"}}
	got = NewSweep([]Swept{one, sweep[0]})
	if d := cmp.Diff([]Swept{sweep[0], one}, got.Settings); d != "" || got.Watching() != 1 {
		t.Errorf("a single observer: %d watch; %s", got.Watching(), d)
	}
	if text, err = json.Marshal(Manifest{}); err != nil || strings.Contains(string(text), "sweep") || !(Sweep{}).IsZero() {
		t.Errorf("an empty sweep is written as %s, %v", text, err)
	}
}
