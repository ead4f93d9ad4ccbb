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
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Story is told step by step with the live view. It is written as data:
//
//	{"title": "...", "steps": [{"title": "...", "text": "...", "show": "privacy.epsilon=0.4&run=3&t=60"}]}
//
// Show is what follows the # of a link. Names in braces in a text stand for what is on screen: see storyWords.
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
func parseStory(text []byte) (Story, error) {
	var s Story
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return Story{}, fmt.Errorf("the story cannot be read: %w", err)
	}
	const most = 100
	if len(s.Steps) == 0 || len(s.Steps) > most {
		return Story{}, fmt.Errorf("the story has %d steps; want 1 to %d", len(s.Steps), most)
	}
	for i, step := range s.Steps {
		values, err := url.ParseQuery(step.Show)
		if err == nil {
			_, err = parseLook(values)
		}
		if err != nil {
			return Story{}, fmt.Errorf("step %d of the story, show: %w", i+1, err)
		}
		for _, word := range wordsIn(step.Text) {
			if !slices.Contains(storyWords, word) {
				return Story{}, fmt.Errorf("step %d of the story: there is no {%s}; there are %s", i+1, word, strings.Join(storyWords, ", "))
			}
		}
	}
	return s, nil
}

// storyWords are the names that stand for what is on screen.
var storyWords = []string{"shown", "direct", "mean", "detour", "cost", "humps", "bits", "prior"}

// wordsIn returns the names in braces.
func wordsIn(text string) []string {
	var words []string
	for _, part := range strings.Split(text, "{")[1:] {
		if word, _, ok := strings.Cut(part, "}"); ok {
			words = append(words, word)
		}
	}
	return words
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
	} else if err := s.Tell(1); err != nil {
		s.Model.Say(true, "%v", err)
	}
	return true
}

// SetStory gives the screen a story to tell.
func (s *Screen) SetStory(text []byte) error {
	story, err := parseStory(text)
	if err != nil {
		return err
	}
	s.Story = story
	return nil
}

// Tell shows a step of the story, counted from 1; 0 ends it.
func (s *Screen) Tell(step int) error {
	if step == 0 {
		s.told = 0
		if s.Tab == TabStory {
			s.Tab = TabSettings
		}
		return nil
	}
	if step < 0 || step > len(s.Story.Steps) {
		return fmt.Errorf("the story has no step %d; it has %d", step, len(s.Story.Steps))
	}
	dark := s.theme().Dark
	if err := s.follow(s.Story.Steps[step-1].Show); err != nil {
		return err
	}
	s.SetDark(dark)
	s.told = step
	if s.layout.Compact {
		s.Tab = TabStory
	}
	return nil
}

// tellOn goes so many steps on, and ends after the last.
func (s *Screen) tellOn(steps int) {
	to := s.told + steps
	if to > len(s.Story.Steps) {
		to = 0
	}
	if err := s.Tell(max(to, 0)); err != nil {
		s.Model.Say(true, "%v", err)
	}
}

// storyText is the text of the step on show with what is on screen in it.
func (s *Screen) storyText() string {
	m := s.Model
	run := &m.Flight().Run
	bits := "…"
	if b := s.belief(); b != nil {
		bits = fixed(b.Entropy, 1)
	}
	humps := "The flights fall into two humps."
	if m.Ensemble.Complete() {
		if w, ok := m.Why(); ok {
			humps = humpsText(&w.Humps)
		}
	}
	return strings.NewReplacer("{shown}", recognised(run, 1), "{direct}", fixed(m.Nominal.Run.DetectionKm, 1), "{mean}", fixed(m.Ensemble.Summary().MeanKm, 1),
		"{detour}", fixed(100*run.PathOverhead, 0), "{cost}", fixed(100*run.CostOfPrivacy, 0), "{humps}", humps,
		"{bits}", bits, "{prior}", fixed(m.Inference.Bits, 1)).Replace(s.Story.Steps[s.told-1].Text)
}

// storyArea is where the story is told: in place of the headline, on phones of the panel.
func (s *Screen) storyArea() draw.Rect {
	switch {
	case s.told == 0:
		return draw.Rect{}
	case s.layout.Compact:
		return s.layout.Story
	}
	return s.layout.Headline.Trim(0, 0, 0, 4)
}

// storyButtons is the width of the buttons of a step in a wide layout, points.
const storyButtons = 3*56 + 8

// tell draws the step of the story and its buttons.
func (s *Screen) tell(l *draw.List) {
	r := s.storyArea()
	if r.Empty() {
		return
	}
	t, step := s.theme(), s.Story.Steps[s.told-1]
	l.Frame(r, ui.Corner+1, 1.5, t.Accent, t.Panel)
	inner := r.Inset(pad)
	buttons, text := draw.Rect{}, inner
	h := s.touchable(26)
	if s.layout.Compact {
		buttons, text = inner.CutBottom(h)
	} else {
		buttons, text = inner.CutRight(storyButtons)
	}
	w := (buttons.W - 8) / 3
	for i, b := range []struct {
		id, label string
		do        func()
	}{{"story.back", "Back", func() { s.tellOn(-1) }}, {"story.on", either(s.told == len(s.Story.Steps), "Done", "Next"), func() { s.tellOn(1) }}, {"story.end", "Close", func() { s.tellOn(-s.told) }}} {
		if s.UI.Button(b.id, draw.Rect{X: buttons.X + (w+4)*float64(i), Y: buttons.Bottom() - h, W: w, H: h}, b.label, "") {
			b.do()
			return
		}
	}
	title, text := text.CutTop(22)
	l.TextIn(t.Title, title, draw.Left, t.Ink, strconv.Itoa(s.told)+"  "+step.Title)
	const row = 17
	for i, line := range l.Wrap(t.Body, s.storyText(), text.W-8) {
		if row*float64(i+1) > text.H+4 {
			break
		}
		l.TextIn(t.Body, draw.Rect{X: text.X, Y: text.Y + row*float64(i), W: text.W, H: row}, draw.Left, t.Ink, line)
	}
}
