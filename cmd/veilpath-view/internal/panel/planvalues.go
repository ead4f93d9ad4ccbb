package panel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/planner"
)

// PlaceText tells the values of the map at a place on screen: where it is, and what its cell holds.
func (pl *Plan) PlaceText(at draw.Point) string {
	m := pl.Shown()
	x, y := m.Camera.World(at)
	text := toward(x, "east", "west") + ", " + toward(y, "north", "south")
	g := m.World.Experiment.Mission.Grid
	for state := range g.States() {
		p := g.Position(state)
		if math.Abs(p.X-x) > g.SpacingKm/2 || math.Abs(p.Y-y) > g.SpacingKm/2 {
			continue
		}
		text += fmt.Sprintf("; cell %d", state)
		if g.KeptOut(state) {
			return text + "; kept out of: no waypoint is commanded here"
		}
		switch m.Heat {
		case answer.HeatBelief:
			text += pl.beliefAt(m, state)
		case answer.HeatNoise:
			text += noiseAt(m, g, state)
		}
		return text
	}
	return text
}

// toward writes how far a place lies in one of two directions.
func toward(km float64, positive, negative string) string {
	return chart.Fixed(math.Abs(km), 1) + " km " + either(km < 0, negative, positive)
}

// noiseAt tells the noise on the rewards in a cell of a map.
func noiseAt(m *Map, g *planner.Grid, state int) string {
	var parts []string
	for a, noise := range m.Noise(state) {
		parts = append(parts, g.Moves.Name(planner.Action(a))+" "+chart.Fixed(noise, 1))
	}
	return "; noise " + strings.Join(parts, ", ")
}

// beliefAt says how probable an observer of the goal holds a cell of a map.
func (pl *Plan) beliefAt(m *Map, state int) string {
	if m.Belief.Awaited != "" {
		return ""
	}
	if i := slices.Index(m.Belief.States, state); i >= 0 {
		return fmt.Sprintf("; %s holds it for the goal with probability %s", pl.View().Name,
			chart.Number(math.Round(1e4*m.Belief.Posterior[i])/1e4))
	}
	return "; no goal"
}

// DrawValues writes the values under the pointer at the foot of the map; a finger that rests asks for them as a hint.
func (pl *Plan) DrawValues(l *draw.List) {
	in := pl.UI.Input
	t, r := pl.Theme(), pl.Layout.Map
	if in.Outside || pl.UI.Blocked() || in.Touch != in.Long || !r.Contains(in.Pointer) {
		return
	}
	text := pl.PlaceText(in.Pointer)
	if in.Touch {
		if pl.UI.HintText() == "" {
			pl.UI.Hint(true, draw.Rect{X: in.Pointer.X - 4, Y: in.Pointer.Y - 24, W: 8, H: 48}, text)
		}
		return
	}
	left, right := pl.Shown().Foot()
	room := right - left
	if pl.Layout.Compact || room < 100 {
		return
	}
	lines := l.Wrap(t.Small, text, room)
	const row = 15
	box := draw.Rect{W: room, H: row*float64(len(lines)) + 4}
	box.X, box.Y = left, r.Bottom()-box.H-3
	w := l.Widest(t.Small, lines)
	l.RoundRect(draw.Rect{X: box.Right() - w - 8, Y: box.Y, W: w + 12, H: box.H}, 4, ui.Faded(t.Background, 0.85))
	l.Lines(t.Small, draw.Rect{X: box.X, Y: box.Y + 2, W: box.W, H: row}, draw.Right, t.Ink, lines)
}
