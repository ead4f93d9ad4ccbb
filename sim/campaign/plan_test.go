package campaign

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
	"veilpath/sim/study"
)

// Wherever the user gives study.runs, a precision stops there; the preset's own number is no limit.
func TestPrecisionStopsAtTheRunsGiven(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(file, []byte("study:\n  runs: 50\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		settings configs.Request
		sweep    []record.Swept
		runs     int
	}{
		"override": {configs.Request{Overrides: []configs.Override{{Key: "study.runs", Flag: "runs", Value: "50"}}}, nil,
			50},
		"set":      {configs.Request{Sets: []string{"study.runs=50"}}, nil, 50},
		"file":     {configs.Request{Config: file, ReadFile: os.ReadFile}, nil, 50},
		"variable": {configs.Request{Environ: []string{"VEILPATH_STUDY_RUNS=50"}}, nil, 50},
		"sweep": {configs.Request{Sets: []string{"study.runs=50"}},
			[]record.Swept{{Key: "sim.step_s", Values: []any{0.1, 0.2}}}, 50},
		"preset":  {configs.Request{Config: "quick"}, nil, mostRuns},
		"nothing": {configs.Request{}, nil, mostRuns},
	} {
		p := &Program{Version: "1", Disk: record.Disk{}}
		plan, err := p.Resolve(Request{Settings: c.settings, Sweep: c.sweep, UntilKm: 2.5})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, point := range plan.Points {
			if point.Study.Runs != c.runs {
				t.Errorf("%s: %d runs at most, want %d", name, point.Study.Runs, c.runs)
			}
		}
		if plan, err = p.Resolve(Request{Settings: c.settings, Sweep: c.sweep}); err != nil ||
			plan.Points[0].Study.Runs > 1000 {
			t.Errorf("%s, without a precision: %v", name, err)
		}
	}
}

// A finished study of 50 runs in a folder of a disk in memory.
func finished(t *testing.T, r Request) (*Program, *recordtest.Disk) {
	t.Helper()
	disk := &recordtest.Disk{}
	p := &Program{Version: "1", Disk: disk}
	if _, err := p.Fly(t.Context(), r, "out"); err != nil && !errors.As(err, new(*UnmetError)) {
		t.Fatal(err)
	}
	return p, disk
}

// What is requested when a study is resumed is refused by the name of what gave it, and nothing else is named. What is
// not asked for is as the folder has it.
func TestResumeNamesWhatWasAskedFor(t *testing.T) {
	settings := func(sets ...string) configs.Request { return configs.Request{Sets: sets} }
	seed := configs.Override{Key: "study.seed", Flag: "seed", Value: "9"}
	p, disk := finished(t, Request{Settings: settings("study.epsilons=0.4,4", "study.runs=5", "study.seed=7",
		"vehicle.speed_km_s=1.6")})
	before := disk.Files("out")
	for name, c := range map[string]struct {
		request Request
		says    string // nothing where the request is the folder's study
	}{
		"nothing":     {Request{}, ""},
		"one setting": {Request{Settings: settings("study.epsilons=0.4,4")}, ""},
		"variable":    {Request{Settings: configs.Request{Environ: []string{"VEILPATH_STUDY_SEED=9"}}}, ""},
		"workers":     {Request{Settings: settings("study.workers=3")}, ""},
		"seed": {Request{Settings: configs.Request{Overrides: []configs.Override{seed}}},
			"study.seed was 7, now it is 9 (flag --seed)"},
		"seed and runs": {Request{Settings: configs.Request{Sets: []string{"study.runs=9"},
			Overrides: []configs.Override{seed}}}, "study.seed was 7, now it is 9 (flag --seed)"},
		"speed": {Request{Settings: settings("vehicle.speed_km_s=2")},
			"vehicle.speed_km_s was 1.6, now it is 2 (flag --set)"},
		"default preset": {Request{Settings: configs.Request{Config: "paper"}}, "(preset paper)"},
		"fewer runs": {Request{Settings: settings("study.runs=4")},
			"study.runs 4 (flag --set): the study in out has, or may need, 5 per epsilon"},
		"precision":       {Request{UntilKm: 3}, "until was none, now it is 3km"},
		"steps":           {Request{Trajectories: 2}, "trajectories was 0, now it is 2"},
		"part, more runs": {Request{Part: Part{1, 2}, Settings: settings("study.runs=9")}, "shard was none, now it is 1/2"},
		"sweep": {Request{Sweep: []record.Swept{{Key: "sim.step_s", Values: []any{0.1, 0.2}}}},
			"it sweeps none, not sweep sim.step_s=0.1,0.2"},
	} {
		plan, err := p.Resume("out", c.request)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.says == "":
			if s := plan.Points[0].Study; s.Seed != 7 || s.Runs != 5 || plan.Points[0].Vehicle.SpeedKmS != 1.6 {
				t.Errorf("%s: it goes on with another study: %+v", name, s)
			}
		case err == nil || !strings.Contains(err.Error(), c.says) || strings.Count(err.Error(), " was ") > 1:
			t.Errorf("%s: error %v; want %q and no other difference", name, err, c.says)
		}
	}
	if after := disk.Files("out"); !maps.Equal(before, after) {
		t.Error("a refused request changed the folder")
	}
}

// However a study ended, resuming it with fewer runs is refused and leaves its files as they are.
func TestResumeNeverDeletesRuns(t *testing.T) {
	for name, r := range map[string]Request{
		"a number of runs": {Settings: configs.Request{Sets: []string{"study.epsilons=0.4,4", "study.runs=300"}}},
		"a precision":      {Settings: configs.Request{Sets: []string{"study.epsilons=0.4,4"}}, UntilKm: 3},
		"runs allowed":     {Settings: configs.Request{Sets: []string{"study.epsilons=0.4,4", "study.runs=300"}}, UntilKm: 1},
	} {
		p, disk := finished(t, r)
		before := disk.Files("out")
		_, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.runs=100"}}}, "out")
		if err == nil || !strings.Contains(err.Error(), "fewer would delete finished ones") {
			t.Errorf("%s: error %v", name, err)
		}
		if !maps.Equal(before, disk.Files("out")) {
			t.Errorf("%s: the folder was changed", name)
		}
	}
}

// A finished study that more runs are asked of ends with the bytes of one of as many runs, except for the time it took
// and the workers, wherever it is interrupted meanwhile.
func TestMoreRunsExtendAStudy(t *testing.T) {
	sets := func(runs int, others ...string) configs.Request {
		return configs.Request{Sets: append(others, fmt.Sprint("study.runs=", runs), "study.workers=1")}
	}
	speeds := []record.Swept{{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.6, 1.7}}}
	watchers := []record.Swept{{Key: "adversary.observer", Values: []any{"ballistic", "heading"}}}
	for name, c := range map[string]struct {
		request Request
		others  []string
	}{
		"list":         {Request{Trajectories: 2}, []string{"study.epsilons=0.4,4"}},
		"range":        {Request{}, []string{"study.epsilons=0.2..4,1"}},
		"sweep":        {Request{Sweep: speeds}, []string{"study.epsilons=0.4,4"}},
		"range, sweep": {Request{Sweep: speeds}, []string{"study.epsilons=0.2..4"}},
		"observers":    {Request{Sweep: watchers}, []string{"study.epsilons=0.2..4"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.request.Settings = sets(80, c.others...)
			_, whole := finished(t, c.request)
			c.request.Settings = sets(50, c.others...)
			p, disk := finished(t, c.request)
			more := Request{Settings: sets(80)}
			for _, operations := range []int{5, 15, 25} {
				stopped := disk.StopAt(operations)
				if _, err := p.Fly(t.Context(), more, "out"); !stopped() || err == nil {
					t.Fatalf("it was not stopped: %v", err)
				}
				disk = disk.Killed()
				p.Disk = disk
			}
			if _, err := p.Fly(t.Context(), more, "out"); err != nil {
				t.Fatal(err)
			}
			got, want := disk.Files("out"), whole.Files("out")
			for _, files := range []map[string]string{got, want} {
				m, err := record.ParseManifest([]byte(files[record.ManifestName]))
				if err != nil {
					t.Fatal(err)
				}
				m.WallTimeS = 0
				files[record.ManifestName] = fmt.Sprintf("%+v", m)
			}
			if !maps.Equal(got, want) {
				t.Errorf("files differ: %q and %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
		})
	}
}

// More runs are refused where they would not go on from what is there.
func TestMoreRunsNeedAFinishedWhole(t *testing.T) {
	more := Request{Settings: configs.Request{Sets: []string{"study.runs=80"}}}
	p, _ := finished(t, Request{Settings: configs.Request{Sets: []string{"study.epsilons=4", "study.runs=50"}},
		Part: Part{1, 2}})
	if _, err := p.Resume("out", more); err == nil || !strings.Contains(err.Error(), "a part of a study with 50") {
		t.Errorf("part: %v", err)
	}
	disk := &recordtest.Disk{}
	p = &Program{Version: "1", Disk: disk}
	disk.StopAt(32)
	if _, err := p.Fly(t.Context(), Request{Settings: configs.Request{Sets: []string{"study.epsilons=4", "study.runs=5000",
		"study.workers=1"}}}, "out"); err == nil {
		t.Fatal("it was not stopped")
	}
	p.Disk = disk.Killed()
	more.Settings.Sets = []string{"study.runs=8000"}
	if _, err := p.Resume("out", more); err == nil || !strings.Contains(err.Error(), "unfinished study with 5000") {
		t.Errorf("unfinished: %v", err)
	}
}

// How many runs a precision may take at most may be changed while the study is under way, and not in a study of a
// number of runs.
func TestRunsAllowedMayChangeMeanwhile(t *testing.T) {
	settings, err := configs.Load(configs.Request{Sets: []string{"study.runs=80"}})
	if err != nil {
		t.Fatal(err)
	}
	for untilKm, refused := range map[float64]bool{0: true, 1.5: false} {
		for _, runs := range []int{50, 90} {
			m := record.Manifest{Verb: "study", UntilKm: untilKm}
			if err := checkResumed("out", m, m, runs, settings); (err != nil) != refused {
				t.Errorf("until %g km, 80 runs after %d: %v", untilKm, runs, err)
			}
		}
	}
}

// Records that are not the next batch end what is taken of a journal. Only where fewer runs are requested than it was
// begun with they would be lost.
func TestRecordsOfAnotherRoundAreNotTaken(t *testing.T) {
	p := &Program{Version: "1", Disk: &recordtest.Disk{}}
	plan, err := p.Resolve(Request{Settings: configs.Request{Sets: []string{"study.epsilons=1", "study.runs=50"}}})
	if err != nil {
		t.Fatal(err)
	}
	for begun, refused := range map[int]bool{20: false, 50: false, 51: true} {
		plan.recordedRuns = begun
		s, err := p.NewSession(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		err = s.take(0, [][]study.Run{{{Epsilon: 1, Run: 7}}})
		if leaving := s.leaveRound(); !errors.Is(err, errOtherRound) || (leaving != nil) != refused {
			t.Errorf("begun with %d runs: %v, %v", begun, err, leaving)
		}
	}
}

// A finished sweep over a range of epsilon, whose runs begin again from 0 at every point, is read as it was flown.
func TestSweepOfARangeIsReadAgain(t *testing.T) {
	for _, c := range []struct{ epsilons, runs string }{{"0.2..4", "1"}, {"0.2..4", "50"}, {"3.9..4", "1"}} {
		p, _ := finished(t, Request{Settings: configs.Request{Sets: []string{"study.epsilons=" + c.epsilons,
			"study.runs=" + c.runs}},
			Sweep: []record.Swept{{Key: "vehicle.speed_km_s", Unit: "km/s", Values: []any{1.6, 1.7, 1.8}}}})
		if result, err := p.Read(t.Context(), "out"); err != nil || result.Manifest.Pieces == 0 {
			t.Errorf("%s runs on %s: %v", c.runs, c.epsilons, err)
		}
	}
}

// An error, or what was learned, that flights have in common is in no interval: it is said.
func TestErrorsCommonToFlightsAreTold(t *testing.T) {
	for observer, want := range map[string]string{"filtered": "the same on all flights of one route", "ballistic": "",
		"mechanism": "learns from 100 policies, the same ones for all flights", "moves": ""} {
		heard := new(hearing)
		p := &Program{Version: "1", Disk: &recordtest.Disk{}, Events: heard}
		_, err := p.Resolve(Request{Settings: configs.Request{Sets: []string{"adversary.observer=" + observer}}})
		said := strings.Join(heard.remarks, " ")
		if err != nil || !strings.Contains(said, want) || want == "" && strings.Contains(said, "the same") {
			t.Errorf("%s: %q, %v", observer, said, err)
		}
	}
}

// hearing hears remarks.
type hearing struct{ remarks []string }

// Progress implements Events.
func (h *hearing) Progress(Work, int, int) {}

// Remark implements Events.
func (h *hearing) Remark(text string) { h.remarks = append(h.remarks, text) }

// A distance farther than the way is remarked on, others are not.
func TestDistancesBeyondTheWay(t *testing.T) {
	heard := new(hearing)
	p := &Program{Events: heard}
	p.RemarkBeyond(206, "so it is", configs.Default())
	p.RemarkBeyond(900, "so it is", configs.Default())
	want := "warning: 900 km is farther than the 206.4 km from the start to the target, so it is"
	if len(heard.remarks) != 1 || heard.remarks[0] != want {
		t.Errorf("%q, want %q once", heard.remarks, want)
	}
}

// A session does not write to a folder in which another process has finished or begun a study since it was planned.
func TestFolderThatChangedMeanwhileStays(t *testing.T) {
	few := Request{Settings: configs.Request{Sets: []string{"study.epsilons=4", "study.runs=5"}}}
	more := Request{Settings: configs.Request{Sets: []string{"study.runs=9"}}}
	for name, disk := range map[string]*recordtest.Disk{"nothing": {}, "finished": nil} {
		p, meanwhile := &Program{Version: "1", Disk: disk}, few
		if disk == nil {
			p, disk = finished(t, few)
			meanwhile = more
		}
		plan, err := p.Resume("out", meanwhile)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.NewSession(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Fly(t.Context(), meanwhile, "out"); err != nil {
			t.Fatal(err)
		}
		before := disk.Files("out")
		folder, err := record.ReopenFolder(disk, "out", "study")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Fly(t.Context(), folder); err == nil || !strings.Contains(err.Error(), "in the meantime") {
			t.Errorf("%s: %v", name, err)
		}
		folder.Close()
		if !maps.Equal(disk.Files("out"), before) {
			t.Errorf("%s: the folder was changed", name)
		}
	}
}
