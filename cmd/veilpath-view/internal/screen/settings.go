package screen

import (
	"fmt"
	"math"
	"strconv"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// settings are the sliders and switches that change what is flown; on phones with that of epsilon.
func (s *Screen) settings() {
	s.epsilonSlider()
	rest := s.layout.Controls
	if rest.W == 0 {
		return
	}
	rest = rest.Trim(pad, either(s.layout.Compact, 8., controlsTop), pad, 4)
	row := func(h float64) (r draw.Rect) {
		r, rest = rest.CutTop(s.touchable(h))
		return r
	}
	s.sliders(row)
	if !s.layout.Compact {
		s.choices(row)
		r := s.buttonRow(row)
		left, right := r.CutLeft(math.Floor((r.W - gap) / 2))
		s.button("observer", left, nil)
		s.button("mission", right.Trim(gap, 0, 0, 0), nil)
	}
	s.runRow(s.buttonRow(row))
}

// buttonRow takes a row of buttons, with air around them.
func (s *Screen) buttonRow(row func(h float64) draw.Rect) draw.Rect {
	return row(s.touchable(26)+buttonAir).Trim(0, 4, 0, buttonAir-4)
}

// choices are the switches of the calibration and of the reward map.
func (s *Screen) choices(row func(h float64) draw.Rect) {
	l, t := s.UI.List, s.theme()
	r := s.buttonRow(row)
	labelled := func(r draw.Rect, text string) draw.Rect {
		w := either(s.layout.Compact, l.Width(t.Body, text)+10, 82)
		l.TextIn(t.Body, draw.Rect{X: r.X, Y: r.Y, W: w, H: r.H}, draw.Left, t.Muted, text)
		return r.Trim(w, 0, 0, 0)
	}
	m := s.Model
	kinds := []string{configs.Classical, configs.Analytic}
	now := 0
	if m.Config.Privacy.Calibration == configs.Analytic {
		now = 1
	}
	if chosen := s.UI.Choice("calibration", labelled(r, "calibration"), kinds, []string{
		"Noise of the paper's Lemma 1: sufficient, and more than needed",
		"The exact smallest noise for the same ε and δ (Balle & Wang 2018)"}, now); chosen != now {
		m.SetCalibration(kinds[chosen])
	}
	r = s.buttonRow(row)
	if chosen := s.UI.Choice("heat", labelled(r, "map"), heatNames, s.mapHints(),
		int(s.heatShown())); Heat(chosen) != s.heatShown() {
		s.chooseHeat(Heat(chosen))
	}
}

func (s *Screen) sliders(row func(h float64) draw.Rect) {
	m := s.Model
	standard := &s.standard
	c := m.Config
	const height = sliderHeight
	if s.layout.Compact { // others have it over the chart along it
		if v, ok := s.UI.Slider(row(height), ui.Slider{
			ID: "epsilon", Label: "ε  privacy", Text: number(m.ChosenEpsilon()), Value: m.ChosenEpsilon(),
			Default: standard.Privacy.Epsilon,
			Scale:   epsilonScale, Marks: []float64{0.1, 1, 10}, Breaks: s.breaks(),
			Hint: s.strengthHint(),
		}); ok {
			m.SetEpsilon(model.Rounded(v))
		}
	}
	if v, ok := s.UI.Slider(row(height), ui.Slider{
		ID: "radius", Label: "ρ  radius", Text: number(c.Adversary.RadiusKm) + " km", Value: c.Adversary.RadiusKm,
		Default: standard.Adversary.RadiusKm,
		Scale:   ui.Scale{Low: model.MinRadius, High: model.MaxRadius, Log: true}, Marks: []float64{0.1, 1, 10},
		Hint: fmt.Sprintf("The observer has recognised the target when %s within this distance of it",
			either(m.Experiment.Adversary.Rule == adversary.Stays, "all further guesses fall",
				fmt.Sprintf("%d guesses in a row fall", c.Adversary.ConsecutiveSteps))),
	}); ok {
		m.SetRadius(model.Rounded(v))
	}
	if v, ok := s.UI.Slider(row(height), ui.Slider{
		ID: "lambda", Label: "λ  decay", Text: number(c.Adversary.LambdaPerS) + " /s", Value: c.Adversary.LambdaPerS,
		Default: standard.Adversary.LambdaPerS,
		Scale:   ui.Scale{Low: model.MinLambda, High: model.MaxLambda, Log: true}, Marks: []float64{0.01, 0.1, 1},
		Hint: "How fast the observer expects a turn to end: the measured acceleration decays as exp(-λt)",
	}); ok {
		m.SetLambda(model.Rounded(v))
	}
	if v, ok := s.UI.Slider(row(height), ui.Slider{
		ID: "runs", Label: "flights", Text: strconv.Itoa(m.Runs()), Value: float64(m.Runs()),
		Default: float64(standard.Study.Runs),
		Scale:   ui.Scale{Low: model.MinRuns, High: model.MaxRuns, Log: true}, Marks: []float64{100, 1000},
		Hint: "Flights of the ensemble, each with a draw of its own",
	}); ok {
		m.SetRuns(model.RoundRuns(v))
	}
}

// runRow chooses the run on show and the sample.
func (s *Screen) runRow(r draw.Rect) {
	m, l, t := s.Model, s.UI.List, s.theme()
	l.TextIn(t.Body, draw.Rect{X: r.X, Y: r.Y, W: 92, H: r.H}, draw.Left, t.Muted,
		either(s.layout.Compact, "flight", "flight on show"))
	r = r.Trim(either(s.layout.Compact, 52., 94), 0, 0, 0)
	sample, r := r.CutRight(96)
	r = r.Trim(0, 0, 8, 0)
	left, r := r.CutLeft(r.H)
	right, r := r.CutRight(r.H)
	if s.UI.IconButton("run.previous", left, "The flight before ([)", false, backIcon) {
		m.Select(m.RunNumber - 1)
	}
	if _, clicked := s.UI.Spot("run.number", r, "Click to type the number of a run"); clicked {
		s.typing, s.typed = true, ""
	}
	l.TextIn(t.Strong, r, draw.Center, either(s.typing, t.Accent, t.Ink),
		"run "+either(s.typing, s.typed+"_", strconv.Itoa(m.RunNumber)))
	if s.UI.IconButton("run.next", right, "The next flight (])", false, forwardIcon) {
		m.Select(m.RunNumber + 1)
	}
	s.button("sample", sample, nil)
}
