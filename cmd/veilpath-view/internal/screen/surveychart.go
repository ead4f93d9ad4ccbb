package screen

import (
	"fmt"
	"math"
	"strconv"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// survey is the map of the selected flights.
func (s *Screen) survey() *model.Survey { return s.Model.SurveyOf(s.chosen()) }

// surfaceChart is the map of the selected flights as it is drawn.
func (s *Screen) surfaceChart() *panel.Surface {
	m := s.survey()
	return &panel.Surface{Area: inside(s.layout.Survey), X: m.Epsilons, Y: m.RadiiKm, Value: m.MeanKm,
		Most: s.surveyMost(), Text: short}
}

// stillSurvey draws the mean detection distance over epsilon and radius, and says of which flights it is.
func (s *Screen) stillSurvey(l *draw.List) {
	t, m, surface := s.theme(), s.survey(), s.surfaceChart()
	s.panel(l, s.layout.Survey, "Mean distance by ε and ρ, km"+either(m.Recorded, ", as recorded", ""))
	head := headOf(s.layout.Survey)
	if text := s.surveyOf(); text != "" {
		l.TextIn(t.Small, head, draw.Right, t.Muted, text)
	} else if m.Begun() {
		surface.DrawScale(l, t, head)
	}
	surface.Draw(l, t)
	area := surface.Area
	l.Paragraph(t.Small, draw.Rect{X: area.X + 4, Y: area.Y + 4, W: area.W - 8, H: 15}, max(1, int(area.H/15)), t.Muted,
		s.surveyAwaited())
	l.TextIn(t.Small, draw.Rect{X: area.X, Y: area.Bottom() + 15, W: area.W, H: 14}, draw.Center, t.Muted,
		"→ ε, less private     ↑ ρ in km, an easier target")
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

// short writes a value of an axis in three digits.
func short(v float64) string { return number(model.Rounded(v)) }

// operateSurvey goes to the epsilon and radius of the cell that is clicked.
func (s *Screen) operateSurvey() {
	m, surface := s.survey(), s.surfaceChart()
	over, _, clicked := s.UI.Area("survey", surface.Area)
	if !over {
		return
	}
	i, j := surface.At(s.UI.Input.Pointer)
	mean, n := m.MeanKm(i, j)
	s.UI.SetCursor(ui.Hand)
	text := fmt.Sprintf("recognised %s km from the target on average (%d flights)", fixed(mean, 2), n)
	s.UI.Hint(true, surface.Cell(i, j), fmt.Sprintf("ε %s, ρ %s km: %s. Click to go there.",
		number(m.Epsilons[i]), number(m.RadiiKm[j]), either(n > 0, text, "no flights")))
	if clicked {
		s.Model.SetRadius(m.RadiiKm[j])
		s.Model.SetEpsilon(m.Epsilons[i])
	}
}

// movingSurvey marks the settings in force.
func (s *Screen) movingSurvey(l *draw.List) {
	if c := &s.Model.Config; s.surveyAwaited() == "" {
		s.surfaceChart().DrawNow(l, s.theme(), c.Privacy.Epsilon, c.Adversary.RadiusKm)
	}
}
