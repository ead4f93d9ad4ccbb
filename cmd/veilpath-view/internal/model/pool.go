package model

import (
	"slices"
	"sync"
	"time"

	"veilpath/configs"
	"veilpath/sim/study"
)

// jobKinds is how many jobs a pool can have at once: the ensemble, the one it is compared with, then the
// axis.
const (
	ensembleJob = iota
	pairJob
	axisJob
	jobKinds
)

// pool flies the requests of its jobs, the first job that has any first. Replacing a job drops what is
// left of the one before; a flight under way is finished and forgotten. Flights wait for those that are under way when
// they are requested, not for all that were taken with them.
type pool struct {
	mu     sync.Mutex
	wake   *sync.Cond
	jobs   [jobKinds]*job
	closed bool
	held   bool   // the axis waits
	frames uint64 // that have begun
	yield  func()
	done   func()
	own    worker // of the goroutine that calls Work
	alive  sync.WaitGroup
}

// worker is a flyer for the experiment it flew last, and the requests it has taken.
type worker struct {
	experiment *study.Experiment
	flyer      *study.Flyer
	requests   []request
	results    []result
	pace       time.Duration // how long it works before it rests, 0 for ever
	rests      time.Time     // when it is to rest next, if it flies then
	kinds      int           // of jobs that it works on, the first ones
}

// Workers says how a pool works.
type Workers struct {
	// Goroutines is how many fly, 0 leaves all work to Work. Without a pace one more does while the user waits.
	Goroutines int
	// Pace is how long a goroutine flies before it rests, 0 for ever. It is for a page, which has one thread: frames are
	// drawn while the goroutine rests.
	Pace time.Duration
	// Yield lets all else have the thread that is due. With a pace, tasks rest by it, and goroutines that fly do while the
	// user waits; nil for a millisecond's sleep.
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

// How long a paced goroutine flies for the axis at most before it rests, and how long it rests from it. Nobody waits
// for the axis: most of the processor is left to the drawing, and the next frame comes soon.
const (
	axisPace = 6 * time.Millisecond
	axisRest = 20 * time.Millisecond
)

func newPool(workers Workers) *pool {
	f := &pool{yield: workers.Yield, done: workers.Done}
	if f.yield == nil {
		f.yield = func() { time.Sleep(time.Millisecond) }
	}
	f.wake = sync.NewCond(&f.mu)
	for range workers.Goroutines {
		f.alive.Go(func() { f.serve(jobKinds, workers.Pace) })
	}
	if workers.Goroutines > 0 && workers.Pace == 0 {
		f.alive.Go(func() { f.serve(axisJob, 0) }) // on the core that draws, while the user waits
	}
	return f
}

// serve flies what there is of some kinds of jobs, the first ones, until the pool is closed.
func (f *pool) serve(kinds int, pace time.Duration) {
	c := worker{kinds: kinds, pace: pace}
	for f.wait(&c) {
		f.fly(&c)
	}
}

// pause has a worker rest where it is time to, until the frame that a job waits for.
func (f *pool) pause(c *worker, j *job) {
	if time.Now().Before(c.rests) {
		return
	}
	pace := c.pace
	if f.urgent(j) {
		f.yield()
	} else {
		time.Sleep(axisRest)
		pace = min(pace, axisPace)
	}
	f.mu.Lock()
	for !f.closed && f.waits(c) {
		f.wake.Wait()
	}
	f.mu.Unlock()
	c.rests = time.Now().Add(pace)
}

// urgent reports whether the user waits for a job, or for another that is next.
func (f *pool) urgent(j *job) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return j != f.jobs[axisJob] || f.pending(axisJob) != nil || f.held
}

// hold has the axis wait for something else, or no longer.
func (f *pool) hold(held bool) {
	f.mu.Lock()
	f.held = held
	f.mu.Unlock()
	f.tell()
}

// Close ends the goroutines.
func (f *pool) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.tell()
	f.alive.Wait()
}

// assign replaces a job; nil removes it.
func (f *pool) assign(kind int, j *job) {
	f.mu.Lock()
	if j != nil {
		j.begins = f.frames + 1 // which shows what there is at once
	}
	f.jobs[kind] = j
	f.mu.Unlock()
	f.tell()
}

// frame says that a frame begins.
func (f *pool) frame() {
	f.mu.Lock()
	f.frames++
	f.mu.Unlock()
	f.tell()
}

// collect takes the results of a job that have come in.
func (f *pool) collect(kind int) []result {
	f.mu.Lock()
	defer f.mu.Unlock()
	j := f.jobs[kind]
	if j == nil {
		return nil
	}
	results := j.results
	j.results = nil
	return results
}

// work flies requests until there are none, in the goroutine of the caller.
func (f *pool) work() {
	f.own.kinds = jobKinds
	for f.fly(&f.own) {
	}
}

// wait blocks until there is a request for a worker, and returns false once the pool is closed.
func (f *pool) wait(c *worker) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.closed && (f.pending(c.kinds) == nil || f.waits(c)) {
		f.wake.Wait()
	}
	return !f.closed
}

// waits reports whether the next job waits for a frame. The pool is locked.
func (f *pool) waits(c *worker) bool {
	j := f.pending(c.kinds)
	return c.pace > 0 && j != nil && f.frames < j.begins
}

// pending returns the first job of some kinds, the first ones, with requests left. The map waits until what the user
// waits for is there. The pool is locked.
func (f *pool) pending(kinds int) *job {
	for _, j := range f.jobs[:min(kinds, axisJob)] {
		if j.pending() {
			return j
		}
	}
	if j := f.jobs[axisJob]; kinds > axisJob && j.pending() && !f.held && !f.awaited() {
		return j
	}
	return nil
}

// awaited reports whether anything that the user waits for is not there. The pool is locked.
func (f *pool) awaited() bool {
	return slices.ContainsFunc(f.jobs[:axisJob], func(j *job) bool { return j != nil && (j.pending() || j.flying > 0) })
}

// leaves reports whether a worker is to leave a job: it has been replaced, others go before it, or the pool is closed.
// The pool is locked.
func (f *pool) leaves(j *job) bool {
	for _, other := range f.jobs {
		if other == j {
			return f.closed || f.held && j == f.jobs[axisJob]
		}
		if other.pending() {
			break
		}
	}
	return true
}

// fly makes the next flights and reports whether there were any.
func (f *pool) fly(c *worker) bool {
	f.mu.Lock()
	j := f.pending(c.kinds)
	if j == nil {
		f.mu.Unlock()
		return false
	}
	c.requests, c.results = j.take(c.requests[:0]), c.results[:0]
	f.mu.Unlock()
	c.prepare(j.experiment)
	o := study.FlightOptions{RadiusKm: reachKm(j.config), Keep: keepTrack, Stop: func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.leaves(j)
	}}
	if c.pace > 0 {
		o.Pause = func() { f.pause(c, j) }
	}
	j.fly(c.flyer, o, c.requests, func(q request, kept any) { c.results = append(c.results, result{q, kept}) })
	f.put(j, c.requests, c.results)
	return true
}

// prepare gives a worker a flyer for an experiment.
func (c *worker) prepare(experiment *study.Experiment) {
	if c.experiment != experiment {
		c.experiment, c.flyer = experiment, made(experiment.NewFlyer())
	}
}

// tell has all who fly look for requests.
func (f *pool) tell() { f.wake.Broadcast() }

// put takes over what was made of requests of a job that were taken.
func (f *pool) put(j *job, requests []request, results []result) {
	f.mu.Lock()
	j.put(requests, results)
	done := j != f.jobs[axisJob] && !f.awaited()
	if last := f.jobs[axisJob]; done && last != nil {
		last.begins = f.frames + 1 // which shows what the user waited for
	}
	f.mu.Unlock()
	f.tell()
	if done && f.done != nil {
		f.done()
	}
}
