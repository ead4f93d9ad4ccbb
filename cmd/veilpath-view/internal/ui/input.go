package ui

import "veilpath/cmd/veilpath-view/internal/draw"

// Key is a key the viewer listens to, by the character it types or by name.
type Key string

// Keys that type no character.
const (
	Space      Key = "space"
	Escape     Key = "escape"
	Home       Key = "home"
	End        Key = "end"
	ArrowLeft  Key = "left"
	ArrowRight Key = "right"
	ArrowUp    Key = "up"
	ArrowDown  Key = "down"
)

// Input is what the user did since the frame before.
type Input struct {
	ElapsedS float64 // real time since the frame before
	Pointer  draw.Point
	Outside  bool    // the pointer is not over the window
	Down     bool    // the main button is held
	Alt      bool    // the second or middle button is held
	Wheel    float64 // notches, positive away from the user
	Clicks   int     // 2 in the frame of a double click
	Keys     []Key   // pressed in this frame, repeats included
	Shift    bool
}
