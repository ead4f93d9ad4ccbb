package views

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/internal/phrase"
	"veilpath/internal/plot"
	"veilpath/sim/study"
)

// The epsilons that the charts show.
var leastEpsilon, mostEpsilon = model.AxisRange.Low, model.AxisRange.High

var epsilonTicks = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10}

// makeChoose makes the charts along epsilon: where flights are recognised on average, with its band and what is
// demanded, and below what that costs.
func (v *Views) makeChoose() {
	m, t := v.Model, v.theme()
	margins := plot.Margins{Left: 44, Top: 34, Right: 14, Bottom: 30}
	x := plot.Scale{Low: leastEpsilon, High: mostEpsilon, Log: true}
	c := plot.Chart{ID: "choose", Title: "Choose ε", Note: "where flights are recognised, km", Panel: v.Layout.Choose,
		Margins: margins, X: x, TicksX: epsilonTicks}
	cost := plot.Chart{ID: "cost", Title: "What it costs", Note: "% of the plan lost, % that give up",
		Panel:   v.Layout.Cost,
		Margins: plot.Margins{Left: 44, Top: 30, Right: 14, Bottom: 22}, X: x, TicksX: epsilonTicks}
	sum := m.Ensemble.Summary()
	if sum.PlannedKm > 0 {
		c.References = append(c.References, plot.Reference{Name: "no noise " + phrase.Fixed(sum.PlannedKm, 1),
			At: sum.PlannedKm, Ink: t.Muted})
	}
	mean := v.Mean(!v.made.coarse)
	if m.HasAxis() && len(mean.Mean) > 0 {
		c.Series = []plot.Series{curve(mean, 2.2, t.Ink)}
		lost, gaveUp := v.ValueLost(), v.GivesUp()
		cost.Series = []plot.Series{curve(gaveUp, 1.6, v.red), curve(capped(lost), 2.2, t.CaughtInk())}
		cost.Labels = []plot.Label{named(lost, 0.3, "value lost", t.CaughtInk(), -14), named(gaveUp, 0.13, "give up",
			v.red, -4)}
	} else if m.HasAxis() {
		cost.Empty = "Flying …"
	} else {
		cost.Empty = answer.NoCurve
	}
	for _, r := range v.RecordedAlong() {
		c.Dots = append(c.Dots, plot.Dot{X: r.Epsilon, Y: r.MeanKm, Radius: 3.5, Ink: t.WaypointInk(), Ring: true})
	}
	v.scaleChoose(&c, &cost, mean, &sum)
	sought := m.Sought()
	for _, set := range []struct {
		epsilons []study.Range
		ink      color.NRGBA
	}{{sought.Met, v.green}, {sought.Undecided, t.CaughtInk()}, {sought.NotMet, v.red}} {
		for _, r := range set.epsilons {
			if from, to := max(r.Low, leastEpsilon), min(r.High, mostEpsilon); from < to {
				c.Zones = append(c.Zones, plot.Zone{From: from, To: to, Ink: set.ink})
			}
		}
	}
	at := either(v.DemandKm > 0, v.DemandKm, v.DemandNow())
	c.References = append(c.References, plot.Reference{ID: "demand", At: at, Drags: true, Ink: v.green,
		Name: either(v.DemandKm > 0, "hidden until "+answer.Km(at), "hidden until?")})
	if p := m.Pair; p != nil {
		v.thumb(&c, &cost, "B", t.KeptInk(), p.Config.Privacy.Epsilon, p.Ensemble.Summary())
	}
	v.thumb(&c, &cost, "A", t.PrivateInk(), m.ChosenEpsilon(), sum)
	v.Choose, v.Cost = c, cost
}

// scaleChoose gives the charts their vertical scales, which hold while something is dragged.
func (v *Views) scaleChoose(c, cost *plot.Chart, mean study.Curve, sum *study.Summary) {
	if v.made.coarse && v.costTop > 0 {
		c.Y, cost.Y = v.chooseY, plot.Scale{High: v.costTop}
		return
	}
	low, high, top := math.Inf(1), 0.0, 1.0
	add := func(km float64) {
		if km > 0 {
			low, high = math.Min(low, km), math.Max(high, km)
		}
	}
	add(sum.PlannedKm)
	add(sum.MeanKm)
	add(v.DemandKm)
	if v.Model.Pair != nil {
		add(v.Model.Pair.Ensemble.Summary().MeanKm)
	}
	for _, d := range c.Dots {
		add(d.Y)
	}
	for i, epsilon := range mean.Epsilons {
		if epsilon < leastEpsilon || epsilon > mostEpsilon {
			continue
		}
		add(mean.Mean[i])
		if mean.High != nil {
			add(mean.Low[i])
			add(mean.High[i])
		}
	}
	for i := range cost.Series {
		for k := range cost.Series[i].N {
			if epsilon, y := cost.Series[i].At(k); epsilon >= leastEpsilon {
				top = math.Max(top, y)
			}
		}
	}
	if math.IsInf(low, 1) {
		low, high = 0, 100
	}
	air := math.Max(0.5, 0.08*(high-low))
	v.chooseY, v.costTop = plot.Scale{Low: math.Max(0, low-2*air), High: high + air}, math.Min(100, 1.08*top)
	c.Y, cost.Y = v.chooseY, plot.Scale{High: v.costTop}
}

// thumb marks an epsilon on both charts.
func (v *Views) thumb(c, cost *plot.Chart, name string, ink color.NRGBA, epsilon float64, sum study.Summary) {
	upright := plot.Reference{At: epsilon, Upright: true, Solid: true, Ink: ink}
	c.References, cost.References = append(c.References, upright), append(cost.References, upright)
	if sum.Runs > 0 {
		c.Dots = append(c.Dots, plot.Dot{X: epsilon, Y: sum.MeanKm, Radius: 4.5, Ink: ink})
	}
	c.Dots = append(c.Dots, plot.Dot{X: epsilon, Y: c.Y.Low, Radius: 9, Ink: ink, Name: name})
}

// curve is a mean along epsilon as a line with its band.
func curve(c study.Curve, width float64, ink color.NRGBA) plot.Series {
	return plot.Series{N: len(c.Mean), Width: width, Ink: ink, Low: c.Low, High: c.High,
		At: func(i int) (x, y float64) { return c.Epsilons[i], c.Mean[i] }}
}

// capped is a curve in percent whose values beyond all are all.
func capped(c study.Curve) study.Curve {
	const all = 100 // %
	for _, values := range []*[]float64{&c.Mean, &c.Low, &c.High} {
		*values = slices.Clone(*values)
		for i, v := range *values {
			(*values)[i] = math.Min(all, v)
		}
	}
	return c
}

// named is a name at a curve, at an epsilon.
func named(c study.Curve, epsilon float64, text string, ink color.NRGBA, down float64) plot.Label {
	at := plot.Label{X: epsilon, Shift: plot.Point{X: 34, Y: down}, Text: text, Ink: ink, Bold: true}
	if len(c.Mean) > 0 {
		at.Y = math.Min(100, c.Mean[answer.PlaceAlong(c.Epsilons, epsilon)])
	}
	return at
}

// drawComparison draws the numbers of the settings, and of those that they are compared with.
func (v *Views) drawComparison(l *draw.List) {
	t, m, r := v.theme(), v.Model, v.Layout.Comparison
	l.RoundRect(r, v.look.Corner, t.Panel)
	title := either(m.Pair == nil, "This setting", "A and B, on the same noise")
	l.TextIn(t.Strong, draw.Rect{X: r.X + 12, Y: r.Y + 7, W: 220, H: 18}, draw.Left, t.Ink, title)
	inner := r.Trim(12, 30, 12, 0)
	compared := v.Comparison()
	for i, cells := range append([][]string{compared.Head}, compared.Rows...) {
		y := inner.Y + 22*float64(i)
		l.TextIn(t.Body, draw.Rect{X: inner.X, Y: y, W: 0.28 * inner.W, H: 18}, draw.Left,
			[]color.NRGBA{t.Muted, t.PrivateInk(), t.KeptInk()}[i], cells[0])
		for k, right := range []float64{0.38, 0.59, 0.81, 1} {
			at := draw.Rect{X: inner.X + (right-0.23)*inner.W, Y: y, W: 0.23 * inner.W, H: 18}
			text := cells[k+1]
			if i == 0 && l.Width(t.Small, text) > at.W-10 {
				text, _, _ = strings.Cut(text, " ")
			}
			l.TextIn(either(i == 0, t.Small, t.Body), at, draw.Right, either(i == 0, t.Muted, t.Ink), text)
		}
	}
	if m.Pair != nil {
		l.Paragraph(t.Strong, draw.Rect{X: inner.X, Y: inner.Y + 67, W: inner.W, H: 15}, 2, t.Ink, compared.Text)
		return
	}
	l.Paragraph(t.Small, draw.Rect{X: inner.X, Y: inner.Y + 48, W: inner.W, H: 15}, 2, t.Muted,
		"Compare keeps this as B; change anything, on the same noise.")
}

// epsilonText says what an epsilon comes to, for the pointer.
func (v *Views) epsilonText(epsilon float64) string {
	text := v.AxisText(epsilon)
	if v.Model.HasAxis() {
		text += costText(capped(v.ValueLost()), epsilon, "of the plan lost") + costText(v.GivesUp(), epsilon, "give up")
	}
	return text
}

// costText says what a cost is at an epsilon, with its interval along the whole axis.
func costText(c study.Curve, epsilon float64, what string) string {
	if len(c.Mean) == 0 {
		return ""
	}
	i := answer.PlaceAlong(c.Epsilons, epsilon)
	text := "; " + phrase.Fixed(c.Mean[i], 0) + " % " + what
	if c.High != nil {
		text += fmt.Sprintf(" (%s to %s)", phrase.Fixed(c.Low[i], 0), phrase.Fixed(c.High[i], 0))
	}
	return text
}

// epsilonAt is the epsilon of a place along the charts.
func (v *Views) epsilonAt(x float64) float64 {
	return math.Max(leastEpsilon, math.Min(mostEpsilon, model.Rounded(v.Choose.XAt(x))))
}
