package screen

import (
	"fmt"
	"math"
	"strconv"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// settings are the sliders and switches that change what is flown.
func (s *Screen) settings() {
	s.axis.DrawSlider()
	rest := s.Layout.Controls
	if rest.W == 0 {
		return
	}
	rest = rest.Trim(layout.Pad, either(s.Layout.Compact, 8., layout.ControlsTop), layout.Pad, 4)
	row := func(h float64) (r draw.Rect) {
		r, rest = rest.CutTop(s.Touchable(h))
		return r
	}
	s.sliders(row)
	if !s.Layout.Compact {
		s.choices(row)
		r := s.buttonRow(row)
		left, right := r.CutLeft(math.Floor((r.W - layout.Gap) / 2))
		s.button("observer", left, nil)
		s.button("mission", right.Trim(layout.Gap, 0, 0, 0), nil)
	}
	s.runRow(s.buttonRow(row))
}

// buttonRow takes a row of buttons, with air around them.
func (s *Screen) buttonRow(row func(h float64) draw.Rect) draw.Rect {
	return row(s.Touchable(26)+layout.ButtonAir).Trim(0, 4, 0, layout.ButtonAir-4)
}

// choices are the switches of the calibration and of the reward map.
func (s *Screen) choices(row func(h float64) draw.Rect) {
	l, t := s.UI.List, s.Theme()
	r := s.buttonRow(row)
	labelled := func(r draw.Rect, text string) draw.Rect {
		w := either(s.Layout.Compact, l.Width(t.Body, text)+10, 82)
		l.TextIn(t.Body, draw.Rect{X: r.X, Y: r.Y, W: w, H: r.H}, draw.Left, t.Muted, text)
		return r.Trim(w, 0, 0, 0)
	}
	s.choice("calibration", "calibration", labelled(r, "calibration"), []string{
		"Noise of the paper's Lemma 1: sufficient, and more than needed",
		"The exact smallest noise for the same ε and δ (Balle & Wang 2018)"})
	s.choice("map", "heat", labelled(s.buttonRow(row), "map"), s.MapHints())
}

// choice draws the buttons of a control that is one of several, and makes the choice that is pressed.
func (s *Screen) choice(id, widget string, r draw.Rect, hints []string) {
	c := s.row(id)
	if chosen := s.UI.Choice(widget, r, c.options, hints, c.chosen()); chosen != c.chosen() {
		c.choose(chosen)
	}
}

// Slider draws the slider of a control that is a number, and sets it.
func (s *Screen) Slider(r draw.Rect, slider ui.Slider) {
	c := s.row(slider.ID)
	slider.Value = c.get()
	slider.Scale.Low, slider.Scale.High = c.span()
	slider.Scale.Log = c.log
	slider.Ask = func() { s.Ask(c.id) }
	if v, ok := s.UI.Slider(r, slider); ok {
		c.set(v)
	}
}

func (s *Screen) sliders(row func(h float64) draw.Rect) {
	m, c, standard := s.Model, &s.Model.Config, &s.Standard
	if s.Layout.Slider.Empty() { // otherwise it is over the chart along it
		s.Slider(row(layout.SliderHeight), ui.Slider{ID: "epsilon", Label: "ε  privacy", Text: number(m.ChosenEpsilon()),
			Default: standard.Privacy.Epsilon, Marks: []float64{0.1, 1, 10}, Breaks: s.Breaks(), Hint: s.StrengthHint()})
	}
	within := fmt.Sprintf("%d guesses in a row fall", c.Adversary.ConsecutiveSteps)
	if m.Experiment.Adversary.Rule == adversary.Stays {
		within = "all further guesses fall"
	}
	s.Slider(row(layout.SliderHeight), ui.Slider{ID: "radius", Label: "ρ  radius", Text: kmText(c.Adversary.RadiusKm),
		Default: standard.Adversary.RadiusKm, Marks: []float64{0.1, 1, 10},
		Hint: "The observer has recognised the target when " + within + " within this distance of it"})
	s.Slider(row(layout.SliderHeight), ui.Slider{ID: "lambda", Label: "λ  decay", Text: number(c.Adversary.LambdaPerS) + " /s",
		Default: standard.Adversary.LambdaPerS, Marks: []float64{0.01, 0.1, 1},
		Hint: "How fast the observer expects a turn to end: the measured acceleration decays as exp(-λt)"})
	s.Slider(row(layout.SliderHeight), ui.Slider{ID: "runs", Label: "flights", Text: strconv.Itoa(m.Runs()),
		Default: float64(standard.Study.Runs), Marks: []float64{100, 1000},
		Hint: "Flights of the ensemble, each with a draw of its own"})
}

// runRow chooses the run on show and the sample.
func (s *Screen) runRow(r draw.Rect) {
	m, l, t := s.Model, s.UI.List, s.Theme()
	l.TextIn(t.Body, draw.Rect{X: r.X, Y: r.Y, W: 92, H: r.H}, draw.Left, t.Muted,
		either(s.Layout.Compact, "flight", "flight on show"))
	r = r.Trim(either(s.Layout.Compact, 52., 94), 0, 0, 0)
	sample, r := r.CutRight(96)
	r = r.Trim(0, 0, 8, 0)
	left, r := r.CutLeft(r.H)
	right, r := r.CutRight(r.H)
	if s.UI.IconButton("run.previous", left, "The flight before ([)", false, backIcon) {
		m.Select(m.RunNumber - 1)
	}
	s.Asks("run", r)
	l.TextIn(t.Strong, r, draw.Center, t.Ink, "run "+strconv.Itoa(m.RunNumber))
	if s.UI.IconButton("run.next", right, "The next flight (])", false, forwardIcon) {
		m.Select(m.RunNumber + 1)
	}
	s.button("sample", sample, nil)
}
