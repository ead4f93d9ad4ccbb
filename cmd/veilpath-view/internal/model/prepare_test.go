package model

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"veilpath/configs"
	ordered "veilpath/internal/pool"
	"veilpath/internal/setup"
)

// smallSettings are those of a mission that is planned in a moment.
func smallSettings() configs.Config {
	c := configs.Default()
	c.Planner.Columns, c.Planner.Rows, c.Planner.SpacingKm, c.Planner.StartCell = 10, 8, 22, [2]int{0, 4}
	c.Adversary.Policies, c.Adversary.Training, c.Study.Runs = 3, 40, 6
	return c
}

// preparing returns a model that prepares what takes long, by Work.
func preparing(t *testing.T) *Model {
	t.Helper()
	m, err := New(smallSettings(), Workers{AxisRuns: 1, InferencePolicies: 2}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// prepared works until nothing is being prepared.
func prepared(t *testing.T, m *Model) {
	t.Helper()
	for range 5 {
		m.Work()
		m.Advance(0)
		if !m.Preparing() {
			return
		}
	}
	t.Fatal("the preparation does not end")
}

// An observer who takes long comes into force once it is prepared, and says so meanwhile; what was on show stays till
// then. Its flights are recognised as a study says.
func TestObserversComeIntoForceOncePrepared(t *testing.T) {
	for _, observer := range []string{"geometry", "mechanism", "learned"} {
		m := preparing(t)
		version := m.Version
		m.SetObserver(observer)
		if !m.Preparing() || m.Config.Adversary.Observer != "ballistic" || m.Version != version {
			t.Fatalf("%s is in force before it is prepared: %+v", observer, m.Message)
		}
		if !m.Message.Progress || !strings.Contains(m.Message.Text, observer+" ") ||
			!strings.HasSuffix(m.Message.Text, ": 0 %.") {
			t.Errorf("%s: it is said %q", observer, m.Message.Text)
		}
		prepared(t, m)
		if m.Config.Adversary.Observer != observer || m.Message.Progress {
			t.Fatalf("%s is not in force: %q", observer, m.Message.Text)
		}
		finish(t, m)
		if got, want := m.Ensemble.Summary().MeanKm, studied(t, m.Config).MeanKm; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s recognises at %v km on average, a study says %v", observer, got, want)
		}
	}
}

// What is being prepared is left for what was on show, by Esc, by other settings, and by the epsilon in force.
func TestPreparationIsLeft(t *testing.T) {
	m := preparing(t)
	for what, leave := range map[string]func(){
		"stopped":     func() { m.StopPreparing() },
		"other decay": func() { m.change(func(c *configs.Config) { c.Adversary.LambdaPerS = 0.05 }) },
		"the same":    func() { m.SetObserver("ballistic") },
	} {
		m.SetObserver("learned")
		leave()
		m.Work()
		m.Advance(0)
		if m.Preparing() || m.Config.Adversary.Observer != "ballistic" || m.Message.Progress {
			t.Errorf("%s: %s is in force, %q", what, m.Config.Adversary.Observer, m.Message.Text)
		}
	}
	m.SetObserver("learned")
	prepared(t, m)
	m.SetEpsilon(0.5)
	if m.Config.Privacy.Epsilon != 1 || m.ChosenEpsilon() != 0.5 {
		t.Fatalf("epsilon is %v, chosen %v", m.Config.Privacy.Epsilon, m.ChosenEpsilon())
	}
	m.SetEpsilon(0.4) // dragged on
	m.SetEpsilon(1)
	if m.Preparing() || m.ChosenEpsilon() != 1 {
		t.Error("back at the epsilon in force another is being prepared")
	}
	m.SetEpsilon(0.4)
	prepared(t, m)
	if m.Config.Privacy.Epsilon != 0.4 || m.Private.Run.Epsilon != 0.4 {
		t.Errorf("epsilon is %v, the flight's %v", m.Config.Privacy.Epsilon, m.Private.Run.Epsilon)
	}
	m.SetEpsilon(1)
	if m.Preparing() || m.Config.Privacy.Epsilon != 1 {
		t.Error("an epsilon that was prepared is prepared again")
	}
}

// A choice is made among the settings in force when it is prepared: the epsilon that was set meanwhile stays.
func TestSettingsOfMeanwhileStay(t *testing.T) {
	m := preparing(t)
	m.SetObserver("mechanism")
	m.SetEpsilon(2)
	if m.Config.Privacy.Epsilon != 2 || !m.Preparing() {
		t.Fatalf("epsilon is %v, preparing %t", m.Config.Privacy.Epsilon, m.Preparing())
	}
	prepared(t, m)
	if c := m.Config; c.Adversary.Observer != "mechanism" || c.Privacy.Epsilon != 2 {
		t.Errorf("%s at epsilon %v", c.Adversary.Observer, c.Privacy.Epsilon)
	}
}

// Settings whose preparation fails stay away, with the reason.
func TestPreparationThatFailsSaysWhy(t *testing.T) {
	m := preparing(t)
	m.change(func(c *configs.Config) { c.Adversary.Observer, c.Adversary.Candidates = "geometry", "0:0,1:1" })
	for range 3 {
		m.Work()
		m.Advance(0)
	}
	if m.Preparing() || m.Config.Adversary.Observer != "ballistic" || !m.Message.Wrong {
		t.Errorf("%s is in force: %+v", m.Config.Adversary.Observer, m.Message)
	}
}

// Settings that are compared with are prepared too.
func TestKeptSettingsArePrepared(t *testing.T) {
	m := preparing(t)
	c := m.Config
	c.Adversary.Observer = "learned"
	m.Compare(&c)
	if m.Pair != nil || !m.Preparing() {
		t.Fatal("they are compared with before they are prepared")
	}
	prepared(t, m)
	if m.Pair == nil || m.Pair.Config.Adversary.Observer != "learned" || m.Config.Adversary.Observer != "ballistic" {
		t.Fatalf("compared are %+v", m.Pair)
	}
	if again := m.Pair.Experiment; m.sharedExperiment(c) != again {
		t.Error("they would be prepared again")
	}
}

// Observers who draw do so by the seed in force, as in a study.
func TestSeedOfObservers(t *testing.T) {
	m := preparing(t)
	m.SetObserver("filtered")
	m.NewSample()
	finish(t, m)
	e, err := setup.Experiment(m.Config)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Fly(m.draw(3, 1), m.Sigma)
	if got := m.Ensemble.Members[3].Run.DetectionKm; err != nil || got != want.DetectionKm {
		t.Errorf("recognised at %v km, by the study at %v, %v", got, want.DetectionKm, err)
	}
}

// Observers believe by the mechanism that the settings name.
func TestInferenceKnowsTheMechanism(t *testing.T) {
	m := preparing(t)
	m.SetMechanism("laplace")
	know(t, m, "moves")
	if name := m.Inference.world.Mechanism.Name(); name != "laplace" {
		t.Errorf("they know the mechanism %q", name)
	}
}

// Tasks at a pace rest by what the workers say, which lets all else have the thread: not by a sleep, in which the other
// would work.
func TestTasksRestByTheYield(t *testing.T) {
	var rests atomic.Int64
	yield := func() { rests.Add(1); time.Sleep(time.Millisecond) }
	m, err := New(smallSettings(), Workers{Goroutines: 1, Pace: time.Millisecond, Yield: yield, AxisRuns: 1}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	for done := false; !done; time.Sleep(time.Millisecond) {
		m.Advance(0)
		done = m.Ensemble.Complete()
	}
	worked := make(chan int64)
	m.begin(func(ctx context.Context, _ func(int)) (func(), error) {
		before := rests.Load()
		for range 5 {
			time.Sleep(2 * time.Millisecond)
			ordered.Rest(ctx)
		}
		worked <- rests.Load() - before
		return nil, nil
	})
	if n := <-worked; n < 5 {
		t.Errorf("a task of 10 ms at a pace of 1 ms rests %d times by the yield", n)
	}
}
