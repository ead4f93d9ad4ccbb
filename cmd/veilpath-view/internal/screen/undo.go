package screen

import (
	"strconv"
	"strings"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
)

// past is the states that can be gone back to, and forward.
type past struct {
	states []state
	at     int // of the present one
	seen   change
}

// state is what an undo brings back: settings, run, what they are compared with, what is demanded and who watches, as a
// link tells them, the recording that is open, and the step of the story that is told. How it is looked at, such as the moment, the place and the theme, stays.
type state struct {
	link   string
	record *model.Record
	story  *Story
	told   int
	scene  *scene
}

// change reports whether there may be another state.
type change struct {
	model    uint64
	record   *model.Record
	story    *Story
	told     int
	heat     answer.Heat
	observer int
	also     string
	demandKm float64
}

// mostStates bounds how far one can go back.
const mostStates = 200

// remember keeps the present state once it has settled: a drag is one step.
func (s *Screen) remember() {
	p := &s.past
	seen := s.change()
	if s.UI.Captured() || p.seen == seen {
		return
	}
	p.seen = seen
	now := s.state()
	if now.told == 0 { // the story gives back what was before it
		for n := len(p.states); n > 0 && p.states[n-1].told > 0; n-- {
			p.states = p.states[:n-1]
		}
		p.at = max(0, min(p.at, len(p.states)-1))
	}
	if len(p.states) > 0 && p.states[p.at].equal(&now) {
		return
	}
	if len(p.states) > 0 {
		p.states = p.states[:p.at+1]
	}
	if p.states = append(p.states, now); len(p.states) > mostStates {
		p.states = p.states[1:]
	}
	p.at = len(p.states) - 1
}

func (s *Screen) change() change {
	return change{s.Model.Version, s.Model.Record, s.Story, s.told, s.Heat, s.Observer,
		strings.Join(s.Also, ","), s.DemandKm}
}

// state returns the present one.
func (s *Screen) state() state {
	values := s.linkValues(func(l link.Key) bool { return l.State })
	values.Del(link.Moment)
	return state{values.Encode(), s.Model.Record, s.Story, s.told, s.scene}
}

func (a *state) equal(b *state) bool {
	return a.link == b.link && a.record == b.record && a.story == b.story && a.told == b.told
}

// undo goes so many states forward, or back where steps is negative.
func (s *Screen) undo(steps int) {
	s.remember() // what was done since the last frame
	p := &s.past
	to := p.at + steps
	if to < 0 || to >= len(p.states) {
		s.Model.Say(false, "There is no setting to %s. The moment, panels and the place of the map are none.",
			either(steps < 0, "undo", "do again"))
		return
	}
	before, run := s.Model.Config, s.Model.RunNumber
	if !s.Model.Refused(s.goTo(&p.states[to]), func() { s.undo(steps) }) {
		p.at, p.seen = to, s.change()
		now := model.Differs(s.Model.Config, before)
		if now == "" && s.Model.RunNumber != run {
			now = "run " + strconv.Itoa(s.Model.RunNumber)
		}
		s.Model.Say(false, "%s%s.", either(steps < 0, "Undone", "Done again"), either(now == "", "", ": now "+now))
	}
}

// goTo shows a state at the present moment, or at the end of its flight where the one on show has ended.
func (s *Screen) goTo(to *state) error {
	p, err := s.parseLink(to.link)
	if err != nil {
		return err
	}
	c := &s.Model.Clock
	now, ended := c.TimeS, c.Ended()
	if err := s.take(&p, to.record); err != nil {
		return err
	}
	c.Seek(either(ended, c.EndS, now))
	for _, do := range p.state {
		do()
	}
	s.Story = to.story
	s.setStep(to.told, to.scene)
	return nil
}
