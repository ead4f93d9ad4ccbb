package panel

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/sim/study"
)

// Axis is the chart along epsilon, with the slider of epsilon over it and the demand beside it.
type Axis struct {
	*Frame
	FarKm float64 // that the chart reaches to as it is drawn

	line     draw.Thinned // room for the mean
	drawn    uint64       // how often the chart was drawn
	answered answer.Cached[answerKey, placed]
}

// Area is the panel.
func (ax *Axis) Area() draw.Rect { return ax.Layout.Along }

// EpsilonScale is the scale of the slider of epsilon and of what is drawn along it.
var EpsilonScale = ui.Scale{Low: model.MinEpsilon, High: model.MaxEpsilon, Log: true}

// Plot is the chart along epsilon, below the slider of epsilon and as wide.
func (ax *Axis) Plot() chart.Plot {
	area, slider := ax.Layout.Along.Trim(0, layout.AlongTop+ax.Layout.Slider.H, 0, 34), ax.Layout.Slider
	area.X, area.W = slider.X, slider.W
	return chart.New(area, EpsilonScale, ui.Scale{High: math.Max(answer.FarthestKm, ax.FarKm)})
}

// DrawStill draws where the flight on show and the mean are recognised, along epsilon.
func (ax *Axis) DrawStill(l *draw.List) {
	t, m := ax.Theme(), ax.Model
	ax.drawn++
	ax.Panel(l, ax.Layout.Along, "Privacy: ε")
	var mean study.Curve
	var treads []model.Tread
	if m.HasAxis() {
		mean, treads = m.MeanAlong(!ax.UI.Captured()), m.Axis.Treads(m.RunNumber, m.Config.Adversary.RadiusKm)
	}
	far := ax.AxisFar(mean, treads)
	ax.FarKm = either(ax.UI.Captured(), math.Max(far, ax.FarKm), far) // what is dragged leaves its band out
	p := ax.Plot()
	p.GridY(l, t, max(2, int(p.Area.H/30)))
	for _, v := range []float64{0.1, 0.3, 1, 3, 10} {
		l.TextIn(t.Small, draw.Rect{X: p.PX(v) - 20, Y: p.Area.Bottom() + 2, W: 40, H: 14}, draw.Center, t.Muted,
			chart.Number(v))
	}
	foot := draw.Rect{X: p.Area.X - 40, Y: p.Area.Bottom() + 15, W: p.Area.W + 44, H: 14}
	l.TextIn(t.Small, foot, draw.Center, t.Muted, ax.Foot(l, foot.W))
	if !m.HasAxis() {
		beside := draw.Rect{X: p.Area.X + 4, Y: p.Area.Y + 4, W: p.Area.W/2 - 10, H: 15} // of what marks epsilon
		if p.PX(m.Config.Privacy.Epsilon) < p.Area.Center().X {
			beside.X = p.Area.Center().X + 6
		}
		l.Paragraph(t.Small, beside, 4, t.Muted, answer.NoCurve)
		ax.recordedMeans(l, &p)
		return
	}
	l.Clip(p.Area.Inset(-1))
	ax.band(l, &p, mean.Epsilons, mean.Low, mean.High)
	p.Curve(l, &ax.line, len(mean.Mean), func(i int) (float64, float64) { return mean.Epsilons[i], mean.Mean[i] }, 1.8,
		t.Ink)
	for _, at := range ax.Published.Points(m.Config) {
		l.Disc(p.At(at.Epsilon, at.MeanKm), 1.8, t.ObserverInk())
	}
	ax.recordedMeans(l, &p)
	if !m.ShowsBaseline() {
		ax.treads(l, &p, treads)
	}
	ax.baselineLines(l, &p)
	l.Unclip()
	if mean.Runs == 0 {
		foot := draw.Rect{X: p.Area.X + 4, Y: p.Area.Bottom() - 18, W: p.Area.W/2 - 8, H: 14} // away from baselines
		l.TextIn(t.Small, foot, draw.Left, t.Muted, "flying …")
	}
}

// Foot names what the chart draws in as many words as have room. Beside a recorded study it says that the page flew
// what is drawn.
func (ax *Axis) Foot(l *draw.List, width float64) string {
	published := either(len(ax.Known().Along) > 0, "; rings: recorded", "")
	published += either(len(ax.Published.Points(ax.Model.Config)) > 0, "; dots: published", "")
	flown := either(ax.Model.Record != nil, "flown by the page: ", "")
	of, runs := "all", ax.Model.MeanAlong(false).Runs
	switch {
	case runs == 0 || runs >= ax.Model.Runs():
	case ax.Model.AxisComplete():
		of = fmt.Sprintf("the first %d", runs)
	default:
		of = fmt.Sprintf("%d so far", runs)
	}
	return fitting(l, ax.Theme().Small, width,
		"← more private   ε   "+flown+"mean of "+of+" and this flight, km from the target"+published,
		"ε; "+flown+"mean of "+of+" and this flight, km"+published, "ε; "+flown+"mean, this flight, km"+published,
		"ε; km"+published)
}

// recordedMeans draws the means of the study that is open, each with its interval.
func (ax *Axis) recordedMeans(l *draw.List, p *chart.Plot) {
	for _, r := range ax.Known().Along {
		at, ink := p.At(r.Epsilon, r.MeanKm), ax.Theme().WaypointInk()
		if !math.IsNaN(r.LowKm) {
			l.Segment(p.At(r.Epsilon, r.LowKm), p.At(r.Epsilon, r.HighKm), 1.5, ink)
		}
		l.Ring(at, 3.5, 1.8, ink)
	}
}

// baselineLines draws where the baselines are recognised, which epsilon does not change.
func (ax *Axis) baselineLines(l *draw.List, p *chart.Plot) {
	t, mean := ax.Theme(), ax.MeanPoints(p)
	for _, b := range ax.Baselines() {
		y := p.PY(b.Km)
		l.Dashed([]draw.Point{{X: p.Area.X, Y: y}, {X: p.Area.Right(), Y: y}}, 1.2, 3, 3, t.Ink)
		name := ax.BaselineName(l, p, b, mean)
		l.RoundRect(name, 3, ui.Faded(t.Panel, 0.95))
		l.TextIn(t.Small, name, draw.Center, t.Muted, b.Word)
	}
}

// BaselineName is where a baseline is named: where it covers the least of the mean, of which it takes the places, the
// planned flight to the left if it can be, the direct one to the right, below its line since it may lie too high for a
// name above.
func (ax *Axis) BaselineName(l *draw.List, p *chart.Plot, b answer.Baseline, mean []draw.Point) draw.Rect {
	above := draw.Rect{X: p.Area.X + 2, Y: p.PY(b.Km) - 16, W: l.Width(ax.Theme().Small, b.Word) + 4, H: 14}
	below := above
	below.Y += 18
	if b.Word != "planned" {
		above.X = p.Area.Right() - 2 - above.W
		below.X = above.X
		return p.Clearest(mean, below, above)
	}
	boxes := []draw.Rect{above, below}
	for i := range boxes {
		right := boxes[i]
		right.X = p.Area.Center().X
		boxes = append(boxes, right)
	}
	return p.Clearest(mean, boxes...)
}

// band fills between two curves.
func (ax *Axis) band(l *draw.List, p *chart.Plot, x, low, high []float64) {
	const every = 8
	ink := ui.Faded(ax.Theme().Ink, 0.16)
	for i := 0; i+every < len(low); i += every {
		a, b := p.At(x[i], low[i]), p.At(x[i+every], low[i+every])
		c, d := p.At(x[i], high[i]), p.At(x[i+every], high[i+every])
		l.Triangle(a, b, c, ink)
		l.Triangle(b, d, c, ink)
	}
}

// treads draws the distances of the run on show, each with its range of epsilon.
func (ax *Axis) treads(l *draw.List, p *chart.Plot, treads []model.Tread) {
	ink := ax.Theme().PrivateInk()
	for i, tread := range treads {
		y := p.PY(tread.DetectionKm)
		l.Segment(draw.Point{X: p.PX(tread.Low), Y: y}, draw.Point{X: p.PX(tread.High), Y: y}, 2.2, ink)
		if i > 0 && tread.DetectionKm != treads[i-1].DetectionKm {
			l.Segment(draw.Point{X: p.PX(tread.Low), Y: p.PY(treads[i-1].DetectionKm)}, draw.Point{X: p.PX(tread.Low), Y: y}, 1,
				ui.Faded(ink, 0.6))
		}
	}
}

// DrawMoving marks epsilon on the chart and says what it comes to.
func (ax *Axis) DrawMoving(l *draw.List) {
	t, m, p := ax.Theme(), ax.Model, ax.Plot()
	x := p.PX(m.Config.Privacy.Epsilon)
	l.Rect(draw.Rect{X: x - 0.5, Y: p.Area.Y, W: 1, H: p.Area.H}, ui.Faded(t.Muted, 0.7))
	mean := ax.Model.Ensemble.Summary().MeanKm
	if !math.IsNaN(mean) {
		l.Disc(draw.Point{X: x, Y: p.PY(math.Min(mean, p.Y.High))}, 3.5, t.Ink)
	}
	if !m.ShowsBaseline() {
		l.Disc(draw.Point{X: x, Y: p.PY(math.Min(m.Private.Run.DetectionKm, p.Y.High))}, 3.5, t.PrivateInk())
	}
	ax.movingDemand(l, &p)
	title := layout.Pad + l.Width(t.Strong, "Privacy: ε "+chart.Number(m.ChosenEpsilon())) + 12
	value := ax.Layout.Along.Trim(math.Max(110, title), 6, layout.FoldWidth+8, 0)
	value.H = 16
	const apart = 12 // points
	of, this := ax.nowTexts(" km")
	if l.Width(t.Small, of)+apart+l.Width(t.Small, this) > value.W { // what is below the chart has the unit
		of, this = ax.nowTexts("")
	}
	if this != "" {
		value.W -= l.TextIn(t.Small, value, draw.Right, t.PrivateInk(), this) + apart
	}
	l.TextIn(t.Small, value, draw.Right, t.Ink, of)
}

// nowTexts say at the epsilon in force where flights are recognised on average, and where the one on show is, with a
// unit; empty for what there is not.
func (ax *Axis) nowTexts(unit string) (of, this string) {
	km := func(v float64) string { return chart.Fixed(v, either(v >= 99.95, 0, 1)) + unit }
	if mean := ax.Model.Ensemble.Summary().MeanKm; !math.IsNaN(mean) {
		of = "mean " + km(mean)
	}
	if run := &ax.Model.Private.Run; !ax.Model.ShowsBaseline() {
		this = "this " + either(run.Detected, km(run.DetectionKm), "never")
	}
	return of, this
}

// DrawSlider draws the slider of epsilon over the chart along it, as wide as that.
func (ax *Axis) DrawSlider() {
	r := ax.Layout.Slider
	if r.Empty() {
		return
	}
	ax.Controls.Slider(r, ui.Slider{ID: "epsilon", Bare: true, Default: ax.Standard.Privacy.Epsilon, Breaks: ax.Breaks(),
		Hint: ax.StrengthHint()})
	l, t, text := ax.UI.List, ax.Theme(), chart.Number(ax.Model.ChosenEpsilon())
	title := draw.Rect{X: ax.Layout.Along.X + layout.Pad, Y: ax.Layout.Along.Y + 6, W: 120, H: 16}
	name := l.Width(t.Strong, "Privacy: ε") + 6
	title.W = name + l.TextIn(t.Strong, title.Trim(name, 0, 0, 0), draw.Left, t.Accent, text)
	h := ax.touchable(title.H)
	ax.Controls.Asks("epsilon", draw.Rect{X: title.X - 4, Y: title.Bottom() + 4 - h, W: math.Max(h, title.W+8), H: h})
}

// Operate sets epsilon by dragging on the chart, and says what is under the pointer.
func (ax *Axis) Operate() {
	p := ax.Plot()
	ax.operateDemand(&p)
	over, _, clicked := ax.UI.Area("axis", p.Area)
	if !over && !ax.UI.Holding("axis") {
		return
	}
	pressed := ax.UI.Holding("axis") || clicked
	if ax.meansDemand(either(pressed, ax.UI.DownAt(), ax.UI.Input.Pointer), &p) &&
		(!pressed || ax.UI.Strayed() < dragFrom) {
		ax.UI.SetCursor(ui.Hand)
		if clicked {
			ax.Controls.Ask("demand")
		}
		return
	}
	ax.UI.SetCursor(ui.ResizeX)
	x := ax.UI.Input.Pointer.X
	epsilon := model.Rounded(ax.UI.Meant(EpsilonScale, p.Area))
	ax.UI.Hint(over, draw.Rect{X: x - 4, Y: p.Area.Y, W: 8, H: p.Area.H}, ax.AxisText(epsilon))
	if ax.UI.Sets("axis") {
		ax.Model.SetEpsilon(epsilon)
	}
}
