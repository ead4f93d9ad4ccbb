package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/sim/campaign"
)

// A study is planned, flown until it is interrupted, resumed, flown again in two parts, merged, and read back.
func Example() {
	dir, err := os.MkdirTemp("", "campaign")
	check(err)
	defer os.RemoveAll(dir)
	whole, parts, merged := filepath.Join(dir, "whole"), []string{filepath.Join(dir, "1"), filepath.Join(dir, "2")},
		filepath.Join(dir, "merged")
	program := &campaign.Program{Version: "example"}

	request := campaign.Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.2,4", "study.runs=1000",
		"study.workers=2"}}}
	study, err := program.Study(context.Background(), request)
	check(err)
	fmt.Printf("planned: epsilons %v, %d runs\n", study.Points[0].Study.Epsilons, study.Points[0].Study.Runs)

	ctx, interrupt := context.WithCancel(context.Background())
	program.Events = campaign.ProgressFunc(func(work campaign.Kind, done, _ int) {
		if work == campaign.Flights && done >= 200 {
			interrupt()
		}
	})
	_, err = program.Fly(ctx, request, whole)
	var stopped *campaign.StoppedError
	fmt.Println("interrupted:", errors.As(err, &stopped) && stopped.Done >= 200)
	ctx, program.Events = context.Background(), nil
	_, err = program.Fly(ctx, request, whole) // goes on after the kept flights
	check(err)

	for i, folder := range parts {
		request.Part = campaign.Part{Index: i + 1, Of: 2}
		_, err = program.Fly(ctx, request, folder)
		check(err)
	}
	err = program.MergeInto(ctx, merged, parts...)
	check(err)

	one, err := program.Read(ctx, whole)
	check(err)
	other, err := program.Read(ctx, merged)
	check(err)
	fmt.Println("the same bytes:", one.Manifest.Files["runs.parquet"] == other.Manifest.Files["runs.parquet"])
	for _, s := range other.Summaries[0] {
		fmt.Printf("epsilon %g: recognised %.0f km from the target on average over %d runs\n", s.Epsilon, s.MeanKm, s.Runs)
	}
	// Output:
	// planned: epsilons [0.2 4], 1000 runs
	// interrupted: true
	// the same bytes: true
	// epsilon 0.2: recognised 43 km from the target on average over 1000 runs
	// epsilon 4: recognised 58 km from the target on average over 1000 runs
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A study that another version began is not gone on with, and the error says whose it is and what to do.
func TestStudiesOfAnotherVersionAreRefused(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "study")
	request := campaign.Request{Settings: configs.Request{Sets: []string{"study.epsilons=4", "study.runs=2"}}}
	older := &campaign.Program{Version: "0.1.0"}
	if _, err := older.Fly(context.Background(), request, folder); err != nil {
		t.Fatal(err)
	}
	newer := &campaign.Program{Version: "0.2.0"}
	if _, err := newer.Fly(context.Background(), request, folder); err == nil ||
		!strings.Contains(err.Error(), "veilpath 0.1.0") || !strings.Contains(err.Error(), "this is 0.2.0") {
		t.Error(err)
	}
}
