package campaign

import (
	"context"
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
		p := &Program{Version: "1"}
		plan, err := p.resolve(Request{Settings: c.settings, Sweep: c.sweep, UntilKm: 2.5})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, point := range plan.Points {
			if point.Study.Runs != c.runs {
				t.Errorf("%s: %d runs at most, want %d", name, point.Study.Runs, c.runs)
			}
		}
		if plan, err = p.resolve(Request{Settings: c.settings, Sweep: c.sweep}); err != nil ||
			plan.Points[0].Study.Runs > 1000 {
			t.Errorf("%s, without a precision: %v", name, err)
		}
	}
}

// A finished sweep over a range of epsilon, whose runs begin again from 0 at every point, is read as it was flown.
func TestSweepOfARangeIsReadAgain(t *testing.T) {
	for _, c := range []struct{ epsilons, runs string }{{"0.2..4", "1"}, {"0.2..4", "50"}, {"3.9..4", "1"}} {
		p := finished(t, Request{Settings: configs.Request{Sets: []string{"study.epsilons=" + c.epsilons,
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
		p := &Program{Version: "1", Events: heard}
		_, err := p.resolve(Request{Settings: configs.Request{Sets: []string{"adversary.observer=" + observer}}})
		said := strings.Join(heard.remarks, " ")
		if err != nil || !strings.Contains(said, want) || want == "" && strings.Contains(said, "the same") {
			t.Errorf("%s: %q, %v", observer, said, err)
		}
	}
}

// hearing hears remarks.
type hearing struct{ remarks []string }

// Progress implements Events.
func (h *hearing) Progress(Kind, int, int) {}

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

// finished flies a study in the folder out.
func finished(t *testing.T, r Request) *Program {
	t.Helper()
	t.Chdir(t.TempDir())
	p := &Program{Version: "1", Dots: 12}
	if _, err := p.Fly(t.Context(), r, "out"); err != nil && !errors.As(err, new(*UnmetError)) {
		t.Fatal(err)
	}
	return p
}

// Another study, and the same with fewer runs, is refused in a folder by the name of what differs, and the folder stays
// as it is.
func TestOtherStudiesAreRefused(t *testing.T) {
	given := []string{"study.epsilons=0.4,4", "study.runs=5", "study.seed=7", "vehicle.speed_km_s=1.6"}
	p := finished(t, Request{Settings: configs.Request{Sets: given}})
	before := filesIn("out")
	for name, c := range map[string]struct {
		change string
		with   Request
		says   string // nothing where the request is the folder's study
	}{
		"same":       {"", Request{}, ""},
		"workers":    {"study.workers=3", Request{}, ""},
		"seed":       {"study.seed=9", Request{}, "study.seed was 7, now it is 9"},
		"speed":      {"vehicle.speed_km_s=2", Request{}, "vehicle.speed_km_s was 1.6, now it is 2"},
		"fewer runs": {"study.runs=4", Request{}, "a study of 5 runs per epsilon, and 4 would lose some"},
		"precision":  {"", Request{UntilKm: 3}, "{until} was none, now it is 3km"},
		"steps":      {"", Request{Trajectories: 2}, "{trajectories} was 0, now it is 2"},
		"part":       {"", Request{Part: Part{1, 2}}, "{shard} was none, now it is 1/2"},
		"sweep": {"", Request{Sweep: []record.Swept{{Key: "sim.step_s", Values: []any{0.1, 0.2}}}},
			"{sweep} differs"},
	} {
		key, _, _ := strings.Cut(c.change, "=")
		sets := slices.DeleteFunc(slices.Clone(given), func(s string) bool { return key != "" && strings.HasPrefix(s, key) })
		if c.change != "" {
			sets = append(sets, c.change)
		}
		c.with.Settings = configs.Request{Sets: sets}
		_, err := p.Fly(t.Context(), c.with, "out")
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(),
			strings.NewReplacer("{", "", "}", "").Replace(c.says)) || strings.Count(err.Error(), " was ") > 1) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
	}
	if after := filesIn("out"); !maps.Equal(before, after) {
		t.Error("a refused request changed the folder")
	}
}

// A finished study that more runs are asked of ends with the bytes of one of as many runs, except for the time it took,
// also if it is interrupted meanwhile.
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
		"until":        {Request{UntilKm: 1}, []string{"study.epsilons=0.4,4"}},
		"range":        {Request{}, []string{"study.epsilons=0.2..4,1"}},
		"sweep":        {Request{Sweep: speeds}, []string{"study.epsilons=0.4,4"}},
		"range, sweep": {Request{Sweep: speeds}, []string{"study.epsilons=0.2..4"}},
		"observers":    {Request{Sweep: watchers}, []string{"study.epsilons=0.2..4"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.request.Settings = sets(260, c.others...)
			finished(t, c.request)
			want := filesIn("out")
			c.request.Settings = sets(170, c.others...)
			p := finished(t, c.request)
			c.request.Settings = sets(260, c.others...)
			flown := 0
			for interrupted := true; ; interrupted = false {
				ctx, cancel := context.WithCancel(t.Context())
				p.Events = ProgressFunc(func(work Kind, done, total int) {
					if interrupted && done > total/2 {
						cancel()
					}
				})
				result, err := p.Fly(ctx, c.request, "out")
				cancel()
				if interrupted && errors.Is(err, context.Canceled) {
					continue
				}
				if err != nil && !errors.As(err, new(*UnmetError)) {
					t.Fatal(err)
				}
				flown = result.Flights() - result.Resumed
				break
			}
			if flown == 0 && name != "until" {
				t.Errorf("%d flights were flown", flown)
			}
			got := filesIn("out")
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

// filesIn returns the files of a folder by name.
func filesIn(folder string) map[string]string {
	files := map[string]string{}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if text, err := os.ReadFile(filepath.Join(folder, e.Name())); err == nil {
			files[e.Name()] = string(text)
		}
	}
	return files
}
