package panel

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Beliefs is the panel of what the observers of the goal know, one in a row.
type Beliefs struct {
	*Frame
}

// inPlaceOfGuess reports whether the beliefs have the place of the guess.
func (bf *Beliefs) inPlaceOfGuess() bool { return bf.Inferring() && bf.Layout.Belief.Empty() }

// Area is the panel of the beliefs alone.
func (bf *Beliefs) Area() draw.Rect { return bf.Layout.Belief }

// place is where the beliefs are: without a panel of their own, in that of the guess.
func (bf *Beliefs) place() draw.Rect {
	if bf.Layout.Belief.Empty() {
		return bf.Layout.Error
	}
	return bf.Layout.Belief
}

// rows is how many rows of observers there are: two observers share one where fingers must hit them.
func (bf *Beliefs) rows() int {
	observers := max(1, len(bf.Model.Inference.Views))
	return either(bf.Layout.Compact, (observers+1)/2, observers)
}

// rowHeight is the height of an observer's row.
func (bf *Beliefs) rowHeight() float64 {
	room := bf.place().H - layout.BeliefTitle - layout.BeliefFoot
	most := either(bf.Layout.Compact, layout.TouchTarget, 30.)
	return max(layout.LeastBeliefRow, min(most, math.Floor(room/float64(bf.rows()))))
}

// rowAt is the row of an observer.
func (bf *Beliefs) rowAt(i int) draw.Rect {
	r, rows := bf.place().Trim(4, 0, 4, 0), bf.rows()
	width := either(bf.Layout.Compact, r.W/2, r.W)
	return draw.Rect{X: r.X + width*float64(i/rows), Y: r.Y + layout.BeliefTitle + bf.rowHeight()*float64(i%rows),
		W: width, H: bf.rowHeight()}
}

// DrawStill draws the panel of the observers of the goal.
func (bf *Beliefs) DrawStill(l *draw.List) {
	bf.Panel(l, bf.place(), "What observers know of the goal")
}

// DrawMoving draws what the observers of the goal know now, and what taught it.
func (bf *Beliefs) DrawMoving(l *draw.List) {
	t, n, r := bf.Theme(), &bf.Model.Inference, bf.place()
	if len(n.Views) == 0 {
		text := n.Problem
		if text == "" {
			text = "Planning for every goal that is possible …"
		}
		l.Lines(t.Body, draw.Rect{X: r.X + layout.Pad, Y: r.Y + layout.BeliefTitle, W: r.W - 2*layout.Pad, H: 17}, draw.Left,
			t.Muted, l.Wrap(t.Body, text, r.W-2*layout.Pad))
		return
	}
	now := bf.Model.Flight().At(bf.Model.Clock.TimeS)
	for i := range n.Views {
		bf.line(l, i, now)
	}
}

// line draws the row of an observer: how much of the goal is left to be learned, of what there was.
func (bf *Beliefs) line(l *draw.List, i, now int) {
	t, n := bf.Theme(), &bf.Model.Inference
	v, r := &n.Views[i], bf.rowAt(i)
	if i == bf.Observer {
		l.RoundRect(r, ui.Corner, t.Hover)
	}
	width := 0.0
	for k := range n.Views {
		width = math.Max(width, l.Width(t.Strong, n.Views[k].Name))
	}
	const low = 16 // of a row that has no room for the body's letters
	name, values := r.Trim(6, 0, 0, 0).CutLeft(width + 8)
	l.TextIn(either(r.H < low, t.Small, either(i == bf.Observer, t.Strong, t.Body)), name, draw.Left, t.Ink, v.Name)
	b := v.At(now)
	if b == nil {
		l.TextIn(t.Small, values, draw.Left, t.Muted, either(v.Ready, "–", either(bf.Layout.Compact, "…",
			"planning for what the noise may do …")))
		return
	}
	if bf.Layout.Compact { // there is no room for more
		l.TextIn(t.Small, values.Trim(0, 0, 6, 0), draw.Right, t.Ink, chart.Fixed(b.Entropy, 1)+" bits")
		return
	}
	text, bar := values.CutRight(126)
	bar = bar.Trim(4, 0, 8, 0)
	y := bar.Center().Y
	l.RoundRect(draw.Rect{X: bar.X, Y: y - 3, W: bar.W, H: 6}, 3, t.Raised)
	l.RoundRect(draw.Rect{X: bar.X, Y: y - 3, W: math.Max(3, bar.W*b.Entropy/n.Bits), H: 6}, 3, t.ObserverInk())
	l.TextIn(t.Small, text.Trim(0, 0, 6, 0), draw.Right, t.Ink,
		fmt.Sprintf("%s bits, goal %s", chart.Fixed(b.Entropy, 1), answer.Place(b.Rank)))
}

// Operate lets the rows be chosen; the chosen observer's belief is painted.
func (bf *Beliefs) Operate() {
	for i := range bf.Model.Inference.Views {
		v, r := &bf.Model.Inference.Views[i], bf.rowAt(i)
		if _, clicked := bf.UI.Spot("observer."+v.Name, r, fmt.Sprintf("%s %s. Click to paint its belief.",
			answer.Capital(v.Name), v.Meaning)); clicked {
			bf.Observer = i
		}
	}
}
