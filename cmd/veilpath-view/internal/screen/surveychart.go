package screen

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// surfaceChart is the map of the selected flights as it is drawn.
func (s *Screen) surfaceChart() *panel.Surface {
	m := s.Survey()
	return &panel.Surface{Area: panel.Inside(s.Layout.Survey), X: m.Epsilons, Y: m.RadiiKm, Value: m.MeanKm,
		Most: s.SurveyMost(), Text: answer.Short}
}

// stillSurvey draws the mean detection distance over epsilon and radius, and says of which flights it is.
func (s *Screen) stillSurvey(l *draw.List) {
	t, m, surface := s.Theme(), s.Survey(), s.surfaceChart()
	s.Panel(l, s.Layout.Survey, "Mean distance by ε and ρ, km"+either(m.Recorded, ", as recorded", ""))
	head := headOf(s.Layout.Survey)
	if text := s.SurveyOf(); text != "" {
		l.TextIn(t.Small, head, draw.Right, t.Muted, text)
	} else if m.Begun() {
		surface.DrawScale(l, t, head)
	}
	surface.Draw(l, t)
	area := surface.Area
	l.Paragraph(t.Small, draw.Rect{X: area.X + 4, Y: area.Y + 4, W: area.W - 8, H: 15}, max(1, int(area.H/15)), t.Muted,
		s.SurveyAwaited())
	l.TextIn(t.Small, draw.Rect{X: area.X, Y: area.Bottom() + 15, W: area.W, H: 14}, draw.Center, t.Muted,
		"→ ε, less private     ↑ ρ in km, an easier target")
}

// operateSurvey goes to the epsilon and radius of the cell that is clicked.
func (s *Screen) operateSurvey() {
	m, surface := s.Survey(), s.surfaceChart()
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
	if c := &s.Model.Config; s.SurveyAwaited() == "" {
		s.surfaceChart().DrawNow(l, s.Theme(), c.Privacy.Epsilon, c.Adversary.RadiusKm)
	}
}
