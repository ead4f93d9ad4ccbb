package model

import (
	"testing"

	"veilpath/configs"
)

// Flights over cells that are kept out of are counted as their samples tell, and are events of the flight on show.
func TestOverKeptOut(t *testing.T) {
	m := newModelOf(t, 0, 1)
	if over, of := m.OverKeptOut(); over+of != 0 {
		t.Errorf("%d of %d flights go over cells of a mission without such", over, of)
	}
	loaded, err := configs.Load(configs.Request{Config: "passage"})
	if err != nil {
		t.Fatal(err)
	}
	loaded.Config.Study.Runs, loaded.Config.Privacy.Epsilon = 30, 0.5
	if err := m.apply(loaded.Config); err != nil {
		t.Fatal(err)
	}
	finish(t, m)
	g := m.Experiment.Mission.Grid
	want := 0
	for run := range 30 {
		m.Select(run)
		f := m.Flight()
		comes, over := 0, false // how often it comes over such cells
		for i := range f.Samples {
			before := over
			if over = g.OverKeptOut(f.Samples[i].R); over && !before {
				comes++
			}
		}
		told := 0
		for _, e := range m.Events() {
			if e.Kind == Crossing {
				told++
				if !g.OverKeptOut(f.Samples[e.Sample].R) {
					t.Errorf("run %d: sample %d is over nothing that is kept out of", run, e.Sample)
				}
			}
		}
		if comes != told {
			t.Errorf("run %d comes over kept-out cells %d times, told %d times", run, comes, told)
		}
		if comes > 0 {
			want++
		}
	}
	if over, of := m.OverKeptOut(); over != want || of != 30 || want == 0 || want == 30 {
		t.Errorf("%d of %d flights go over kept-out cells, want %d of 30", over, of, want)
	}
}

// A flight that passes the corner of a cell that is kept out of, nearer than its path is thinned, is not over it.
func TestOverKeptOutIsOfTheFlight(t *testing.T) {
	m := newModelOf(t, 0, 1)
	loaded, err := configs.Load(configs.Request{Sets: []string{"planner.keep_out=[[5,8],[5,9],[5,10]]", "study.runs=200"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.apply(loaded.Config); err != nil {
		t.Fatal(err)
	}
	finish(t, m)
	// veilpath study --trajectories counts as many.
	if over, of := m.OverKeptOut(); over != 52 || of != 200 {
		t.Errorf("%d of %d flights go over kept-out cells, want 52 of 200", over, of)
	}
}

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
