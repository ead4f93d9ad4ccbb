package screen

import "veilpath/cmd/veilpath-view/internal/answer"

// outline is what the screen shows and lets be done, in words and numbers: a page makes a document of it, which screen
// readers and the Tab key reach.
type outline struct {
	Title    string            `json:"title"`
	Typed    bool              `json:"typed"` // what is typed goes to a list
	Over     bool              `json:"over"`  // something lies over the view
	Dark     bool              `json:"dark"`
	Story    string            `json:"story"` // the step that is told; empty for none
	Why      []string          `json:"why"`   // sentences
	Sliders  []outlineSlider   `json:"sliders"`
	Choices  []outlineChoice   `json:"choices"`
	Buttons  []outlineButton   `json:"buttons"`
	Compared answer.Comparison `json:"compared"`
	Events   []outlineEvent    `json:"events"` // of the flight on show
	Help     *outlineHelp      `json:"help"`   // while it is open
}

// outlineSlider is a number to be set. Values go in equal ratios where Log is set.
type outlineSlider struct {
	ID    string  `json:"id"`
	Label string  `json:"label"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Value float64 `json:"value"`
	Log   bool    `json:"log"`
	Text  string  `json:"text"`
}

// outlineChoice is one of several to be chosen.
type outlineChoice struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Options []string `json:"options"`
	Value   string   `json:"value"`
}

// outlineButton is something to be done. One that stays is on while Pressed.
type outlineButton struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Stays   bool   `json:"stays"`
	Pressed bool   `json:"pressed"`
}

// outlineHelp is what the help says, with the keys and what they do.
type outlineHelp struct {
	Text string      `json:"text"`
	Rows [][2]string `json:"rows"`
}

// outlineEvent is a moment of the flight to go to.
type outlineEvent struct {
	TimeS float64 `json:"time_s"`
	Text  string  `json:"text"`
}

// Outline returns what is on screen.
func (s *Screen) Outline() outline {
	first, second := s.Finding()
	because, met := s.Because()
	t := outline{Title: "Can a watcher tell where it is going?", Dark: s.Theme().Dark, Typed: s.palette.Open,
		Over: s.covered(), Why: []string{first, second, answer.Capital(s.FlightText()) + ".", because, met, s.DemandAnswer()},
		Compared: s.Comparison()}
	if s.help {
		t.Help = &outlineHelp{whatItIs + " " + howTo +
			" The picture takes these keys: Escape leads to it, Tab back to these words.", s.strokes()}
	}
	if s.told > 0 {
		t.Story = s.stepText()
	}
	if text := s.BeliefText(); text != "" {
		t.Why = append(t.Why, text)
	}
	for i := range s.table {
		if c := &s.table[i]; c.offered() && c.id != "escape" {
			t.add(c)
		}
	}
	f := s.Model.Flight()
	for _, e := range s.Events() {
		t.Events = append(t.Events, outlineEvent{f.TimeS(e.Sample), s.EventText(e)})
	}
	return t
}

// add puts a control where it belongs.
func (t *outline) add(c *control) {
	switch {
	case c.isNumber():
		low, high := c.span()
		v := max(low, min(high, c.get()))
		t.Sliders = append(t.Sliders, outlineSlider{c.id, c.name(), low, high, v, c.log, c.said()})
	case c.isChoice():
		options, value := c.options(), ""
		if i := c.chosen(); i >= 0 {
			value = options[i]
		}
		t.Choices = append(t.Choices, outlineChoice{c.id, c.label, options, value})
	default:
		t.Buttons = append(t.Buttons, outlineButton{ID: c.id, Label: either(c.on == nil, c.name(), c.label),
			Stays: c.on != nil, Pressed: c.isOn()})
	}
}
