package panel

import (
	"image/color"
	"math"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Guess is how far off the observer's guess is along flights, and when it lies within the radius.
type Guess struct {
	Area     draw.Rect // points
	Along    ui.Scale  // km to the target, or s
	Axis     string    // its name
	RadiusKm float64
	Ink      color.NRGBA // of the radius and of the guess
	Errors   []Curve     // along flights, km, the last one over the others

	// Decisive are the places along the flight on show and the errors, km, of the steps that made the detection, the last
	// one the detection itself; empty for none. Rule says in words what they are.
	Decisive    [][2]float64
	Rule        string
	DecisiveInk color.NRGBA

	room draw.Thinned
}

// The ends of the axis of errors, km.
const (
	leastErrorKm = 0.01
	mostErrorKm  = 1000
)

// Plot is the chart's frame.
func (g *Guess) Plot() chart.Plot {
	return chart.New(g.Area, g.Along, ui.Scale{Low: leastErrorKm, High: mostErrorKm, Log: true})
}

// At returns where a place along the flight and an error are marked: on the edge where the error is beyond it.
func (g *Guess) At(p *chart.Plot, v [2]float64) draw.Point {
	return p.At(v[0], math.Max(leastErrorKm, math.Min(mostErrorKm, v[1])))
}

// Draw draws the errors, the radius and the steps that made the detection.
func (g *Guess) Draw(l *draw.List, t *ui.Theme) {
	p := g.Plot()
	y := p.PY(g.RadiusKm)
	l.Rect(draw.Rect{X: p.Area.X, Y: y, W: p.Area.W, H: p.Area.Bottom() - y}, ui.Faded(g.Ink, 0.12))
	p.GridY(l, t, max(2, int(p.Area.H/18)))
	p.GridX(l, t, 5)
	l.TextIn(t.Small, draw.Rect{X: p.Area.X, Y: p.Area.Bottom() + 15, W: p.Area.W, H: 14}, draw.Center, t.Muted, g.Axis)
	l.Clip(p.Area)
	for _, e := range g.Errors {
		p.Curve(l, &g.room, e.N, e.At, e.Width, e.Ink)
	}
	l.Unclip()
	l.Dashed([]draw.Point{{X: p.Area.X, Y: y}, {X: p.Area.Right(), Y: y}}, 1.4, 5, 3, g.Ink)
	text := "ρ " + chart.Number(g.RadiusKm) + " km"
	box := draw.Rect{X: p.Area.X + 4, Y: y + 3, W: l.Width(t.Small, text) + 8, H: 15}
	l.RoundRect(box, 3, ui.Faded(t.Panel, 0.85))
	l.TextIn(t.Small, box, draw.Center, g.Ink, text)
	if n := len(g.Decisive); n > 0 {
		for _, v := range g.Decisive {
			l.Disc(g.At(&p, v), 2.5, g.DecisiveInk)
		}
		at := g.At(&p, g.Decisive[n-1])
		l.Segment(draw.Point{X: at.X, Y: p.Area.Y}, draw.Point{X: at.X, Y: p.Area.Bottom()}, 1, ui.Faded(g.DecisiveInk, 0.7))
		l.Ring(at, 5.5, 2, g.DecisiveInk)
	}
}

// DrawNow marks the place along the flight on show and its error at the moment, and names the detection.
func (g *Guess) DrawNow(l *draw.List, t *ui.Theme, now [2]float64) {
	p := g.Plot()
	at := g.At(&p, now)
	l.Rect(draw.Rect{X: at.X - 0.5, Y: p.Area.Y, W: 1, H: p.Area.H}, ui.Faded(t.Muted, 0.7))
	l.Disc(at, 5, t.Panel)
	l.Disc(at, 3.8, g.Ink)
	n := len(g.Decisive)
	if n == 0 {
		return
	}
	w := l.Width(t.Small, g.Rule) + 8
	box := draw.Rect{X: g.At(&p, g.Decisive[n-1]).X + 6, Y: p.Area.Y + 2, W: w, H: 15}
	if box.Right() > p.Area.Right() {
		box.X -= 12 + w
	}
	l.RoundRect(box, 3, t.Panel)
	l.TextIn(t.Small, box, draw.Center, g.DecisiveInk, g.Rule)
}

// Operate returns the radius that its line is dragged to, km, and whether it is; and where along the flight the pointer
// is, whether it is there at all, and whether the clock is to go there.
func (g *Guess) Operate(c *ui.Context) (radiusKm float64, sets bool, along float64, over, seeks bool) {
	p, at := g.Plot(), c.Input.Pointer
	line := draw.Rect{X: p.Area.X, Y: p.PY(g.RadiusKm) - 6, W: p.Area.W, H: 12}
	c.Spot("error.radius", line, "Drag to change ρ")
	radiusKm, sets = p.YAt(at.Y), c.Sets("error.radius")
	over, _, _ = c.Area("error", p.Area)
	return radiusKm, sets, p.XAt(at.X), over, c.Sets("error")
}
