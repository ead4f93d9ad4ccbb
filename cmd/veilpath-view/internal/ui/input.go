package ui

import "veilpath/cmd/veilpath-view/internal/draw"

// Key is a key the viewer listens to, by the character it types or by name.
type Key string

// Keys that type no character.
const (
	Space      Key = "space"
	Escape     Key = "escape"
	Enter      Key = "enter"
	Backspace  Key = "backspace"
	Home       Key = "home"
	End        Key = "end"
	PageUp     Key = "pageup"
	PageDown   Key = "pagedown"
	ArrowLeft  Key = "left"
	ArrowRight Key = "right"
	ArrowUp    Key = "up"
	ArrowDown  Key = "down"
	Undo       Key = "undo" // Ctrl Z
	Redo       Key = "redo" // Ctrl Shift Z
	Find       Key = "find" // Ctrl K
)

// Input is what the user did since the frame before.
type Input struct {
	ElapsedS float64 // real time since the frame before
	Pointer  draw.Point
	Outside  bool    // the pointer is not over the window
	Down     bool    // the main button is held, or a finger is on the screen
	Touch    bool    // by a finger, which points only while it is down
	Wheel    float64 // notches, positive away from the user
	Keys     []Key   // pressed in this frame, repeats included
}
