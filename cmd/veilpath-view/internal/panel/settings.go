package panel

import (
	"fmt"
	"math"
	"strconv"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Settings are the sliders and switches that change what is flown.
type Settings struct {
	*Frame
}

// Draw draws the sliders and switches, and does what they ask for.
func (st *Settings) Draw() {
	rest := st.Layout.Controls
	if rest.W == 0 {
		return
	}
	rest = rest.Trim(layout.Pad, either(st.Layout.Compact, 8., layout.ControlsTop), layout.Pad, 4)
	row := func(h float64) (r draw.Rect) {
		r, rest = rest.CutTop(st.touchable(h))
		return r
	}
	st.sliders(row)
	if !st.Layout.Compact {
		st.choices(row)
		st.choosers(st.buttonRow(row))
	}
	st.runRow(st.buttonRow(row))
}

// choosers draws the buttons of the lists of observers and of missions.
func (st *Settings) choosers(r draw.Rect) {
	left, right := r.CutLeft(math.Floor((r.W - layout.Gap) / 2))
	st.Controls.Button("observer", left, nil)
	st.Controls.Button("mission", right.Trim(layout.Gap, 0, 0, 0), nil)
}

// buttonRow takes a row of buttons, with air around them.
func (st *Settings) buttonRow(row func(h float64) draw.Rect) draw.Rect {
	return row(st.touchable(26)+layout.ButtonAir).Trim(0, 4, 0, layout.ButtonAir-4)
}

// choices draws the switches of the calibration and of the reward map.
func (st *Settings) choices(row func(h float64) draw.Rect) {
	l, t := st.UI.List, st.Theme()
	r := st.buttonRow(row)
	labelled := func(r draw.Rect, text string) draw.Rect {
		w := either(st.Layout.Compact, l.Width(t.Body, text)+10, 82)
		l.TextIn(t.Body, draw.Rect{X: r.X, Y: r.Y, W: w, H: r.H}, draw.Left, t.Muted, text)
		return r.Trim(w, 0, 0, 0)
	}
	if r = labelled(r, "calibration"); st.Model.Calibrated() {
		st.Controls.Choice("calibration", "calibration", r, []string{
			"Noise of the paper's Lemma 1: sufficient, and more than needed",
			"The exact smallest noise for the same ε and δ (Balle & Wang 2018)"})
	} else {
		l.TextIn(t.Body, r, draw.Center, t.Muted, "there is no Gaussian noise")
	}
	st.Controls.Choice("map", "heat", labelled(st.buttonRow(row), "map"), st.MapHints())
}

// sliders draws the sliders of the numbers that are set most.
func (st *Settings) sliders(row func(h float64) draw.Rect) {
	m, c, standard := st.Model, &st.Model.Config, &st.Standard
	if st.Layout.Slider.Empty() { // otherwise it is over the chart along it
		st.Controls.Slider(row(layout.SliderHeight), ui.Slider{ID: "epsilon", Label: "ε  privacy",
			Text: chart.Number(m.ChosenEpsilon()), Default: standard.Privacy.Epsilon, Marks: []float64{0.1, 1, 10},
			Breaks: st.Breaks(), Hint: st.StrengthHint()})
	} else if l, t := st.UI.List, st.Theme(); st.Layout.Compact && st.Layout.Along.Y == st.Layout.Controls.Y {
		// Beside the chart there is as much room as without it, and all else stays where it is.
		r := row(layout.SliderHeight)
		l.TextIn(t.Body, r, draw.Left, t.Muted, "ε  privacy")
		l.TextIn(t.Strong, r, draw.Right, t.Ink, chart.Number(m.ChosenEpsilon()))
	}
	within := fmt.Sprintf("%d guesses in a row fall", c.Adversary.ConsecutiveSteps)
	if m.Experiment.Adversary.Rule == adversary.Stays {
		within = "all further guesses fall"
	}
	st.Controls.Slider(row(layout.SliderHeight), ui.Slider{ID: "radius", Label: "ρ  radius",
		Text: chart.Km(c.Adversary.RadiusKm), Default: standard.Adversary.RadiusKm, Marks: []float64{0.1, 1, 10},
		Hint: "The observer has recognised the target when " + within + " within this distance of it"})
	if st.Layout.Compact { // which has no room for more, and the decay in the list
		st.choosers(row(layout.SliderHeight))
	} else {
		st.Controls.Slider(row(layout.SliderHeight), ui.Slider{ID: "lambda", Label: "λ  decay",
			Text: chart.Number(c.Adversary.LambdaPerS) + " /s", Default: standard.Adversary.LambdaPerS,
			Marks: []float64{0.01, 0.1, 1},
			Hint:  "How fast the observer expects a turn to end: the measured acceleration decays as exp(-λt)"})
	}
	st.Controls.Slider(row(layout.SliderHeight), ui.Slider{ID: "runs", Label: "flights", Text: strconv.Itoa(m.Runs()),
		Default: float64(standard.Study.Runs), Marks: []float64{100, 1000},
		Hint: "Flights of the ensemble, each with a draw of its own"})
}

// runRow draws what chooses the run on show and the sample.
func (st *Settings) runRow(r draw.Rect) {
	m, l, t := st.Model, st.UI.List, st.Theme()
	l.TextIn(t.Body, draw.Rect{X: r.X, Y: r.Y, W: 92, H: r.H}, draw.Left, t.Muted,
		either(st.Layout.Compact, "flight", "flight on show"))
	r = r.Trim(either(st.Layout.Compact, 52., 94), 0, 0, 0)
	sample, r := r.CutRight(96)
	r = r.Trim(0, 0, 8, 0)
	left, r := r.CutLeft(r.H)
	right, r := r.CutRight(r.H)
	if st.UI.IconButton("run.previous", left, "The flight before ([)", false, backIcon) {
		m.Select(m.RunNumber - 1)
	}
	st.Controls.Asks("run", r)
	number := strconv.Itoa(m.RunNumber)
	l.TextIn(t.Strong, r, draw.Center, t.Ink, either(l.Width(t.Strong, "run "+number) <= r.W, "run "+number, number))
	if st.UI.IconButton("run.next", right, "The next flight (])", false, forwardIcon) {
		m.Select(m.RunNumber + 1)
	}
	st.Controls.Button("sample", sample, nil)
}
