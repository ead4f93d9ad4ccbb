package screen

import (
	"fmt"
	"math"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/planner"
)

// placeText tells the values of the map at a place on screen: where it is, and what its cell holds.
func (s *Screen) placeText(at draw.Point) string {
	x, y := s.camera.World(at)
	text := toward(x, "east", "west") + ", " + toward(y, "north", "south")
	g := s.world().Experiment.Mission.Grid
	for state := range g.States() {
		p := g.Position(state)
		if math.Abs(p.X-x) > g.SpacingKm/2 || math.Abs(p.Y-y) > g.SpacingKm/2 {
			continue
		}
		text += fmt.Sprintf("; cell %d", state)
		if g.KeptOut(state) {
			return text + "; kept out of: no waypoint is commanded here"
		}
		if s.heatShown() == HeatBelief {
			return text + s.beliefAt(state)
		}
		return text + s.rewardsAt(g, state)
	}
	return text
}

// toward writes how far a place lies in one of two directions.
func toward(km float64, positive, negative string) string {
	return fixed(math.Abs(km), 1) + " km " + either(km < 0, negative, positive)
}

// rewardsAt tells the rewards that are on show in a cell, and where its policy goes.
func (s *Screen) rewardsAt(g *planner.Grid, state int) string {
	text := ""
	if s.heatShown() != HeatOff {
		var h heatTable
		h.fill(s.heatShown(), s.world().Experiment.Mission.Rewards.Joint, s.flight().Rewards)
		var parts []string
		actions := g.Moves.Count()
		for a := range actions {
			parts = append(parts, g.Moves.Name(planner.Action(a))+" "+fixed(h.values[state*actions+a], 1))
		}
		text = "; " + h.name + " " + strings.Join(parts, ", ")
	}
	if policy := s.policy(); state < len(policy) {
		text += "; the policy goes " + goes(g.Moves, policy[state])
	}
	return text
}

// beliefAt says how probable an observer of the goal holds a cell.
func (s *Screen) beliefAt(state int) string {
	b := s.belief()
	if b == nil || s.onKept {
		return ""
	}
	for i, own := range s.Model.Inference.States {
		if own == state {
			return fmt.Sprintf("; %s holds it for the goal with probability %s", s.view().Name,
				number(math.Round(1e4*b.Posterior[i])/1e4))
		}
	}
	return "; no goal"
}

// placeValues writes the values under the pointer at the foot of the map; a finger that rests asks for them as a hint.
func (s *Screen) placeValues(l *draw.List) {
	in, t, r := s.UI.Input, s.theme(), s.layout.Map
	if in.Outside || s.covered() || !r.Contains(in.Pointer) || in.Touch != in.Long {
		return
	}
	text := s.placeText(in.Pointer)
	if in.Touch {
		if s.UI.HintText() == "" {
			s.UI.Hint(true, draw.Rect{X: in.Pointer.X - 4, Y: in.Pointer.Y - 24, W: 8, H: 48}, text)
		}
		return
	}
	left, right := s.foot()
	room := right - left
	if s.layout.Compact || room < 100 {
		return
	}
	lines := l.Wrap(t.Small, text, room)
	const row = 15
	box := draw.Rect{W: room, H: row*float64(len(lines)) + 4}
	box.X, box.Y = left, r.Bottom()-box.H-3
	w := 0.0
	for _, line := range lines {
		w = math.Max(w, l.Width(t.Small, line))
	}
	l.RoundRect(draw.Rect{X: box.Right() - w - 8, Y: box.Y, W: w + 12, H: box.H}, 4, ui.Faded(t.Background, 0.85))
	for i, line := range lines {
		l.TextIn(t.Small, draw.Rect{X: box.X, Y: box.Y + 2 + row*float64(i), W: box.W, H: row}, draw.Right, t.Ink, line)
	}
}

// foot returns the ends of the room at the foot of the map between the scale and the cards that lie there.
func (s *Screen) foot() (left, right float64) {
	const height = 40 // of two lines of values
	r := s.layout.Map
	left, right = s.scaleArea().Right()+2*pad, r.Right()-pad
	for _, card := range []draw.Rect{s.legendArea(), s.lensArea(), s.readingsArea()} {
		switch {
		case card.Empty() || card.Bottom() < r.Bottom()-height:
		case card.Center().X > r.Center().X:
			right = math.Min(right, card.X-pad)
		default:
			left = math.Max(left, card.Right()+pad)
		}
	}
	return left, right
}
