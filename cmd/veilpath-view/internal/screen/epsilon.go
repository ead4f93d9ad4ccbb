package screen

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

// epsilonScale is the scale of the slider of epsilon and of what is drawn along it.
var epsilonScale = ui.Scale{Low: model.MinEpsilon, High: model.MaxEpsilon, Log: true}

// axisPlot is the chart along epsilon, below the slider of epsilon and as wide.
func (s *Screen) axisPlot() chart.Plot {
	area, slider := s.Layout.Along.Trim(0, layout.AlongTop+s.Layout.Slider.H, 0, 34), s.Layout.Slider
	area.X, area.W = slider.X, slider.W
	return chart.New(area, epsilonScale, ui.Scale{High: math.Max(answer.FarthestKm, s.axisFarKm)})
}

// stillAxis draws where the flight on show and the mean are recognised, along epsilon.
func (s *Screen) stillAxis(l *draw.List) {
	t, m := s.Theme(), s.Model
	s.Panel(l, s.Layout.Along, "Privacy: ε")
	var mean study.Curve
	var treads []model.Tread
	if m.HasAxis() {
		mean, treads = m.MeanAlong(s.Chosen(), !s.UI.Captured()), m.Axis.Treads(m.RunNumber, m.Config.Adversary.RadiusKm)
	}
	far := s.AxisFar(mean, treads)
	s.axisFarKm = either(s.UI.Captured(), math.Max(far, s.axisFarKm), far) // what is dragged leaves its band out
	p := s.axisPlot()
	p.GridY(l, s.Theme(), max(2, int(p.Area.H/30)))
	for _, v := range []float64{0.1, 0.3, 1, 3, 10} {
		l.TextIn(t.Small, draw.Rect{X: p.PX(v) - 20, Y: p.Area.Bottom() + 2, W: 40, H: 14}, draw.Center, t.Muted, number(v))
	}
	foot := draw.Rect{X: p.Area.X - 40, Y: p.Area.Bottom() + 15, W: p.Area.W + 44, H: 14}
	l.TextIn(t.Small, foot, draw.Center, t.Muted, s.axisFoot(l, foot.W))
	if !m.HasAxis() {
		beside := draw.Rect{X: p.Area.X + 4, Y: p.Area.Y + 4, W: p.Area.W/2 - 10, H: 15} // of what marks epsilon
		if p.PX(m.Config.Privacy.Epsilon) < p.Area.Center().X {
			beside.X = p.Area.Center().X + 6
		}
		l.Paragraph(t.Small, beside, 4, t.Muted, s.NoCurve())
		s.recordedMeans(l, &p)
		return
	}
	l.Clip(p.Area.Inset(-1))
	s.band(l, &p, mean.Epsilons, mean.Low, mean.High)
	p.Curve(l, &s.axisLine, len(mean.Mean), func(i int) (float64, float64) { return mean.Epsilons[i], mean.Mean[i] }, 1.8,
		t.Ink)
	for _, at := range s.Published.Points(m.Config) {
		l.Disc(p.At(at.Epsilon, at.MeanKm), 1.8, s.Theme().ObserverInk())
	}
	s.recordedMeans(l, &p)
	if !m.ShowsBaseline() {
		s.treads(l, &p, treads)
	}
	s.baselineLines(l, &p)
	l.Unclip()
	if mean.Runs == 0 {
		foot := draw.Rect{X: p.Area.X + 4, Y: p.Area.Bottom() - 18, W: p.Area.W/2 - 8, H: 14} // away from baselines
		l.TextIn(t.Small, foot, draw.Left, t.Muted, "flying …")
	}
}

// axisFoot names what the chart draws in as many words as have room. Beside a recorded study it says that the page flew
// what is drawn.
func (s *Screen) axisFoot(l *draw.List, width float64) string {
	published := either(len(s.Known().Along) > 0, "; rings: recorded", "")
	published += either(len(s.Published.Points(s.Model.Config)) > 0, "; dots: published", "")
	flown := either(s.Model.Record != nil, "flown by the page: ", "")
	of := "all"
	if c := s.Model.MeanAlong(s.Chosen(), false); !s.Model.AxisComplete() && c.Runs > 0 {
		of = fmt.Sprintf("%d so far", c.Runs)
	}
	text := ""
	for _, text = range []string{
		"← more private   ε   " + flown + "mean of " + of + " and this flight, km from the target",
		"ε; " + flown + "mean of " + of + " and this flight, km", "ε; " + flown + "mean, this flight, km", "ε; km"} {
		if text += published; l.Width(s.Theme().Small, text) <= width {
			break
		}
	}
	return text
}

// recordedMeans draws the means of the study that is open, each with its interval.
func (s *Screen) recordedMeans(l *draw.List, p *chart.Plot) {
	for _, r := range s.Known().Along {
		at, ink := p.At(r.Epsilon, r.MeanKm), s.Theme().WaypointInk()
		if !math.IsNaN(r.LowKm) {
			l.Segment(p.At(r.Epsilon, r.LowKm), p.At(r.Epsilon, r.HighKm), 1.5, ink)
		}
		l.Ring(at, 3.5, 1.8, ink)
	}
}

// baselineLines draws where the baselines are recognised, which epsilon does not change.
func (s *Screen) baselineLines(l *draw.List, p *chart.Plot) {
	t, mean := s.Theme(), s.meanPoints(p)
	for _, b := range s.Baselines() {
		y := p.PY(b.Km)
		l.Dashed([]draw.Point{{X: p.Area.X, Y: y}, {X: p.Area.Right(), Y: y}}, 1.2, 3, 3, t.Ink)
		name := s.baselineName(l, p, b, mean)
		l.RoundRect(name, 3, ui.Faded(t.Panel, 0.95))
		l.TextIn(t.Small, name, draw.Center, t.Muted, b.Word)
	}
}

// baselineName is where a baseline is named: where it covers the least of the mean, of which it takes the places, the
// planned flight to the left if it can be, the direct one to the right, below its line since it may lie too high for a
// name above.
func (s *Screen) baselineName(l *draw.List, p *chart.Plot, b answer.Baseline, mean []draw.Point) draw.Rect {
	above := draw.Rect{X: p.Area.X + 2, Y: p.PY(b.Km) - 16, W: l.Width(s.Theme().Small, b.Word) + 4, H: 14}
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
func (s *Screen) band(l *draw.List, p *chart.Plot, x, low, high []float64) {
	const every = 8
	ink := ui.Faded(s.Theme().Ink, 0.16)
	for i := 0; i+every < len(low); i += every {
		a, b := p.At(x[i], low[i]), p.At(x[i+every], low[i+every])
		c, d := p.At(x[i], high[i]), p.At(x[i+every], high[i+every])
		l.Triangle(a, b, c, ink)
		l.Triangle(b, d, c, ink)
	}
}

// treads draws the distances of the run on show, each with its range of epsilon.
func (s *Screen) treads(l *draw.List, p *chart.Plot, treads []model.Tread) {
	ink := s.Theme().PrivateInk()
	for i, tread := range treads {
		y := p.PY(tread.DetectionKm)
		l.Segment(draw.Point{X: p.PX(tread.Low), Y: y}, draw.Point{X: p.PX(tread.High), Y: y}, 2.2, ink)
		if i > 0 && tread.DetectionKm != treads[i-1].DetectionKm {
			l.Segment(draw.Point{X: p.PX(tread.Low), Y: p.PY(treads[i-1].DetectionKm)}, draw.Point{X: p.PX(tread.Low), Y: y}, 1,
				ui.Faded(ink, 0.6))
		}
	}
}

// movingAxis marks epsilon on the chart and says what it comes to.
func (s *Screen) movingAxis(l *draw.List) {
	t, m, p := s.Theme(), s.Model, s.axisPlot()
	x := p.PX(m.Config.Privacy.Epsilon)
	l.Rect(draw.Rect{X: x - 0.5, Y: p.Area.Y, W: 1, H: p.Area.H}, ui.Faded(t.Muted, 0.7))
	mean := s.Summary().MeanKm
	if !math.IsNaN(mean) {
		l.Disc(draw.Point{X: x, Y: p.PY(math.Min(mean, p.Y.High))}, 3.5, t.Ink)
	}
	if !m.ShowsBaseline() {
		l.Disc(draw.Point{X: x, Y: p.PY(math.Min(m.Private.Run.DetectionKm, p.Y.High))}, 3.5, s.Theme().PrivateInk())
	}
	s.movingDemand(l, &p)
	value := s.Layout.Along.Trim(110, 6, layout.FoldWidth+8, 0)
	value.H = 16
	km := func(v float64) string { return fixed(v, either(v >= 99.95, 0, 1)) + " km" }
	if !m.ShowsBaseline() {
		this := "this " + either(m.Private.Run.Detected, km(m.Private.Run.DetectionKm), "never")
		value.W -= l.TextIn(t.Small, value, draw.Right, t.PrivateInk(), this) + 12
	}
	l.TextIn(t.Small, value, draw.Right, t.Ink, "mean "+km(mean))
}

// epsilonSlider is the slider of epsilon over the chart along it, as wide as that.
func (s *Screen) epsilonSlider() {
	r := s.Layout.Slider
	if r.Empty() {
		return
	}
	s.slider(r, ui.Slider{ID: "epsilon", Bare: true, Default: s.Standard.Privacy.Epsilon, Breaks: s.Breaks(),
		Hint: s.StrengthHint()})
	l, t, text := s.UI.List, s.Theme(), number(s.Model.ChosenEpsilon())
	title := draw.Rect{X: s.Layout.Along.X + layout.Pad, Y: s.Layout.Along.Y + 6, W: 120, H: 16}
	name := l.Width(t.Strong, "Privacy: ε") + 6
	title.W = name + l.TextIn(t.Strong, title.Trim(name, 0, 0, 0), draw.Left, t.Accent, text)
	h := s.Touchable(title.H)
	s.asks("epsilon", draw.Rect{X: title.X - 4, Y: title.Bottom() + 4 - h, W: math.Max(h, title.W+8), H: h})
}

// operateAxis sets epsilon by dragging on the chart, and says what is under the pointer.
func (s *Screen) operateAxis() {
	p := s.axisPlot()
	s.operateDemand(&p)
	over, _, _ := s.UI.Area("axis", p.Area)
	if !over && !s.UI.Holding("axis") {
		return
	}
	s.UI.SetCursor(ui.ResizeX)
	x := s.UI.Input.Pointer.X
	epsilon := model.Rounded(clampTo(p.X.Value((x-p.Area.X)/p.Area.W), model.MinEpsilon, model.MaxEpsilon))
	s.UI.Hint(over, draw.Rect{X: x - 4, Y: p.Area.Y, W: 8, H: p.Area.H}, s.AxisText(epsilon))
	if s.UI.Sets("axis") {
		s.Model.SetEpsilon(epsilon)
	}
}
