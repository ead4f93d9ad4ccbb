package model

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"veilpath/adversary"
	"veilpath/configs"
	ordered "veilpath/internal/pool"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// task is work beside the frames, in a goroutine or, where the workers have none, by Work.
type task struct {
	do     func(ctx context.Context, done func(n int)) (apply func(), err error)
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	count    int // of what is done
	finished bool
	apply    func()
	err      error
}

// begin begins a task. A later Advance of the model takes over what it did.
func (m *Model) begin(do func(context.Context, func(n int)) (func(), error)) *task {
	t := &task{do: do}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if m.workers.Goroutines > 0 {
		go t.run(m.workers.Pace, m.workers.Yield)
	}
	return t
}

// run does the work. At a pace it rests every now and then, and frames are drawn meanwhile. On a page that takes a
// yield: of two tasks that sleep, one works while the other does, and the page's thread is never free.
func (t *task) run(pace time.Duration, yield func()) {
	ctx := t.ctx
	if pace > 0 {
		ctx = ordered.WithRest(ctx, ordered.Paced(pace, yield))
	}
	apply, err := t.do(ctx, func(n int) {
		t.mu.Lock()
		t.count += n
		t.mu.Unlock()
	})
	t.mu.Lock()
	t.finished, t.apply, t.err = true, apply, err
	t.mu.Unlock()
}

// state returns how much is done, whether that is all, and what is to be made of it.
func (t *task) state() (count int, finished bool, apply func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count, t.finished, t.apply, t.err
}

// unprepared is the error of settings under which flights cannot be shown at once: what takes long of them has not been
// prepared.
type unprepared struct {
	config configs.Config
	work   int
	do     func(ctx context.Context, done func(n int)) error
}

func (u *unprepared) Error() string {
	return "the observer " + u.config.Adversary.Observer + " is not prepared"
}

// preparation is what is under way for an error of the type unprepared.
type preparation struct {
	*unprepared
	*task
	again func()
}

// Await reports whether an error says that settings are to be prepared, which takes seconds: observers solve the
// mission for every possible goal, make private policies or learn from flights. It has that done, in place of what was
// being prepared for other settings, and calls again in a later Advance.
func (m *Model) Await(err error, again func()) bool {
	var u *unprepared
	if !errors.As(err, &u) {
		return false
	}
	m.StopPreparing()
	t := m.begin(func(ctx context.Context, done func(int)) (func(), error) { return again, u.do(ctx, done) })
	m.preparing = &preparation{u, t, again}
	m.pool.hold(true)
	m.tellPreparing()
	return true
}

// Refused reports whether there is an error, and says what is wrong; or has settings prepared where that is what the
// error says, and calls again in a later Advance.
func (m *Model) Refused(err error, again func()) bool {
	if err != nil && !m.Await(err, again) {
		m.Say(true, "%v", err)
	}
	return err != nil
}

// StopPreparing leaves what is on show, and reports whether settings were being prepared.
func (m *Model) StopPreparing() bool {
	if m.preparing == nil {
		return false
	}
	m.preparing.cancel()
	m.preparing = nil
	m.pool.hold(false)
	if m.Message.Progress {
		m.Message = Message{}
	}
	return true
}

// Preparing reports whether settings are being prepared, while those before them stay in force.
func (m *Model) Preparing() bool { return m.preparing != nil }

// ChosenEpsilon returns the epsilon that was chosen last: that in force, or one that is being prepared.
func (m *Model) ChosenEpsilon() float64 {
	if p := m.preparing; p != nil && sameApart(m.Config, p.config, onlyEpsilon) {
		return p.config.Privacy.Epsilon
	}
	return m.Config.Privacy.Epsilon
}

// prepare goes on once settings are prepared.
func (m *Model) prepare() {
	if m.preparing == nil {
		return
	}
	_, finished, again, err := m.preparing.state()
	if !finished {
		m.tellPreparing()
		return
	}
	m.StopPreparing()
	if err != nil {
		m.Say(true, "%v", err)
		return
	}
	again()
}

// tellPreparing says how far the preparation is, unless something else is being said.
func (m *Model) tellPreparing() {
	if m.Message.Text != "" && !m.Message.Progress {
		return
	}
	p := m.preparing
	count, _, _, _ := p.state()
	m.Message = Message{Text: fmt.Sprintf("%s: %d %%.", whatPrepares(p.config), min(99, 100*count/p.work)),
		Progress: true, Until: m.now().Add(remarkStays)}
}

// whatPrepares says what is done for settings.
func whatPrepares(c configs.Config) string {
	name := c.Adversary.Observer
	switch o, _ := adversary.Find(name); {
	case o.Learns:
		return fmt.Sprintf("The observer %s is learning from %d flights at ε %.4g", name, c.Adversary.Training,
			c.Privacy.Epsilon)
	case o.Private && !c.Privacy.DrawsGoal():
		return fmt.Sprintf("The observer %s is planning %d private policies for every goal at ε %.4g", name,
			c.Adversary.Policies, c.Privacy.Epsilon)
	case o.Goal:
		return "The observer " + name + " is planning for every possible goal"
	}
	return "The mechanism " + c.Privacy.Mechanism + " is planning for every possible goal"
}

// experimentOf returns the experiment of settings: one that there is, with the flights that it remembers, when the
// settings differ in nothing that it depends on. The error is of the type unprepared where the experiment, or its
// flights at the epsilon, would take seconds.
func (m *Model) experimentOf(c configs.Config) (*study.Experiment, error) {
	if lines := c.Commands(); len(lines) > 0 {
		return nil, fmt.Errorf("the settings name the command %s%s, and the viewer runs no commands", configs.CommandMark,
			lines[0])
	}
	if e := m.sharedExperiment(c); e != nil {
		return e, m.known(e, c)
	}
	if m.workers.Experiment != nil {
		return m.workers.Experiment(c)
	}
	b := m.builderOf(c)
	c.Study.Workers = m.coresBeside()
	work, err := b.Work(c, c.Privacy.Epsilon)
	switch {
	case err != nil:
		return nil, err
	case work > 0:
		return nil, &unprepared{c, work, func(ctx context.Context, done func(int)) error {
			return b.Prepare(ctx, c, c.Privacy.Epsilon, done)
		}}
	}
	return b.Experiment(c)
}

// known returns an error of the type unprepared where observers do not know yet what flights at the settings' epsilon
// are like.
func (m *Model) known(e *study.Experiment, c configs.Config) error {
	epsilons := []float64{c.Privacy.Epsilon}
	work := e.Preparation(epsilons)
	if work == 0 || m.workers.Experiment != nil {
		return nil
	}
	return &unprepared{c, work, func(ctx context.Context, done func(int)) error { return e.Prepare(ctx, epsilons, done) }}
}

// sharedExperiment returns the experiment in force or the one that is compared with, where it is that of settings; nil
// otherwise.
func (m *Model) sharedExperiment(c configs.Config) *study.Experiment {
	worlds := []*World{&m.World}
	if m.Pair != nil {
		worlds = append(worlds, &m.Pair.World)
	}
	for _, w := range worlds {
		if w.Experiment != nil && sameApart(w.Config, c, seenAlike) {
			return w.Experiment
		}
	}
	return nil
}

// sameApart reports whether settings are the same apart from what is the latter's after adopt.
func sameApart(a, b configs.Config, adopt func(a *configs.Config, b configs.Config)) bool {
	adopt(&a, b)
	return reflect.DeepEqual(a, b)
}

func onlyEpsilon(a *configs.Config, b configs.Config) { a.Privacy.Epsilon = b.Privacy.Epsilon }

// seenAlike adopts what an experiment does not depend on. The seed matters to observers who draw: errors, policies and
// flights to learn from.
func seenAlike(a *configs.Config, b configs.Config) {
	seed := a.Study.Seed
	a.Study, a.Privacy.Epsilon, a.Adversary.RadiusKm = b.Study, b.Privacy.Epsilon, b.Adversary.RadiusKm
	if o, err := adversary.Find(a.Adversary.Observer); err != nil || o.Errs || o.KnowsNoise() {
		a.Study.Seed = seed
	}
}

// builderOf returns the builder of settings' experiments. It keeps what was prepared while the possible goals are the
// same.
func (m *Model) builderOf(c configs.Config) *setup.Builder {
	if of := worldOf(c); m.builder == nil || !reflect.DeepEqual(m.built, of) {
		m.builder, m.built = new(setup.Builder), of
	}
	return m.builder
}
