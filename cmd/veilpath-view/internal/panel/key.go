package panel

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
)

// Key is the panel of a compact layout that explains the signs of the map and has their switches.
type Key struct {
	*Frame
	Plan *Plan
}

// Area is the panel.
func (ky *Key) Area() draw.Rect { return ky.Layout.Key }

// DrawMoving draws nothing: the signs stay.
func (ky *Key) DrawMoving(*draw.List) {}

// DrawStill draws the panel that explains the signs.
func (ky *Key) DrawStill(l *draw.List) {
	ky.Panel(l, ky.Layout.Key, "")
	ky.Plan.Shown().DrawLegend(l, ky.Layout.Key.Trim(0, 2*(layout.TouchTarget+layout.ButtonAir)+6, 0, 0), 2)
}

// Operate lets the signs be switched on and off.
func (ky *Key) Operate() {
	rest := ky.Layout.Key.Trim(layout.Pad, 4, layout.Pad, 0)
	settings := Settings{ky.Frame}
	settings.choices(func(h float64) (r draw.Rect) {
		r, rest = rest.CutTop(ky.touchable(h))
		return r
	})
}
