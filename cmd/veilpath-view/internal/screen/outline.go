package screen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/configs"
	"veilpath/sim/study"
)

// outline is what the screen shows and lets be done, in words and numbers: a page makes a document of it, which screen
// readers and the Tab key reach.
type outline struct {
	Title   string          `json:"title"`
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

// staying are the buttons that stay down while on.
var staying = []string{"planned", "direct", "fan", "story", "compare", "beside", "play", "loop", "follow", "tilt",
	"along", "crossed",
	"observer", "mission", "export", "panels", "library", "points", "help"}

// Outline returns what is on screen.
func (s *Screen) Outline() outline {
	m := s.Model
	text, more := s.story()
	t := outline{Title: text, Dark: s.theme().Dark, Why: []string{more, s.why().sentence}, Sliders: s.outlineSliders(),
		Choices: s.outlineChoices(), Results: s.outlineResults(), Tables: s.outlineTables()}
	if s.told > 0 {
		t.Story = s.stepText()
	}
	if text := s.beliefText(); text != "" {
		t.Why = append(t.Why, text)
	}
	for _, b := range append(s.barButtons(), s.outlineButtons()...) {
		t.Buttons = append(t.Buttons, outlineButton{ID: b.id, Label: b.name, Stays: b.on || slices.Contains(staying, b.id),
			Pressed: b.on})
	}
	for _, l := range s.offers() {
		items, stay := []outlineButton{}, slices.ContainsFunc(l.items, func(it item) bool { return it.on })
		for _, it := range l.items {
			items = append(items, outlineButton{it.id, it.said(), stay, it.on, it.problem != ""})
		}
		t.Lists = append(t.Lists, outlineList{l.title, *l.shown, items})
	}
	f := m.Flight()
	for _, e := range s.why().events {
		t.Events = append(t.Events, outlineEvent{f.TimeS(e.Sample), s.eventText(e)})
	}
	return t
}

func (s *Screen) outlineSliders() []outlineSlider {
	c, m := &s.Model.Config, s.Model
	sliders := []outlineSlider{
		{"epsilon", "Epsilon, privacy", model.MinEpsilon, model.MaxEpsilon, c.Privacy.Epsilon, true,
			number(c.Privacy.Epsilon) + ", smaller is more private"},
		{"radius", "Radius of recognition", model.MinRadius, model.MaxRadius, c.Adversary.RadiusKm, true,
			number(c.Adversary.RadiusKm) + " km"},
		{"lambda", "Decay that the observer expects", model.MinLambda, model.MaxLambda, c.Adversary.LambdaPerS, true,
			number(c.Adversary.LambdaPerS) + " per second"},
		{"runs", "Flights of the ensemble", model.MinRuns, model.MaxRuns, float64(m.Runs()), true, strconv.Itoa(m.Runs())},
		{"run", "Flight on show", 0, float64(max(m.Runs()-1, m.RunNumber)), float64(m.RunNumber), false,
			"run " + strconv.Itoa(m.RunNumber)},
		{"time", "Moment of the flight", 0, math.Ceil(m.Clock.EndS), math.Round(m.Clock.TimeS), false,
			fixed(m.Clock.TimeS, 0) + " s"},
		{"speed", "Speed of the clock", model.MinSpeed, model.MaxSpeed, m.Clock.Speed, true,
			number(m.Clock.Speed) + " seconds a second"},
	}
	return append(sliders, s.handSliders()...)
}

func (s *Screen) outlineChoices() []outlineChoice {
	c := &s.Model.Config
	choices := []outlineChoice{
		{"calibration", "Calibration of the noise", []string{configs.Classical, configs.Analytic}, c.Privacy.Calibration},
		{"map", "Map", heatNames, heatNames[s.heatShown()]},
		{"adversary", "Observer", adversary.Names(), c.Adversary.Observer},
	}
	if s.inferring() {
		choices = append(choices, outlineChoice{"goal", "Observer of the goal", adversary.GoalNames(),
			adversary.GoalNames()[s.Observer]})
	}
	return choices
}

// outlineButtons are those that have no place on the bar. One that goes when it is pressed follows one that then has
// the focus.
func (s *Screen) outlineButtons() []barButton {
	c, middle := &s.camera, s.layout.Map.Center()
	buttons := []barButton{
		{id: "play", name: "Play", on: s.Model.Clock.Playing, do: s.Model.Clock.Toggle},
		{id: "sample", name: "New sample", do: s.Model.NewSample},
		{id: "undo", name: "Undo", do: func() { s.undo(-1) }},
		{id: "redo", name: "Do again", do: func() { s.undo(1) }},
		{id: "story.on", name: "Next step of the story", do: func() { s.tellOn(1) }},
		{id: "story.again", name: "Show the step of the story again", do: func() { s.tellOn(0) }},
		{id: "story.back", name: "Step of the story before", do: func() { s.tellOn(-1) }},
		{id: "story.end", name: "End the story", do: func() { s.tellOn(-s.told) }},
		{id: "loop", name: "Loop: from here, to here, no more", on: s.Model.Clock.Looping(), do: s.loop},
		{id: "start", name: "To the start", do: func() { s.Model.Clock.Seek(0) }},
		{id: "back", name: "One step back", do: func() { s.stepBy(-1) }},
		{id: "forward", name: "One step on", do: func() { s.stepBy(1) }},
		{id: "handover", name: "To where privacy is disabled", do: s.seekHandover},
		{id: "caught", name: "To where the target is recognised", do: s.seekCaught},
		{id: "crossed", name: "Select the flights that crossed", on: s.selection.kind == byCrossing, do: s.toggleCrossed},
		{id: "all", name: "Select all flights", do: func() { s.choose(selection{}) }},
		{id: "slower", name: "Half speed", do: func() { s.Model.Clock.Faster(-1) }},
		{id: "faster", name: "Double speed", do: func() { s.Model.Clock.Faster(1) }},
		{id: "fit", name: "The whole map", do: s.fit},
		{id: "zoom-in", name: "Enlarge the map", do: func() { c.Zoom(1.25, middle) }},
		{id: "zoom-out", name: "Show more of the map", do: func() { c.Zoom(1/1.25, middle) }},
		{id: "follow", name: "Follow the vehicle", on: c.Follow, do: func() { c.Follow = !c.Follow }},
		{id: "tilt", name: "Tilt the map", on: c.Tilted, do: func() { c.Tilted = !c.Tilted }},
		{id: "along", name: "Distance along epsilon in place of its map", on: s.ShowAxis,
			do: func() { s.ShowAxis = !s.ShowAxis }},
		{id: "keep-out", name: "Keep out of the cell that is flown to now", do: s.keepOutOfNext},
		{id: "allow", name: "Allow all cells again", do: s.allowAll},
	}
	return slices.DeleteFunc(buttons, func(b barButton) bool {
		switch b.id {
		case "story.back", "story.end":
			return s.told == 0
		case "story.again":
			return s.told == 0 || s.departed() == ""
		case "crossed":
			return s.Model.Pair == nil
		case "all":
			return s.selection.kind == allFlights
		case "allow":
			return len(s.Model.WhatIf.KeptOut) == 0
		}
		return false
	})
}

// outlineResults is the table of the results.
func (s *Screen) outlineResults() [][2]string {
	m := s.Model
	run, sum := &m.Flight().Run, m.Ensemble.Summary()
	rows := [][2]string{
		{"This flight", recognised(run, 1)},
		{"Straight to the target", baselineText(m.Private.Run.DirectKm)},
		{"Planned, without noise", baselineText(m.Private.Run.PlannedKm)},
		{"Mechanism of privacy", hidingText(&m.World)},
	}
	for _, metric := range study.Metrics() {
		rows = append(rows, [2]string{"This flight: " + metric.Meaning, metricText(metric.Cell(run), metric.Unit, "none")})
	}
	rows = append(rows, [2]string{"Flights of the ensemble", fmt.Sprintf("%d of %d", sum.Runs, m.Runs())},
		[2]string{"Mean distance of recognition", s.meanText()}, [2]string{"Effect of the noise", s.noiseSentence()})
	if text := s.overText(); text != "" {
		rows = append(rows, [2]string{"Flights over cells that are kept out of, where no waypoint is commanded", text})
	}
	for _, statistic := range study.Statistics() {
		rows = append(rows, [2]string{"Ensemble: " + statistic.Meaning,
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

// Operate does what a control of the outline asks for. The error says what is not possible.
func (s *Screen) Operate(id, value string) error {
	for _, b := range append(s.barButtons(), s.outlineButtons()...) {
		if b.id == id {
			b.do()
			return nil
		}
	}
	for _, l := range s.offers() {
		for _, it := range l.items {
			if it.id != id {
				continue
			}
			if it.problem != "" {
				return fmt.Errorf("%s: %s", it.text, it.problem)
			}
			it.choose()
			return nil
		}
	}
	for _, c := range s.outlineChoices() {
		if c.ID == id {
			return s.chooseOutline(c, value)
		}
	}
	if table, ok := strings.CutPrefix(id, "table."); ok && s.openTable(table, value == "true") {
		return nil
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(v) {
		return fmt.Errorf("%s: %q is no number", id, value)
	}
	for _, slider := range s.outlineSliders() {
		if slider.ID == id {
			s.setOutline(id, clampTo(v, slider.Low, either(id == "run", largestRun, slider.High)))
			return nil
		}
	}
	return fmt.Errorf("there is no control %q", id)
}

// largestRun bounds the numbers of runs that can be typed.
const largestRun = 999_999_999

func (s *Screen) setOutline(id string, v float64) {
	m := s.Model
	if s.setByHand(id, v) {
		return
	}
	switch id {
	case "epsilon":
		m.SetEpsilon(model.Rounded(v))
	case "radius":
		m.SetRadius(model.Rounded(v))
	case "lambda":
		m.SetLambda(model.Rounded(v))
	case "runs":
		m.SetRuns(model.RoundRuns(v))
	case "run":
		m.Select(int(v))
	case "time":
		m.Clock.Seek(v)
	case "speed":
		m.Clock.Speed = v
	}
}

func (s *Screen) chooseOutline(c outlineChoice, value string) error {
	at := slices.Index(c.Options, value)
	if at < 0 {
		return fmt.Errorf("%s: %q is none of %s", c.ID, value, strings.Join(c.Options, ", "))
	}
	switch c.ID {
	case "calibration":
		s.Model.SetCalibration(value)
	case "map":
		s.chooseHeat(Heat(at))
	case "adversary":
		s.Model.SetObserver(value)
	case "goal":
		s.Observer = at
	}
	return nil
}
