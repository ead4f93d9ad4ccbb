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

// heatTable is the noise on show with its range.
type heatTable struct {
	values    []float64 // states x actions
	low, high float64
}

// fill takes the noise: the difference of private and true reward.
func (h *heatTable) fill(truth, private []float64) {
	h.values, h.high = h.values[:0], 1e-9
	for i := range truth {
		h.values = append(h.values, private[i]-truth[i])
		h.high = math.Max(h.high, math.Abs(h.values[i]))
	}
	h.low = -h.high
}

// fillHeat takes the noise of the flight on show.
func (m *Map) fillHeat() { m.heat.fill(m.World.Experiment.Mission.Rewards.Joint, m.Flight().Rewards) }

// Noise returns the noise on the rewards of a state, by action.
func (m *Map) Noise(state int) []float64 {
	m.fillHeat()
	actions := m.grid().Moves.Count()
	return m.heat.values[state*actions : (state+1)*actions]
}

// heatColour is muted, because the flights are what matters. Noise goes from one colour through the background to
// another.
func (m *Map) heatColour(v float64) color.NRGBA {
	t := m.Theme
	share := (v - m.heat.low) / (m.heat.high - m.heat.low)
	if share < 0.5 {
		return assets.Mix(t.Background, t.Series[0], 1.1*(0.5-share))
	}
	return assets.Mix(t.Background, t.Series[1], 1.1*(share-0.5))
}

// pieceCell is the size of a cell on screen from which on every reward of it is a piece of its own, points.
const pieceCell = 7

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

// keptOut marks the cells that the mission keeps out of, and those that are dragged over.
func (m *Map) keptOut(l *draw.List) {
	if !m.grid().KeepsOut() && !m.Cells {
		return
	}
	for state, r := range m.cells {
		if m.Cells {
			l.Line(r.Outline(), 1, ui.Faded(m.Theme.Muted, 0.3))
		}
		switch {
		case m.Painted[state]:
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
