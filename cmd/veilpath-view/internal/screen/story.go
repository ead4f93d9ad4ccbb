package screen

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
)

// Story is told step by step with the live views. Show is what follows the # of a link. Names in braces in a text stand
// for what is on screen: see answer.FilledIn.
type Story struct {
	Steps []StoryStep `json:"steps"`
}

// StoryStep is a step of a story.
type StoryStep struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Show  string `json:"show"`
}

// showStep shows a step of the story, counted from 1, and plays it.
func (s *Screen) showStep(step int) error {
	before := s.before
	if s.told == 0 {
		now := s.state()
		before = &now
	}
	if err := s.follow(s.story.Steps[step-1].Show); err != nil {
		return err
	}
	s.told, s.before, s.telling = step, before, s.state().link
	s.Model.Clock.Playing = !s.Still
	return nil
}

// tellOn goes so many steps on, 0 shows this one again, and ends after the last.
func (s *Screen) tellOn(steps int) {
	to := s.told + steps
	if to > len(s.story.Steps) || to <= 0 {
		s.endStory()
		return
	}
	s.choosing = false
	s.Model.Message = model.Message{} // of what was on show before
	s.Model.Refused(s.showStep(to), func() { s.tellOn(steps) })
}

// toggleStory begins the story or ends it.
func (s *Screen) toggleStory() {
	if s.told == 0 {
		s.tellOn(1)
	} else {
		s.endStory()
	}
}

// endStory ends the story, and shows what was on show before it.
func (s *Screen) endStory() {
	before := s.before
	s.told, s.before = 0, nil
	if before != nil {
		s.Model.Refused(s.goTo(*before), func() { s.before = before; s.endStory() })
	}
}

// departed reports whether something else is on show than what the step tells of.
func (s *Screen) departed() bool { return s.told > 0 && s.state().link != s.telling }

// storyText is the text of the step that is told with what is on screen in it, empty for none.
func (s *Screen) storyText() string {
	switch {
	case s.told == 0:
		return ""
	case s.departed():
		return "What is shown is no longer what this step tells of."
	}
	return s.FilledIn(s.story.Steps[s.told-1].Text)
}

// stepText is the step that is told, in words.
func (s *Screen) stepText() string {
	return fmt.Sprintf("Step %d of %d, %s: %s", s.told, len(s.story.Steps), s.story.Steps[s.told-1].Title, s.storyText())
}

// tell draws the step of the story with its buttons, in place of the headline.
func (s *Screen) tell() {
	if s.told == 0 {
		return
	}
	l, t, r := s.UI.List, s.Theme(), s.Layout.Headline
	width, height := 84., 28.
	if s.Layout.Narrow {
		width, height = 62, 34
	}
	buttons, text := r.CutRight(width + 12)
	buttons, head := buttons.Trim(12, 4, 0, 0), text
	if s.Layout.Narrow { // the title has all of the width
		buttons.Y, head = buttons.Y+26, r
	}
	s.Labelled("story.on", draw.Rect{X: buttons.X, Y: buttons.Y, W: width, H: height},
		either(s.told == len(s.story.Steps), "End", "Next"))
	below := draw.Rect{X: buttons.X, Y: buttons.Y + height + 6, W: width, H: height}
	if s.departed() {
		s.Labelled("story.again", below, "Again")
	} else {
		s.Labelled("story.back", below, "Back")
	}
	title := fmt.Sprintf("%d of %d  %s", s.told, len(s.story.Steps), s.story.Steps[s.told-1].Title)
	large := draw.Style{Bold: true, Size: either(s.Layout.Narrow, 18., 20)}
	for large.Size > 12 && l.Width(large, title) > head.W {
		large.Size--
	}
	l.TextIn(large, draw.Rect{X: head.X, Y: head.Y + 2, W: head.W, H: 24}, draw.Left, t.Ink, title)
	line := draw.Rect{X: text.X, Y: text.Y + 27, W: text.W, H: either(s.Layout.Narrow, 15., 18)}
	l.Paragraph(either(s.Layout.Narrow, t.Small, t.Body), line, int((r.H-27)/line.H), t.Ink, s.storyText())
}
