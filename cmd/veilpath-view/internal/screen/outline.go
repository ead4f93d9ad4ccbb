package screen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/sim/study"
)

// outline is what the screen shows and lets be done, in words and numbers: a page makes a document of it, which screen
// readers and the Tab key reach.
type outline struct {
	Title   string          `json:"title"`
	Typed   bool            `json:"typed"` // what is typed goes to a list
	Over    bool            `json:"over"`  // something lies over the view
	Dark    bool            `json:"dark"`
	Story   string          `json:"story"` // the step that is told; empty for none
	Why     []string        `json:"why"`   // sentences
	Sliders []outlineSlider `json:"sliders"`
	Choices []outlineChoice `json:"choices"`
	Buttons []outlineButton `json:"buttons"`
	Lists   []outlineList   `json:"lists"`
	Results [][2]string     `json:"results"` // name and value
	Events  []outlineEvent  `json:"events"`  // of the flight on show
	Tables  []outlineTable  `json:"tables"`
	Texts   []Text          `json:"texts"` // to be laid over the picture
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
	Hand  bool    `json:"hand"` // does what the pointer does on the map and the charts, and comes last
}

// outlineChoice is one of several to be chosen.
type outlineChoice struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Options []string `json:"options"`
	Value   string   `json:"value"`
}

// outlineButton is something to be done. One that stays is on while Pressed; the label of one that is Disabled says
// why.
type outlineButton struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Stays    bool   `json:"stays"`
	Pressed  bool   `json:"pressed"`
	Disabled bool   `json:"disabled"`
}

// outlineList is a list to choose from.
type outlineList struct {
	Title string          `json:"title"`
	Open  bool            `json:"open"` // over the view
	Items []outlineButton `json:"items"`
}

// outlineEvent is a moment of the flight to go to.
type outlineEvent struct {
	TimeS float64 `json:"time_s"`
	Text  string  `json:"text"`
}

// Outline returns what is on screen.
func (s *Screen) Outline() outline {
	t := outline{Title: s.question(), Dark: s.theme().Dark, Typed: s.palette.Open, Over: s.covered(),
		Why:     []string{s.answer(), s.flightSentence(), s.why().sentence},
		Results: s.outlineResults(), Tables: s.outlineTables(), Texts: s.texts()}
	if s.told > 0 {
		t.Story = s.stepText()
	}
	if text := s.beliefText(); text != "" {
		t.Why = append(t.Why, text)
	}
	for i := range s.table {
		if c := &s.table[i]; c.offered() && c.id != "escape" {
			t.add(c)
		}
	}
	for _, l := range s.sections() {
		items, stay := []outlineButton{}, slices.ContainsFunc(l.Items, func(it panel.Item) bool { return it.On })
		for _, it := range l.Items {
			items = append(items, outlineButton{it.ID, it.Said(), stay, it.On, it.Problem != ""})
		}
		t.Lists = append(t.Lists, outlineList{l.Title, s.shows(l.Title)(), items})
	}
	f := s.Model.Flight()
	for _, e := range s.why().events {
		t.Events = append(t.Events, outlineEvent{f.TimeS(e.Sample), s.eventText(e)})
	}
	return t
}

// add puts a control where it belongs.
func (t *outline) add(c *control) {
	switch {
	case c.isNumber():
		low, high := c.span()
		v := clampTo(c.get(), low, high)
		t.Sliders = append(t.Sliders, outlineSlider{c.id, c.name(), low, high, v, c.log, c.said(), c.hand})
	case c.isChoice():
		t.Choices = append(t.Choices, outlineChoice{c.id, c.label, c.options, c.options[c.chosen()]})
	default:
		t.Buttons = append(t.Buttons, outlineButton{ID: c.id, Label: either(c.on == nil, c.name(), c.label),
			Stays: c.on != nil, Pressed: c.isOn()})
	}
}

// outlineResults is the table of the results.
func (s *Screen) outlineResults() [][2]string {
	m := s.Model
	run, sum := &m.Flight().Run, m.Ensemble.Summary()
	rows := [][2]string{
		{"This flight", recognised(run, 1)},
		{capital(m.DirectWay()), baselineText(m.Private.Run.DirectKm)},
		{capital(s.plannedName()), baselineText(m.Private.Run.PlannedKm)},
		{"Mechanism of privacy", hidingText(&m.World)},
	}
	for _, metric := range study.Metrics() {
		rows = append(rows, [2]string{"This flight: " + metric.Meaning, metricText(metric.Cell(run), metric.Unit, "none")})
	}
	rows = append(rows, [2]string{"Flights of the ensemble", fmt.Sprintf("%d of %d", sum.Runs, m.Runs())},
		[2]string{"Mean distance of recognition", s.meanText()}, [2]string{"Effect of " + s.theCause(), s.noiseSentence()})
	if text := s.overText(); text != "" {
		rows = append(rows, [2]string{"Flights over cells that are kept out of, where no waypoint is commanded", text})
	}
	for _, statistic := range study.Statistics() {
		meaning := statistic.Meaning
		if m.Tied() {
			meaning, _, _ = strings.Cut(meaning, ": what the noise")
		}
		rows = append(rows, [2]string{"Ensemble: " + meaning,
			metricText(*statistic.Of(&sum), statistic.Unit, "not known")})
	}
	if text := s.surveyAwaited(); text != "" {
		rows = append(rows, [2]string{"Mean distance by ε and ρ", text})
	}
	for _, w := range s.alsoWatching() {
		rows = append(rows, [2]string{"By " + spoken(w.Name), caughtText(w)})
	}
	if m.Pair != nil {
		rows = append(rows, [2]string{"Against " + s.keptText(), s.pairText()})
	}
	if text := s.selectionText(); text != "" {
		rows = append(rows, [2]string{"Selected", text})
	}
	for i := range m.Inference.Views {
		v := &m.Inference.Views[i]
		if b := v.At(m.Flight().At(m.Clock.TimeS)); b != nil && s.inferring() {
			rows = append(rows, [2]string{"Bits left to " + v.Name,
				fmt.Sprintf("%s of %s, goal %s", fixed(b.Entropy, 1), fixed(m.Inference.Bits, 1), place(b.Rank))})
		}
	}
	if s.inferring() {
		for _, gain := range m.Inference.Gains(m.Flight().At(m.Clock.TimeS)) {
			rows = append(rows, [2]string{"Taught of this goal by the " + gain.From,
				fixed(gain.Bits, 1) + " of " + fixed(m.Inference.Bits, 1) + " bits"})
		}
	}
	return rows
}

// metricText is a metric or a statistic of a unit in words; nan is that for one that there is not.
func metricText(value any, unit, nan string) string {
	switch v := value.(type) {
	case bool:
		return either(v, "yes", "no")
	case float64:
		if math.IsNaN(v) {
			return nan
		}
		if unit == "1" {
			return fixed(100*v, 1) + " %"
		}
		return fixed(v, 1) + " " + unit
	}
	return fmt.Sprint(value)
}
