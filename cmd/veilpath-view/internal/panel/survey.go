package panel

import (
	"fmt"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Survey is the panel of the mean distance of recognition by epsilon and radius.
type Survey struct {
	*Frame
}

// Area is the panel.
func (sv *Survey) Area() draw.Rect { return sv.Layout.Survey }

// Chart is the map of the selected flights as it is drawn.
func (sv *Survey) Chart() *Surface {
	m := sv.Survey()
	return &Surface{Area: plotArea(sv.Layout.Survey), X: m.Epsilons, Y: m.RadiiKm, Value: m.MeanKm,
		Most: sv.SurveyMost(), Text: answer.Short}
}

// DrawStill draws the mean detection distance over epsilon and radius, and says of which flights it is.
func (sv *Survey) DrawStill(l *draw.List) {
	t, m, surface := sv.Theme(), sv.Survey(), sv.Chart()
	sv.Panel(l, sv.Layout.Survey, "Mean distance by ε and ρ, km"+either(m.Recorded, ", as recorded", ""))
	head := headOf(sv.Layout.Survey)
	if text := sv.SurveyOf(); text != "" {
		l.TextIn(t.Small, head, draw.Right, t.Muted, text)
	} else if m.Begun() {
		surface.DrawScale(l, t, head)
	}
	surface.Draw(l, t)
	area := surface.Area
	l.Paragraph(t.Small, draw.Rect{X: area.X + 4, Y: area.Y + 4, W: area.W - 8, H: 15}, max(1, int(area.H/15)), t.Muted,
		sv.SurveyAwaited())
	l.TextIn(t.Small, draw.Rect{X: area.X, Y: area.Bottom() + 15, W: area.W, H: 14}, draw.Center, t.Muted,
		"→ ε, less private     ↑ ρ in km, an easier target")
}

// Operate goes to the epsilon and radius of the cell that is clicked.
func (sv *Survey) Operate() {
	m, surface := sv.Survey(), sv.Chart()
	over, _, clicked := sv.UI.Area("survey", surface.Area)
	if !over {
		return
	}
	i, j := surface.At(sv.UI.Input.Pointer)
	mean, n := m.MeanKm(i, j)
	sv.UI.SetCursor(ui.Hand)
	text := fmt.Sprintf("recognised %s km from the target on average (%d flights)", chart.Fixed(mean, 2), n)
	sv.UI.Hint(true, surface.Cell(i, j), fmt.Sprintf("ε %s, ρ %s km: %s. Click to go there.",
		chart.Number(m.Epsilons[i]), chart.Number(m.RadiiKm[j]), either(n > 0, text, "no flights")))
	if clicked {
		sv.Model.SetRadius(m.RadiiKm[j])
		sv.Model.SetEpsilon(m.Epsilons[i])
	}
}

// DrawMoving marks the settings in force.
func (sv *Survey) DrawMoving(l *draw.List) {
	if c := &sv.Model.Config; sv.SurveyAwaited() == "" {
		sv.Chart().DrawNow(l, sv.Theme(), c.Privacy.Epsilon, c.Adversary.RadiusKm)
	}
}
