package screen

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// survey is the map of the selected flights.
func (s *Screen) survey() *model.Survey { return s.Model.SurveyOf(s.chosen()) }

func (s *Screen) surveyArea() draw.Rect { return s.insideSurvey() }

// insideSurvey is the plot of the panel, which on phones has a button above it.
func (s *Screen) insideSurvey() draw.Rect {
	r := inside(s.layout.Survey)
	if s.layout.Compact {
		return r.Trim(0, touchTarget-22, 0, 0)
	}
	return r
}

// axisInSurvey reports whether the panel shows the distance along epsilon instead of the map, as it does on phones
// until the map is asked for.
func (s *Screen) axisInSurvey() bool {
	return s.layout.Compact && !s.ShowSurface && !s.layout.Survey.Empty()
}

// surveyCell returns the cell of an epsilon and a radius.
func (s *Screen) surveyCell(epsilon, radius int) draw.Rect {
	r, m := s.surveyArea(), &s.Model.Survey
	w, h := r.W/float64(len(m.Epsilons)), r.H/float64(len(m.RadiiKm))
	return draw.Rect{X: r.X + w*float64(epsilon), Y: r.Bottom() - h*float64(radius+1), W: w, H: h}
}

// stillSurvey draws the mean detection distance over epsilon and radius.
func (s *Screen) stillSurvey(l *draw.List) {
	t, m := s.theme(), s.survey()
	if s.axisInSurvey() {
		s.panel(l, s.layout.Survey, "Along ε")
		return
	}
	title := "Mean distance by ε and ρ, km"
	if m.Recorded {
		title += ", as recorded"
	}
	s.panel(l, s.layout.Survey, title)
	most := s.surveyMost()
	s.tellSurveyOf(l, most)
	for i := range m.Epsilons {
		for j := range m.RadiiKm {
			cell := s.surveyCell(i, j)
			mean, n := m.MeanKm(i, j)
			c := t.Background
			if n > 0 {
				c = s.theme().Shade(mean / most)
			}
			l.Rect(cell, c)
		}
	}
	s.surveyNumbers(l)
	area := s.surveyArea()
	l.Paragraph(t.Small, draw.Rect{X: area.X + 4, Y: area.Y + 4, W: area.W - 8, H: 15}, max(1, int(area.H/15)), t.Muted,
		s.surveyAwaited())
	for i, e := range m.Epsilons {
		if cell := s.surveyCell(i, 0); labelled(m.Epsilons, i) {
			l.TextIn(t.Small, draw.Rect{X: cell.Center().X - 20, Y: area.Bottom() + 2, W: 40, H: 14}, draw.Center, t.Muted,
				short(e))
		}
	}
	for j, r := range m.RadiiKm {
		if cell := s.surveyCell(0, j); labelled(m.RadiiKm, j) {
			l.TextIn(t.Small, draw.Rect{X: area.X - 46, Y: cell.Center().Y - 7, W: 40, H: 14}, draw.Right, t.Muted, short(r))
		}
	}
	l.TextIn(t.Small, draw.Rect{X: area.X, Y: area.Bottom() + 15, W: area.W, H: 14}, draw.Center, t.Muted,
		"→ ε, less private     ↑ ρ in km, an easier target")
}

// tellSurveyOf writes of which flights the map is: beside the title, or on phones below it.
func (s *Screen) tellSurveyOf(l *draw.List, most float64) {
	t, r := s.theme(), s.layout.Survey.Trim(pad, 6, pad+foldWidth, 0)
	at := draw.Right
	if s.layout.Compact {
		at, r = draw.Left, r.Trim(0, 18, 0, 0)
	}
	r.H = 16
	text := s.surveyOf()
	l.TextIn(t.Small, r, at, t.Muted, text)
	if text != "" || s.layout.Compact || !s.survey().Begun() {
		return
	}
	end := l.Width(t.Small, number(most))
	l.TextIn(t.Small, r, draw.Right, t.Muted, number(most))
	const steps = 40
	for i := range steps {
		x := r.Right() - end - 4 - steps + float64(i)
		l.Rect(draw.Rect{X: x, Y: r.Y + 5, W: 1, H: 7}, s.theme().Shade(float64(i)/(steps-1)))
	}
	l.TextIn(t.Small, r.Trim(0, 0, end+steps+8, 0), draw.Right, t.Muted, "0")
}

// surveyMost is the distance that the strongest colour of the map stands for: a round one that no mean is beyond, km.
func (s *Screen) surveyMost() float64 {
	m, far := s.survey(), 0.0
	for i := range m.Epsilons {
		for j := range m.RadiiKm {
			if mean, n := m.MeanKm(i, j); n > 0 {
				far = math.Max(far, mean)
			}
		}
	}
	const step = 10 // km
	return math.Max(step, step*math.Ceil(far/step))
}

// axisButton is the width of the button that shows the chart along epsilon, points.
const axisButton = 84

// surveyOf says of which flights the map is, where it is not of all that it will be of or not of the selected ones.
func (s *Screen) surveyOf() string {
	m := s.survey()
	switch n := m.Flights(); {
	case m.Recorded:
		return ""
	case n == 0:
		return either(m.Begun(), "flying …", "")
	case s.chosen().Runs != nil && m == &s.Model.Survey:
		return "of all flights"
	case n < s.Model.SurveyRuns():
		return either(n == 1, "1 flight", fmt.Sprintf("%d flights", n))
	}
	return ""
}

// surveyAwaited says why the map is empty; it is empty where the map is not.
func (s *Screen) surveyAwaited() string {
	all := &s.Model.Survey
	switch {
	case s.survey().Begun():
		return ""
	case all.Problem != "":
		return "There is no map: " + all.Problem
	case all.Begun():
		return "The map is of the first " + strconv.Itoa(s.Model.SurveyRuns()) + " flights, of which none is selected."
	case s.Model.HasAxis():
		return "Flying …"
	}
	return "With " + s.apart() + " each ε is flown by itself, after all else. That takes a while."
}

// labelled reports whether a value of an axis gets its number: round ones, or where there are none, some.
func labelled(values []float64, i int) bool {
	round := []float64{0.1, 0.3, 1, 3, 10}
	if slices.ContainsFunc(values, func(v float64) bool { return slices.Contains(round[:2], v) }) {
		return slices.Contains(round, values[i])
	}
	const most = 5
	return i%max(1, (len(values)+most-1)/most) == 0
}

// short writes a value of an axis in three digits.
func short(v float64) string { return number(model.Rounded(v)) }

// surveyNumbers writes the means into the cells where they are large enough.
func (s *Screen) surveyNumbers(l *draw.List) {
	t, m := s.theme(), s.survey()
	cell := s.surveyCell(0, 0)
	if cell.W < 22 || cell.H < 14 {
		return
	}
	most := s.surveyMost()
	for i := range m.Epsilons {
		for j := range m.RadiiKm {
			mean, n := m.MeanKm(i, j)
			if n == 0 {
				continue
			}
			ink := t.Ink
			if mean > 0.55*most {
				ink = t.Background
			}
			l.TextIn(t.Small, s.surveyCell(i, j), draw.Center, ink, fixed(mean, 0))
		}
	}
}

// operateSurvey goes to the epsilon and radius of the cell that is clicked.
func (s *Screen) operateSurvey() {
	if s.layout.Compact {
		button := draw.Rect{X: s.layout.Survey.Right() - pad - axisButton, Y: s.layout.Survey.Y + 3, W: axisButton,
			H: touchTarget}
		if s.UI.Toggle("survey.axis", button, either(s.ShowSurface, "along ε", "ε × ρ"),
			"Show where the flights are recognised along ε, or the map of ε and ρ", false) {
			s.ShowSurface = !s.ShowSurface
		}
	}
	if s.axisInSurvey() {
		return
	}
	area, m := s.surveyArea(), s.survey()
	over, _, clicked := s.UI.Area("survey", area)
	if s.brushSurvey() || !over {
		return
	}
	i, j := s.surveyCellAt(s.UI.Input.Pointer)
	mean, n := m.MeanKm(i, j)
	s.UI.SetCursor(ui.Hand)
	text := fmt.Sprintf("recognised %s km from the target on average (%d flights)", fixed(mean, 2), n)
	s.UI.Hint(true, s.surveyCell(i, j), fmt.Sprintf("ε %s, ρ %s km: %s. Click to go there, drag to see the flights of "+
		"an area.",
		number(m.Epsilons[i]), number(m.RadiiKm[j]), either(n > 0, text, "no flights")))
	if clicked {
		s.Model.SetRadius(m.RadiiKm[j])
		s.Model.SetEpsilon(m.Epsilons[i])
	}
}

// surveyCellAt returns the epsilon and the radius of the cell at a place, or of the nearest to it.
func (s *Screen) surveyCellAt(p draw.Point) (epsilon, radius int) {
	area, m := s.surveyArea(), &s.Model.Survey
	at := func(share float64, n int) int { return max(0, min(n-1, int(share*float64(n)))) }
	return at((p.X-area.X)/area.W, len(m.Epsilons)), at((area.Bottom()-p.Y)/area.H, len(m.RadiiKm))
}

// movingSurvey marks the settings in force.
func (s *Screen) movingSurvey(l *draw.List) {
	if s.axisInSurvey() || s.surveyAwaited() != "" {
		return
	}
	t, area, m := s.theme(), s.surveyArea(), &s.Model.Survey
	x := area.X + s.cellShare(m.Epsilons, s.Model.Config.Privacy.Epsilon)*area.W
	y := area.Bottom() - s.cellShare(m.RadiiKm, s.Model.Config.Adversary.RadiusKm)*area.H
	at := draw.Point{X: clampTo(x, area.X+7, area.Right()-7), Y: clampTo(y, area.Y+7, area.Bottom()-7)}
	if away := (draw.Point{X: x - at.X, Y: y - at.Y}); math.Hypot(away.X, away.Y) > 8 { // the settings lie off the map
		panel.Arrowhead(l, at, away.X, away.Y, 7, t.Background, s.theme().CaughtInk())
		return
	}
	l.Ring(at, 6.5, 3.5, t.Background)
	l.Ring(at, 6.5, 1.8, s.theme().CaughtInk())
}

// cellShare places a value between the middles of the cells around it, as a share of the axis.
func (s *Screen) cellShare(values []float64, v float64) float64 {
	n := float64(len(values))
	for i := 1; i < len(values); i++ {
		if v <= values[i] || i == len(values)-1 {
			t := math.Log(v/values[i-1]) / math.Log(values[i]/values[i-1])
			return (float64(i-1) + 0.5 + t) / n
		}
	}
	return 0.5
}
