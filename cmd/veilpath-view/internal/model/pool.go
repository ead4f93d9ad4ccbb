package model

import (
	"sync"
	"time"

	"veilpath/configs"
	"veilpath/sim/study"
)

// request is a flight to be made, or a run's axis.
type request struct {
	draw  study.Draw
	sigma float64
	slot  int // where its result belongs
}

// result is what was made of a request.
type result struct {
	request
	kept any
}

// job is requests for one experiment.
type job struct {
	experiment *study.Experiment
	config     configs.Config // that the experiment is of
	requests   []request      // still to be made
	results    []result       // not taken over yet
	fly        flying
}

// flying makes flights as far as it is not stopped, and reports each.
type flying func(flyer *study.Flyer, o study.FlightOptions, requests []request, report func(q request, kept any))

// The kinds of jobs of a pool: the ensemble, the one it is compared with, then the axis, which nobody waits for.
const (
	ensembleJob = iota
	pairJob
	axisJob
	jobKinds
)

// pool flies the requests of its jobs in a goroutine, the first job that has any first. Replacing a job drops what is
// left of the one before; a flight under way is finished and forgotten.
type pool struct {
	workers Workers

	mu     sync.Mutex
	wake   *sync.Cond
	jobs   [jobKinds]*job
	closed bool
	held   bool // the axis waits
	alive  sync.WaitGroup

	// Of the one who flies.
	experiment *study.Experiment // that the flyer is of
	flyer      *study.Flyer
	rests      time.Time // when it is to rest next, if it flies then
}

// Workers says how a pool works.
type Workers struct {
	// Goroutines is 1 for one that flies and 0 to leave all work to Work.
	Goroutines int
	// Pace is how long a goroutine flies before it rests, 0 for ever. It is for a page, which has one thread: frames are
	// drawn while the goroutine rests.
	Pace time.Duration
	// Yield lets all else have the thread that is due. With a pace, tasks rest by it, and flights do while the user waits;
	// nil for a millisecond's sleep.
	Yield func()
	// Done is called whenever all that the user waits for has been flown; nil for nothing.
	Done func()
	// AxisRuns is the most runs whose axis is found, 0 for 1,000: pieces share their flights, of which a run has some
	// five of its own with 8 kB each.
	AxisRuns int
	// InferencePolicies is how many private policies of every goal the observer who knows the mechanism has seen, 0 for
	// 25.
	InferencePolicies int
	// Experiment makes the experiment of settings, nil for setup.Experiment. Models may share one and the flights that it
	// remembers.
	Experiment func(configs.Config) (*study.Experiment, error)
}

// atOnce is how many requests are taken at once: enough to be flown side by side and to start plans from each other.
const atOnce = 16

// How long a paced goroutine flies for the axis at most before it rests, and how long it rests from it. Nobody waits
// for the axis: most of the processor is left to the drawing.
const (
	axisPace = 6 * time.Millisecond
	axisRest = 20 * time.Millisecond
)

func newPool(workers Workers) *pool {
	f := &pool{workers: workers}
	if f.workers.Yield == nil {
		f.workers.Yield = func() { time.Sleep(time.Millisecond) }
	}
	f.wake = sync.NewCond(&f.mu)
	if workers.Goroutines > 0 {
		f.alive.Go(f.serve)
	}
	return f
}

// serve flies what there is until the pool is closed.
func (f *pool) serve() {
	for {
		f.mu.Lock()
		for !f.closed && f.next() == nil {
			f.wake.Wait()
		}
		closed := f.closed
		f.mu.Unlock()
		if closed {
			return
		}
		f.fly()
	}
}

// next returns the first job with requests left. The pool is locked.
func (f *pool) next() *job {
	for kind, j := range f.jobs {
		if j != nil && len(j.requests) > 0 && !(kind == axisJob && f.held) {
			return j
		}
	}
	return nil
}

// leaves reports whether a job is to be left: it has been replaced, another goes before it, or the pool is closed.
func (f *pool) leaves(j *job) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed || f.next() != j
}

// pause rests from a job where it is time to: long from the axis, unless something is waited for.
func (f *pool) pause(j *job) {
	if time.Now().Before(f.rests) {
		return
	}
	f.mu.Lock()
	idle := j == f.jobs[axisJob] && f.next() == j
	f.mu.Unlock()
	pace := f.workers.Pace
	if idle {
		time.Sleep(axisRest)
		pace = min(pace, axisPace)
	} else {
		f.workers.Yield()
	}
	f.rests = time.Now().Add(pace)
}

// fly makes the next flights and reports whether there were any.
func (f *pool) fly() bool {
	f.mu.Lock()
	j := f.next()
	if j == nil {
		f.mu.Unlock()
		return false
	}
	requests := j.requests[:min(atOnce, len(j.requests))]
	f.mu.Unlock()
	if f.experiment != j.experiment {
		f.experiment, f.flyer = j.experiment, made(j.experiment.NewFlyer())
	}
	o := study.FlightOptions{RadiusKm: reachKm(j.config), Keep: keepTrack, Stop: func() bool { return f.leaves(j) }}
	if f.workers.Pace > 0 {
		o.Pause = func() { f.pause(j) }
	}
	var results []result
	j.fly(f.flyer, o, requests, func(q request, kept any) { results = append(results, result{q, kept}) })
	f.mu.Lock()
	j.requests, j.results = j.requests[len(results):], append(j.results, results...)
	next := f.next()
	done := j != f.jobs[axisJob] && (next == nil || next == f.jobs[axisJob])
	f.mu.Unlock()
	f.wake.Broadcast()
	if done && f.workers.Done != nil {
		f.workers.Done()
	}
	return true
}

// work flies requests until there are none, in the goroutine of the caller, or waits for the one that does.
func (f *pool) work() {
	if f.workers.Goroutines == 0 {
		for f.fly() {
		}
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.closed && f.next() != nil {
		f.wake.Wait()
	}
}

// hold has the axis wait for something else, or no longer.
func (f *pool) hold(held bool) { f.change(func() { f.held = held }) }

// Close ends the goroutine.
func (f *pool) Close() {
	f.change(func() { f.closed = true })
	f.alive.Wait()
}

// assign replaces a job; nil removes it.
func (f *pool) assign(kind int, j *job) { f.change(func() { f.jobs[kind] = j }) }

func (f *pool) change(do func()) {
	f.mu.Lock()
	do()
	f.mu.Unlock()
	f.wake.Broadcast()
}

// collect takes the results of a job that have come in.
func (f *pool) collect(kind int) (results []result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if j := f.jobs[kind]; j != nil {
		results, j.results = j.results, nil
	}
	return results
}
