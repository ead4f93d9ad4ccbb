package model

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/planner/privacy"
)

// instance is another instance of the program, in the same one.
type instance struct {
	Responder
	posted        *Posted
	interruptions int
	flown         int // of the last message
}

func (i *instance) Post(message []byte) { i.Take(message) }

func (i *instance) Interrupt(but int) {
	i.interruptions++
	i.Responder.Interrupt(but)
}

// employed returns a remote of a model.
func employed(m *Model) *instance {
	i := &instance{}
	i.posted = m.Employ(i)
	return i
}

// serve answers one message and reports whether there was any.
func (i *instance) serve(t *testing.T) bool {
	t.Helper()
	answer, err := i.Respond()
	if err != nil {
		t.Fatal(err)
	}
	if answer == nil {
		return false
	}
	i.flown = (&reader{rest: answer}).int()
	i.posted.Answered(answer)
	return true
}

// serveAll answers all messages there are, and those that they lead to.
func (i *instance) serveAll(t *testing.T) {
	t.Helper()
	for i.serve(t) {
	}
}

// What another instance flies is what this one would have flown, whole or as far as the horizon, for every radius.
func TestRemoteFliesTheSame(t *testing.T) {
	settings := map[string]func(*Model){
		"as it begins":      func(*Model) {},
		"flights in rounds": func(m *Model) { m.SetEpsilon(0.1) },
		"independent noise": func(m *Model) { c := m.Config; c.Study.Noise = configs.Independent; m.change(c) },
		"another mission":   func(m *Model) { c := m.Config; c.Privacy.HandoverKm = 40; m.change(c) },
		"headings drawn":    drawsHeadings,
		"drawn for each run": func(m *Model) {
			c := m.Config
			c.Privacy.Mechanism = privacy.GoalMechanisms()[0].Name()
			m.change(c)
		},
	}
	for name, set := range settings {
		for _, horizonS := range []float64{0, 300} {
			t.Run(fmt.Sprintf("%s, up to %v s", name, horizonS), func(t *testing.T) {
				// of an experiment that remembers no flight
				here := worked(t, Workers{SurveyRuns: 1, AxisRuns: 1, InferencePolicies: 5})
				set(here)
				j := here.ensembleJob([]int{0, 1, 2, 3, 17, FanRuns})
				requests := j.take(nil)
				for i := range requests {
					requests[i].horizonS = horizonS
				}
				var want []result
				c := worker{}
				c.prepare(j.experiment)
				o := flightOptions(reachKm(j.config), nil)
				flyMembers(j.experiment)(c.flyer, o, requests,
					func(q request, kept any) { want = append(want, result{q, kept}) })

				var there Responder
				there.Take(appendMessage(nil, settingsOf(j.config), reachKm(j.config), requests))
				answer, err := there.Respond()
				if err != nil {
					t.Fatal(err)
				}
				got, err := readAnswer(answer, requests)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{}, request{}, Member{}, adversary.Curve{}),
					cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("here and there (-here +there):\n%s", diff)
				}
			})
		}
	}
}

// A model whose remote flies all of the ensemble shows what a model that flies it itself does. The remote's flights are
// whole, and it is never asked for more than it can hold.
func TestRemoteFliesTheEnsemble(t *testing.T) {
	m := worked(t, Workers{SurveyRuns: 1, AxisRuns: 1, InferencePolicies: 5, Experiment: flown.experiment})
	i := employed(m)
	m.SetEpsilon(0.3)
	if n := len(i.asked); n != postedAhead {
		t.Errorf("%d messages at once, want %d", n, postedAhead)
	}
	i.serveAll(t)
	m.Advance(0.01)
	if !m.Ensemble.Complete() {
		t.Fatalf("%d of %d flights", m.Ensemble.Fresh, m.Runs())
	}
	other := newModel(t, 0)
	other.SetEpsilon(0.3)
	finish(t, other)
	if diff := cmp.Diff(other.Ensemble.Summary(), m.Ensemble.Summary(), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("flown here and there (-here +there):\n%s", diff)
	}
}

// Flights that are no longer asked for are not waited for: the remote is interrupted once, and its next ones are those
// of the settings in force.
func TestRemoteIsInterrupted(t *testing.T) {
	m := worked(t, Workers{SurveyRuns: 1, AxisRuns: 1, InferencePolicies: 5, Experiment: flown.experiment})
	i := employed(m)
	flights := 0
	i.Pause = func() {
		if flights++; flights == 1 {
			m.SetEpsilon(0.5)
			m.Advance(0.01)
		}
	}
	i.serve(t)
	if i.interruptions != 1 || i.flown >= atOnce {
		t.Errorf("%d interruptions, want one; %d flights of the first message", i.interruptions, i.flown)
	}
	for len(i.posted.batches) > 0 && i.posted.batches[0].interrupted {
		if paused := flights; !i.serve(t) || flights != paused {
			t.Fatal("what was interrupted is flown")
		}
	}
	i.serveAll(t)
	m.Advance(0.01)
	if !m.Ensemble.Complete() || i.interruptions != 1 {
		t.Errorf("%d of %d flights after %d interruptions", m.Ensemble.Fresh, m.Runs(), i.interruptions)
	}
	for _, member := range m.Ensemble.Members {
		if member.Run.Epsilon != 0.5 {
			t.Fatalf("run %d is of epsilon %v", member.Run.Run, member.Run.Epsilon)
		}
	}
}

// What a remote was asked is flown here once it is gone, and where its answer is damaged.
func TestRemoteIsLost(t *testing.T) {
	for name, lose := range map[string]func(*Posted){
		"gone":    (*Posted).Lost,
		"damaged": func(p *Posted) { p.Answered([]byte("no answer")) },
		"too much": func(p *Posted) {
			p.Answered(appendAnswer(nil, slices.Repeat([]*Member{{}}, atOnce+1)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModelOf(t, 0, 1)
			i := employed(m)
			m.SetEpsilon(0.3)
			for i.posted.batches[0].interrupted {
				i.serve(t)
			}
			late := appendAnswer(nil, nil)
			lose(i.posted)
			i.posted.Answered(late)
			held := len(i.asked)
			m.Work()
			m.Advance(0.01)
			if !m.Ensemble.Complete() || len(i.asked) != held {
				t.Errorf("%d of %d flights; %d more messages", m.Ensemble.Fresh, m.Runs(), len(i.asked)-held)
			}
		})
	}
}

// What a remote holds and has not begun is flown here where nothing else is left, except for what it flies now. Had it
// begun, its flights are not taken over.
func TestFlightsAreTakenBack(t *testing.T) {
	m := worked(t, Workers{SurveyRuns: 1, AxisRuns: 1, InferencePolicies: 5, Experiment: flown.experiment})
	i := employed(m)
	m.SetEpsilon(0.3)
	for i.asked[0].interrupted {
		i.serve(t)
	}
	first := len(i.posted.batches[0].requests)
	m.Work()
	for rounds := 0; i.posted.held() > 1; rounds++ {
		some := make(chan bool)
		go func() { some <- m.pool.wait(&m.pool.own) }()
		select {
		case <-some:
		case <-time.After(10 * time.Second):
			t.Fatalf("the remote holds %d messages and nothing is flown here", i.posted.held())
		}
		if rounds > fewRuns {
			t.Fatal("flights are taken back again and again")
		}
		if slices.ContainsFunc(i.asked[1:], func(a asked) bool { return !a.interrupted }) {
			t.Fatal("what is taken back is flown there too")
		}
		m.Work()
	}
	if len(i.asked) <= postedAhead || m.pool.takeBack() {
		t.Errorf("after %d messages the remote has some more, or is asked for no more", len(i.asked))
	}
	m.Advance(0.01)
	if begun, _ := m.Ensemble.Begun(); begun != m.Runs()-first || i.asked[0].interrupted {
		t.Fatalf("%d of %d flights are there, the remote flies %d", begun, m.Runs(), first)
	}
	i.serve(t)
	if i.flown != first {
		t.Errorf("the remote flew %d of the first %d", i.flown, first)
	}
	m.Advance(0.01)
	before, own := slices.Clone(m.Ensemble.Members), i.interruptions
	if i.asked[0].interrupted = false; !i.serve(t) || i.flown == 0 {
		t.Error("what had begun is not flown to its end")
	}
	i.serveAll(t)
	if m.Advance(0.01); i.flown != 0 || !m.Ensemble.Complete() || !slices.Equal(m.Ensemble.Members, before) ||
		i.interruptions != own {
		t.Errorf("%d flights are there in the end, %d of the last message", m.Ensemble.Fresh, i.flown)
	}
}

// The map waits for flights that the user waits for, wherever they are flown, and the last one is reported.
func TestMapWaitsForRemotes(t *testing.T) {
	done := 0
	m := worked(t, Workers{SurveyRuns: 2, AxisRuns: 2, InferencePolicies: 5, Experiment: flown.experiment,
		Done: func() { done++ }})
	i := employed(m)
	m.Work() // all but what the remote holds
	m.Advance(0.01)
	if m.Axis.pieces(0) != nil || m.Ensemble.Complete() || done != 0 {
		t.Errorf("axis %v, %d of %d flights, told of %d times", m.Axis.pieces(0) != nil, m.Ensemble.Fresh, m.Runs(), done)
	}
	i.serveAll(t)
	if done != 1 {
		t.Errorf("told of the last flight %d times", done)
	}
	m.Work()
	m.Advance(0.01)
	if m.Axis.pieces(0) == nil || !m.Ensemble.Complete() || done != 1 {
		t.Errorf("then axis %v, %d of %d flights, told of %d times", m.Axis.pieces(0) != nil, m.Ensemble.Fresh, m.Runs(),
			done)
	}
}

// On a page flights begin with the frame that shows the first of them, on remotes too, which leave no need of a
// horizon.
func TestRemotesWaitForTheFrame(t *testing.T) {
	m := worked(t, Workers{Pace: 1, SurveyRuns: 1, AxisRuns: 1, InferencePolicies: 5, Experiment: flown.experiment})
	if q := m.ensembleJob([]int{0}).request(0); q.horizonS == 0 {
		t.Error("without a remote flights of a page have no horizon")
	}
	m.Advance(0.01)
	i := employed(m)
	i.serveAll(t)
	m.SetEpsilon(0.3)
	if len(i.asked) != 0 {
		t.Error("flights begin before the frame")
	}
	m.Advance(0.01)
	if len(i.asked) != postedAhead {
		t.Errorf("%d messages with the frame", len(i.asked))
	}
	if q := m.ensembleJob([]int{0}).request(0); q.horizonS != 0 {
		t.Errorf("flights with a remote end at %v s", q.horizonS)
	}
}

// Settings that are passed on lead to the same experiment, and epsilon, radius and study do not matter to it.
func TestSettingsOfAnExperiment(t *testing.T) {
	for _, preset := range configs.Presets() {
		loaded, err := configs.Load(configs.Request{Config: preset.Name})
		if err != nil {
			t.Fatal(err)
		}
		text := settingsOf(loaded.Config)
		back, err := loadText("settings.yaml", text)
		if err != nil {
			t.Fatalf("%s: %v", preset.Name, err)
		}
		want := loaded.Config
		want.Study, want.Privacy.Epsilon, want.Adversary.RadiusKm = back.Study, back.Privacy.Epsilon, back.Adversary.RadiusKm
		if diff := cmp.Diff(want, back); diff != "" {
			t.Errorf("%s (-passed on +read):\n%s", preset.Name, diff)
		}
		loaded.Config.Privacy.Epsilon *= 2
		loaded.Config.Study.Seed++
		if string(settingsOf(loaded.Config)) != string(text) {
			t.Errorf("%s: another epsilon and sample are another experiment", preset.Name)
		}
	}
}

// A responder keeps the experiments of the two latest settings, and says what is wrong with others.
func TestResponderKeepsExperiments(t *testing.T) {
	var r Responder
	of := func(step float64) string {
		c := settings()
		c.Sim.StepS = step
		e, err := r.experiment(string(settingsOf(c)))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%p", e)
	}
	first, second := of(0.1), of(0.2)
	if of(0.1) != first || of(0.2) != second {
		t.Error("an experiment was made again")
	}
	if of(0.1) != first || of(0.3) == second || of(0.1) != first || of(0.2) == second || len(r.known) != mostSettled {
		t.Errorf("the latest experiments were not kept, or %d were", len(r.known))
	}
	r.Take(appendMessage(nil, []byte("sim: 3"), 1, nil))
	if _, err := r.Respond(); err == nil {
		t.Error("settings that do not load are taken")
	}
}
