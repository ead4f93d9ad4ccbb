package model

import (
	"slices"
	"time"

	"veilpath/configs"
	"veilpath/sim/study"
)

// Remote is another instance of the program, with a thread of its own, that flies what the user waits for beside this one.
type Remote interface {
	// Post passes a message on and waits for nothing. What a Responder answers to it there is passed to Posted.Answered, in
	// the order of the messages.
	Post(message []byte)
	// Interrupt has the messages that were passed on answered with what has been flown of them.
	Interrupt()
}

// Posted is what a remote has been asked and has not answered.
type Posted struct {
	pool       *pool
	remote     Remote
	pace       time.Duration // of the pool's workers
	experiment *study.Experiment
	settings   []byte // of it
	batches    []batch
}

// batch is requests of a job.
type batch struct {
	job         *job
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
			p.remote.Interrupt()
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
	for c := (worker{kinds: mapJob, pace: p.pace}); len(p.batches) < postedAhead && !f.closed && !f.held(&c); {
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

// Answered takes over the answer to the first message that has none, if there is one. One that is damaged has the remote
// left alone.
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
	p.pool.mu.Unlock()
	p.pool.put(b.job, b.requests, results)
}

// Lost says that the remote answers no more. What it was asked is flown by others.
func (p *Posted) Lost() {
	f := p.pool
	f.mu.Lock()
	f.remotes = slices.DeleteFunc(f.remotes, func(other *Posted) bool { return other == p })
	for _, b := range p.batches {
		b.job.put(b.requests, nil)
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
