package campaign

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
)

// A study with slip on a whole range that is interrupted and gone on with, and one that is shared out and merged, have
// the bytes of one that is neither, whatever the number of workers.
func TestSlipOnAWholeRangeGoesOnAndJoins(t *testing.T) {
	request := Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.4..2,1", "study.runs=6",
		"study.workers=1", "planner.slip=0.1",
		"planner.columns=10", "planner.rows=10", "planner.spacing_km=25", "planner.start_cell=[0,3]"}}}
	t.Chdir(t.TempDir())
	ctx := context.Background()
	p := &Program{Version: "1"}
	fly := func(folder string, r Request) {
		t.Helper()
		if _, err := p.Fly(ctx, r, folder); err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
	}
	fly("whole", request)

	cut, interrupt := context.WithCancel(ctx)
	p.Events = ProgressFunc(func(work Kind, done, _ int) {
		if work == Flights && done >= 2 {
			interrupt()
		}
	})
	var stopped *StoppedError
	if _, err := p.Fly(cut, request, "cut"); !errors.As(err, &stopped) || len(filesIn("cut/pieces")) < 2 {
		t.Fatalf("not interrupted: %v", err)
	}
	p.Events = nil
	fly("cut", request)

	request.Settings.Sets[2] = "study.workers=3"
	for i, folder := range []string{"2", "1"} {
		request.Part = Part{Index: 2 - i, Of: 2}
		fly(folder, request)
	}
	if err := p.MergeInto(ctx, "joined", "1", "2"); err != nil {
		t.Fatal(err)
	}

	data := func(folder string) map[string]string {
		files := filesIn(folder)
		delete(files, record.ManifestName) // which has times
		return files
	}
	want := data("whole")
	if want[record.AxisName] == "" || want[record.RunsName] == "" {
		t.Fatalf("the whole study has no axis")
	}
	for _, folder := range []string{"cut", "joined"} {
		if got := data(folder); !maps.Equal(got, want) {
			t.Errorf("%s has other bytes than the whole study", folder)
		}
	}
}

// A part tells how far it is of its own flights, from the first on, not of all.
func TestPartsTellTheirOwnProgress(t *testing.T) {
	t.Chdir(t.TempDir())
	var totals []int
	p := &Program{Version: "1", Events: ProgressFunc(func(work Kind, _, total int) {
		if work == Flights {
			totals = append(totals, total)
		}
	})}
	request := Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.4,4", "study.runs=400"}},
		Part: Part{1, 2}}
	if _, err := p.Fly(t.Context(), request, "part"); err != nil {
		t.Fatal(err)
	}
	if half := 400; len(totals) < 3 || slices.Min(totals) != half || slices.Max(totals) != half {
		t.Errorf("a part of %d flights tells of %v", half, totals)
	}
}
