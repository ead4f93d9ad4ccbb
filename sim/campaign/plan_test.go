package campaign

import (
	"os"
	"path/filepath"
	"testing"

	"veilpath/configs"
	"veilpath/sim/record"
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
		"override": {configs.Request{Overrides: []configs.Override{{Key: "study.runs", Flag: "--runs", Value: "50"}}}, nil, 50},
		"set":      {configs.Request{Sets: []string{"study.runs=50"}}, nil, 50},
		"file":     {configs.Request{Config: file, ReadFile: os.ReadFile}, nil, 50},
		"variable": {configs.Request{Environ: []string{"VEILPATH_STUDY_RUNS=50"}}, nil, 50},
		"sweep":    {configs.Request{Sets: []string{"study.runs=50"}}, []record.Swept{{Key: "sim.step_s", Values: []any{0.1, 0.2}}}, 50},
		"preset":   {configs.Request{Config: "quick"}, nil, mostRuns},
		"nothing":  {configs.Request{}, nil, mostRuns},
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
		if plan, err = p.Resolve(Request{Settings: c.settings, Sweep: c.sweep}); err != nil || plan.Points[0].Study.Runs > 1000 {
			t.Errorf("%s, without a precision: %v", name, err)
		}
	}
}

// A request that says nothing but the workers goes on with whatever a folder holds.
func TestRequestIsSilentWithoutAWordOnWhatToFly(t *testing.T) {
	workers := configs.Override{Key: "study.workers", Flag: "--workers", Value: "2"}
	runs := configs.Override{Key: "study.runs", Flag: "--runs", Value: "2"}
	for name, c := range map[string]struct {
		request         Request
		silent, butRuns bool
	}{
		"nothing":     {Request{}, true, true},
		"workers":     {Request{Settings: configs.Request{Overrides: []configs.Override{workers}, Sets: []string{" study.workers = 2"}}}, true, true},
		"environment": {Request{Settings: configs.Request{Environ: []string{"VEILPATH_SIM_STEP_S=1"}}}, true, true},
		"runs":        {Request{Settings: configs.Request{Overrides: []configs.Override{workers, runs}}}, false, true},
		"set":         {Request{Settings: configs.Request{Sets: []string{"study.runs=2"}}}, false, false},
		"config":      {Request{Settings: configs.Request{Config: "paper"}}, false, false},
		"sweep":       {Request{Sweep: []record.Swept{{Key: "sim.step_s", Values: []any{0.1}}}}, false, false},
		"part":        {Request{Part: Part{1, 2}}, false, false},
		"until":       {Request{UntilKm: 1}, false, false},
	} {
		if got := c.request.silent(""); got != c.silent {
			t.Errorf("%s: silent: %v, want %v", name, got, c.silent)
		}
		if got := c.request.silent(runsKey); got != c.butRuns {
			t.Errorf("%s: silent but for the runs: %v, want %v", name, got, c.butRuns)
		}
	}
}
