package answer

import (
	"strings"
)

// storyWord is a name that stands for what is on screen.
type storyWord struct {
	name string
	text func(*Answers) string
}

// storyWords are those there are.
var storyWords = []storyWord{
	{"epsilon", func(s *Answers) string { return Number(s.Model.Config.Privacy.Epsilon) }},
	{"shown", func(s *Answers) string { return Recognised(&s.Model.Flight().Run, 1) }},
	{"direct", func(s *Answers) string { return baselineWord(s.Model.Private.Run.DirectKm) }},
	{"planned", func(s *Answers) string { return baselineWord(s.Model.Private.Run.PlannedKm) }},
	{"noise", (*Answers).NoiseSentence},
	{"mean", func(s *Answers) string {
		return either(s.Model.Ensemble.Complete(), "", "so far ") + Fixed(s.Model.Ensemble.Summary().MeanKm, 1)
	}},
	{"cost", func(s *Answers) string { return Fixed(100*s.Model.Flight().Run.CostOfPrivacy, 0) }},
	{"humps", (*Answers).humpsWord},
	{"bits", (*Answers).bitsWord},
	{"prior", func(s *Answers) string { return Fixed(s.Model.Inference.Bits, 1) }},
}

// FilledIn returns a text with what the names in it stand for.
func (a *Answers) FilledIn(text string) string {
	for _, w := range storyWords {
		if name := "{" + w.name + "}"; strings.Contains(text, name) {
			text = strings.ReplaceAll(text, name, w.text(a))
		}
	}
	return text
}

// baselineWord is where a baseline is recognised, km; a dash where it never is or is not given.
func baselineWord(km float64) string { return either(km > 0, Fixed(km, 1), "–") }

func (a *Answers) humpsWord() string {
	if a.Model.Ensemble.Complete() {
		if w, ok := a.Model.Why(); ok {
			return humpsText(&w.Humps)
		}
	}
	return "The flights fall into two humps."
}

func (a *Answers) bitsWord() string {
	if b := a.Belief(); b != nil {
		return Fixed(b.Entropy, 1)
	}
	return "…"
}
