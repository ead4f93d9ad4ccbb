//go:build viewer || js

package view

import (
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// named are the keys that type no character.
var named = map[ebiten.Key]ui.Key{
	ebiten.KeyEscape: ui.Escape, ebiten.KeyHome: ui.Home, ebiten.KeyEnd: ui.End,
	ebiten.KeyArrowLeft: ui.ArrowLeft, ebiten.KeyArrowRight: ui.ArrowRight,
	ebiten.KeyArrowUp: ui.ArrowUp, ebiten.KeyArrowDown: ui.ArrowDown,
}

// reader turns ebiten's input into that of a frame.
type reader struct {
	last      time.Time
	wasDown   bool
	clickedAt time.Time
	clickedOn draw.Point
	chars     []rune
	touches   []ebiten.TouchID
}

// Two clicks within doubleClick and closer than doubleReach points are a double click.
const (
	doubleClick = 350 * time.Millisecond
	doubleReach = 5
)

// longestFrame bounds what a frame counts as elapsed, s: a window that slept does not jump ahead.
const longestFrame = 0.25

// read returns the input since the last call; scale is pixels a point.
func (r *reader) read(now time.Time, scale float64) ui.Input {
	var in ui.Input
	if !r.last.IsZero() {
		in.ElapsedS = math.Min(longestFrame, now.Sub(r.last).Seconds())
	}
	r.last = now
	x, y := ebiten.CursorPosition()
	in.Down = ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
	if r.touches = ebiten.AppendTouchIDs(r.touches[:0]); len(r.touches) > 0 {
		x, y = ebiten.TouchPosition(r.touches[0])
		in.Down = true
	}
	in.Pointer = draw.Point{X: float64(x) / scale, Y: float64(y) / scale}
	_, wheel := ebiten.Wheel()
	in.Wheel = notches(wheel)
	in.Shift = ebiten.IsKeyPressed(ebiten.KeyShift)
	if in.Down && !r.wasDown {
		near := math.Hypot(in.Pointer.X-r.clickedOn.X, in.Pointer.Y-r.clickedOn.Y) < doubleReach
		if in.Clicks = 1; near && now.Sub(r.clickedAt) < doubleClick {
			in.Clicks = 2
		}
		r.clickedAt, r.clickedOn = now, in.Pointer
	}
	r.wasDown = in.Down
	in.Keys = r.keys()
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

func (r *reader) keys() []ui.Key {
	var keys []ui.Key
	r.chars = ebiten.AppendInputChars(r.chars[:0])
	for _, c := range r.chars {
		if c == ' ' {
			keys = append(keys, ui.Space)
			continue
		}
		keys = append(keys, ui.Key(string(c)))
	}
	for key, name := range named {
		if d := inpututil.KeyPressDuration(key); d == 1 || (d > repeatAfter && d%repeatEvery == 0) {
			keys = append(keys, name)
		}
	}
	return keys
}

// A key held repeats after so many frames, every so many frames.
const (
	repeatAfter = 24
	repeatEvery = 3
)
