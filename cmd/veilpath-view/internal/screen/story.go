package screen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// telling is the story that is told, and where it has come to.
type telling struct {
	Story *Story // to be told

	told      int    // its step, from 1; 0 for none
	scene     *scene // of that step
	departure answer.Cached[change, string]
	before    *view // what was on show before it
}

// Story is told step by step with the live view. It is written as data:
//
//	{"title": "...", "steps": [{"title": "...", "text": "...", "show": "privacy.epsilon=0.4&run=3&t=60"}]}
//
// Show is what follows the # of a link. Names in braces in a text stand for what is on screen: see answer.WordNames.
// The text is shown while what the step tells of is.
type Story struct {
	Title string      `json:"title"`
	Steps []StoryStep `json:"steps"`
}

// StoryStep is a step of a story.
type StoryStep struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Show  string `json:"show"`
}

// parseStory reads a story. The error says what is wrong with it.
func (s *Screen) parseStory(text []byte) (Story, error) {
	var story Story
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&story); err != nil {
		return Story{}, fmt.Errorf("the story cannot be read: %w", err)
	}
	const most = 100
	if len(story.Steps) == 0 || len(story.Steps) > most {
		return Story{}, fmt.Errorf("the story has %d steps; want 1 to %d", len(story.Steps), most)
	}
	for i, step := range story.Steps {
		if err := s.checkShow(step.Show); err != nil {
			return Story{}, fmt.Errorf("step %d of the story, show: %w", i+1, err)
		}
		for _, word := range answer.WordsIn(step.Text) {
			if !slices.Contains(answer.WordNames(), word) {
				return Story{}, fmt.Errorf("step %d of the story: there is no {%s}; there are %s", i+1, word,
					strings.Join(answer.WordNames(), ", "))
			}
		}
	}
	return story, nil
}

// checkShow says what is wrong with the link of a step.
func (s *Screen) checkShow(show string) error {
	values, err := url.ParseQuery(show)
	if err != nil {
		return err
	}
	values.Del(link.Story)
	_, err = s.parseLink(values.Encode())
	return err
}

// openStory tells a story that is the one file there, and reports whether it is one.
func (s *Screen) openStory(files fs.FS) bool {
	entries, err := fs.ReadDir(files, ".")
	if err != nil || len(entries) != 1 || path.Ext(entries[0].Name()) != ".json" {
		return false
	}
	text, err := recording.ReadFile(files, entries[0].Name())
	if err != nil || !bytes.Contains(text, []byte(`"steps"`)) {
		return false
	}
	if err := s.SetStory(text); err != nil {
		s.Model.Say(true, "%s: %v", entries[0].Name(), err)
	} else {
		s.tellOn(1)
	}
	return true
}

// SetStory gives the screen a story to tell.
func (s *Screen) SetStory(text []byte) error {
	story, err := s.parseStory(text)
	if err != nil {
		return err
	}
	s.Story = &story
	s.setStep(0, nil)
	return nil
}

// Tell shows a step of the story, counted from 1; 0 ends it.
func (s *Screen) Tell(step int) error {
	if step == 0 {
		s.setStep(0, nil)
		return nil
	}
	return s.follow(link.Story + "=" + strconv.Itoa(step))
}

// setStep makes a step the one that is told. None has no panel.
func (s *Screen) setStep(step int, c *scene) {
	if s.told, s.scene = step, c; step > 0 {
		return
	}
	s.before = nil
	if s.Tab == layout.TabStory {
		s.Tab = layout.TabSettings
	}
}

// tellOn goes so many steps on, 0 shows this one again, and ends after the last.
func (s *Screen) tellOn(steps int) {
	to := s.told + steps
	if to > len(s.Story.Steps) || to <= 0 {
		s.endStory()
		return
	}
	if s.told == 0 {
		s.before = s.beforeStory()
	}
	s.Model.Message = model.Message{} // of what was on show before
	s.Model.Refused(s.Tell(to), func() { s.tellOn(steps) })
}

// storyText is the text of the step on show with what is on screen in it, or what is on show in place of what it tells
// of.
func (s *Screen) storyText() string {
	if other := s.departed(); other != "" {
		return "What is shown is no longer what this step tells of: now " + other + "."
	}
	return s.FilledIn(s.Story.Steps[s.told-1].Text)
}

// stepText is the step that is told, in words.
func (s *Screen) stepText() string {
	return fmt.Sprintf("Step %d of %d, %s: %s", s.told, len(s.Story.Steps), s.Story.Steps[s.told-1].Title, s.storyText())
}

// toggleStory begins the story, ends it, or where another panel has its place goes back to it.
func (s *Screen) toggleStory() {
	switch {
	case s.told == 0:
		s.tellOn(1)
	case s.Layout.Compact && s.Tab != layout.TabStory:
		s.Tab = layout.TabStory
	default:
		s.endStory()
	}
}

// endStory ends the story, and shows what was on show before it.
func (s *Screen) endStory() {
	before := s.before
	s.setStep(0, nil)
	if before != nil {
		s.showBefore(before)
	}
}

// showBefore shows what was on show before the story.
func (s *Screen) showBefore(before *view) {
	s.Model.Refused(s.giveBack(before), func() { s.showBefore(before) })
}

// view is what is on show, and how and when it is looked at.
type view struct {
	state
	look    string // as a link, apart from the theme
	atS     float64
	playing bool
}

// beforeStory is what a story gives back.
func (s *Screen) beforeStory() *view {
	look := s.linkValues(func(link.Key) bool { return true })
	look.Del(link.Theme)
	return &view{s.state(), look.Encode(), s.Model.Clock.TimeS, s.Model.Clock.Playing}
}

// giveBack shows what was on show.
func (s *Screen) giveBack(before *view) error {
	if err := s.goTo(&before.state); err != nil {
		return err
	}
	p, err := s.parseLink(before.look)
	if err != nil {
		return err
	}
	s.plan.Pending, s.plan.Fitted = &panel.Where{}, false
	for _, do := range p.look {
		do()
	}
	s.Model.Clock.Seek(before.atS)
	s.Model.Clock.Playing = before.playing
	return nil
}

// storyArea is where the story is told: in place of the headline, on phones of the panel.
func (s *Screen) storyArea() draw.Rect {
	switch {
	case s.told == 0:
		return draw.Rect{}
	case s.Layout.Compact:
		return s.Layout.Story
	}
	return s.Layout.Headline.Trim(0, 0, 0, 4)
}

// tell draws the step of the story with its buttons.
func (s *Screen) tell(l *draw.List) {
	r := s.storyArea()
	if r.Empty() {
		return
	}
	p := panel.Story{Title: fmt.Sprintf("%d of %d  %s", s.told, len(s.Story.Steps), s.Story.Steps[s.told-1].Title),
		Text: s.storyText(), Last: s.told == len(s.Story.Steps), Departed: s.departed() != ""}
	text := p.Frame(s.UI, r, s.Layout.Compact, s.Labelled)
	s.legible(l, func() { p.Draw(l, s.Theme(), text) })
}

// spokenOf are the panels that a step tells of, by the tab that it opens on phones. All tell of the map.
var spokenOf = map[layout.Tab][]layout.Panel{layout.TabSettings: {layout.PanelAxis, layout.PanelSettings},
	layout.TabGuess:   {layout.PanelGuess, layout.PanelBelief},
	layout.TabFlights: {layout.PanelFlights, layout.PanelAxis}, layout.TabMap: {layout.PanelAxis}}

// tab is the panel that a step opens on phones.
func (st *StoryStep) tab() layout.Tab {
	values, err := url.ParseQuery(st.Show)
	if at := slices.Index(layout.TabIDs, values.Get(link.Panel)); err == nil && at >= 0 {
		return layout.Tab(at)
	}
	return layout.TabSettings
}

// dim dims the panels of a wide layout that the step on show does not speak of, until the pointer comes to them.
func (s *Screen) dim(l *draw.List) {
	if s.told == 0 || s.Layout.Compact || s.departed() != "" {
		return
	}
	spoken := spokenOf[s.Story.Steps[s.told-1].tab()]
	for p := layout.PanelAxis; p <= layout.PanelResults; p++ {
		r := *s.Layout.Place(p)
		if r.Empty() || slices.Contains(spoken, p) || r.Contains(s.UI.Input.Pointer) && !s.UI.Input.Outside {
			continue
		}
		l.Rect(r, ui.Faded(s.Theme().Background, 0.7))
	}
}
