package screen

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// wheelZoom is how much a notch of the wheel enlarges.
const wheelZoom = 1.15

// operateMap pans by dragging, zooms by the wheel, and fits on a double click.
func (s *Screen) operateMap() {
	const id = "map"
	in, c := s.UI.Input, &s.plan.Camera
	over, pressed, clicked := s.UI.Area(id, c.View)
	if over && in.Clicks == 2 {
		s.fit()
		return
	}
	if s.brushing {
		if over {
			s.UI.SetCursor(ui.Cross)
		}
		if s.UI.Holding(id) && in.Down {
			s.brushMap()
		} else if clicked {
			s.brushing = false
		}
		return
	}
	if s.keepingOut {
		s.keepOut(over, pressed)
		return
	}
	if s.dragOnMap(over, pressed) {
		return
	}
	if clicked && s.UI.Strayed() < brushFrom && in.Clicks != 2 {
		if f := s.nearestTrack(in.Pointer); f != nil {
			s.Model.Select(f.Run.Run)
		}
	}
	if over && (!in.Down || in.Long) {
		s.hintTrack()
	}
	if s.UI.Holding(id) && in.Down {
		if d := s.UI.Dragged(s.Layout.Window); d != (draw.Point{}) {
			c.Pan(d.X, d.Y)
		}
		s.UI.SetCursor(ui.Grab)
	}
	if in.Pinch > 0 && c.View.Contains(in.PinchAt) && !s.covered() {
		c.Pan(in.PinchBy.X, in.PinchBy.Y)
		c.Zoom(in.Pinch, in.PinchAt)
	}
	if over && in.Wheel != 0 {
		c.Zoom(math.Pow(wheelZoom, in.Wheel), in.Pointer)
	}
}

// setMode has the pointer select flights on the map, keep out of cells there, or neither, and says what to do.
func (s *Screen) setMode(brushing, keepingOut bool) {
	s.brushing, s.keepingOut = brushing, keepingOut
	s.Model.Say(false, "%s", s.modeText())
}

// modeText says what the pointer does on the map in a mode; empty for none.
func (s *Screen) modeText() string {
	const drag = "Drag over an area of the map to select the flights through it."
	ends := either(s.Touch, " The menu has \"Wall\" again to end this.", " Esc ends this.")
	switch n := len(s.Model.WhatIf.KeptOut); {
	case s.brushing:
		return drag + either(s.Touch, "", ends)
	case s.keepingOut && n > 0:
		return fmt.Sprintf("Kept out of by this flight: %d now. ", n) + either(s.Touch,
			"The menu has \"Wall for all flights\", and \"Wall\" to end this.",
			"Enter keeps all flights out."+ends)
	case s.keepingOut:
		return either(s.Touch, "Tap", "Click") +
			" a cell, or drag over several, to keep out of them, or to allow them again." + ends
	}
	return ""
}
