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
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// linkKey is what a link says of a control under a key of its own. Settings have a dot in their keys, these have none.
type linkKey struct {
	key   string
	write func() string                            // empty for the usual
	read  func(text string) (do func(), err error) // nothing is changed before do
	state bool                                     // undoing brings it back; the others say how it is looked at
}

// The keys of links that other code names.
const (
	linkHeat         = "map"
	linkFan          = "fan"
	linkArrows       = "arrows"
	linkTheme        = "theme"
	linkSpeed        = "speed"
	linkFollow       = "follow"
	linkCenter       = "center" // of the map, km east and north
	linkZoom         = "zoom"   // 1 shows the whole map, whatever the size of the window
	linkPanel        = "panel"  // that is open where there is room for one
	linkFolded       = "folded" // panels of a wide window
	linkAlso         = "also"   // observers whose guesses are drawn too
	linkRecord       = "recording"
	linkKept         = "kept"     // settings compared with, as a fragment of their own
	linkBrush        = "brush"    // flights selected: by km, or by an area
	linkMoved        = "moved"    // waypoints, by hand
	linkOut          = "out"      // cells kept out of, by hand
	linkStory        = "story"    // step that is told
	linkGoalObserver = "observer" // of the goal whose belief is painted
	linkLoop         = "loop"     // stretch that is played again and again, s
	linkDemand       = "demand"   // km that flights are to be hidden until on average
	linkMoment       = "t"        // s, of the model's part of a link
)

// noPanel is what links call a window whose panels are folded away, and noFolds one with all panels.
const (
	noPanel = "none"
	noFolds = "none"
)

// usualSpeed is the speed that links leave out.
const usualSpeed = 8

// refuse is the error of a link that asks for what there is not.
func refuse(key, text, want string) error {
	return fmt.Errorf("the link asks for %s %q; want %s", key, text, want)
}

// linkOf is what a link says under a key: what parse makes of it, set takes over.
func linkOf[T any](key string, state bool, write func() string, parse func(string) (T, error), set func(T)) *linkKey {
	return &linkKey{key: key, state: state, write: write, read: func(text string) (func(), error) {
		value, err := parse(text)
		return func() { set(value) }, err
	}}
}

// switchLink is what a link says of a switch: on or off, of which the usual one is left out.
func switchLink(key string, at *bool, usual bool) *linkKey {
	return linkOf(key, false,
		func() string { return either(*at == usual, "", either(*at, "on", "off")) },
		func(text string) (bool, error) { return readSwitch(key, text, usual) }, func(on bool) { *at = on })
}

// readSwitch reads on or off; no text is the usual one.
func readSwitch(key, text string, usual bool) (on bool, err error) {
	if text = cmp.Or(text, either(usual, "on", "off")); text != "on" && text != "off" {
		return usual, refuse(key, text, "on or off")
	}
	return text == "on", nil
}

// wordLink is what a link says of one of several words, of which the usual one is left out.
func wordLink(key string, state bool, words []string, usual int, at func() int, set func(int)) *linkKey {
	return linkOf(key, state,
		func() string { return either(at() == usual, "", words[at()]) },
		func(text string) (int, error) {
			i := either(text == "", usual, slices.Index(words, text))
			if i < 0 {
				return 0, refuse(key, text, strings.Join(words, ", "))
			}
			return i, nil
		}, set)
}

func (s *Screen) heatLink() *linkKey {
	return wordLink(linkHeat, true, heatNames, int(answer.HeatOff), func() int { return int(s.Heat) },
		func(i int) { s.Heat = answer.Heat(i) })
}

func (s *Screen) goalLink() *linkKey {
	l := wordLink(linkGoalObserver, true, adversary.GoalNames(), answer.MostKnowing, func() int { return s.Observer },
		func(i int) { s.Observer = i })
	write := l.write
	l.write = func() string { return either(s.Inferring(), write(), "") }
	return l
}

// themeLink is always written, since the theme may come from the reader's system.
func (s *Screen) themeLink() *linkKey {
	return linkOf(linkTheme, false, func() string { return either(s.Theme().Dark, "dark", "light") },
		func(text string) (string, error) {
			if !slices.Contains([]string{"", "dark", "light"}, text) {
				return "", refuse(linkTheme, text, "dark or light")
			}
			return text, nil
		},
		func(text string) {
			if text != "" {
				s.SetDark(text == "dark")
			}
		})
}

// numberLink is what a link says of a number between two ends, of which the usual one is left out.
func numberLink(key string, usual, low, high float64, want string, write func() string, set func(float64)) *linkKey {
	return linkOf(key, false, write, func(text string) (float64, error) {
		v, ok := within(text, usual, low, high)
		if !ok {
			return 0, refuse(key, text, want)
		}
		return v, nil
	}, set)
}

func (s *Screen) speedLink() *linkKey {
	c := &s.Model.Clock
	return numberLink(linkSpeed, usualSpeed, model.MinSpeed, model.MaxSpeed,
		fmt.Sprintf("%v to %v", model.MinSpeed, float64(model.MaxSpeed)),
		func() string { return either(c.Speed == usualSpeed, "", number(c.Speed)) }, func(v float64) { c.Speed = v })
}

func (s *Screen) loopLink() *linkKey {
	c := &s.Model.Clock
	return linkOf(linkLoop, false,
		func() string { return either(c.Looping(), fmt.Sprintf("%.3f,%.3f", c.LoopFromS, c.LoopToS), "") },
		func(text string) (stretch [2]float64, err error) {
			const latest = 1e6 // s
			if text == "" {
				return stretch, nil
			}
			if stretch, err = pair(text, 0, latest); err != nil || stretch[0] >= stretch[1] {
				return stretch, refuse(linkLoop, text, "two moments in s, such as 40,60")
			}
			return stretch, nil
		},
		func(stretch [2]float64) { c.LoopFromS, c.LoopToS, s.looping = stretch[0], stretch[1], false })
}

// pair reads two numbers with a comma in between, within two ends.
func pair(text string, low, high float64) (both [2]float64, err error) {
	first, second, _ := strings.Cut(text, ",")
	a, okA := within(first, math.NaN(), low, high)
	b, okB := within(second, math.NaN(), low, high)
	if !okA || !okB {
		return both, fmt.Errorf("%q is not two numbers", text)
	}
	return [2]float64{a, b}, nil
}

func (s *Screen) followLink() *linkKey {
	return linkOf(linkFollow, false, func() string { return either(s.plan.Map.Camera.Follow, "on", "") },
		func(text string) (bool, error) { return readSwitch(linkFollow, text, false) },
		func(on bool) { s.plan.Pending.Follow = on })
}

// placeLinks say which part of the map is on show.
func (s *Screen) placeLinks() []linkKey {
	return []linkKey{
		*numberLink(linkZoom, 1, 1e-3, 1e5, "a factor from 0.001 to 100000", func() string {
			zoom := s.plan.Map.Camera.PointsPerKm / s.plan.Whole().PointsPerKm
			return either(s.plan.Sees(s.plan.AsFitted) || math.Abs(zoom-1) < 1e-4, "", strconv.FormatFloat(zoom, 'g', 4, 64))
		}, func(v float64) { s.plan.Pending.Zoom = v }),
		*linkOf(linkCenter, false, func() string {
			whole, c := s.plan.Whole(), &s.plan.Map.Camera
			moved := math.Hypot(c.CenterX-whole.CenterX, c.CenterY-whole.CenterY) * c.PointsPerKm
			return either(s.plan.Sees(s.plan.AsFitted) || moved <= 0.5 || c.Follow, "", fmt.Sprintf("%.3f,%.3f", c.CenterX, c.CenterY))
		}, func(text string) (*[2]float64, error) {
			const farthest = 1e6 // km
			if text == "" {
				return nil, nil
			}
			center, err := pair(text, -farthest, farthest)
			if err != nil {
				err = refuse(linkCenter, text, "km east and north, such as -50,20")
			}
			return &center, err
		}, func(center *[2]float64) { s.plan.Pending.Center = center }),
	}
}

func (s *Screen) keptLink() *linkKey {
	return linkOf(linkKept, true, s.Model.KeptFragment, model.ParseKept, s.Model.Compare)
}

func (s *Screen) brushLink() *linkKey {
	return linkOf(linkBrush, true,
		func() string { return either(s.Selection.Kind == answer.AllFlights, "", selectionLink(&s.Selection)) },
		func(text string) (answer.Selection, error) {
			c, err := parseSelection(text)
			if err != nil {
				err = refuse(linkBrush, text, "km:14,22 or area:west,east,south,north in km, or crossed")
			}
			return c, err
		}, s.Choose)
}

func (s *Screen) alsoLink() *linkKey {
	return linkOf(linkAlso, true, func() string { return strings.Join(s.Also, ",") }, parseAlso,
		func(also []string) { s.Also = also })
}

func (s *Screen) foldedLink() *linkKey {
	return linkOf(linkFolded, false,
		func() string { return either(s.Folded == layout.UsuallyFolded, "", s.Folded.String()) },
		func(text string) (layout.Panels, error) {
			folded, err := layout.ParsePanels(cmp.Or(text, layout.UsuallyFolded.String()))
			if err != nil {
				err = refuse(linkFolded, text, "some of "+strings.Join(layout.PanelNames, ","))
			}
			return folded, err
		},
		func(folded layout.Panels) { s.Folded = folded })
}

// panelLink is the panel that is open where there is room for one.
func (s *Screen) panelLink() linkKey {
	names := append(slices.Clone(layout.TabIDs), noPanel)
	return *wordLink(linkPanel, false, names, int(layout.TabSettings), func() int { return int(s.Tab) },
		func(i int) { s.Tab = layout.Tab(i) })
}

func (s *Screen) demandLink() *linkKey {
	const most = 1e6 // km
	link := numberLink(linkDemand, 0, 0, most, "a distance in km",
		func() string { return either(s.DemandKm > 0, fixed(s.DemandKm, 1), "") }, func(v float64) { s.DemandKm = v })
	link.state = true
	return link
}

// links returns all that links say beside the settings, the recording, the step of the story and what was changed by
// hand.
func (s *Screen) links() []linkKey {
	var all []linkKey
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
	values := s.linkValues(func(linkKey) bool { return true })
	if r := s.Model.Record; r != nil && s.entry(r.Name) >= 0 {
		values.Set(linkRecord, r.Name)
	}
	if s.told > 0 {
		values.Set(linkStory, strconv.Itoa(s.told))
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
	return values.Encode()
}

// linkValues is what the wanted keys of a link say, the settings and what was changed by hand, apart from what is as
// usual.
func (s *Screen) linkValues(wanted func(linkKey) bool) url.Values {
	values, err := url.ParseQuery(s.Model.Fragment())
	if err != nil {
		panic("screen: a fragment does not parse: " + err.Error()) // it was just encoded
	}
	for _, l := range s.links() {
		if text := l.write(); text != "" && wanted(l) {
			values.Set(l.key, text)
		}
	}
	for key, text := range map[string]string{linkMoved: movedLink(s.Model.WhatIf), linkOut: outLink(s.Model.WhatIf)} {
		if text != "" {
			values.Set(key, text)
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
		s.Begin(false)
		return
	}
	s.offer(folder, entries, s.Model.Message.Text)
}

// parsed is a link that was read and not yet followed.
type parsed struct {
	values url.Values // over those of the step of the story that it asks for
	whatIf model.WhatIf
	story  int
	state  []func() // bring back what undoing does
	look   []func() // show it as it was looked at
}

func (s *Screen) follow(fragment string) error {
	link, err := s.parseLink(fragment)
	if err != nil {
		return err
	}
	var step *scene
	if link.story > 0 {
		if step, err = s.sceneOf(link.story); err != nil {
			return err
		}
	}
	name, record := link.values.Get(linkRecord), s.Model.Record
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
	if err := s.take(&link, record); err != nil {
		return err
	}
	if name != "" && at < 0 {
		s.Model.Say(true, "The recording %s that the link was made of is not among those here; shown are its settings, "+
			"flown again.", name)
	}
	s.Model.Clock.Playing = s.Model.Clock.TimeS == 0 && !s.Still // a link to a moment shows that moment
	s.plan.Pending, s.plan.Fitted = &panel.Where{}, false
	for _, do := range append(link.state, link.look...) {
		do()
	}
	s.setStep(link.story, step)
	return nil
}

// take takes over the settings of a link, as flights of a recording, and what it changes by hand. An error leaves
// everything as it was.
func (s *Screen) take(link *parsed, record *model.Record) error {
	before := s.Model.Record
	s.Model.Record = record
	err := s.Model.OpenFragment(s.settingsOf(link.values), link.whatIf)
	if err != nil {
		s.Model.Record = before
	}
	return err
}

// parseLink reads a link, over the values of the step of the story that it asks for.
func (s *Screen) parseLink(fragment string) (link parsed, err error) {
	if link.values, err = url.ParseQuery(fragment); err != nil {
		return parsed{}, fmt.Errorf("the link is damaged: %w", err)
	}
	if text := link.values.Get(linkStory); text != "" {
		if link.story, err = strconv.Atoi(text); err != nil || link.story < 0 {
			return parsed{}, refuse(linkStory, text, "a step, counted from 1")
		}
	}
	if link.story > 0 {
		if link.values, err = s.overStep(link.story, link.values); err != nil {
			return parsed{}, err
		}
	}
	if link.whatIf, err = parseWhatIf(link.values.Get(linkMoved), link.values.Get(linkOut)); err != nil {
		return parsed{}, err
	}
	for _, l := range s.links() {
		do, err := l.read(link.values.Get(l.key))
		if err != nil {
			return parsed{}, err
		}
		if l.state {
			link.state = append(link.state, do)
		} else {
			link.look = append(link.look, do)
		}
	}
	return link, nil
}

// overStep returns a link's values over those of a step of the story, which is told in its panel and leaves the theme
// as it is. A key without a value takes the usual one.
func (s *Screen) overStep(step int, link url.Values) (url.Values, error) {
	if step > len(s.Story.Steps) {
		return nil, fmt.Errorf("the story has no step %d; it has %d", step, len(s.Story.Steps))
	}
	values, err := url.ParseQuery(s.Story.Steps[step-1].Show)
	if err != nil {
		return nil, fmt.Errorf("step %d of the story, show: %w", step, err)
	}
	values.Del(linkTheme)
	values.Set(linkPanel, layout.TabIDs[layout.TabStory])
	values.Set(linkStory, strconv.Itoa(step))
	for key, value := range link {
		if values[key] = value; value[0] == "" {
			values.Del(key)
		}
	}
	return values, nil
}

// settingsOf is a link without what says how things are shown.
func (s *Screen) settingsOf(values url.Values) string {
	settings := maps.Clone(values)
	for _, key := range []string{linkRecord, linkStory, linkMoved, linkOut} {
		settings.Del(key)
	}
	for _, l := range s.links() {
		settings.Del(l.key)
	}
	return settings.Encode()
}

// within reads a number from low to high; no text is the usual one.
func within(text string, usual, low, high float64) (float64, bool) {
	v := usual
	if text != "" {
		var err error
		if v, err = strconv.ParseFloat(text, 64); err != nil {
			return 0, false
		}
	}
	return v, v >= low && v <= high
}
