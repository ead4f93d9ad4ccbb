//go:build viewer || js

package view

import (
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/ui"
)

// reader gathers ebiten's input, or the page's events, into that of a frame.
type reader struct {
	source
	pointers ui.Pointers
	last     time.Time
}

// longestFrame bounds what a frame counts as elapsed, s: a window that slept does not jump ahead.
const longestFrame = 0.25

// read returns the input since the last call; scale is pixels a point.
func (r *reader) read(now time.Time, scale float64) ui.Input {
	var in ui.Input
	if !r.last.IsZero() {
		in.ElapsedS = math.Min(longestFrame, now.Sub(r.last).Seconds())
	}
	r.last = now
	r.poll(&r.pointers, scale)
	r.pointers.Frame(&in)
	_, wheel := ebiten.Wheel()
	in.Wheel = notches(wheel)
	return in
}

// notches brings the wheel of a browser, some 100 a notch, and of a desktop, 1 a notch, together.
func notches(wheel float64) float64 {
	const browserNotch, largest = 100, 5
	if math.Abs(wheel) >= 20 {
		wheel /= browserNotch
	}
	return math.Max(-largest, math.Min(largest, wheel))
}

// withControl is what a key means that is held with Control or Command; empty for nothing here.
func withControl(name string, shift bool) ui.Key {
	switch {
	case name == "z" && shift, name == "y":
		return ui.Redo
	case name == "z":
		return ui.Undo
	case name == "k":
		return ui.Find
	}
	return ""
}
