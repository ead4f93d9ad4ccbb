package screen

import (
	"fmt"
	"strconv"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// telling is the story that is told, and where it has come to.
type telling struct {
	Story Story

	told      int    // its step, from 1; 0 for none
	scene     *scene // of that step
	departure answer.Cached[change, bool]
	before    *view // what was on show before it
}

// Story is told step by step with the live view. Show is what follows the # of a link. Names in braces in a text stand
// for what is on screen: see answer.FilledIn. The text is shown while what the step tells of is.
type Story struct {
	Steps []StoryStep `json:"steps"`
}

// StoryStep is a step of a story.
type StoryStep struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Show  string `json:"show"`
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
	if s.departed() {
		return "What is shown is no longer what this step tells of."
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
		Text: s.storyText(), Last: s.told == len(s.Story.Steps), Departed: s.departed()}
	text := p.Frame(s.UI, r, s.Layout.Compact, s.Labelled)
	s.legible(l, func() { p.Draw(l, s.Theme(), text) })
}
