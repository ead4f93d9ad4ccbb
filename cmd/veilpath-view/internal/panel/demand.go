package panel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// demandGrip is what the line of the demand is dragged by, at the right end of the chart.
func (ax *Axis) demandGrip(p *chart.Plot) draw.Rect {
	h := ax.touchable(16)
	y := p.PY(math.Min(either(ax.DemandKm > 0, ax.DemandKm, p.Y.High), p.Y.High))
	return draw.Rect{X: p.Area.Right() + 1, Y: max(p.Area.Y, min(p.Area.Bottom()-h, y-h/2)), W: math.Max(17, h), H: h}
}

// demandWords stand beside the grip while nothing is asked.
const demandWords = "hidden until?"

// demandTip is the height of the tip of the grip, points.
func demandTip(y float64, grip draw.Rect) float64 { return max(grip.Y+6, min(grip.Bottom()-6, y)) }

// wordsBoxes are where the words beside the grip may stand, those nearest to it first.
func (ax *Axis) wordsBoxes(l *draw.List, p *chart.Plot) (boxes []draw.Rect) {
	const step, lowest, farthest = 6, 36, 80 // points
	w, tip := l.Width(ax.Theme().Small, demandWords), demandTip(p.PY(p.Y.High), ax.demandGrip(p))
	for left := 4.; left <= farthest; left += farthest - 4 {
		for down := 0.; down <= lowest; down += step {
			boxes = append(boxes, draw.Rect{X: p.Area.Right() - left - w, Y: max(p.Area.Y, tip-7) + down, W: w, H: 14})
		}
	}
	return boxes
}

// movingDemand draws the line of the demand with its answer.
func (ax *Axis) movingDemand(l *draw.List, p *chart.Plot) {
	if !ax.Model.HasAxis() || ax.DemandKm == 0 && l != ax.UI.List { // a saved picture has nothing to drag
		return
	}
	t, r := ax.Theme(), ax.demandGrip(p)
	y := p.PY(math.Min(either(ax.DemandKm > 0, ax.DemandKm, p.Y.High), p.Y.High))
	ink := either(ax.DemandKm > 0, t.Accent, t.Muted)
	tip := demandTip(y, r)
	l.Polygon([]draw.Point{{X: r.X + 2, Y: tip}, {X: r.X + 12, Y: tip - 6}, {X: r.X + 12, Y: tip + 6}}, ink)
	answer := ax.placedAnswer(l, p)
	if ax.DemandKm == 0 {
		l.RoundRect(answer.box, 3, ui.Faded(t.Panel, 0.92))
		l.TextIn(t.Small, answer.box, draw.Right, t.Muted, answer.text)
		return
	}
	if ax.DemandKm <= p.Y.High {
		l.Segment(draw.Point{X: p.Area.X, Y: y}, draw.Point{X: p.Area.Right(), Y: y}, 1.5, t.Accent)
	}
	l.RoundRect(answer.box, 3, ui.Faded(t.Panel, 0.92))
	l.TextIn(t.Small, answer.box, draw.Center, t.Accent, answer.text)
}

// placed is the answer to a demand with its place on the chart, or while nothing is asked the words for that.
type placed struct {
	box  draw.Rect
	text string
}

// answerKey is what the place depends on: the chart as it was drawn, and the demand.
type answerKey struct {
	drawn    uint64
	plot     chart.Plot
	demandKm float64
}

// placedAnswer returns the answer to the demand, which is looked for a place once for a chart that stays.
func (ax *Axis) placedAnswer(l *draw.List, p *chart.Plot) placed {
	key := answerKey{ax.drawn, *p, ax.DemandKm}
	if ax.DemandKm == 0 && !ax.Model.AxisComplete() {
		key.drawn = 0 // words stay where they are while flights come in
	}
	return ax.answered.Get(key, func() placed { return ax.placeAnswer(l, p) })
}

// placeAnswer places the answer to the demand, in as many words as have a place that is free.
func (ax *Axis) placeAnswer(l *draw.List, p *chart.Plot) (answer placed) {
	const gap = 3 // from the line, points
	kept, lines := ax.alongPoints(l, p)
	all := slices.Concat(kept, kept, kept, lines) // covering what is kept is three times as bad
	if ax.DemandKm == 0 {
		return placed{p.Clearest(all, ax.wordsBoxes(l, p)...), demandWords}
	}
	lineY, whole := p.PY(math.Min(ax.DemandKm, p.Y.High)), ax.DemandAnswer()
	short := strings.Replace(whole, "at most ", "", 1)
	texts := []string{either(ax.DemandKm > p.Y.High, "↑ ", "") + whole, short}
	if first, _, more := strings.Cut(short, " and "); more {
		texts = append(texts, fmt.Sprintf("%s and %d more", first, strings.Count(short, " and ")))
	}
	for _, text := range texts {
		w := l.Width(ax.Theme().Small, text) + 8
		answer = placed{p.Clearest(all, answerBoxes(p, lineY, w, gap)...), text}
		if w <= p.Area.W-4*gap && !slices.ContainsFunc(kept, answer.box.Contains) {
			break
		}
	}
	return answer
}

// answerBoxes are where the answer to a demand may stand, those next to its line first.
func answerBoxes(p *chart.Plot, lineY, w, gap float64) (boxes []draw.Rect) {
	const h = 16
	for away := gap; away < p.Area.H; away += h / 2 {
		for _, x := range []float64{p.Area.X + 2*gap, p.Area.Center().X - w/2, p.Area.Right() - 2*gap - w} {
			boxes = append(boxes, draw.Rect{X: x, Y: lineY - away - h, W: w, H: h}, draw.Rect{X: x, Y: lineY + away, W: w, H: h})
		}
	}
	return boxes
}

// alongPoints are places that a text on the chart along epsilon is not to cover, the mean with its band and the names
// of the baselines, and lines that it is better not over, those of the flight on show and the baselines.
func (ax *Axis) alongPoints(l *draw.List, p *chart.Plot) (kept, lines []draw.Point) {
	const apart = 4 // points
	mean := ax.MeanPoints(p)
	kept = slices.Clone(mean)
	for _, tread := range ax.Model.Axis.Treads(ax.Model.RunNumber, ax.Model.Config.Adversary.RadiusKm) {
		for x := p.PX(tread.Low); x < p.PX(tread.High); x += apart {
			lines = append(lines, draw.Point{X: x, Y: p.PY(tread.DetectionKm)})
		}
	}
	for _, b := range ax.Baselines() {
		name := ax.BaselineName(l, p, b, mean)
		for x := p.Area.X; x < p.Area.Right(); x++ {
			lines = append(lines, draw.Point{X: x, Y: p.PY(b.Km)})
		}
		for x := name.X; x < name.Right(); x++ {
			for y := name.Y; y < name.Bottom(); y++ {
				kept = append(kept, draw.Point{X: x, Y: y})
			}
		}
	}
	return kept, lines
}

// MeanPoints are places on the mean along epsilon and in its band.
func (ax *Axis) MeanPoints(p *chart.Plot) (points []draw.Point) {
	const apart = 4 // points
	c := ax.Model.MeanAlong(true)
	for i := 0; i < len(c.Mean); i += 8 {
		low, high := p.At(c.Epsilons[i], c.Mean[i]), p.At(c.Epsilons[i], c.Mean[i])
		if c.Low != nil {
			low.Y, high.Y = p.PY(c.Low[i]), p.PY(c.High[i])
		}
		for ; low.Y >= high.Y; low.Y -= apart {
			points = append(points, low)
		}
		points = append(points, high)
	}
	return points
}

// meansDemand reports whether a place of the chart means the words of the demand, at which it is typed.
func (ax *Axis) meansDemand(at draw.Point, p *chart.Plot) bool {
	if !ax.Model.HasAxis() {
		return false
	}
	const near = 6 // points
	return ax.placedAnswer(ax.UI.List, p).box.Inset(-near).Contains(at)
}

// operateDemand drags the line of the demand.
func (ax *Axis) operateDemand(p *chart.Plot) {
	if !ax.Model.HasAxis() {
		return
	}
	r := ax.demandGrip(p)
	over, _, clicked := ax.UI.Area("demand", r)
	if clicked && ax.UI.Input.Touch {
		ax.Controls.Ask("demand")
		return
	}
	if over {
		ax.UI.SetCursor(ui.Hand)
		ax.UI.Hint(true, ax.Layout.Along, either(ax.DemandKm > 0,
			"Drag to ask for another distance. Hidden on average until "+ax.DemandText(ax.DemandKm),
			"Drag down to ask: which ε keeps the flights hidden on average until this distance?"))
	}
	if ax.UI.Sets("demand") {
		km := p.YAt(ax.UI.Input.Pointer.Y)
		ax.SetDemand(max(1, min(p.Y.High, math.Round(km)))) // a pointer is no finer
	}
}
