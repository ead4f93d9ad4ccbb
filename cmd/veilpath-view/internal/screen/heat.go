package screen

import (
	"math"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/planner"
)

// heatNames are the reward maps as links and buttons call them, by Heat.
var heatNames = []string{"private", "true", "noise", "off", "belief"}

// heatTable is the rewards on show with their range.
type heatTable struct {
	values    []float64 // states x actions
	name      string
	low, high float64
	diverging bool
}

// fill takes the table of a reward map. The noise is the difference of private and true reward.
func (h *heatTable) fill(kind Heat, truth, private []float64) {
	h.values = h.values[:0]
	h.diverging = kind == HeatNoise && private != nil
	switch {
	case kind == HeatNoise && private != nil:
		h.name = "noise"
		for i := range truth {
			h.values = append(h.values, private[i]-truth[i])
		}
	case kind == HeatPrivate && private != nil:
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

// heatColour is muted, because the flights are what matters. Noise goes from one colour through the
// background to another.
func (s *Screen) heatColour(v float64) colour {
	t, h := s.theme(), &s.heat
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

// heatMap draws every entry of the reward table: of each waypoint the rewards of going north, south, east
// and west as the triangle on that side, that of to-target as the diamond between them. Where a waypoint
// is too small for that, it is one piece of the mean.
func (s *Screen) heatMap(l *draw.List) {
	shown := s.heatShown()
	switch shown {
	case HeatOff:
		return
	case HeatBelief:
		if !s.onKept { // observers of the goal watch the flight in force
			s.beliefMap(l)
		}
		return
	}
	mission := s.world().Experiment.Mission
	g := mission.Grid
	size := g.SpacingKm * s.camera.PointsPerKm
	s.heat.fill(shown, mission.Rewards.Joint, s.flight().Rewards)
	if size < pieceCell {
		s.heatPicture(l)
		return
	}
	h, v, actions := size/2, size/2*s.camera.Squeeze(), g.Moves.Count()
	for state := range g.States() {
		at := g.Position(state)
		c := s.camera.Screen(at.X, at.Y)
		if c.X+h < s.layout.Map.X || c.X-h > s.layout.Map.Right() || c.Y+v < s.layout.Map.Y || c.Y-v > s.layout.Map.Bottom() {
			continue
		}
		values := s.heat.values[state*actions : (state+1)*actions]
		nw, ne := draw.Point{X: c.X - h, Y: c.Y - v}, draw.Point{X: c.X + h, Y: c.Y - v}
		sw, se := draw.Point{X: c.X - h, Y: c.Y + v}, draw.Point{X: c.X + h, Y: c.Y + v}
		l.Triangle(nw, ne, c, s.heatColour(values[0]))
		l.Triangle(sw, se, c, s.heatColour(values[1]))
		l.Triangle(ne, se, c, s.heatColour(values[2]))
		l.Triangle(nw, sw, c, s.heatColour(values[3]))
		d, up := h*0.5, v*0.5
		if g.Moves == planner.EightMoves {
			for i, corner := range []draw.Point{ne, se, sw, nw} {
				beside, below := draw.Point{X: c.X + (corner.X-c.X)*0.3, Y: corner.Y},
					draw.Point{X: corner.X, Y: c.Y + (corner.Y-c.Y)*0.3}
				l.Triangle(corner, beside, below, s.heatColour(values[planner.ToTarget+planner.Action(i)]))
			}
			continue
		}
		center := s.heatColour(values[planner.ToTarget])
		n, e := draw.Point{X: c.X, Y: c.Y - up}, draw.Point{X: c.X + d, Y: c.Y}
		so, w := draw.Point{X: c.X, Y: c.Y + up}, draw.Point{X: c.X - d, Y: c.Y}
		l.Triangle(n, e, so, center)
		l.Triangle(n, so, w, center)
	}
}

// heatPicture draws a pixel a waypoint.
func (s *Screen) heatPicture(l *draw.List) {
	g := s.world().Experiment.Mission.Grid
	p, actions := &s.picture, g.Moves.Count()
	if s.onKept {
		p = &s.keptPicture
	}
	p.Width, p.Height = g.Columns, g.Rows
	p.RGBA = p.RGBA[:0]
	p.Version++
	for row := g.Rows - 1; row >= 0; row-- {
		for column := range g.Columns {
			sum := 0.0
			for _, v := range s.heat.values[(row*g.Columns+column)*actions:][:actions] {
				sum += v
			}
			c := s.heatColour(sum / float64(actions))
			p.RGBA = append(p.RGBA, c.R, c.G, c.B, c.A)
		}
	}
	low, high := g.Position(0), g.Position(g.States()-1)
	a := s.camera.Screen(low.X-g.SpacingKm/2, high.Y+g.SpacingKm/2)
	b := s.camera.Screen(high.X+g.SpacingKm/2, low.Y-g.SpacingKm/2)
	l.Picture(p, draw.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y})
}

// policyArrows draws the policy's command at every waypoint, those towards the target in green.
func (s *Screen) policyArrows(l *draw.List) {
	g := s.world().Experiment.Mission.Grid
	size := g.SpacingKm * s.camera.PointsPerKm
	if !s.ShowHead || size < arrowCell || s.heatShown() == HeatBelief {
		return
	}
	policy := s.policy()
	t := s.theme()
	length := math.Min(size*0.26, 9)
	for state, action := range policy {
		at, next := g.Position(state), g.Position(g.Next(state, plannerAction(action)))
		c := s.camera.Screen(at.X, at.Y)
		if !s.layout.Map.Contains(c) {
			continue
		}
		dx, dy := next.X-at.X, (at.Y-next.Y)*s.camera.Squeeze()
		norm := math.Hypot(dx, dy)
		if norm == 0 {
			continue
		}
		ink := assets.Mix(t.Background, t.Muted, 0.75)
		arrow(l, c, dx/norm, dy/norm, length, ink)
	}
}

// arrow draws a small arrow through a point.
func arrow(l *draw.List, c draw.Point, dx, dy, length float64, ink colour) {
	tip := draw.Point{X: c.X + dx*length, Y: c.Y + dy*length}
	tail := draw.Point{X: c.X - dx*length, Y: c.Y - dy*length}
	l.Segment(tail, tip, 1, ink)
	head := length * 0.62
	for _, side := range []float64{-1, 1} {
		l.Segment(tip, draw.Point{X: tip.X - head*dx + side*head*0.6*dy, Y: tip.Y - head*dy - side*head*0.6*dx}, 1, ink)
	}
}
