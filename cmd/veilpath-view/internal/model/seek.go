package model

import (
	"context"
	"sync"
	"time"

	"veilpath/internal/phrase"
	ordered "veilpath/internal/pool"
	"veilpath/sim/study"
)

// Sought is what flights show of the demand so far. It holds with study.Confidence at any time.
type Sought struct {
	study.Sets
	Runs int  // flown for it; 0 while nothing is known
	Done bool // it is as narrow as the search makes it
}

// demand is a demand on the mean distance of recognition, and whose.
type demand struct {
	of                *study.Experiment
	seed              uint64
	radiusKm, untilKm float64
}

// search is the search for a demand.
type search struct {
	demand
	since time.Time // the demand was made
	task  *task     // nil while it may still change

	mu    sync.Mutex
	found Sought
}

// Demand asks at which epsilons flights are hidden until a distance on average, km; 0 asks nothing.
func (m *Model) Demand(untilKm float64) {
	asked := demand{m.Experiment, m.Config.Study.Seed, m.Config.Adversary.RadiusKm, untilKm}
	if untilKm == 0 || !m.HasAxis() {
		asked = demand{}
	}
	if m.search.demand != asked {
		m.search.stop()
		m.search = &search{demand: asked, since: m.now()}
	}
	const settled = 300 * time.Millisecond
	t := m.Tuned()
	known := t != nil && t.HiddenUntilKm == untilKm
	if s := m.search; asked.of != nil && !known && s.task == nil && m.AxisComplete() && m.now().Sub(s.since) >= settled {
		s.task = m.begin(func(ctx context.Context, _ func(int)) (func(), error) { return nil, m.seek(ctx, s) })
	}
}

// Sought returns what is known of the demand: what the open tune found of it, where it did.
func (m *Model) Sought() Sought {
	if t := m.Tuned(); t != nil && t.HiddenUntilKm == m.search.untilKm {
		return t.Sought
	}
	s := m.search
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found
}

// seek searches. Nobody waits for the rest of it once something is known, so that on a page it leaves most of the time
// to the drawing.
func (m *Model) seek(ctx context.Context, s *search) error {
	if m.workers.Pace > 0 {
		ctx = ordered.WithRest(ctx, ordered.Paced(axisPace, func() { time.Sleep(axisRest / 2) }))
	}
	tell := func(runs int, sets study.Sets, done bool) {
		s.mu.Lock()
		s.found = Sought{sets, runs, done}
		s.mu.Unlock()
	}
	how := study.UsualSearch()
	how.Study = study.Study{Experiment: s.of, Seed: s.seed, Noise: study.Common, Workers: m.coresBeside()}
	how.RadiusKm, how.Practical = s.radiusKm, phrase.Practical
	how.Interim = func(runs int, sets study.Sets) { tell(runs, sets, false) }
	found, err := how.Find(ctx, s.of.MeanDistance(s.untilKm))
	if err == nil {
		looks := found.Answers[0].Analyses
		tell(looks[len(looks)-1].Runs, found.Sets(), true)
	}
	return err
}

// stop ends the search.
func (s *search) stop() {
	if s.task != nil {
		s.task.cancel()
	}
}
