package screen

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/internal/phrase"
)

// state is all that can be undone: settings, flight, what they are compared with, what is demanded and what is on the
// map, as the text of a link, and the recording that is open. The moment and the theme are looked at and no part of it.
type state struct {
	link   string
	record *model.Record
}

// past is the states that can be gone back to, and forward.
type past struct {
	states []state
	at     int    // of the present one
	seen   change // when the present one was remembered
}

// change tells that there may be another state.
type change struct {
	model    uint64
	record   *model.Record
	heat     answer.Heat
	observer int
	demandKm float64
	quantity int
}

func (s *Screen) change() change {
	return change{s.Model.Version, s.Model.Record, s.Heat, s.Observer, s.DemandKm, int(s.Quantity)}
}

// state returns the present one.
func (s *Screen) state() state {
	values := s.values(func(k link.Key) bool { return k.State })
	values.Del(link.Moment)
	return state{values.Encode(), s.Model.Record}
}

// remember keeps the present state once it has settled: a drag is one step.
func (s *Screen) remember() {
	const most = 200
	p, seen := &s.past, s.change()
	if s.UI.Captured() || p.seen == seen {
		return
	}
	p.seen = seen
	now := s.state()
	if len(p.states) > 0 {
		if p.states[p.at] == now {
			return
		}
		p.states = p.states[max(0, p.at+2-most) : p.at+1]
	}
	p.states = append(p.states, now)
	p.at = len(p.states) - 1
}

// undo goes so many states forward, or back where steps is negative.
func (s *Screen) undo(steps int) {
	s.remember() // what was done since the last frame
	p := &s.past
	to := p.at + steps
	if to < 0 || to >= len(p.states) {
		s.Model.Say(false, "There is no setting to %s.", either(steps < 0, "undo", "do again"))
		return
	}
	if !s.Model.Refused(s.goTo(p.states[to]), func() { s.undo(steps) }) {
		p.at, p.seen = to, s.change()
		s.Model.Say(false, "%s.", either(steps < 0, "Undone", "Done again"))
	}
}

// goTo shows a state at the present moment, or at the end of its flight where the one on show has ended.
func (s *Screen) goTo(to state) error {
	p, err := s.parse(to.link)
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
	return nil
}

// keys of links beside the settings.
func (s *Screen) linkKeys() []link.Key {
	var all []link.Key
	for i := range s.table {
		if l := s.table[i].link; l != nil {
			all = append(all, *l)
		}
	}
	return all
}

func (s *Screen) goalLink() *link.Key {
	l := link.Word(link.GoalObserver, true, adversary.GoalNames(), answer.MostKnowing, func() int { return s.Observer },
		func(i int) { s.Observer = i })
	write := l.Write
	l.Write = func() string { return either(s.Inferring(), write(), "") }
	return l
}

// themeLink is the theme that was chosen here. Links say nothing of that of the system: their readers have their own.
func (s *Screen) themeLink() *link.Key {
	names := []string{"", "dark", "light"}
	return link.Of(link.Theme, false,
		func() string { return either(!s.themed, "", either(s.Theme().Dark, "dark", "light")) },
		func(text string) (string, error) {
			if !slices.Contains(names, text) {
				return "", link.Refuse(link.Theme, text, "dark or light")
			}
			return text, nil
		},
		func(text string) {
			if text != "" {
				s.chooseTheme(text == "dark")
			}
		})
}

// chooseTheme has the dark or the light theme stay, whatever the system prefers.
func (s *Screen) chooseTheme(dark bool) {
	s.themed = true
	s.setTheme(dark)
}

func (s *Screen) demandLink() *link.Key {
	const most = 1e6 // km
	return link.Number(link.Demand, true, 0, 0, most, "a distance in km",
		func() string { return either(s.DemandKm > 0, phrase.Fixed(s.DemandKm, 1), "") }, func(v float64) { s.DemandKm = v })
}

// values is what the wanted keys of a link and the settings say, apart from what is as usual.
func (s *Screen) values(wanted func(link.Key) bool) url.Values {
	values, err := url.ParseQuery(s.Model.Fragment())
	if err != nil {
		panic("screen: a fragment does not parse: " + err.Error()) // it was just encoded
	}
	for _, l := range s.linkKeys() {
		if text := l.Write(); text != "" && wanted(l) {
			values.Set(l.Name, text)
		}
	}
	return values
}

// Link returns all that is on show as the fragment of an address: what differs from the first view of the preset paper.
func (s *Screen) Link() string {
	values := s.values(func(link.Key) bool { return true })
	if r := s.Model.Record; r != nil && s.entry(r.Name) >= 0 {
		values.Set(link.Record, r.Name)
	}
	if s.told > 0 && !s.departed() {
		return fmt.Sprintf("%s=%d", link.Story, s.told)
	}
	if len(values) == 0 { // nothing would be the first view, which chooses the flight on show
		values.Set("run", strconv.Itoa(s.Model.RunNumber))
	}
	return values.Encode()
}

// Address returns the link that the address of a page has: that to what is on show, at its moment once that stays.
func (s *Screen) Address() string {
	values, err := url.ParseQuery(s.Link())
	if err != nil {
		panic("screen: a link does not parse: " + err.Error()) // it was just encoded
	}
	if s.Model.Clock.Playing {
		values.Del(link.Moment)
	}
	return values.Encode()
}

// share puts the link to what is on show into the address.
func (s *Screen) share() {
	shared := s.shell.Share(s.Link(), func(ok bool) {
		s.Model.Say(false, "The address of this page now leads to exactly this%s", either(ok, ", and is in the clipboard.",
			". The browser did not let it be copied: copy it from the address bar."))
	})
	if !shared {
		s.Model.Say(false, "Links work in a browser: veilpath view serves this as a page.")
	}
}

// entry returns the place of a recording in the library, and -1 for none.
func (s *Screen) entry(name string) int {
	return slices.IndexFunc(s.Library, func(e Entry) bool { return e.Name == name })
}

// Follow shows what a link leads to; what is wrong with it is said on screen and changes nothing. It reports whether
// nothing is.
func (s *Screen) Follow(fragment string) bool {
	s.choosing = false
	s.Model.Message = model.Message{}
	return !s.Model.Refused(s.follow(fragment), func() { s.Follow(fragment) }) || s.Model.Preparing()
}

// Arrive shows first of all what a link leads to, or without a link the first of the recordings on offer. Where there
// is neither, or the link is refused, it shows the flight that tells best what epsilon does.
func (s *Screen) Arrive(fragment, folder string, entries []Entry) {
	s.Library = entries
	switch {
	case fragment == "" && folder != "":
		s.Offer(folder, entries)
	case fragment == "" || !s.Follow(fragment):
		s.Begin()
	}
}

// parsed is a link that was read and not yet followed.
type parsed struct {
	values url.Values
	state  []func() // bring back what undoing does
	look   []func() // show it as it was looked at
}

func (s *Screen) follow(fragment string) error {
	p, err := s.parse(fragment)
	if err != nil {
		return err
	}
	if text := p.values.Get(link.Story); text != "" {
		step, err := strconv.Atoi(text)
		if err != nil || step < 1 || step > len(s.story.Steps) {
			return link.Refuse(link.Story, text, fmt.Sprintf("a step from 1 to %d", len(s.story.Steps)))
		}
		return s.showStep(step)
	}
	name, record := p.values.Get(link.Record), s.Model.Record
	at := s.entry(name)
	if name != "" && at >= 0 && (record == nil || record.Name != name) {
		if problem := s.Library[at].Problem; problem != "" {
			return fmt.Errorf("the link asks for the recording %s: %s", name, problem)
		}
		s.openEntry(at, func() { s.Follow(fragment) })
		return nil
	}
	if at < 0 {
		record = nil
	}
	if err := s.take(&p, record); err != nil {
		return err
	}
	if name != "" && at < 0 {
		s.Model.Say(true, "The recording %s that the link was made of is not among those here; shown are its settings, "+
			"flown again.", name)
	}
	s.Model.Clock.Playing = s.Model.Clock.TimeS == 0 && !s.Still // a link to a moment shows that moment
	for _, do := range slices.Concat(p.state, p.look) {
		do()
	}
	s.told = 0
	return nil
}

// take takes over the settings of a link, as flights of a recording. An error leaves everything as it was.
func (s *Screen) take(p *parsed, record *model.Record) error {
	settings := maps.Clone(p.values)
	for _, key := range []string{link.Record, link.Story} {
		settings.Del(key)
	}
	for _, l := range s.linkKeys() {
		settings.Del(l.Name)
	}
	before := s.Model.Record
	s.Model.Record = record
	err := s.Model.OpenFragment(settings.Encode())
	if err != nil {
		s.Model.Record = before
	}
	return err
}

// parse reads a link.
func (s *Screen) parse(fragment string) (p parsed, err error) {
	if p.values, err = url.ParseQuery(cmp.Or(fragment, "run=0")); err != nil {
		return parsed{}, fmt.Errorf("the link is damaged: %w", err)
	}
	for _, l := range s.linkKeys() {
		do, err := l.Read(p.values.Get(l.Name))
		if err != nil {
			return parsed{}, err
		}
		if l.State {
			p.state = append(p.state, do)
		} else {
			p.look = append(p.look, do)
		}
	}
	return p, nil
}
