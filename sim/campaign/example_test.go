package campaign_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"veilpath/configs"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
)

// interrupter ends a context after some flights.
type interrupter struct {
	flights int
	cancel  context.CancelFunc
}

func (i interrupter) Remark(string) {}

func (i interrupter) Progress(work campaign.Work, done, _ int) {
	if work == campaign.Flights && done >= i.flights {
		i.cancel()
	}
}

// A study is flown until it is interrupted, resumed, flown again in two parts, merged, and read back.
func Example() {
	dir, err := os.MkdirTemp("", "campaign")
	check(err)
	defer os.RemoveAll(dir)
	program := &campaign.Program{Version: "example", Disk: record.Disk{}}
	in := func(name string) string { return filepath.Join(dir, name) }
	fly := func(ctx context.Context, plan *campaign.Plan, name string) error {
		session, err := program.NewSession(ctx, plan)
		check(err)
		folder, err := record.ReopenFolder(program.Disk, in(name), "study")
		check(err)
		defer folder.Close()
		_, err = session.Fly(ctx, folder)
		return err
	}

	request := campaign.Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.2,4", "study.runs=1000", "study.workers=2"}}}
	plan, err := program.Resolve(request)
	check(err)
	ctx, cancel := context.WithCancel(context.Background())
	program.Events = interrupter{200, cancel}
	var stopped *campaign.StoppedError
	fmt.Println("interrupted:", errors.As(fly(ctx, plan, "whole"), &stopped) && stopped.Kept >= 200)

	ctx, program.Events = context.Background(), nil
	plan, err = program.Resume(in("whole"), campaign.Request{}) // the folder knows what is flown in it
	check(err)
	check(fly(ctx, plan, "whole"))

	for i := 1; i <= 2; i++ {
		request.Part = campaign.Part{Index: i, Of: 2}
		plan, err = program.Resolve(request)
		check(err)
		check(fly(ctx, plan, fmt.Sprint("part", i)))
	}
	merge, err := program.Merge(ctx, []string{in("part2"), in("part1")}, configs.Request{})
	check(err)
	folder, err := record.OpenFolder(program.Disk, in("merged"), "merge", false)
	check(err)
	_, err = merge.Write(ctx, folder)
	check(errors.Join(err, folder.Close()))
	resumed, err := os.ReadFile(filepath.Join(in("whole"), record.RunsName))
	check(err)
	merged, err := os.ReadFile(filepath.Join(in("merged"), record.RunsName))
	check(err)
	fmt.Println("the same bytes:", bytes.Equal(resumed, merged))

	result, err := program.Read(ctx, in("merged"))
	check(err)
	for _, s := range result.Summaries[0] {
		fmt.Printf("epsilon %g: recognised %.0f km from the target on average over %d runs\n", s.Epsilon, s.MeanKm, s.Runs)
	}
	// Output:
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
