package screen

import (
	"slices"
	"strings"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// listener hears what a screen announces, frame by frame.
type listener struct {
	*desk
	at    time.Time
	heard []string
	when  []time.Time
}

// listen returns a listener who has heard what there is to be announced at first.
func listen(t *testing.T) *listener {
	l := &listener{desk: newDesk(t, 1280, 800), at: time.Now()}
	l.now = func() time.Time { return l.at }
	l.wait(3)
	l.heard, l.when = nil, nil
	return l
}

// wait listens for so many seconds.
func (l *listener) wait(seconds float64) {
	const frame = 0.1 // s
	for ; seconds > 0; seconds -= frame {
		l.at = l.at.Add(time.Duration(frame * float64(time.Second)))
		before := l.announcements.text
		l.step(ui.Input{ElapsedS: frame, Outside: true})
		if now := l.Spoken(); now != before {
			l.heard, l.when = append(l.heard, now), append(l.when, l.at)
		}
	}
}

func (l *listener) operate(id, value string) {
	l.t.Helper()
	if err := l.Operate(id, value); err != nil {
		l.t.Fatal(err)
	}
	l.wait(2)
}

// Anyone who listens while a flight is played hears the events that it passes, each once and at most one a second,
// and its end.
func TestEventsThatArePassedAreAnnounced(t *testing.T) {
	l := listen(t)
	m := l.Model
	events := l.Why().Events
	m.Clock.Seek(0)
	l.wait(2)
	l.heard, l.when = nil, nil
	m.Clock.Speed, m.Clock.Playing = 1, true
	l.wait(m.Clock.EndS + 3)
	told := strings.Join(l.heard, "\n")
	for _, e := range events {
		if text := l.EventText(e); e.Sample > 0 && strings.Count(told, text) != 1 {
			t.Errorf("%q is announced %d times", text, strings.Count(told, text))
		}
	}
	if m.Clock.Playing || len(l.heard) < 5 || !strings.HasPrefix(l.heard[len(l.heard)-1], "The flight ends after") {
		t.Errorf("at the end, playing %v, it heard %q", m.Clock.Playing, l.heard)
	}

	m.Clock.Seek(0)
	l.wait(2)
	l.heard, l.when = nil, nil
	m.Clock.Speed, m.Clock.Playing = 16, true
	l.wait(m.Clock.EndS/16 + 3)
	for i := 1; i < len(l.when); i++ {
		if l.when[i].Sub(l.when[i-1]) < announceEvery {
			t.Errorf("%q comes %v after %q", l.heard[i], l.when[i].Sub(l.when[i-1]), l.heard[i-1])
		}
	}
	if n := len(l.heard); n < 2 || n >= len(events) || !strings.HasPrefix(l.heard[n-1], "The flight ends after") {
		t.Errorf("of a fast flight it heard %q", l.heard)
	}
}

// Keys that go over an event have it announced, onwards and back, and a loop those within it.
func TestEventsGoneOverAreAnnounced(t *testing.T) {
	l := listen(t)
	f, m := l.Model.Flight(), l.Model
	handover := l.MomentText(f.HandoverSample)
	m.Clock.Playing = false
	m.Clock.Seek(f.TimeS(f.HandoverSample) - 2)
	l.wait(2)
	for _, keys := range [][]ui.Key{{ui.ArrowRight}, {ui.ArrowLeft}} {
		l.press(keys...)
		l.wait(2)
	}
	m.Clock.Seek(f.TimeS(f.HandoverSample))
	l.wait(2)
	if strings.Count(strings.Join(l.heard, "\n"), handover) == 0 || l.announcements.text != handover {
		t.Errorf("it heard %q, not %q", l.heard, handover)
	}
	l.press("e")
	l.wait(2)
	next := l.announcements.text
	if next == handover || strings.Count(next, "km from the target") != strings.Count(m.Message.Text,
		"km from the target") {
		t.Errorf("a key to the next event has %q announced, the message is %q", next, m.Message.Text)
	}
	// Of those within a second one that decides is told.
	guess := slices.IndexFunc(l.Why().Events, func(e model.Event) bool { return e.Kind == model.GuessIn })
	m.Clock.Seek(0)
	l.wait(2)
	for _, sample := range []int{f.HandoverSample - 1, f.HandoverSample, l.Why().Events[guess].Sample} {
		m.Clock.Seek(f.TimeS(sample))
		l.wait(0.1)
	}
	l.wait(2)
	if l.announcements.text != handover {
		t.Errorf("it heard %q last, not %q", l.announcements.text, handover)
	}
	for _, c := range []struct {
		from, to int
		want     []model.Event
	}{
		{0, 25, []model.Event{{Sample: 10}, {Sample: 20}}}, {10, 20, []model.Event{{Sample: 20}}},
		{20, 10, []model.Event{{Sample: 10}}},
		{30, 5, []model.Event{{Sample: 20}, {Sample: 10}}}, {10, 19, nil}, {20, 20, nil},
	} {
		if got := passed([]model.Event{{Sample: 10}, {Sample: 20}}, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("from %d to %d it passes %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// What is changed is announced by its name, once.
func TestChangesAreAnnouncedByName(t *testing.T) {
	l := listen(t)
	l.Model.Clock.Playing = false
	for _, c := range []struct{ id, value, want string }{
		{"adversary", "handover_circle", "Observer handover circle, epsilon 1, run 0, "},
		{"mission.passage", "", "Mission passage, epsilon 1, run 0, "},
		{"mechanism.goal", "", "Mechanism goal, epsilon 1, run 0, "},
		{"run", "4", "Epsilon 1, run 4, "},
		{"compare", "", "Kept: the same settings, "},
		{"epsilon", "2", "Epsilon 2, run 4, "},
		{"compare", "", "The comparison has ended."},
		{"direct", "", "Direct flight, "},
	} {
		l.heard = nil
		l.operate(c.id, c.value)
		if len(l.heard) != 1 || !strings.HasPrefix(l.heard[0], c.want) {
			t.Errorf("%s %s: it heard %q, want %q", c.id, c.value, l.heard, c.want)
		}
	}
	l.heard = nil
	l.wait(20)
	if len(l.heard) > 0 {
		t.Errorf("of nothing it heard %q", l.heard)
	}
}

// Every step of the story is announced with its text, once, and again where it is shown again.
func TestStepsOfTheStoryAreAnnounced(t *testing.T) {
	l := listen(t)
	l.Still = true
	for i, step := range l.Story.Steps {
		l.heard = nil
		l.operate("story.on", "")
		l.Model.SetRuns(40)
		for range 8 {
			l.Model.Work()
			l.wait(1)
		}
		if told := strings.Join(l.heard, "\n"); strings.Count(told, step.Title+": ") != 1 ||
			!strings.Contains(told, l.stepText()) || strings.Contains(told, "…") {
			t.Errorf("of step %d it heard %q", i+1, l.heard)
		}
	}
	l.heard = nil
	l.Model.Clock.Seek(20)
	l.operate("epsilon", "3")
	if told := strings.Join(l.heard, "\n"); strings.Contains(told, "Step") ||
		strings.Contains(told, "bits left to learn") {
		t.Errorf("off the step it heard %q", l.heard)
	}
	l.operate("story.again", "")
	for range 8 {
		l.Model.Work()
		l.wait(1)
	}
	if last := l.heard[len(l.heard)-1]; !strings.Contains(last, l.stepText()) {
		t.Errorf("of the step that is shown again it heard %q", l.heard)
	}
}
