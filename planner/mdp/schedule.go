package mdp

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	// parallelStates is the size above which a sweep uses two goroutines; for smaller problems, solve several at
	// once instead.
	parallelStates = 6000
	// blockCount is the number of blocks of a large state space: enough to balance the cores, and few enough that
	// their borders hardly slow down Gauss-Seidel.
	blockCount = 8
)

// schedule distributes contiguous blocks of states over the cores. There is no transition between blocks of one
// colour, so that sweeping them in place at the same time gives the same numbers as one after the other. Blocks
// and colours depend only on the law: results do not depend on the number of cores.
type schedule struct {
	bounds  []int   // block b holds the states bounds[b] to bounds[b+1]
	colours [][]int // the blocks of every colour
	all     []int

	workers int
	task    func(block int) // of the current run
	queue   []int
	next    atomic.Int64
	running sync.WaitGroup
	worker  func() // created once, because a closure per run would allocate
}

// newSchedule cuts n states into blocks and colours them; reach visits the next states of a block's
// transitions.
func newSchedule(n int, reach func(from, to int, visit func(next int32))) *schedule {
	count := 1
	if n >= parallelStates {
		count = blockCount
	}
	bounds := make([]int, count+1)
	for b := range bounds {
		bounds[b] = b * n / count
	}
	if count == 1 {
		return fixedSchedule(bounds, [][]int{{0}})
	}
	var touches [blockCount][blockCount]bool
	for b := range count {
		reach(bounds[b], bounds[b+1], func(next int32) {
			other := blockOf(int(next), bounds)
			touches[b][other], touches[other][b] = true, true
		})
	}
	return fixedSchedule(bounds, colour(&touches))
}

func blockOf(state int, bounds []int) int {
	n, count := bounds[len(bounds)-1], len(bounds)-1
	b := state * count / n
	for state >= bounds[b+1] {
		b++
	}
	for state < bounds[b] {
		b--
	}
	return b
}

// colour gives every block the first colour whose blocks it does not touch.
func colour(touches *[blockCount][blockCount]bool) (colours [][]int) {
next:
	for b := range touches {
		for c, members := range colours {
			if !slices.ContainsFunc(members, func(m int) bool { return touches[b][m] }) {
				colours[c] = append(members, b)
				continue next
			}
		}
		colours = append(colours, []int{b})
	}
	return colours
}

func fixedSchedule(bounds []int, colours [][]int) *schedule {
	s := &schedule{bounds: bounds, colours: colours, workers: runtime.GOMAXPROCS(0)}
	for b := range len(bounds) - 1 {
		s.all = append(s.all, b)
	}
	s.worker = func() {
		s.drain()
		s.running.Done()
	}
	return s
}

// parallel runs a task on all blocks in any order, in parallel.
func (s *schedule) parallel(task func(block int)) { s.run(s.all, task) }

// byColour runs a task on the blocks colour after colour, for sweeps that change v in place.
func (s *schedule) byColour(task func(block int), backward bool) {
	for i := range s.colours {
		if backward {
			i = len(s.colours) - 1 - i
		}
		s.run(s.colours[i], task)
	}
}

func (s *schedule) run(blocks []int, task func(block int)) {
	workers := min(s.workers, len(blocks))
	if workers == 1 {
		for _, b := range blocks {
			task(b)
		}
		return
	}
	s.task, s.queue = task, blocks
	s.next.Store(0)
	s.running.Add(workers - 1)
	for range workers - 1 {
		go s.worker()
	}
	s.drain()
	s.running.Wait()
}

func (s *schedule) drain() {
	for {
		i := int(s.next.Add(1)) - 1
		if i >= len(s.queue) {
			return
		}
		s.task(s.queue[i])
	}
}
