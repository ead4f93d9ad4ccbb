package model

import "testing"

// Cells that are kept out of are a setting: they join the mission's, all flights are planned around them, and they are
// allowed again one by one or all at once. The start cannot be one, which is said and changes nothing.
func TestKeepOut(t *testing.T) {
	m := newModelOf(t, 0, 1)
	first, second := m.Private.Visits[2].Commanded, m.Private.Visits[3].Commanded
	m.KeepOut(map[int]bool{first: true, second: true}, true)
	finish(t, m)
	g := m.Experiment.Mission.Grid
	if !g.KeptOut(first) || !g.KeptOut(second) || len(m.Config.Planner.KeepOut) != 2 {
		t.Fatalf("kept out of are %v: %s", m.Config.Planner.KeepOut, m.Message.Text)
	}
	for run := range 10 {
		m.Select(run)
		for _, v := range m.Private.Visits {
			if v.Commanded == first || v.Commanded == second {
				t.Fatalf("run %d is sent to a cell that is kept out of", run)
			}
		}
	}
	m.KeepOut(map[int]bool{first: true}, false)
	if g := m.Experiment.Mission.Grid; g.KeptOut(first) || !g.KeptOut(second) {
		t.Errorf("one is allowed again; kept out of are %v", m.Config.Planner.KeepOut)
	}
	before := m.Config.SHA256()
	if m.KeepOut(map[int]bool{g.Start: true}, true); !m.Message.Wrong || m.Config.SHA256() != before {
		t.Errorf("of the start it is said %q; kept out of are %v", m.Message.Text, m.Config.Planner.KeepOut)
	}
	if m.AllowAll(); m.Experiment.Mission.Grid.KeepsOut() {
		t.Errorf("all are allowed; kept out of are %v", m.Config.Planner.KeepOut)
	}
}
