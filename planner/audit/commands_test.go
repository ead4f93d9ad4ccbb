package audit

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
)

// Every entry of a mission's table is read by the name that is written, and nothing else is one.
func TestEntriesOfAMissionByName(t *testing.T) {
	spec := planner.Spec{Columns: 4, Rows: 3, SpacingKm: 5, RewardWeight: 1, Discount: 0.8, Tolerance: 1e-9}
	m, err := planner.NewMission(spec, r3.Vec{}, r3.Vec{X: 15, Y: 10})
	if err != nil {
		t.Fatal(err)
	}
	for entry := range m.Grid.States() * m.Law.Actions() {
		if got, err := ParseEntry(m, EntryName(m, entry)); err != nil || got != entry {
			t.Errorf("entry %d is called %s, which is entry %d, %v", entry, EntryName(m, entry), got, err)
		}
	}
	name := EntryName(m, 0)
	action := name[len("0,0,"):]
	for _, text := range []string{"4,0," + action, "0,3," + action, "-1,0," + action, "0,-1," + action, "x,0," + action,
		"0,x," + action, "0,0", "0,0,fly", "0,0," + action + ",1", ""} {
		if got, err := ParseEntry(m, text); err == nil {
			t.Errorf("%q is read as entry %d", text, got)
		}
	}
}
