package ui

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// PointerKind is what a pointer did.
type PointerKind int

// What pointers do.
const (
	Move PointerKind = iota
	Press
	Release
	Leave // the mouse has left the window, or the system has taken a finger away
	Typed // a key, whatever pointers do
)

// PointerEvent is something that the mouse or the first finger on the screen did, or a key that was typed among that.
type PointerEvent struct {
	Kind  PointerKind
	Key   Key // that was typed
	Touch bool
	At    draw.Point
}

// Pointers makes the input of frames out of events, which may come faster than frames: however short a press is, one
// frame has the button down and a later one has it up, and keys that were typed after it come in a frame after that. A
// finger is a mouse whose button is down, and which is outside once it is up.
type Pointers struct {
	queue   []PointerEvent
	at      draw.Point
	down    bool
	outside bool
	touch   bool // the last event was a finger's
}

// fingerReach is how far a finger that rests may move, points.
const fingerReach = 14

// Add takes an event.
func (p *Pointers) Add(e PointerEvent) { p.queue = append(p.queue, e) }

// Frame fills the pointer's part of a frame's input from the events so far, and the keys. Events after a press or a
// release are left for the next frame.
func (p *Pointers) Frame(in *Input) {
	done, was := 0, p.down
	p.outside = p.outside || p.touch && !p.down
	for _, e := range p.queue {
		done++
		if e.Kind == Typed {
			in.Keys = append(in.Keys, e.Key)
			continue
		}
		p.at, p.touch, p.outside = e.At, e.Touch, e.Kind == Leave
		switch {
		case e.Kind == Press:
			p.down = true
		case e.Kind == Release, e.Kind == Leave && e.Touch:
			p.down = false
		}
		if p.down != was {
			break
		}
	}
	p.queue = append(p.queue[:0], p.queue[done:]...)
	in.Pointer, in.Down, in.Outside, in.Touch = p.at, p.down, p.outside, p.touch
}

func away(a, b draw.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
