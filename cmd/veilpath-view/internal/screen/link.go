package screen

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// noPanel is what links call a window whose panels are folded away.
const noPanel = "none"

// usualSpeed is the speed that links leave out.
const usualSpeed = 8

// heatNames are what can be painted as links and buttons call it, by Heat.
var heatNames = []string{"noise", "off", "belief"}

func (s *Screen) heatLink() *link.Key {
	return link.Word(link.Heat, true, heatNames, int(answer.HeatOff), func() int { return int(s.Heat) },
		func(i int) { s.Heat = answer.Heat(i) })
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
	return link.Of(link.Theme, false,
		func() string { return either(!s.themed, "", either(s.Theme().Dark, "dark", "light")) },
		func(text string) (string, error) {
			if !slices.Contains([]string{"", "dark", "light"}, text) {
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

func (s *Screen) speedLink() *link.Key {
	c := &s.Model.Clock
	return link.Number(link.Speed, usualSpeed, model.MinSpeed, model.MaxSpeed,
		fmt.Sprintf("%v to %v", model.MinSpeed, float64(model.MaxSpeed)),
		func() string { return either(c.Speed == usualSpeed, "", chart.Number(c.Speed)) }, func(v float64) { c.Speed = v })
}

func (s *Screen) loopLink() *link.Key {
	c := &s.Model.Clock
	return link.Of(link.Loop, false,
		func() string { return either(c.Looping(), fmt.Sprintf("%.3f,%.3f", c.LoopFromS, c.LoopToS), "") },
		func(text string) (stretch [2]float64, err error) {
			const latest = 1e6 // s
			if text == "" {
				return stretch, nil
			}
			if stretch, err = link.Pair(text, 0, latest); err != nil || stretch[0] >= stretch[1] {
				return stretch, link.Refuse(link.Loop, text, "two moments in s, such as 40,60")
			}
			return stretch, nil
		},
		func(stretch [2]float64) { c.LoopFromS, c.LoopToS, s.looping = stretch[0], stretch[1], false })
}

func (s *Screen) followLink() *link.Key {
	return link.Of(link.Follow, false, func() string { return either(s.plan.Map.Camera.Follow, "on", "") },
		func(text string) (bool, error) { return link.ReadSwitch(link.Follow, text, false) },
		func(on bool) { s.plan.Pending.Follow = on })
}

// placeLinks say which part of the map is on show.
func (s *Screen) placeLinks() []link.Key {
	return []link.Key{
		*link.Number(link.Zoom, 1, 1e-3, 1e5, "a factor from 0.001 to 100000", func() string {
			zoom := s.plan.Map.Camera.PointsPerKm / s.plan.Whole().PointsPerKm
			return either(s.plan.Sees(s.plan.AsFitted) || math.Abs(zoom-1) < 1e-4, "", strconv.FormatFloat(zoom, 'g', 4, 64))
		}, func(v float64) { s.plan.Pending.Zoom = v }),
		*link.Of(link.Center, false, func() string {
			whole, c := s.plan.Whole(), &s.plan.Map.Camera
			moved := math.Hypot(c.CenterX-whole.CenterX, c.CenterY-whole.CenterY) * c.PointsPerKm
			return either(s.plan.Sees(s.plan.AsFitted) || moved <= 0.5 || c.Follow, "", fmt.Sprintf("%.3f,%.3f", c.CenterX,
				c.CenterY))
		}, func(text string) (*[2]float64, error) {
			const farthest = 1e6 // km
			if text == "" {
				return nil, nil
			}
			center, err := link.Pair(text, -farthest, farthest)
			if err != nil {
				err = link.Refuse(link.Center, text, "km east and north, such as -50,20")
			}
			return &center, err
		}, func(center *[2]float64) { s.plan.Pending.Center = center }),
	}
}

func (s *Screen) keptLink() *link.Key {
	return link.Of(link.Kept, true, s.Model.KeptFragment, model.ParseKept, s.Model.Compare)
}

func (s *Screen) alsoLink() *link.Key {
	return link.Of(link.Also, true, func() string { return strings.Join(s.Also, ",") }, parseAlso,
		func(also []string) { s.Also = also })
}

func (s *Screen) foldedLink() *link.Key {
	return link.Of(link.Folded, false,
		func() string { return either(s.Folded == layout.UsuallyFolded, "", s.Folded.String()) },
		func(text string) (layout.Panels, error) {
			folded, err := layout.ParsePanels(cmp.Or(text, layout.UsuallyFolded.String()))
			if err != nil {
				err = link.Refuse(link.Folded, text, "some of "+strings.Join(layout.PanelNames, ","))
			}
			return folded, err
		},
		func(folded layout.Panels) { s.Folded = folded })
}

// panelLink is the panel that is open where there is room for one.
func (s *Screen) panelLink() link.Key {
	names := append(slices.Clone(layout.TabIDs), noPanel)
	return *link.Word(link.Panel, false, names, int(layout.TabSettings), func() int { return int(s.Tab) },
		func(i int) { s.Tab = layout.Tab(i) })
}

func (s *Screen) demandLink() *link.Key {
	const most = 1e6 // km
	p := link.Number(link.Demand, 0, 0, most, "a distance in km",
		func() string { return either(s.DemandKm > 0, chart.Fixed(s.DemandKm, 1), "") }, func(v float64) { s.DemandKm = v })
	p.State = true
	return p
}

// links returns all that links say beside the settings, the recording and the step of the story.
func (s *Screen) links() []link.Key {
	var all []link.Key
	for i := range s.table {
		if l := s.table[i].link; l != nil {
			all = append(all, *l)
		}
	}
	return append(append(all, s.panelLink()), s.placeLinks()...)
}

// Link returns all that is on show as the fragment of an address: what differs from the first view of the
// preset paper.
func (s *Screen) Link() string {
	values := s.linkValues(func(link.Key) bool { return true })
	if r := s.Model.Record; r != nil && s.entry(r.Name) >= 0 {
		values.Set(link.Record, r.Name)
	}
	if s.told > 0 {
		values.Set(link.Story, strconv.Itoa(s.told))
		step, err := s.overStep(s.told, nil)
		if err != nil {
			panic("screen: a step that is told does not parse: " + err.Error()) // it did when it was shown
		}
		for key := range step {
			if !values.Has(key) {
				values.Set(key, "")
			}
		}
	}
	if len(values) == 0 { // nothing would be the first view, which chooses the flight on show
		values.Set("run", strconv.Itoa(s.Model.RunNumber))
	}
	return values.Encode()
}

// share puts the link to what is on show into the address.
func (s *Screen) share() {
	s.holdLink()
	linked := s.shell.Share(s.Link(), func(ok bool) {
		if ok {
			s.Model.Say(false, "The address of this page now leads to exactly this, and is in the clipboard.")
		} else {
			s.Model.Say(false, "The address of this page now leads to exactly this. The browser did not let it be copied: "+
				"copy it from the address bar.")
		}
	})
	if !linked {
		s.Model.Say(false, "Links work in a browser: veilpath view serves this as a page.")
	}
}

// linkValues is what the wanted keys of a link and the settings say, apart from what is as usual.
func (s *Screen) linkValues(wanted func(link.Key) bool) url.Values {
	values, err := url.ParseQuery(s.Model.Fragment())
	if err != nil {
		panic("screen: a fragment does not parse: " + err.Error()) // it was just encoded
	}
	for _, l := range s.links() {
		if text := l.Write(); text != "" && wanted(l) {
			values.Set(l.Name, text)
		}
	}
	return values
}

// entry returns the place of a recording in the library, and -1 for none.
func (s *Screen) entry(name string) int {
	return slices.IndexFunc(s.Library, func(e Entry) bool { return e.Name == name })
}

// Follow shows what a link leads to; what is wrong with it is said on screen and changes nothing. It reports whether
// nothing is.
func (s *Screen) Follow(fragment string) bool {
	s.Model.Message = model.Message{}
	return !s.Model.Refused(s.follow(fragment), func() { s.Follow(fragment) }) || s.Model.Preparing()
}

// Arrive shows first of all what a link leads to, and where it is refused the same as without one.
func (s *Screen) Arrive(fragment, folder string, entries []Entry) {
	s.Library = entries
	if s.Follow(fragment) {
		return
	}
	if folder == "" {
		s.Begin()
		return
	}
	s.offer(folder, entries, s.Model.Message.Text)
}

// LeftLink reports, once, that what the link in the address led to is no longer on show. How it is looked at does not
// count.
func (s *Screen) LeftLink() bool {
	p := &s.past
	if s.linked == nil || len(p.states) == 0 || p.seen != s.change() || p.states[p.at].link == *s.linked {
		return false
	}
	s.linked = nil
	return true
}

// holdLink notes that the address leads to what is on show.
func (s *Screen) holdLink() {
	now := s.state().link
	s.linked = &now
}

// parsed is a link that was read and not yet followed.
type parsed struct {
	values url.Values // over those of the step of the story that it asks for
	gone   []string   // what only older viewers had
	story  int
	state  []func() // bring back what undoing does
	look   []func() // show it as it was looked at
}

func (s *Screen) follow(fragment string) error {
	p, err := s.parseLink(fragment)
	if err != nil {
		return err
	}
	var step *scene
	if p.story > 0 {
		if step, err = s.sceneOf(p.story); err != nil {
			return err
		}
	}
	name, record := p.values.Get(link.Record), s.Model.Record
	at := s.entry(name)
	if name != "" && at >= 0 && (record == nil || record.Name != name) {
		if problem := s.Library[at].Problem; problem != "" {
			return fmt.Errorf("the link asks for the recording %s: %s", name, problem)
		}
		s.openEntry(at, asked{link: fragment})
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
	s.plan.Pending, s.plan.Fitted = &panel.Where{}, false
	for _, do := range append(p.state, p.look...) {
		do()
	}
	s.setStep(p.story, step)
	s.holdLink()
	if p.gone != nil {
		s.Model.Say(true, "The link asks for %s, which the viewer no longer has. The rest is shown.",
			strings.Join(p.gone, " and "))
	}
	return nil
}

// take takes over the settings of a link, as flights of a recording. An error leaves everything as it was.
func (s *Screen) take(p *parsed, record *model.Record) error {
	before := s.Model.Record
	s.Model.Record = record
	err := s.Model.OpenFragment(s.settingsOf(p.values))
	if err != nil {
		s.Model.Record = before
	}
	return err
}

// parseLink reads a link, over the values of the step of the story that it asks for.
func (s *Screen) parseLink(fragment string) (p parsed, err error) {
	if p.values, err = url.ParseQuery(fragment); err != nil {
		return parsed{}, fmt.Errorf("the link is damaged: %w", err)
	}
	if text := p.values.Get(link.Story); text != "" {
		if p.story, err = strconv.Atoi(text); err != nil || p.story < 0 {
			return parsed{}, link.Refuse(link.Story, text, "a step, counted from 1")
		}
	}
	if p.story > 0 {
		if p.values, err = s.overStep(p.story, p.values); err != nil {
			return parsed{}, err
		}
	}
	p.gone = link.DropGone(p.values)
	for _, l := range s.links() {
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

// overStep returns a link's values over those of a step of the story, which is told in its panel and leaves the theme
// as it is. A key without a value takes the usual one.
func (s *Screen) overStep(step int, over url.Values) (url.Values, error) {
	if step > len(s.Story.Steps) {
		return nil, fmt.Errorf("the story has no step %d; it has %d", step, len(s.Story.Steps))
	}
	values, err := url.ParseQuery(s.Story.Steps[step-1].Show)
	if err != nil {
		return nil, fmt.Errorf("step %d of the story, show: %w", step, err)
	}
	values.Del(link.Theme)
	values.Set(link.Panel, layout.TabIDs[layout.TabStory])
	values.Set(link.Story, strconv.Itoa(step))
	for key, value := range over {
		if values[key] = value; value[0] == "" {
			values.Del(key)
		}
	}
	return values, nil
}

// settingsOf is a link without what says how things are shown.
func (s *Screen) settingsOf(values url.Values) string {
	settings := maps.Clone(values)
	for _, key := range []string{link.Record, link.Story} {
		settings.Del(key)
	}
	for _, l := range s.links() {
		settings.Del(l.Name)
	}
	return settings.Encode()
}
