package model

import (
	"slices"
	"time"

	"veilpath/configs"
	"veilpath/sim/study"
)

// Remote is another instance of the program, with a thread of its own, that flies what the user waits for beside this
// one.
type Remote interface {
	// Post passes a message on and waits for nothing. What a Responder answers to it there is passed to Posted.Answered,
	// in the order of the messages.
	Post(message []byte)
	// Interrupt has messages that were passed on answered with what has been flown of them: all but the first so many that
	// were ever passed on.
	Interrupt(but int)
}

// Posted is what a remote has been asked and has not answered.
type Posted struct {
	pool       *pool
	remote     Remote
	pace       time.Duration // of the pool's workers
	experiment *study.Experiment
	settings   []byte // of it
	answered   int    // messages
	batches    []batch
}

// batch is requests of a job, in a message.
type batch struct {
	job         *job // nil where they were taken back
	requests    []request
	interrupted bool
}

// postedAhead is how many messages a remote holds at once, so that it has one while this instance draws.
const postedAhead = 3

// Employ has a remote fly from now on.
func (m *Model) Employ(remote Remote) *Posted {
	p := &Posted{pool: m.pool, remote: remote, pace: m.workers.Pace}
	m.pool.mu.Lock()
	m.pool.remotes = append(m.pool.remotes, p)
	m.pool.mu.Unlock()
	m.pool.post()
	return p
}

// post interrupts remotes that fly for jobs that are to be left, and asks all for as much as they can hold.
func (f *pool) post() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.remotes {
		if slices.ContainsFunc(p.batches, func(b batch) bool { return !b.interrupted && f.leaves(b.job) }) {
			p.remote.Interrupt(p.answered)
			for i := range p.batches {
				p.batches[i].interrupted = true
			}
		}
		p.post()
	}
}

// post asks the remote for as much as it can hold. The pool is locked.
func (p *Posted) post() {
	f := p.pool
	for c := (worker{kinds: mapJob, pace: p.pace}); p.held() < postedAhead && !f.closed && !f.held(&c); {
		j := f.pending(c.kinds)
		if j == nil {
			return
		}
		if p.experiment != j.experiment {
			p.experiment, p.settings = j.experiment, settingsOf(j.config)
		}
		requests := j.take(nil)
		p.batches = append(p.batches, batch{job: j, requests: requests})
		p.remote.Post(appendMessage(nil, p.settings, reachKm(j.config), requests))
	}
}

// held returns how many messages the remote holds that were not taken back.
func (p *Posted) held() (n int) {
	for _, b := range p.batches {
		if b.job != nil {
			n++
		}
	}
	return n
}

// takeBack returns to their jobs what remotes were asked for and have not begun, and reports whether there was any. The
// pool is locked.
func (f *pool) takeBack() bool {
	some := false
	for _, p := range f.remotes {
		some = p.takeBack() || some
	}
	return some
}

// takeBack takes back all but the first message that the remote holds. The pool is locked.
func (p *Posted) takeBack() bool {
	first := slices.IndexFunc(p.batches, func(b batch) bool { return b.job != nil })
	if p.held() < 2 || p.batches[first].interrupted {
		return false
	}
	p.remote.Interrupt(p.answered + first + 1)
	for i := first + 1; i < len(p.batches); i++ {
		if b := &p.batches[i]; b.job != nil {
			b.job.put(b.requests, nil)
			b.job, b.interrupted = nil, true
		}
	}
	return true
}

// Answered takes over the answer to the first message that has none, if there is one. One that is damaged has the
// remote left alone.
func (p *Posted) Answered(answer []byte) {
	p.pool.mu.Lock()
	if len(p.batches) == 0 {
		p.pool.mu.Unlock()
		return
	}
	b := p.batches[0]
	p.pool.mu.Unlock()
	results, err := readAnswer(answer, b.requests)
	if err != nil {
		p.Lost()
		return
	}
	p.pool.mu.Lock()
	p.batches = p.batches[1:]
	p.answered++
	p.pool.mu.Unlock()
	if b.job != nil {
		p.pool.put(b.job, b.requests, results)
	}
}

// Lost says that the remote answers no more. What it was asked is flown by others.
func (p *Posted) Lost() {
	f := p.pool
	f.mu.Lock()
	f.remotes = slices.DeleteFunc(f.remotes, func(other *Posted) bool { return other == p })
	for _, b := range p.batches {
		if b.job != nil {
			b.job.put(b.requests, nil)
		}
	}
	p.batches = nil
	f.mu.Unlock()
	f.tell()
}

// settingsOf returns as text what an experiment depends on.
func settingsOf(c configs.Config) []byte {
	usual := configs.Default()
	c.Study, c.Privacy.Epsilon, c.Adversary.RadiusKm = usual.Study, usual.Privacy.Epsilon, usual.Adversary.RadiusKm
	return c.YAML()
}

// helped reports whether a remote flies.
func (f *pool) helped() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.remotes) > 0
}
