package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// wheelZoom is how much a notch of the wheel enlarges.
const wheelZoom = 1.15

// operateMap pans by dragging, zooms by the wheel, and fits on a double click.
func (s *Screen) operateMap() {
	in := s.UI.Input
	over, pressed, _ := s.UI.Area("map", s.layout.Map)
	if pressed {
		s.pointerAt = in.Pointer
	}
	if s.UI.Holding("map") && in.Down {
		if d := (draw.Point{X: in.Pointer.X - s.pointerAt.X, Y: in.Pointer.Y - s.pointerAt.Y}); d != (draw.Point{}) {
			s.camera.Pan(d.X, d.Y)
		}
		s.UI.SetCursor(ui.Grab)
	}
	s.pointerAt = in.Pointer
	if in.Pinch > 0 && s.layout.Map.Contains(in.PinchAt) && !s.covered() {
		s.camera.Pan(in.PinchBy.X, in.PinchBy.Y)
		s.camera.Zoom(in.Pinch, in.PinchAt)
	}
	if over && in.Wheel != 0 {
		s.camera.Zoom(math.Pow(wheelZoom, in.Wheel), in.Pointer)
	}
	if over && in.Clicks == 2 {
		s.fit()
	}
}
