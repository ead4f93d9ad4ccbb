package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// Model is all that the viewer shows.
type Model struct {
	World           // settings in force
	RunNumber int   // of the flight on show
	Show      Shown // the run, or a baseline of it

	Clock     Clock
	Axis      Axis
	Inference Inference
	Pair      *Pair   // settings to compare with; nil for none
	Record    *Record // the recorded runs that were opened; nil for none
	Message   Message

	Version uint64 // changes with the flight on show and the settings

	pool      *pool
	now       func() time.Time
	search    *search
	preparing *preparation   // nil for none
	builder   *setup.Builder // of the last settings that needed one
	built     configs.Config // that the builder is for, see worldOf

	workers Workers
}

// Message is a line for the user that fades by itself.
type Message struct {
	Text     string
	Wrong    bool
	Progress bool // how far something is, which is said again and again
	Until    time.Time
}

// New returns a model of the settings whose ensemble is flown by the workers. It prepares them first.
func New(config configs.Config, workers Workers, now func() time.Time) (*Model, error) {
	m := &Model{pool: newPool(workers), workers: workers, now: now, search: new(search)}
	m.Clock = Clock{Speed: 8}
	m.Ensemble.recorded = func() (Recorded, bool) { return m.Recorded(m.Config.Privacy.Epsilon) }
	m.Axis.clear()
	for {
		err := m.apply(config)
		if u := (*unprepared)(nil); errors.As(err, &u) {
			if err = u.do(context.Background(), func(int) {}); err == nil {
				continue
			}
		}
		if err != nil {
			m.Close()
			return nil, err
		}
		return m, nil
	}
}

// Close ends the model's goroutines.
func (m *Model) Close() {
	m.StopPreparing()
	m.Inference.stop()
	m.search.stop()
	m.pool.Close()
}

// Flight returns the flight on show.
func (m *Model) Flight() *Flight { return m.World.Flight(m.Show) }

// ShowsBaseline reports whether the flight on show is none of the private ones but one that they are held against.
func (m *Model) ShowsBaseline() bool { return m.Show != ShowPrivate }

// Runs returns the number of runs of the ensemble.
func (m *Model) Runs() int { return len(m.Ensemble.Members) }

// MaxRuns bounds an ensemble: each flight keeps its detection step function, some 10 kB.
const MaxRuns = 5000

// apply takes new settings over, all of them or none, and flies everything again. Of settings without noise it shows
// the planned flight.
func (m *Model) apply(config configs.Config) error {
	config, none := withNoise(config)
	experiment, err := m.experimentOf(config)
	if err != nil {
		return err
	}
	if err := m.applyTo(experiment, config); err != nil {
		return err
	}
	if none {
		m.SetShown(ShowPlanned)
	}
	return nil
}

// withNoise returns settings with the usual epsilon in place of none, and whether theirs was none.
func withNoise(c configs.Config) (configs.Config, bool) {
	none := c.Privacy.Epsilon == study.None()
	if none {
		c.Privacy.Epsilon = configs.Default().Privacy.Epsilon
	}
	return c, none
}

// applyTo is apply with the experiment of the settings. It ends the preparation of others.
func (m *Model) applyTo(experiment *study.Experiment, config configs.Config) error {
	own, err := newWorld(config, experiment)
	if err != nil {
		return err
	}
	if was := m.Config; m.Experiment != experiment || was.Study.Seed != config.Study.Seed ||
		was.Study.Noise != config.Study.Noise || reachKm(config) > reachKm(was) {
		m.Axis.clear()
	}
	m.StopPreparing()
	m.Config, m.Experiment, m.flyer, m.Sigma, m.Nominal = config, experiment, own.flyer, own.Sigma, own.Nominal
	m.refly()
	if m.HasAxis() {
		m.flyAxis()
	} else {
		m.pool.assign(axisJob, nil)
	}
	return nil
}

// refly shows the run at the settings in force and brings the ensemble to them.
func (m *Model) refly() {
	m.flyOne()
	m.Ensemble.begin(m.mostRuns(m.Config.Study.Runs), m.Experiment, m.Config.Privacy.Epsilon)
	m.gather()
}

// mostRuns returns how many of so many runs the ensemble has.
func (m *Model) mostRuns(runs int) int { return max(1, min(MaxRuns, runs)) }

// gather completes the ensemble: from the axis where that has been found, by flying where not.
func (m *Model) gather() {
	base := m.draw(0, m.Config.Privacy.Epsilon)
	missing := slices.DeleteFunc(m.Ensemble.missing(), func(run int) bool {
		member := m.Axis.member(run, base.Epsilon)
		if member != nil {
			m.put(run, member)
		}
		return member != nil
	})
	m.pool.assign(ensembleJob, m.runsJob(&m.World, base, missing))
	m.follow()
}

// flyOne shows the run on show at the epsilon in force.
func (m *Model) flyOne() {
	draw := m.draw(m.RunNumber, m.Config.Privacy.Epsilon)
	m.flyPlanned(draw)
	m.show(draw)
	if steps := m.recordedFlight(); steps != nil {
		m.Private.replay(steps, m.Experiment.Adversary.Rule)
		m.judge(&m.Private)
	}
	m.shown()
}

// shown takes over another flight to show.
func (m *Model) shown() {
	m.fitClock()
	m.Version++
}

// fitClock has the clock end with the flight on show, or with that of the kept settings where it lasts longer.
func (m *Model) fitClock() {
	ended := m.Clock.Ended()
	m.Clock.EndS = m.Flight().DurationS()
	if m.Pair != nil {
		m.Clock.EndS = max(m.Clock.EndS, m.Pair.Flight(m.Show).DurationS())
	}
	if ended {
		m.Clock.TimeS = m.Clock.EndS
	}
	m.Clock.Seek(m.Clock.TimeS)
}

func (m *Model) draw(run int, epsilon float64) study.Draw {
	return study.Draw{Seed: m.Config.Study.Seed, Run: run, Noise: study.Noise(m.Config.Study.Noise), Epsilon: epsilon}
}

// runsJob flies some runs of a world.
func (m *Model) runsJob(w *World, base study.Draw, runs []int) *job {
	j := &job{experiment: w.Experiment, config: w.Config, fly: flyMembers(w.Experiment)}
	for _, run := range runs {
		base.Run = run
		j.requests = append(j.requests, request{draw: base, sigma: w.Sigma, slot: run})
	}
	return j
}

// Advance moves the clock by elapsed real seconds and takes over what was flown meanwhile.
func (m *Model) Advance(elapsedS float64) {
	m.Clock.Advance(elapsedS)
	m.prepare()
	m.take(m.pool.collect(ensembleJob))
	if m.Pair != nil {
		m.Pair.take(m.pool.collect(pairJob))
	}
	for _, r := range m.pool.collect(axisJob) {
		m.Axis.put(r.slot, r.kept.([]Piece))
	}
	m.infer()
	if m.Message.Text != "" && m.now().After(m.Message.Until) {
		m.Message = Message{}
	}
}

// Work flies all there is in the caller's goroutine; a later Advance takes it over.
func (m *Model) Work() {
	m.pool.work()
	if m.workers.Goroutines > 0 {
		return
	}
	tasks := []*task{m.Inference.task, m.Inference.seeing, m.search.task}
	if m.preparing != nil {
		tasks = append(tasks, m.preparing.task)
	}
	for _, t := range tasks {
		if t != nil && !t.finished {
			t.run(0, nil)
		}
	}
}

// How long a message stays.
const (
	remarkStays = 5 * time.Second
	errorStays  = 12 * time.Second
)

// Say shows a line to the user.
func (m *Model) Say(wrong bool, format string, args ...any) {
	stays := remarkStays
	if wrong {
		stays = errorStays
	}
	m.Message = Message{Text: fmt.Sprintf(format, args...), Wrong: wrong, Until: m.now().Add(stays)}
}
