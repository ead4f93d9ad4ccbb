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

// heatNames are the reward maps as links and buttons call them, by Heat.
var heatNames = []string{"private", "true", "noise", "off", "belief"}

// The keys of a link that say how things are shown. Settings have a dot in their keys, these have none.
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
	linkTilt         = "tilt"
	linkKept         = "kept"     // settings compared with, as a fragment of their own
	linkBeside       = "maps"     // two, where settings are compared
	linkBrush        = "brush"    // flights selected: by km, or by an area
	linkMoved        = "moved"    // waypoints, by hand
	linkOut          = "out"      // cells kept out of, by hand
	linkStory        = "story"    // step that is told
	linkAlong        = "along"    // epsilon is shown in place of the map of epsilon and radius
	linkGoalObserver = "observer" // of the goal whose belief is painted
	linkLoop         = "loop"     // stretch that is played again and again, s
	linkMoment       = "t"        // s, of the model's part of a link
)

// noPanel is what links call a window whose panels are folded away.
const noPanel = "none"

// usualSpeed is the speed that links leave out.
const usualSpeed = 8

// Link returns all that is on show as the fragment of an address: what differs from the first view of the
// preset paper. The theme is always in it, since it may come from the reader's system.
func (s *Screen) Link() string {
	values := s.linkValues()
	if s.told > 0 {
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

// linkValues is all that is on show apart from what is as usual.
func (s *Screen) linkValues() url.Values {
	values, err := url.ParseQuery(s.Model.Fragment())
	if err != nil {
		panic("screen: a fragment does not parse: " + err.Error()) // it was just encoded
	}
	set := func(key, value string, usual bool) {
		if !usual {
			values.Set(key, value)
		}
	}
	if r := s.Model.Record; r != nil {
		set(linkRecord, r.Name, s.entry(r.Name) < 0)
	}
	set(linkPanel, append(slices.Clone(tabIDs), noPanel)[s.Tab], s.Tab == TabSettings)
	set(linkFolded, s.Folded.String(), s.Folded == 0)
	set(linkAlso, strings.Join(s.Also, ","), len(s.Also) == 0)
	set(linkHeat, heatNames[s.Heat], s.Heat == HeatPrivate)
	set(linkFan, "off", s.ShowFan)
	set(linkKept, s.Model.KeptFragment(), s.Model.Pair == nil)
	set(linkBeside, "two", !s.Beside)
	set(linkBrush, s.selection.link(), s.selection.kind == allFlights)
	set(linkMoved, movedLink(s.Model.WhatIf), len(s.Model.WhatIf.Moved) == 0)
	set(linkOut, outLink(s.Model.WhatIf), len(s.Model.WhatIf.KeptOut) == 0)
	set(linkTilt, "on", !s.camera.Tilted)
	set(linkStory, strconv.Itoa(s.told), s.told == 0)
	set(linkAlong, "on", !s.ShowAxis)
	set(linkGoalObserver, adversary.GoalNames()[s.Observer], !s.inferring() || s.Observer == mostKnowing)
	set(linkArrows, "off", s.ShowHead)
	set(linkTheme, map[bool]string{true: "dark", false: "light"}[s.theme().Dark], false)
	set(linkSpeed, number(s.Model.Clock.Speed), s.Model.Clock.Speed == usualSpeed)
	set(linkLoop, fmt.Sprintf("%.3f,%.3f", s.Model.Clock.LoopFromS, s.Model.Clock.LoopToS), !s.Model.Clock.Looping())
	set(linkFollow, "on", !s.camera.Follow)
	whole := s.camera
	s.fitTo(&whole)
	zoom := s.camera.PointsPerKm / whole.PointsPerKm
	set(linkZoom, strconv.FormatFloat(zoom, 'g', 4, 64), math.Abs(zoom-1) < 1e-4)
	moved := math.Hypot(s.camera.CenterX-whole.CenterX, s.camera.CenterY-whole.CenterY)*s.camera.PointsPerKm > 0.5
	set(linkCenter, fmt.Sprintf("%.3f,%.3f", s.camera.CenterX, s.camera.CenterY), !moved || s.camera.Follow)
	return values
}

// look is how things are shown, as a link says it.
type look struct {
	heat               Heat
	tab                Tab
	fan, arrows        bool
	dark, follow       bool
	speed, zoom        float64
	loopFrom, loopTo   float64 // s
	centerX, centerY   float64
	centered, hasTheme bool
	along              bool
	story              int
	tilted             bool
	selection          selection
	whatIf             model.WhatIf
	kept               string
	beside             bool
	folded             panelSet
	also               []string
	observer           int
}

// entry returns the place of a recording in the library, and -1 for none.
func (s *Screen) entry(name string) int {
	return slices.IndexFunc(s.Library, func(e Entry) bool { return e.Name == name })
}

// Follow shows what a link leads to; what is wrong with it is said on screen and changes nothing.
func (s *Screen) Follow(fragment string) {
	if err := s.follow(fragment); err != nil {
		s.Model.Say(true, "%v", err)
	}
}

func (s *Screen) follow(fragment string) error {
	values, l, kept, err := s.parseLink(fragment)
	if err != nil {
		return err
	}
	var step *scene
	if l.story > 0 {
		if step, err = s.sceneOf(l.story); err != nil {
			return err
		}
	}
	name, record := values.Get(linkRecord), s.Model.Record
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
	if err := s.Model.OpenFragment(settingsOf(values), l.whatIf); err != nil {
		s.Model.Record = record
		return err
	}
	if name != "" && at < 0 {
		s.Model.Say(true, "The recording %s that the link was made of is not among those here; shown are its settings, "+
			"flown anew.", name)
	}
	s.Tab, s.Folded = l.tab, l.folded
	s.Model.Clock.Playing = s.Model.Clock.TimeS == 0 && !s.Still // a link to a moment shows that moment
	s.Model.Clock.Speed = l.speed
	s.Model.Clock.LoopFromS, s.Model.Clock.LoopToS, s.looping = l.loopFrom, l.loopTo, false
	s.ShowFan, s.ShowHead = l.fan, l.arrows
	s.camera.Tilted = l.tilted
	s.take(&l, kept)
	s.setStep(l.story, step)
	s.ShowAxis = l.along
	if l.hasTheme {
		s.SetDark(l.dark)
	}
	s.pending, s.fitted = &l, false
	return nil
}

// parseLink reads a link: its values, over those of the step of the story that it asks for, how things are shown, and
// what is compared with.
func (s *Screen) parseLink(fragment string) (values url.Values, l look, kept *model.World, err error) {
	if values, err = url.ParseQuery(fragment); err != nil {
		return nil, look{}, nil, fmt.Errorf("the link is damaged: %w", err)
	}
	if l, err = parseLook(values); err != nil {
		return nil, look{}, nil, err
	}
	if l.story > 0 {
		if values, err = s.overStep(l.story, values); err == nil {
			l, err = parseLook(values)
		}
		if err != nil {
			return nil, look{}, nil, err
		}
	}
	kept, err = s.Model.ParseKept(l.kept)
	return values, l, kept, err
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

// take shows what a link says of observers, of what is painted, selected and compared with.
func (s *Screen) take(l *look, kept *model.World) {
	s.Also, s.Heat, s.Observer, s.Beside = l.also, l.heat, l.observer, l.beside
	s.choose(l.selection)
	s.Model.Compare(kept)
}

// settingsOf is a link without what says how things are shown.
func settingsOf(values url.Values) string {
	settings := maps.Clone(values)
	for _, key := range []string{linkHeat, linkFan, linkArrows, linkTheme, linkSpeed, linkFollow, linkCenter, linkZoom,
		linkPanel, linkFolded, linkAlso, linkRecord,
		linkAlong, linkGoalObserver, linkStory, linkTilt, linkKept, linkBeside, linkBrush, linkMoved, linkOut, linkLoop} {
		settings.Del(key)
	}
	return settings.Encode()
}

// place gives the camera the place that a link asks for, once the map's size is known.
func (s *Screen) place(l *look) {
	s.camera.PointsPerKm *= l.zoom
	if l.centered {
		s.camera.CenterX, s.camera.CenterY = l.centerX, l.centerY
	}
	s.camera.Follow = l.follow
}

func parseLook(values url.Values) (look, error) {
	l := look{speed: usualSpeed, zoom: 1, fan: values.Get(linkFan) != "off", arrows: values.Get(linkArrows) != "off",
		follow: values.Get(linkFollow) == "on",
		along:  values.Get(linkAlong) == "on", tilted: values.Get(linkTilt) == "on", beside: values.Get(linkBeside) == "two",
		observer: mostKnowing}
	bad := func(key, want string) error {
		return fmt.Errorf("the link asks for %s %q; want %s", key, values.Get(key), want)
	}
	if text := values.Get(linkHeat); text != "" {
		at := slices.Index(heatNames, text)
		if at < 0 {
			return l, bad(linkHeat, strings.Join(heatNames, ", "))
		}
		l.heat = Heat(at)
	}
	l.kept = values.Get(linkKept)
	var err error
	if l.selection, err = parseSelection(values.Get(linkBrush)); err != nil {
		return l, bad(linkBrush, "km:14,22 or area:west,east,south,north in km, settings:epsilon,epsilon,km,km of radius, "+
			"or crossed")
	}
	if l.whatIf, err = parseWhatIf(values.Get(linkMoved), values.Get(linkOut)); err != nil {
		return l, err
	}
	if text := values.Get(linkStory); text != "" {
		var err error
		if l.story, err = strconv.Atoi(text); err != nil || l.story < 0 {
			return l, bad(linkStory, "a step, counted from 1")
		}
	}
	if text := values.Get(linkGoalObserver); text != "" {
		if l.observer = slices.Index(adversary.GoalNames(), text); l.observer < 0 {
			return l, bad(linkGoalObserver, strings.Join(adversary.GoalNames(), ", "))
		}
	}
	if text := values.Get(linkPanel); text == noPanel {
		l.tab = TabNone
	} else if text != "" {
		at := slices.Index(tabIDs, text)
		if at < 0 {
			return l, bad(linkPanel, strings.Join(tabIDs, ", ")+", "+noPanel)
		}
		l.tab = Tab(at)
	}
	if l.also, err = parseAlso(values.Get(linkAlso)); err != nil {
		return l, err
	}
	if l.folded, err = parsePanels(values.Get(linkFolded)); err != nil {
		return l, err
	}
	if text := values.Get(linkTheme); text != "" {
		if l.hasTheme, l.dark = true, text == "dark"; !l.dark && text != "light" {
			return l, bad(linkTheme, "dark or light")
		}
	}
	var ok bool
	if l.speed, ok = within(values.Get(linkSpeed), usualSpeed, model.MinSpeed, model.MaxSpeed); !ok {
		return l, bad(linkSpeed, fmt.Sprintf("%v to %v", model.MinSpeed, float64(model.MaxSpeed)))
	}
	if text := values.Get(linkLoop); text != "" {
		from, to, _ := strings.Cut(text, ",")
		const latest = 1e6 // s
		var okTo bool
		l.loopFrom, ok = within(from, math.NaN(), 0, latest)
		if l.loopTo, okTo = within(to, math.NaN(), l.loopFrom, latest); !ok || !okTo || l.loopTo == l.loopFrom {
			return l, bad(linkLoop, "two moments in s, such as 40,60")
		}
	}
	const least, most = 1e-3, 1e5
	if l.zoom, ok = within(values.Get(linkZoom), 1, least, most); !ok {
		return l, bad(linkZoom, "a factor above 0")
	}
	if text := values.Get(linkCenter); text != "" {
		east, north, _ := strings.Cut(text, ",")
		const farthest = 1e6 // km
		x, okX := within(east, math.NaN(), -farthest, farthest)
		y, okY := within(north, math.NaN(), -farthest, farthest)
		if !okX || !okY {
			return l, bad(linkCenter, "km east and north, such as -50,20")
		}
		l.centerX, l.centerY, l.centered = x, y, true
	}
	return l, nil
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
