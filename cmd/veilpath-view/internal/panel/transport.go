package panel

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
)

// Transport is the row of the four verbs and of the clock, under the map.
type Transport struct {
	*Frame
}

// Draw draws the row and works its buttons.
func (tp *Transport) Draw() {
	m, l, t := tp.Model, tp.UI.List, tp.Theme()
	r := tp.Layout.Transport
	compact := tp.Layout.Compact
	if !compact {
		r = r.Trim(0, 1, 0, 3)
	}
	play := draw.Rect{X: r.X, Y: r.Y, W: either(compact, layout.TouchTarget, 54.), H: r.H}
	tp.Controls.Button("play", play, either(m.Clock.Playing, pauseIcon, playIcon))
	x := play.Right() + 4
	for _, id := range []string{"privacy", "compare", "story"} {
		w := math.Max(layout.TouchTarget, l.Width(t.Body, tp.Controls.Short(id))+either(compact, 14., 26))
		tp.Controls.Button(id, draw.Rect{X: x, Y: r.Y, W: w, H: r.H}, nil)
		x += w + 4
	}
	time := r.Trim(x-r.X, 0, 0, 0)
	speed := draw.Rect{X: r.Right() - 44, Y: r.Y, W: 44, H: r.H}
	if compact {
		speed = tp.drawMoment(time)
	} else {
		now := chart.Fixed(m.Clock.TimeS, 1) + " / " + chart.Fixed(m.Clock.EndS, 1) + " s"
		moment := time.Trim(0, 0, speed.W+10, 0)
		w := l.TextIn(t.Strong, moment, draw.Right, t.Ink, now)
		tp.Controls.Asks("time", moment.Trim(moment.W-w, 0, 0, 0))
		l.TextIn(t.Body, speed, draw.Center, t.Muted, chart.Number(m.Clock.Speed)+"×")
	}
	if speed.Empty() {
		return
	}
	if _, clicked := tp.UI.Spot("speed", speed, "Speed of the clock: a click doubles it"); clicked {
		tp.cycleSpeed()
	}
}

// drawMoment draws the moment of a compact layout, which is typed when it is tapped, and the speed where there is room
// for both; it returns the area of the speed.
func (tp *Transport) drawMoment(r draw.Rect) (speed draw.Rect) {
	l, t, c := tp.UI.List, tp.Theme(), &tp.Model.Clock
	if r.W >= layout.TouchTarget+math.Max(layout.TouchTarget, l.Width(t.Strong, "000.0 s")+2) {
		speed, r = r.CutLeft(layout.TouchTarget)
		l.TextIn(t.Small, speed, draw.Center, t.Muted, chart.Number(c.Speed)+"×")
	}
	l.TextIn(t.Strong, r.Trim(0, 0, 2, 0), draw.Right, t.Ink, chart.Fixed(c.TimeS, 1)+" s")
	tp.Controls.Asks("time", r)
	return speed
}

// cycleSpeed doubles the speed, and begins again with real time after the fastest.
func (tp *Transport) cycleSpeed() {
	c := &tp.Model.Clock
	c.Speed = either(c.Speed >= model.MaxSpeed, 1, math.Min(2*c.Speed, model.MaxSpeed))
}
