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
// One finger is a mouse whose button is down. Two fingers pinch and pan, and let go what the first one
// held. A finger that rests asks for what is under it and clicks nothing.
type Pointers struct {
	queue   []PointerEvent
	fingers []finger
	at      draw.Point
	down    bool
	outside bool
	touch   bool // the last press was a finger's
	pinched bool // two fingers have been down since the last time that none was

	now       time.Time     // of the frame
	rested    time.Duration // since the frame in which the press was seen
	pressedOn draw.Point
	strayed   bool // the finger has moved since
	before    time.Time
	beforeOn  draw.Point
}

type finger struct {
	id int
	at draw.Point
}

// Two presses within doubleClick and closer than reach points are a double click; a finger that stays within
// reach for longPress asks what is under it.
const (
	doubleClick = 350 * time.Millisecond
	longPress   = 500 * time.Millisecond
	longFrame   = 100 * time.Millisecond // what a frame counts at most: the release may wait for one that takes long
	mouseReach  = 5
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
		p.press(in, e)
		return true
	case Release:
		p.down = false
		return true
	}
	return false
}

func (p *Pointers) press(in *Input, e PointerEvent) {
	reach := float64(mouseReach)
	if e.Touch {
		reach = 2 * fingerReach
	}
	in.Clicks = 1
	if e.Time.Sub(p.before) < doubleClick && away(e.At, p.beforeOn) < reach {
		in.Clicks = 2
	}
	p.before, p.beforeOn = e.Time, e.At
	p.down, p.outside, p.at = true, false, e.At
	p.rested, p.pressedOn, p.strayed = 0, e.At, false
}

func (p *Pointers) takeTouch(in *Input, e PointerEvent) bool {
	at := slices.IndexFunc(p.fingers, func(f finger) bool { return f.id == e.ID })
	p.touch = true
	switch {
	case e.Kind == Press && at < 0:
		p.fingers = append(p.fingers, finger{e.ID, e.At})
		if len(p.fingers) == 1 && !p.pinched {
			p.press(in, e)
			return true
		}
		return p.beginPinch(in)
	case e.Kind == Move && at >= 0:
		p.moveFinger(in, at, e.At)
	case e.Kind != Press && e.Kind != Move && at >= 0:
		p.fingers = append(p.fingers[:at], p.fingers[at+1:]...)
		if len(p.fingers) == 0 {
			p.pinched = false
		}
		if p.down {
			p.down = false
			in.Cancel = e.Kind == Leave
			return true
		}
	}
	return false
}

// beginPinch lets go what the first finger held.
func (p *Pointers) beginPinch(in *Input) bool {
	p.pinched = true
	held := p.down
	p.down, in.Cancel = false, held
	return held
}

// moveFinger moves the pointer, or with two fingers the picture.
func (p *Pointers) moveFinger(in *Input, i int, to draw.Point) {
	if len(p.fingers) < 2 || i > 1 {
		p.fingers[i].at = to
		if p.down {
			p.at = to
			p.strayed = p.strayed || away(to, p.pressedOn) > fingerReach
		}
		return
	}
	other := p.fingers[1-i].at
	from := p.fingers[i].at
	p.fingers[i].at = to
	middle := draw.Point{X: (to.X + other.X) / 2, Y: (to.Y + other.Y) / 2}
	if in.Pinch == 0 {
		in.Pinch = 1
	}
	in.Pinch *= math.Max(1, away(to, other)) / math.Max(1, away(from, other))
	in.PinchAt = middle
	in.PinchBy.X += (to.X - from.X) / 2
	in.PinchBy.Y += (to.Y - from.Y) / 2
}

func away(a, b draw.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
