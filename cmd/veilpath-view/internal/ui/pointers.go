package ui

import (
	"math"
	"slices"
	"time"

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

// PointerEvent is something that the mouse or a finger did, or a key that was typed among that.
type PointerEvent struct {
	Kind  PointerKind
	Key   Key // that was typed
	Touch bool
	ID    int // of the finger
	At    draw.Point
	Time  time.Time
}

// Pointers makes the input of frames out of events, which may come faster than frames: however short a press is, one
// frame has the button down and a later one has it up, and keys that were typed after it come in a frame after that.
//
// One finger is a mouse whose button is down. A second one lets go what the first one held. A finger that rests asks
// for what is under it and clicks nothing.
type Pointers struct {
	queue   []PointerEvent
	fingers []int // by number, the first of which points
	at      draw.Point
	down    bool
	outside bool
	touch   bool // the last press was a finger's
	second  bool // finger has been down since the last time that none was

	now       time.Time     // of the frame
	rested    time.Duration // since the frame in which the press was seen
	pressedOn draw.Point
	strayed   bool // the finger has moved since
}

// A finger that stays within fingerReach, points, for longPress asks what is under it.
const (
	longPress   = 500 * time.Millisecond
	longFrame   = 100 * time.Millisecond // what a frame counts at most: the release may wait for one that takes long
	fingerReach = 14
)

// Add takes an event.
func (p *Pointers) Add(e PointerEvent) { p.queue = append(p.queue, e) }

// Frame fills the pointer's part of a frame's input from the events so far, and the keys. Events after a press or a
// release are left for the next frame.
func (p *Pointers) Frame(in *Input, now time.Time) {
	done, pointed := 0, false
	p.rested += min(now.Sub(p.now), longFrame)
	p.now = now
	for _, e := range p.queue {
		done++
		if e.Kind == Typed {
			in.Keys = append(in.Keys, e.Key)
			continue
		}
		pointed = true
		if p.take(in, e) {
			break
		}
	}
	p.queue = append(p.queue[:0], p.queue[done:]...)
	in.Pointer, in.Down, in.Outside, in.Touch = p.at, p.down, p.outside, p.touch
	// What is still in the queue may be the release of a finger that only rested while a frame took long.
	in.Long = p.touch && p.down && !p.strayed && len(p.queue) == 0 && p.rested >= longPress
	if p.touch && !p.down && !pointed {
		in.Outside = true // a finger that is gone points nowhere
	}
}

// take applies an event and reports whether the frame ends with it.
func (p *Pointers) take(in *Input, e PointerEvent) bool {
	if e.Touch {
		return p.takeTouch(in, e)
	}
	p.touch, p.outside, p.at = false, e.Kind == Leave, e.At
	switch e.Kind {
	case Press:
		p.press(e)
		return true
	case Release:
		p.down = false
		return true
	}
	return false
}

func (p *Pointers) press(e PointerEvent) {
	p.down, p.outside, p.at = true, false, e.At
	p.rested, p.pressedOn, p.strayed = 0, e.At, false
}

func (p *Pointers) takeTouch(in *Input, e PointerEvent) bool {
	at := slices.Index(p.fingers, e.ID)
	p.touch = true
	switch {
	case e.Kind == Press && at < 0:
		p.fingers = append(p.fingers, e.ID)
		if len(p.fingers) == 1 && !p.second {
			p.press(e)
			return true
		}
		in.Cancel, p.second = p.down, true
		p.down = false
		return in.Cancel
	case e.Kind == Move && at >= 0:
		if p.down && at == 0 {
			p.at = e.At
			p.strayed = p.strayed || away(e.At, p.pressedOn) > fingerReach
		}
	case e.Kind != Press && at >= 0:
		p.fingers = slices.Delete(p.fingers, at, at+1)
		p.second = p.second && len(p.fingers) > 0
		if p.down {
			p.down, in.Cancel = false, e.Kind == Leave
			return true
		}
	}
	return false
}

func away(a, b draw.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
