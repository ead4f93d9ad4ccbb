package panel

import (
	"fmt"
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/planner"
)

// wheelZoom is how much a notch of the wheel enlarges.
const wheelZoom = 1.15

// Operate pans by dragging, zooms by the wheel, and fits on a double click.
func (pl *Plan) Operate() {
	const id = "map"
	in, c := pl.UI.Input, &pl.Map.Camera
	over, pressed, clicked := pl.UI.Area(id, c.View)
	if in.Pinch > 0 && c.View.Contains(in.PinchAt) && !pl.UI.Blocked() {
		c.Pan(in.PinchBy.X, in.PinchBy.Y)
		c.Zoom(in.Pinch, in.PinchAt)
	}
	if over && in.Wheel != 0 {
		c.Zoom(math.Pow(wheelZoom, in.Wheel), in.Pointer)
	}
	if over && in.Clicks == 2 {
		pl.Fit()
		return
	}
	if pl.KeepingOut {
		pl.keepOut(over, pressed, clicked)
		return
	}
	pl.painted = nil // of a drag that the end of the mode broke off
	if clicked && pl.UI.Strayed() < dragFrom && in.Clicks != 2 {
		if f := pl.nearestTrack(in.Pointer); f != nil && pl.ShownAt(in.Pointer) == nil {
			pl.Model.Select(f.Run.Run)
		}
	}
	if over && (!in.Down || in.Long) {
		pl.hintTrack()
	}
	if pl.UI.Holding(id) && in.Down {
		if d := pl.UI.Dragged(pl.Layout.Window); d != (draw.Point{}) {
			c.Pan(d.X, d.Y)
		}
		pl.UI.SetCursor(ui.Grab)
	}
}

// SetKeepingOut has the pointer draw walls on the map, or no longer, and says what to do.
func (pl *Plan) SetKeepingOut(on bool) {
	pl.KeepingOut = on
	pl.Model.Say(false, "%s", pl.ModeText())
}

// ModeText says what the pointer does on the map while it draws walls; empty where it draws none.
func (pl *Plan) ModeText() string {
	if !pl.KeepingOut {
		return ""
	}
	return either(pl.Touch, "Tap", "Click") + " a cell, or drag over several: all flights keep out of them, or are " +
		"allowed there again. " + either(pl.Touch, "The menu has \"Wall\" again to end this.", "Esc ends this.")
}

// dragFrom is how far the pointer goes before a press becomes a drag, points.
const dragFrom = 5

// nearestTrack returns the flight whose drawn track passes nearest to a place on the map, within reach; nil for none.
func (pl *Plan) nearestTrack(at draw.Point) *model.Member {
	if !pl.FanShown() {
		return nil
	}
	var nearest *model.Member
	best, c := pl.trackReach(), &pl.Map.Camera
	for _, f := range pl.Model.Ensemble.Members {
		if f == nil {
			continue
		}
		for from, to := range f.Path.Pieces {
			a, b := c.Screen(from.X, from.Y), c.Screen(to.X, to.Y)
			if away := at.Away(a, b); away < best {
				best, nearest = away, f
			}
		}
	}
	return nearest
}

// ShownAt returns the flight at a place of those that lie over the ensemble: the one on show, and the direct one; nil
// for none.
func (pl *Plan) ShownAt(at draw.Point) *model.Flight {
	m, reach := pl.Shown(), pl.trackReach()
	for _, f := range slices.Backward(m.Drawn()) {
		for line := range m.linesOf(f, len(f.Samples)) {
			for i := 1; i < len(line); i++ {
				if at.Away(line[i-1], line[i]) < reach {
					return f
				}
			}
		}
	}
	return nil
}

// trackReach is how near to a track the pointer means it, points.
func (pl *Plan) trackReach() float64 { return either(pl.UI.Input.Touch, 14., 5) }

// hintTrack says how far off the guess is that is under the pointer, or else names the flight whose track is.
func (pl *Plan) hintTrack() {
	at, f := pl.UI.Input.Pointer, pl.Model.Flight()
	now := f.At(pl.Model.Clock.TimeS)
	if guess := pl.Map.Camera.Place(f.Predicted[now]); f.Foreseen(now) &&
		math.Hypot(guess.X-at.X, guess.Y-at.Y) <= pl.trackReach() {
		pl.UI.Hint(true, draw.Rect{X: guess.X - 6, Y: guess.Y - 6, W: 12, H: 12}, fmt.Sprintf(
			"The observer's guess after %s s, off by %s", chart.Fixed(f.TimeS(now), 1),
			chart.DistanceText(f.Errors.ErrorKm[now])))
		return
	}
	here := draw.Rect{X: at.X - 4, Y: at.Y - 4, W: 8, H: 8}
	if f := pl.ShownAt(at); f != nil {
		pl.UI.Hint(true, here, pl.ShownText(f))
	} else if f := pl.nearestTrack(at); f != nil {
		pl.UI.SetCursor(ui.Hand)
		pl.UI.Hint(true, here, answer.MemberText(f))
	}
}

// keepOut has all flights keep out of the cells that are dragged over, or allows them again, as it does the one that is
// pressed, once the pointer lets go. A finger may be the first of two, and paints only once it moves or lets go.
func (pl *Plan) keepOut(over, pressed, clicked bool) {
	in, held := pl.UI.Input, pl.UI.Holding("map")
	if over {
		pl.UI.SetCursor(ui.Cross)
	}
	if pressed {
		pl.painted = nil
	}
	g := pl.Model.Experiment.Mission.Grid
	if over && held && in.Down && (!in.Touch || pl.UI.Strayed() >= dragFrom) || clicked && pl.painted == nil {
		pl.paint(g)
	}
	if pl.painted != nil && !(held && in.Down) {
		pl.Model.KeepOut(pl.painted, !pl.allows)
		pl.painted = nil
	}
}

// paint marks the cells between the places of the pointer in the frame before and now.
func (pl *Plan) paint(g *planner.Grid) {
	to, by := pl.UI.Input.Pointer, pl.UI.Dragged(pl.Layout.Map)
	from := draw.Point{X: to.X - by.X, Y: to.Y - by.Y}
	first := pl.painted == nil
	if first {
		from, pl.painted, pl.allows = pl.UI.DownAt(), map[int]bool{}, false
	}
	for state := range g.States() {
		cell := pl.Map.cell(state)
		if first && cell.Contains(from) { // what is done to the first cell is done to all
			pl.allows = g.KeptOut(state)
		}
		if cell.Contains(from) || cell.Contains(to) || cell.Meets(from, to) {
			pl.painted[state] = true
		}
	}
}

// Painted is how many cells are being forbidden or allowed.
func (pl *Plan) Painted() int { return len(pl.painted) }
