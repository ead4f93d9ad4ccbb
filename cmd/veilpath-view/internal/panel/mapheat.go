package panel

import (
	"image/color"
	"math"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/planner"
)

// Belief is what an observer of the goal believes: how probable each of some states is; or why that is not known.
type Belief struct {
	States    []int
	Posterior []float64
	Awaited   string
}

// heatTable is the rewards on show with their range.
type heatTable struct {
	values    []float64 // states x actions
	name      string
	low, high float64
	diverging bool
}

// fill takes the table of a reward map. The noise is the difference of private and true reward.
func (h *heatTable) fill(kind answer.Heat, truth, private []float64) {
	h.values = h.values[:0]
	h.diverging = kind == answer.HeatNoise && private != nil
	switch {
	case kind == answer.HeatNoise && private != nil:
		h.name = "noise"
		for i := range truth {
			h.values = append(h.values, private[i]-truth[i])
		}
	case kind == answer.HeatPrivate && private != nil:
		h.name = "private reward"
		h.values = append(h.values, private...)
	default:
		h.name = "true reward"
		h.values = append(h.values, truth...)
	}
	h.low, h.high = math.Inf(1), math.Inf(-1)
	for _, v := range h.values {
		h.low, h.high = math.Min(h.low, v), math.Max(h.high, v)
	}
	if h.diverging {
		h.high = math.Max(math.Max(-h.low, h.high), 1e-9)
		h.low = -h.high
	}
	if h.high <= h.low {
		h.high = h.low + 1
	}
}

// fillHeat takes the rewards on show.
func (m *Map) fillHeat() {
	m.heat.fill(m.Heat, m.World.Experiment.Mission.Rewards.Joint, m.Flight().Rewards)
}

// Rewards returns the rewards on show in a state, by action, and their name.
func (m *Map) Rewards(state int) (name string, values []float64) {
	m.fillHeat()
	actions := m.grid().Moves.Count()
	return m.heat.name, m.heat.values[state*actions : (state+1)*actions]
}

// heatColour is muted, because the flights are what matters. Noise goes from one colour through the
// background to another.
func (m *Map) heatColour(v float64) color.NRGBA {
	t, h := m.Theme, &m.heat
	share := (v - h.low) / (h.high - h.low)
	if h.diverging {
		if share < 0.5 {
			return assets.Mix(t.Background, t.Series[0], 1.1*(0.5-share))
		}
		return assets.Mix(t.Background, t.Series[1], 1.1*(share-0.5))
	}
	return assets.Mix(t.Background, t.Series[4], 0.06+0.66*share*share)
}

// Sizes of a cell on screen, points: from the first on every reward of it is a piece of its own, from the
// second on its policy is an arrow.
const (
	pieceCell = 7
	arrowCell = 11
)

// drawHeat draws every entry of the reward table: of each waypoint the rewards of going north, south, east
// and west as the triangle on that side, that of to-target as the diamond between them. Where a waypoint
// is too small for that, it is one piece of the mean.
func (m *Map) drawHeat(l *draw.List) {
	switch m.Heat {
	case answer.HeatOff:
		return
	case answer.HeatBelief:
		m.drawBelief(l)
		return
	}
	m.fillHeat()
	if m.cellSize() < pieceCell {
		m.heatMeans(l)
		return
	}
	eight, actions := m.grid().Moves == planner.EightMoves, m.grid().Moves.Count()
	for state, cell := range m.cells {
		m.heatCell(l, cell, m.heat.values[state*actions:(state+1)*actions], eight)
	}
}

// heatCell draws the rewards of a waypoint: of eight moves the diagonal ones at the corners.
func (m *Map) heatCell(l *draw.List, r draw.Rect, values []float64, eight bool) {
	c, around := r.Center(), r.Outline()
	nw, ne, se, sw := around[0], around[1], around[2], around[3]
	l.Triangle(nw, ne, c, m.heatColour(values[0]))
	l.Triangle(sw, se, c, m.heatColour(values[1]))
	l.Triangle(ne, se, c, m.heatColour(values[2]))
	l.Triangle(nw, sw, c, m.heatColour(values[3]))
	if eight {
		for i, corner := range []draw.Point{ne, se, sw, nw} {
			beside, below := draw.Point{X: c.X + (corner.X-c.X)*0.3, Y: corner.Y},
				draw.Point{X: corner.X, Y: c.Y + (corner.Y-c.Y)*0.3}
			l.Triangle(corner, beside, below, m.heatColour(values[planner.ToTarget+planner.Action(i)]))
		}
		return
	}
	center, d := m.heatColour(values[planner.ToTarget]), r.W/4
	n, e := draw.Point{X: c.X, Y: c.Y - d}, draw.Point{X: c.X + d, Y: c.Y}
	so, w := draw.Point{X: c.X, Y: c.Y + d}, draw.Point{X: c.X - d, Y: c.Y}
	l.Triangle(n, e, so, center)
	l.Triangle(n, so, w, center)
}

// grid is the waypoints of the mission.
func (m *Map) grid() *planner.Grid { return m.World.Experiment.Mission.Grid }

// cellSize is the side of a cell of the grid on screen, points.
func (m *Map) cellSize() float64 { return m.grid().SpacingKm * m.Camera.PointsPerKm }

// cell is a cell of the grid on screen, round its waypoint.
func (m *Map) cell(state int) draw.Rect {
	at := m.grid().Position(state)
	middle, size := m.Camera.Screen(at.X, at.Y), m.cellSize()
	return draw.Rect{X: middle.X - size/2, Y: middle.Y - size/2, W: size, H: size}
}

// cells passes on the cells of the grid that are seen, by state.
func (m *Map) cells(yield func(state int, cell draw.Rect) bool) {
	for state := range m.grid().States() {
		if cell := m.cell(state); cell.Overlaps(m.Camera.View) && !yield(state, cell) {
			return
		}
	}
}

// heatMeans draws pieces of the mean reward of a waypoint: of each, or where they are too small of every second, third
// and so on.
func (m *Map) heatMeans(l *draw.List) {
	const least = 3 // points, of the side of a piece
	g, every := m.grid(), max(1, int(math.Ceil(least/m.cellSize())))
	actions := g.Moves.Count()
	for row := 0; row < g.Rows; row += every {
		for column := 0; column < g.Columns; column += every {
			state := row*g.Columns + column
			last := (min(row+every, g.Rows)-1)*g.Columns + min(column+every, g.Columns) - 1
			piece, sum := m.cell(state).Around(m.cell(last)), 0.0
			if !piece.Overlaps(m.Camera.View) {
				continue
			}
			for _, v := range m.heat.values[state*actions:][:actions] {
				sum += v
			}
			l.Rect(piece, m.heatColour(sum/float64(actions)))
		}
	}
}

// policyArrows draws the policy's command at every waypoint, those towards the target in green.
func (m *Map) policyArrows(l *draw.List) {
	g, size := m.grid(), m.cellSize()
	if !m.Arrows || size < arrowCell || m.Heat == answer.HeatBelief {
		return
	}
	policy := m.Policy()
	length, ink := math.Min(size*0.26, 9), assets.Mix(m.Theme.Background, m.Theme.Muted, 0.75)
	for state, cell := range m.cells {
		at, next := g.Position(state), g.Position(g.Next(state, planner.Action(policy[state])))
		dx, dy := next.X-at.X, at.Y-next.Y
		if norm := math.Hypot(dx, dy); norm > 0 && m.Camera.View.Contains(cell.Center()) {
			arrow(l, cell.Center(), dx/norm, dy/norm, length, ink)
		}
	}
}

// arrow draws a small arrow through a point.
func arrow(l *draw.List, c draw.Point, dx, dy, length float64, ink color.NRGBA) {
	tip := draw.Point{X: c.X + dx*length, Y: c.Y + dy*length}
	tail := draw.Point{X: c.X - dx*length, Y: c.Y - dy*length}
	l.Segment(tail, tip, 1, ink)
	head := length * 0.62
	for _, side := range []float64{-1, 1} {
		l.Segment(tip, draw.Point{X: tip.X - head*dx + side*head*0.6*dy, Y: tip.Y - head*dy - side*head*0.6*dx}, 1, ink)
	}
}

// faintBits is the information, bits, whose probability has the faintest colour: 1 in 512.
const faintBits = 9

// beliefColour is the stronger the likelier a goal is: as many bits fainter as it would be surprising.
func (m *Map) beliefColour(p float64) color.NRGBA {
	if !(p > 0) {
		return m.Theme.Background
	}
	share := math.Max(0, 1+math.Log2(p)/faintBits)
	return assets.Mix(m.Theme.Background, m.Theme.Series[1], 0.1+0.85*share)
}

// drawBelief paints the posterior over the cells.
func (m *Map) drawBelief(l *draw.List) {
	size, possible := m.cellSize(), assets.Mix(m.Theme.Background, m.Theme.Panel, 0.7)
	for _, cell := range m.cells {
		l.Rect(cell.Inset(math.Min(1, size/12)), possible)
	}
	if m.Belief.Awaited != "" {
		r := m.Camera.View.Inset(layout.Gap)
		r.H = 18
		l.Lines(m.Theme.Small, r, draw.Center, m.Theme.Ink, l.Wrap(m.Theme.Small, m.Belief.Awaited, r.W))
		return
	}
	for i, p := range m.Belief.Posterior {
		if r := m.cell(m.Belief.States[i]); p > 0 && r.Overlaps(m.Camera.View) {
			l.Rect(r.Inset(math.Min(0.5, size/24)), m.beliefColour(p))
		}
	}
}

// keptOut marks the cells that the mission keeps out of, and those that were forbidden by hand.
func (m *Map) keptOut(l *draw.List) {
	if !m.keepsOut() && !m.Cells {
		return
	}
	for state, r := range m.cells {
		if m.Cells {
			l.Line(r.Outline(), 1, ui.Faded(m.Theme.Muted, 0.3))
		}
		switch {
		case m.ByHand != nil && m.ByHand.KeptOut[state]:
			l.Rect(r, ui.Faded(m.Theme.Ink, 0.35))
			l.Cross(r.Center(), r.H/2, 2, m.Theme.Ink)
		case m.grid().KeptOut(state):
			m.hatch(l, r)
		}
	}
}

// hatch draws a cell that is kept out of, with lines across it.
func (m *Map) hatch(l *draw.List, r draw.Rect) {
	l.Rect(r, assets.Mix(m.Theme.Background, m.Theme.Ink, 0.3))
	ink := assets.Mix(m.Theme.Background, m.Theme.Ink, 0.55)
	c := r.Center()
	l.Segment(draw.Point{X: r.X, Y: r.Bottom()}, draw.Point{X: r.Right(), Y: r.Y}, 1, ink)
	l.Segment(draw.Point{X: r.X, Y: c.Y}, draw.Point{X: c.X, Y: r.Y}, 1, ink)
	l.Segment(draw.Point{X: c.X, Y: r.Bottom()}, draw.Point{X: r.Right(), Y: c.Y}, 1, ink)
}

// keepsOut reports whether there are cells to keep out of.
func (m *Map) keepsOut() bool {
	return m.grid().KeepsOut() || m.ByHand != nil && len(m.ByHand.KeptOut) > 0
}
