package screen

import (
	"strconv"
	"strings"
)

// storyWord is a name that stands for what is on screen.
type storyWord struct {
	name string
	text func(*Screen) string
}

// storyWords are those there are; the documentation of the program says what each stands for.
var storyWords = []storyWord{
	{"epsilon", func(s *Screen) string { return number(s.Model.Config.Privacy.Epsilon) }},
	{"radius", func(s *Screen) string { return number(s.Model.Config.Adversary.RadiusKm) }},
	{"run", func(s *Screen) string { return strconv.Itoa(s.Model.RunNumber) }},
	{"shown", func(s *Screen) string { return recognised(&s.Model.Flight().Run, 1) }},
	{"direct", func(s *Screen) string { return baselineWord(s.Model.Private.Run.DirectKm) }},
	{"planned", func(s *Screen) string { return baselineWord(s.Model.Private.Run.PlannedKm) }},
	{"noise", (*Screen).noiseSentence},
	{"mean", func(s *Screen) string {
		return either(s.Model.Ensemble.Complete(), "", "so far ") + fixed(s.Model.Ensemble.Summary().MeanKm, 1)
	}},
	{"detour", func(s *Screen) string { return fixed(100*s.Model.Flight().Run.PathOverhead, 0) }},
	{"cost", func(s *Screen) string { return fixed(100*s.Model.Flight().Run.CostOfPrivacy, 0) }},
	{"humps", (*Screen).humpsWord},
	{"brush", (*Screen).brushWord},
	{"bits", (*Screen).bitsWord},
	{"prior", func(s *Screen) string { return fixed(s.Model.Inference.Bits, 1) }},
}

// wordNames lists the names.
func wordNames() []string {
	var names []string
	for _, w := range storyWords {
		names = append(names, w.name)
	}
	return names
}

// filledIn returns a text with what the names in it stand for.
func (s *Screen) filledIn(text string) string {
	for _, w := range storyWords {
		if name := "{" + w.name + "}"; strings.Contains(text, name) {
			text = strings.ReplaceAll(text, name, w.text(s))
		}
	}
	return text
}

// baselineWord is where a baseline is recognised, km; a dash where it never is or is not given.
func baselineWord(km float64) string { return either(km > 0, fixed(km, 1), "–") }

func (s *Screen) humpsWord() string {
	if s.Model.Ensemble.Complete() {
		if w, ok := s.Model.Why(); ok {
			return humpsText(&w.Humps)
		}
	}
	return "The flights fall into two humps."
}

// brushWord is what is done to select flights by their distance, whose panel is another one of a compact layout.
func (s *Screen) brushWord() string {
	if !s.layout.Compact {
		return "Drag"
	}
	return either(s.Touch, "Tap", "Click") + " Flights and drag"
}

func (s *Screen) bitsWord() string {
	if b := s.belief(); b != nil {
		return fixed(b.Entropy, 1)
	}
	return "…"
}

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
