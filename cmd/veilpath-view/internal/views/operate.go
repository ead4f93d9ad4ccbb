package views

import (
	"fmt"
	"image/color"
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/internal/phrase"
	"veilpath/internal/plot"
)

// hitReach is how near to a line the pointer hits it, points.
const hitReach = 6

// Operate has the pointer work the charts.
func (v *Views) Operate() {
	v.hover = hover{run: ownTag, atX: math.NaN()}
	v.operateLines()
	v.operateWhere()
	v.operateWhy()
	v.operateChoose()
	v.scroll()
}

// operateLines has the lines of the radius and of the demand dragged.
func (v *Views) operateLines() {
	v.line(&v.Why, "radius", "Drag the radius within which the observer has recognised the target", func(km float64) {
		v.Model.SetRadius(math.Max(model.MinRadius, math.Min(model.MaxRadius, model.Rounded(km))))
	})
	v.line(&v.Choose, "demand", "Drag to ask at which ε flights are hidden until there", func(km float64) {
		v.SetDemand(math.Round(2*math.Min(v.DemandMost(), km)) / 2)
	})
}

// line has a reference of a chart dragged.
func (v *Views) line(c *plot.Chart, id, hint string, set func(float64)) {
	for i := range c.References {
		r := &c.References[i]
		if r.ID != id {
			continue
		}
		area := c.Area()
		y := math.Max(area.Y, math.Min(area.Bottom(), c.PY(r.At)))
		box := draw.Rect{X: area.X, Y: y - hitReach, W: area.W, H: 2 * hitReach}
		_, atDot := v.hangingAt(v.UI.Input.Pointer) // which hang from the line of the radius
		if handle := c.Handle(v.UI.List, &v.look, r); handle.Contains(v.UI.Input.Pointer) || v.UI.Input.Touch || atDot {
			box = handle
		}
		v.UI.Spot(id, box, hint)
		if v.UI.Sets(id) {
			set(c.YAt(v.UI.Input.Pointer.Y))
		}
	}
}

// pick is the flight whose line the pointer is at; false for none or the one on show.
func (v *Views) pick(c *plot.Chart) (*model.Member, bool) {
	i, _ := c.Nearest(v.UI.Input.Pointer, hitReach)
	if i < 0 || c.Series[i].Tag == ownTag {
		return nil, false
	}
	m, ok := v.tags[c.Series[i].Tag]
	return m, ok
}

// light has a flight lit in all views.
func (v *Views) light(m *model.Member, at draw.Rect) {
	v.hover.run = m.Run.Run
	v.UI.Hint(true, at, fmt.Sprintf("Flight %d: %s. Click to see it.", m.Run.Run, answer.Recognised(&m.Run, 1)))
}

// operateWhere has flights on the map chosen, and walls put up while that is done.
func (v *Views) operateWhere() {
	over, _, clicked := v.UI.Area("where", v.Where.Panel)
	if !over {
		return
	}
	at := v.UI.Input.Pointer
	if v.Walling {
		v.wall(clicked)
		return
	}
	if m, ok := v.pick(&v.Where); ok {
		v.UI.SetCursor(ui.Hand)
		v.light(m, draw.Rect{X: at.X - 4, Y: at.Y - 4, W: 8, H: 8})
		if clicked && v.UI.Strayed() < hitReach {
			v.Model.Select(m.Run.Run)
		}
		return
	}
	x, y := v.Where.XAt(at.X), v.Where.YAt(at.Y)
	f := v.Model.Flight()
	near, least := 0, math.Inf(1)
	for i, s := range f.Samples {
		if away := math.Hypot(s.R.X-x, s.R.Y-y); away < least {
			near, least = i, away
		}
	}
	if p := v.Where.At(f.Samples[near].R.X, f.Samples[near].R.Y); math.Hypot(p.X-at.X, p.Y-at.Y) < 2*hitReach {
		v.hover.atX = v.placesOf(f)[near]
		v.UI.Hint(true, draw.Rect{X: p.X - 4, Y: p.Y - 4, W: 8, H: 8}, v.momentText(near)+" Click to go there.")
		if clicked {
			v.Model.StopAt(f, near)
		}
	}
}

// wall puts up a wall at the cell that is clicked, or takes it away.
func (v *Views) wall(clicked bool) {
	g, at := v.Model.Experiment.Mission.Grid, v.UI.Input.Pointer
	x, y := v.Where.XAt(at.X), v.Where.YAt(at.Y)
	v.UI.SetCursor(ui.Cross)
	for state := range g.States() {
		p := g.Position(state)
		if math.Abs(p.X-x) <= g.SpacingKm/2 && math.Abs(p.Y-y) <= g.SpacingKm/2 && clicked {
			v.Model.KeepOut(map[int]bool{state: true}, !g.KeptOut(state))
			return
		}
	}
}

// operateWhy has the chart below the map seek by dragging, and flights chosen by a click on their lines or dots.
func (v *Views) operateWhy() {
	over, _, clicked := v.UI.Area("why", v.Why.Area())
	held := v.UI.Holding("why")
	if !over && !held {
		return
	}
	f, at := v.Model.Flight(), v.UI.Input.Pointer
	strayed := v.UI.Strayed() >= hitReach
	m, ok := v.pick(&v.Why)
	if dot, hit := v.hangingAt(at); hit {
		m, ok = dot, true
	}
	if ok && !(held && strayed) {
		v.light(m, draw.Rect{X: at.X - 4, Y: at.Y - 4, W: 8, H: 8})
		if clicked {
			v.Model.Select(m.Run.Run)
		}
		return
	}
	i := v.sampleAt(f, v.Why.XAt(at.X))
	v.hover.atX = v.placesOf(f)[i]
	v.UI.Hint(true, draw.Rect{X: at.X - 4, Y: at.Y - 4, W: 8, H: 8}, v.momentText(i)+" Drag or click to go there.")
	if clicked || v.UI.Sets("why") && strayed {
		v.Model.StopAt(f, i)
	}
}

// hangingAt is the flight whose dot is at a place.
func (v *Views) hangingAt(at draw.Point) (*model.Member, bool) {
	for i, p := range v.hanging.Places {
		if half := v.hanging.Pitch/2 + 0.5; math.Abs(p.X-at.X) <= half && math.Abs(p.Y-at.Y) <= half {
			return v.hung[i], true
		}
	}
	return nil, false
}

// sampleAt is the first sample of a flight at a place along the chart.
func (v *Views) sampleAt(f *model.Flight, x float64) int {
	places := v.placesOf(f)
	best := 0
	for i := range places {
		if math.Abs(places[i]-x) < math.Abs(places[best]-x) {
			best = i
		}
	}
	return best
}

// momentText says what there is at a moment of the flight on show.
func (v *Views) momentText(i int) string {
	f := v.Model.Flight()
	return fmt.Sprintf("%s km from the target, after %s s: the guess is off by %s.",
		phrase.Fixed(f.Errors.DistanceKm[i], 1),
		phrase.Fixed(f.TimeS(i), 1), answer.DistanceText(f.Errors.ErrorKm[i]))
}

// operateChoose has epsilon dragged on both charts along it.
func (v *Views) operateChoose() {
	for _, part := range []struct {
		id   string
		area draw.Rect
	}{{"epsilon", v.Choose.Area().Trim(-9, 0, -9, -30)}, {"cost", v.Cost.Area()}} {
		over, _, _ := v.UI.Area(part.id, part.area)
		at := v.UI.Input.Pointer
		if over {
			v.UI.SetCursor(ui.ResizeX)
			v.hover.choose = v.epsilonAt(at.X)
			v.UI.Hint(true, draw.Rect{X: at.X - 4, Y: at.Y - 4, W: 8, H: 8}, v.epsilonText(v.hover.choose))
		}
		if v.UI.Sets(part.id) {
			v.Model.SetEpsilon(v.epsilonAt(at.X))
		}
	}
}

// scroll scrolls a page that is higher than the window, by the wheel or by dragging what has no other use for that.
func (v *Views) scroll() {
	most := math.Max(0, v.Layout.Height-v.Layout.Window.H)
	const step = 60 // points a notch of the wheel
	if !v.UI.Blocked() {
		v.Scroll -= step * v.UI.Input.Wheel
		v.UI.Area("page", v.Layout.Window)
		if v.UI.Holding("page") || v.UI.Holding("where") {
			v.Scroll -= v.UI.Dragged(v.Layout.Window).Y
		}
	}
	v.Scroll = math.Max(0, math.Min(most, v.Scroll))
}

// DrawMoving draws the moment on show, and what the pointer is at.
func (v *Views) DrawMoving(l *draw.List) {
	t, f := v.theme(), v.Model.Flight()
	now := f.At(v.Model.Clock.TimeS)
	x := v.placesOf(f)[now]
	if m := v.tags[v.hover.run]; m != nil {
		for _, c := range []*plot.Chart{&v.Where, &v.Why} {
			for _, s := range c.Series {
				if s.Tag == m.Run.Run && !s.Deaf {
					s.Ink, s.Width = t.Ink, 2.2
					lit := plot.Chart{Panel: c.Panel, Margins: c.Margins, X: c.X, Y: c.Y}
					lit.DrawSeries(l, &v.look, &s)
				}
			}
		}
	}
	if !math.IsNaN(v.hover.atX) {
		v.drawMoment(l, f, v.sampleAt(f, v.hover.atX), v.hover.atX, 4, t.Ink)
	}
	v.drawMoment(l, f, now, x, 6, t.PrivateInk())
	if p := v.Model.Pair; p != nil {
		s := p.Private.Samples[p.Private.At(v.Model.Clock.TimeS)].R
		v.Where.DrawDot(l, &v.look, plot.Dot{X: s.X, Y: s.Y, Radius: 5, Ink: t.KeptInk()})
	}
	if e := v.hover.choose; e > 0 {
		for _, c := range []*plot.Chart{&v.Choose, &v.Cost} {
			area, at := c.Area(), c.PX(e)
			if at >= area.X && at <= area.Right() {
				l.Rect(draw.Rect{X: at - 0.5, Y: area.Y, W: 1, H: area.H}, ui.Faded(t.Muted, 0.8))
			}
		}
	}
}

// drawMoment marks a moment of a flight on the map and in the chart below.
func (v *Views) drawMoment(l *draw.List, f *model.Flight, sample int, x, radius float64, ink color.NRGBA) {
	s := f.Samples[sample].R
	l.Clip(v.Where.Panel)
	v.Where.DrawDot(l, &v.look, plot.Dot{X: s.X, Y: s.Y, Radius: radius, Ink: ink})
	l.Unclip()
	area, at := v.Why.Area(), v.Why.PX(x)
	if at < area.X || at > area.Right() || v.Why.Empty != "" {
		return
	}
	l.Rect(draw.Rect{X: at - 0.5, Y: area.Y, W: 1, H: area.H}, ui.Faded(v.theme().Muted, 0.8))
	y := v.quantityOf()(f, sample)
	if v.Inferring() && v.Quantity == Guess || math.IsInf(y, 0) || math.IsNaN(y) {
		return
	}
	l.Clip(area.Inset(-1))
	v.Why.DrawDot(l, &v.look, plot.Dot{X: x, Y: math.Max(v.Why.Y.Low, y), Radius: radius - 1, Ink: ink})
	l.Unclip()
}
