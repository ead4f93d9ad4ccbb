package campaign

import (
	"context"
	"errors"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"veilpath/configs"
	"veilpath/sim/record"
	"veilpath/sim/record/recordtest"
)

// A program is told when tables are written, and when they are: no earlier and no later.
func TestProgramIsToldOfTables(t *testing.T) {
	var now, outside, inside atomic.Int32
	disk := &recordtest.Disk{}
	disk.Watch(func(o recordtest.Operation) {
		table := strings.HasSuffix(o.Path, ".parquet.partial")
		switch name := path.Base(o.Path); {
		case o.Name == "Write" && table != (now.Load() == 1):
			outside.Add(1)
		case o.Name == "Write" && table:
			inside.Add(1)
		case name == record.JournalName && o.Name == "WriteAt" && now.Load() != 0:
			outside.Add(1)
		}
	})
	p := &Program{Version: "1", Disk: disk, Large: func() func() { now.Add(1); return func() { now.Add(-1) } }}
	p.flyOut(t, Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.2..4,1", "study.runs=2"}}})
	if inside.Load() < 2 || outside.Load() > 0 || now.Load() != 0 {
		t.Errorf("%d writings of tables were told of, %d were not or were none; %d tellings have no end", inside.Load(), outside.Load(), now.Load())
	}
}

// A program is told of flights where there are many.
func TestProgramIsToldOfManyFlights(t *testing.T) {
	for _, c := range []struct {
		runs string
		told int
	}{{"2", 0}, {"50001", 1}} {
		told := 0
		ctx, stop := context.WithCancel(context.Background())
		p := &Program{Version: "1", Disk: &recordtest.Disk{}, Large: func() func() { told++; stop(); return func() {} }}
		plan, err := p.Resume("", Request{Settings: configs.Request{Sets: []string{"study.epsilons=1", "study.runs=" + c.runs}}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.NewSession(ctx, plan)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Fly(ctx, nil)
		stop()
		if stopped := errors.As(err, new(*StoppedError)); told != c.told || stopped != (c.told > 0) {
			t.Errorf("%s flights were told of %d times, want %d (%v)", c.runs, told, c.told, err)
		}
	}
}
