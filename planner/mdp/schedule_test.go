package mdp

import (
	"slices"
	"sync/atomic"
	"testing"
)

func TestScheduleColoursKeepBlocksApart(t *testing.T) {
	const n = 4 * parallelStates
	for name, reach := range map[string]func(from, to int, visit func(int32)){
		"band": func(from, to int, visit func(int32)) {
			visit(int32(max(0, from-50)))
			visit(int32(min(n-1, to+49)))
		},
		"all": func(_, _ int, visit func(int32)) {
			for s := range n {
				visit(int32(s))
			}
		},
		"none": func(int, int, func(int32)) {},
	} {
		s := newSchedule(n, reach)
		var seen []int
		for _, members := range s.colours {
			for _, b := range members {
				seen = append(seen, b)
				reach(s.bounds[b], s.bounds[b+1], func(next int32) {
					if other := blockOf(int(next), s.bounds); other != b && slices.Contains(members, other) {
						t.Errorf("%s: blocks %d and %d share a colour and touch", name, b, other)
					}
				})
			}
		}
		slices.Sort(seen)
		if !slices.Equal(seen, s.all) {
			t.Errorf("%s: colours hold the blocks %v, want each once", name, seen)
		}
		if want := map[string]int{"band": 2, "all": blockCount, "none": 1}[name]; len(s.colours) != want {
			t.Errorf("%s: %d colours, want %d", name, len(s.colours), want)
		}
	}
}

func TestScheduleRunsEveryBlockOnce(t *testing.T) {
	s := newSchedule(2*parallelStates, func(int, int, func(int32)) {})
	for _, workers := range []int{1, 2, 50} {
		s.workers = workers
		var runs [blockCount]atomic.Int32
		s.parallel(func(b int) { runs[b].Add(1) })
		s.byColour(func(b int) { runs[b].Add(1) }, true)
		for b := range runs {
			if got := runs[b].Load(); got != 2 {
				t.Errorf("%d workers: block %d ran %d times in two runs", workers, b, got)
			}
		}
	}
}
