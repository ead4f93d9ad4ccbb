package views

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// Layout is where the parts of a window are, points.
type Layout struct {
	Window                           draw.Rect
	Narrow                           bool // the views are stacked, and the page scrolls
	Top, Headline                    draw.Rect
	Where, Why, Transport            draw.Rect
	Choose, Cost, Comparison, Answer draw.Rect
	Height                           float64 // of the page
}

// NarrowBelow is the width of a window below which the views are stacked.
const NarrowBelow = 700

// Gap is between the parts, and Touch the height of what a finger works.
const (
	Gap   = 10
	Touch = 44
)

// NewLayout lays a window out that is scrolled down so far. The headline is higher while it tells a step of the story.
func NewLayout(width, height, scroll float64, telling bool) Layout {
	l := Layout{Window: draw.Rect{W: width, H: height}, Narrow: width < NarrowBelow}
	if l.Narrow {
		l.stack(width, either(telling, 140., 76))
	} else {
		l.spread(width, height, either(telling, 86., 76))
	}
	for _, r := range []*draw.Rect{&l.Headline, &l.Where, &l.Why, &l.Transport, &l.Choose, &l.Cost, &l.Comparison,
		&l.Answer,
		&l.Top} {
		r.Y -= scroll
	}
	return l
}

// spread lays a wide window out: where and why at the left, what to choose at the right.
func (l *Layout) spread(width, height, head float64) {
	const edge, top, transport, table, answer, least = 16, 48, 62, 128, 76, 620
	const cost, ofCharts = 140, 0.32 // height of the chart of the cost, as a share of both at the right
	l.Height = math.Max(least, height)
	l.Top = draw.Rect{W: width, H: top}
	l.Headline = draw.Rect{X: edge, Y: top, W: width - 2*edge, H: head}
	body := draw.Rect{X: edge, Y: top + head + 4, W: width - 2*edge, H: l.Height - top - head - 4 - edge}
	right, left := body.CutRight(math.Max(300, math.Min(460, math.Round(0.32*width))))
	left = left.Trim(0, 0, edge, 0)
	l.Transport, left = left.CutBottom(transport)
	left = left.Trim(0, 0, 0, Gap)
	l.Where, l.Why = left.CutTop(math.Round(0.51 * left.H))
	l.Why = l.Why.Trim(0, Gap, 0, 0)
	l.Answer, right = right.CutBottom(answer)
	l.Comparison, right = right.Trim(0, 0, 0, Gap).CutBottom(table)
	l.Cost, right = right.Trim(0, 0, 0, Gap).CutBottom(math.Min(math.Max(cost, ofCharts*right.H), 0.4*right.H))
	l.Choose = right.Trim(0, 0, 0, Gap)
}

// stack lays a narrow window out.
func (l *Layout) stack(width, head float64) {
	const edge, top = 8, 52
	l.Top = draw.Rect{W: width, H: top}
	y := float64(top)
	next := func(height float64) draw.Rect {
		r := draw.Rect{X: edge, Y: y, W: width - 2*edge, H: height}
		y = r.Bottom() + 6
		return r
	}
	l.Headline = next(head)
	l.Where, l.Why = next(160), next(200)
	l.Transport = next(92)
	l.Choose, l.Cost = next(210), next(96)
	l.Comparison, l.Answer = next(128), next(76)
	l.Height = y
}
