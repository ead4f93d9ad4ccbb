package screen

import (
	"slices"
	"strings"
	"time"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/model"
)

// announcements are for those who cannot see the screen. One says what has changed since the one before.
type announcements struct {
	text    string    // of the last
	at      time.Time // of the last
	version uint64    // of the model that it told
	message string    // that it told
	going   bool      // the message says how far something is
	told    circumstances
	scene   *scene // of the step of the story that it told

	flight uint64 // version of the model whose flight the clock is in
	sample int    // that the clock was at
	event  string // that the clock has passed since the last
	weighs bool   // the event decides
}

// circumstances are those whose changes are announced.
type circumstances struct{ flight, mission, mechanism, observer, kept string }

// announceEvery is the least time between announcements. Of the events that come sooner one is told.
const announceEvery = time.Second

// Spoken returns the last announcement. It is requested after every frame.
func (s *Screen) Spoken() string {
	a, m := &s.announcements, s.Model
	s.passEvents()
	if a.version == m.Version && a.message == m.Message.Text && a.event == "" && !s.stepIsNews() ||
		s.now().Sub(a.at) < announceEvery {
		return a.text
	}
	if text := s.news(); text != "" {
		a.text, a.at = text, s.now()
	}
	a.version, a.message, a.going, a.event, a.weighs = m.Version, m.Message.Text, m.Message.Progress, "", false
	return a.text
}

// news says what has changed since the last announcement; empty for nothing.
func (s *Screen) news() string {
	a, message := &s.announcements, s.Model.Message.Text
	var sentences []string
	if a.version != s.Model.Version {
		now := s.circumstances()
		sentences, a.told = now.since(&a.told), now
	}
	if s.stepIsNews() {
		sentences, a.scene = append(sentences, s.stepText()), s.scene
	}
	if message != "" && message != a.message && !(a.going && s.Model.Message.Progress) {
		sentences = append(sentences, message)
	}
	if a.event != "" && a.event != message {
		sentences = append(sentences, a.event)
	}
	return strings.Join(sentences, " ")
}

// stepIsNews reports whether a step of the story is to be told, which waits for the numbers in it.
func (s *Screen) stepIsNews() bool {
	if s.told == 0 || s.announcements.scene == s.scene || s.departed() != "" || !s.Model.Ensemble.Complete() {
		return false
	}
	return s.Belief() != nil || !strings.Contains(s.Story.Steps[s.told-1].Text, "{bits}")
}

func (s *Screen) circumstances() circumstances {
	c := circumstances{s.FlightText(), s.MissionName(), s.Model.MechanismTitle(), s.Model.ObserverTitle(), ""}
	if p := s.Model.Pair; p != nil {
		c.kept = s.KeptText() + ", " + answer.Recognised(&p.Private.Run, 2)
	}
	return c
}

// since says what is other than before; of what there was nothing before, nothing.
func (c *circumstances) since(before *circumstances) []string {
	var names, sentences []string
	for _, name := range []struct{ of, now, before string }{
		{"mission", c.mission, before.mission}, {"mechanism", c.mechanism, before.mechanism},
		{"observer", c.observer, before.observer},
	} {
		if name.now != name.before && before.flight != "" {
			names = append(names, name.of+" "+either(name.now == "", "of its own", answer.Spoken(name.now)))
		}
	}
	if len(names) > 0 || c.flight != before.flight {
		sentences = append(sentences, sentence(strings.Join(append(names, c.flight), ", ")))
	}
	switch {
	case c.kept == before.kept:
	case c.kept == "":
		sentences = append(sentences, "The comparison has ended.")
	default:
		sentences = append(sentences, sentence(c.kept))
	}
	return sentences
}

// sentence makes one of some words.
func sentence(words string) string { return answer.Capital(words) + "." }

// passEvents notes the last event that the clock came over, onwards or back: of those that decide if there is one.
func (s *Screen) passEvents() {
	a, m := &s.announcements, s.Model
	f, from := m.Flight(), a.sample
	now := f.At(m.Clock.TimeS)
	a.sample = now
	if a.flight != m.Version {
		a.flight, a.event, a.weighs = m.Version, "", false
		return
	}
	if now < from && m.Clock.Playing && m.Clock.Looping() {
		from = f.At(m.Clock.LoopFromS)
	}
	for _, e := range passed(s.Why().Events, from, now) {
		if weighs := decides(e.Kind); weighs || !a.weighs {
			a.event, a.weighs = s.MomentText(e.Sample), weighs
		}
	}
}

// passed returns the events on the way from one sample to another, in the order of the way.
func passed(events []model.Event, from, to int) []model.Event {
	var over []model.Event
	for _, e := range events {
		if e.Sample > from && e.Sample <= to || e.Sample < from && e.Sample >= to {
			over = append(over, e)
		}
	}
	if to < from {
		slices.Reverse(over)
	}
	return over
}

// decides reports whether events of a kind decide what becomes of the flight.
func decides(kind model.EventKind) bool {
	switch kind {
	case model.Handover, model.GivenUp, model.Recognised, model.End:
		return true
	}
	return false
}
