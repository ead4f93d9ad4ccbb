package screen

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/model"
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

// switchLink is what a link says of a switch: one word for on and one for off, of which the usual one is left out.
func switchLink(key string, at *bool, on, off string, usual bool) *linkKey {
	return &linkKey{key: key,
		write: func() string { return either(*at == usual, "", either(*at, on, off)) },
		read: func(text string) (func(), error) {
			now := usual
			if text == on || text == off {
				now = text == on
			}
			return func() { *at = now }, nil
		}}
}

// wordLink is what a link says of one of several words, of which the first is the usual one.
func wordLink(key string, state bool, words []string, usual int, at func() int, set func(int)) *linkKey {
	return &linkKey{key: key, state: state,
		write: func() string { return either(at() == usual, "", words[at()]) },
		read: func(text string) (func(), error) {
			i := slices.Index(words, text)
			if text == "" {
				i = usual
			}
			if i < 0 {
				return nil, refuse(key, text, strings.Join(words, ", "))
			}
			return func() { set(i) }, nil
		}}
}

func (s *Screen) heatLink() *linkKey {
	return wordLink(linkHeat, true, heatNames, int(HeatOff), func() int { return int(s.Heat) },
		func(i int) { s.Heat = Heat(i) })
}

func (s *Screen) goalLink() *linkKey {
	l := wordLink(linkGoalObserver, true, adversary.GoalNames(), mostKnowing, func() int { return s.Observer },
		func(i int) { s.Observer = i })
	write := l.write
	l.write = func() string { return either(s.inferring(), write(), "") }
	return l
}

// themeLink is always written, since the theme may come from the reader's system.
func (s *Screen) themeLink() *linkKey {
	return &linkKey{key: linkTheme, write: func() string { return either(s.theme().Dark, "dark", "light") },
		read: func(text string) (func(), error) {
			switch text {
			case "":
				return func() {}, nil
			case "dark", "light":
				return func() { s.SetDark(text == "dark") }, nil
			}
			return nil, refuse(linkTheme, text, "dark or light")
		}}
}

// numberLink is what a link says of a number between two ends, of which the usual one is left out.
func numberLink(key string, usual, low, high float64, want string, write func() string, set func(float64)) *linkKey {
	return &linkKey{key: key, write: write, read: func(text string) (func(), error) {
		v, ok := within(text, usual, low, high)
		if !ok {
			return nil, refuse(key, text, want)
		}
		return func() { set(v) }, nil
	}}
}

func (s *Screen) speedLink() *linkKey {
	c := &s.Model.Clock
	return numberLink(linkSpeed, usualSpeed, model.MinSpeed, model.MaxSpeed,
		fmt.Sprintf("%v to %v", model.MinSpeed, float64(model.MaxSpeed)),
		func() string { return either(c.Speed == usualSpeed, "", number(c.Speed)) }, func(v float64) { c.Speed = v })
}

func (s *Screen) loopLink() *linkKey {
	c := &s.Model.Clock
	return &linkKey{key: linkLoop,
		write: func() string {
			return either(c.Looping(), fmt.Sprintf("%.3f,%.3f", c.LoopFromS, c.LoopToS), "")
		},
		read: func(text string) (func(), error) {
			from, to, err := 0.0, 0.0, error(nil)
			if text != "" {
				const latest = 1e6 // s
				if from, to, err = pair(text, 0, latest); err != nil || from >= to {
					return nil, refuse(linkLoop, text, "two moments in s, such as 40,60")
				}
			}
			return func() { c.LoopFromS, c.LoopToS, s.looping = from, to, false }, nil
		}}
}

// pair reads two numbers with a comma in between, within two ends.
func pair(text string, low, high float64) (a, b float64, err error) {
	first, second, _ := strings.Cut(text, ",")
	a, okA := within(first, math.NaN(), low, high)
	b, okB := within(second, math.NaN(), low, high)
	if !okA || !okB {
		return 0, 0, fmt.Errorf("%q is not two numbers", text)
	}
	return a, b, nil
}

// whereLook is the place of the map that a link asks for, which waits for the size of the window.
type whereLook struct {
	zoom             float64
	centerX, centerY float64
	centered, follow bool
}

func (s *Screen) followLink() *linkKey {
	return &linkKey{key: linkFollow, write: func() string { return either(s.plan.Camera.Follow, "on", "") },
		read: func(text string) (func(), error) { return func() { s.pending.follow = text == "on" }, nil }}
}

// placeLinks say which part of the map is on show.
func (s *Screen) placeLinks() []linkKey {
	return []linkKey{
		*numberLink(linkZoom, 1, 1e-3, 1e5, "a factor above 0", func() string {
			zoom := s.plan.Camera.PointsPerKm / s.wholeMap().PointsPerKm
			return either(math.Abs(zoom-1) < 1e-4, "", strconv.FormatFloat(zoom, 'g', 4, 64))
		}, func(v float64) { s.pending.zoom = v }),
		{key: linkCenter,
			write: func() string {
				whole, c := s.wholeMap(), &s.plan.Camera
				moved := math.Hypot(c.CenterX-whole.CenterX, c.CenterY-whole.CenterY) * c.PointsPerKm
				return either(moved <= 0.5 || c.Follow, "", fmt.Sprintf("%.3f,%.3f", c.CenterX, c.CenterY))
			},
			read: func(text string) (func(), error) {
				if text == "" {
					return func() {}, nil
				}
				const farthest = 1e6 // km
				x, y, err := pair(text, -farthest, farthest)
				if err != nil {
					return nil, refuse(linkCenter, text, "km east and north, such as -50,20")
				}
				return func() { s.pending.centerX, s.pending.centerY, s.pending.centered = x, y, true }, nil
			}},
	}
}

func (s *Screen) keptLink() *linkKey {
	return &linkKey{key: linkKept, state: true, write: s.Model.KeptFragment, read: func(text string) (func(), error) {
		kept, err := model.ParseKept(text)
		return func() { s.Model.Compare(kept) }, err
	}}
}

func (s *Screen) brushLink() *linkKey {
	return &linkKey{key: linkBrush, state: true,
		write: func() string { return either(s.selection.kind == allFlights, "", s.selection.link()) },
		read: func(text string) (func(), error) {
			c, err := parseSelection(text)
			if err != nil {
				err = refuse(linkBrush, text, "km:14,22 or area:west,east,south,north in km, or crossed")
			}
			return func() { s.choose(c) }, err
		}}
}

func (s *Screen) alsoLink() *linkKey {
	return &linkKey{key: linkAlso, state: true, write: func() string { return strings.Join(s.Also, ",") },
		read: func(text string) (func(), error) {
			also, err := parseAlso(text)
			return func() { s.Also = also }, err
		}}
}

func (s *Screen) foldedLink() *linkKey {
	return &linkKey{key: linkFolded,
		write: func() string {
			return either(s.Folded == usuallyFolded, "", either(s.Folded == 0, noFolds, s.Folded.String()))
		},
		read: func(text string) (func(), error) {
			folded, err := parsePanels(text)
			return func() { s.Folded = either(text == "", usuallyFolded, folded) }, err
		}}
}

// panelLink is the panel that is open where there is room for one.
func (s *Screen) panelLink() linkKey {
	names := append(slices.Clone(tabIDs), noPanel)
	return *wordLink(linkPanel, false, names, int(TabSettings), func() int { return int(s.Tab) },
		func(i int) { s.Tab = Tab(i) })
}

func (s *Screen) demandLink() *linkKey {
	const most = 1e6 // km
	return numberLink(linkDemand, 0, 0, most, "a distance in km",
		func() string { return either(s.demandKm > 0, fixed(s.demandKm, 1), "") }, func(v float64) { s.demandKm = v })
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
	for key, value := range map[string]string{linkMoved: movedLink(s.Model.WhatIf), linkOut: outLink(s.Model.WhatIf)} {
		if value != "" {
			values.Set(key, value)
		}
	}
	return values.Encode()
}

// linkValues is what the wanted keys of a link say, and the settings, apart from what is as usual.
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
	return values
}

// entry returns the place of a recording in the library, and -1 for none.
func (s *Screen) entry(name string) int {
	return slices.IndexFunc(s.Library, func(e Entry) bool { return e.Name == name })
}

// Follow shows what a link leads to; what is wrong with it is said on screen and changes nothing.
func (s *Screen) Follow(fragment string) {
	s.failed(s.follow(fragment), func() { s.Follow(fragment) })
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
		s.Model.Record = nil
	}
	if err := s.Model.OpenFragment(s.settingsOf(link.values), link.whatIf); err != nil {
		s.Model.Record = record
		return err
	}
	if name != "" && at < 0 {
		s.Model.Say(true, "The recording %s that the link was made of is not among those here; shown are its settings, "+
			"flown again.", name)
	}
	s.Model.Clock.Playing = s.Model.Clock.TimeS == 0 && !s.Still // a link to a moment shows that moment
	s.pending, s.fitted = &whereLook{}, false
	for _, do := range append(link.state, link.look...) {
		do()
	}
	s.setStep(link.story, step)
	return nil
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
	values.Set(linkPanel, tabIDs[TabStory])
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

// place gives the camera the place that a link asks for, once the map's size is known.
func (s *Screen) place(l *whereLook) {
	s.plan.Camera.PointsPerKm *= l.zoom
	if l.centered {
		s.plan.Camera.CenterX, s.plan.Camera.CenterY = l.centerX, l.centerY
	}
	s.plan.Camera.Follow = l.follow
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
