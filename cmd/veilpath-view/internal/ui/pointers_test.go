package ui

import (
	"slices"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// hand plays events to Pointers.
type hand struct {
	Pointers
	now time.Time
}

func newHand() *hand { return &hand{now: time.Unix(1000, 0)} }

func (h *hand) add(kind PointerKind, touch bool, id int, x, y float64) {
	h.Add(PointerEvent{Kind: kind, Touch: touch, ID: id, At: draw.Point{X: x, Y: y}, Time: h.now})
}

func (h *hand) frame() (in Input) {
	h.Frame(&in, h.now)
	return in
}

// A tap and a click that are over before the next frame are each a press in one frame and a release, at
// the same place, in the next.
func TestShortPressesAreSeen(t *testing.T) {
	for _, touch := range []bool{true, false} {
		h := newHand()
		h.add(Press, touch, 1, 40, 50)
		h.add(Release, touch, 1, 40, 50)
		down, up := h.frame(), h.frame()
		at := draw.Point{X: 40, Y: 50}
		if !down.Down || down.Pointer != at || up.Down || up.Pointer != at || up.Outside || up.Cancel {
			t.Errorf("touch %v: %+v, then %+v", touch, down, up)
		}
		if after := h.frame(); after.Outside != touch {
			t.Errorf("touch %v: after it the pointer is outside: %v", touch, after.Outside)
		}
	}
}

// Keys that are typed before a click come before it, and those after it in a frame after it, however long a frame
// takes.
func TestKeysKeepTheirPlaceAmongClicks(t *testing.T) {
	h := newHand()
	h.Add(PointerEvent{Kind: Typed, Key: "a"})
	h.add(Press, false, 0, 40, 50)
	h.add(Release, false, 0, 40, 50)
	h.Add(PointerEvent{Kind: Typed, Key: "b"})
	h.Add(PointerEvent{Kind: Typed, Key: "c"})
	down, up, after := h.frame(), h.frame(), h.frame()
	if !slices.Equal(down.Keys, []Key{"a"}) || !down.Down || len(up.Keys) > 0 || up.Down ||
		!slices.Equal(after.Keys, []Key{"b", "c"}) {
		t.Errorf("the frames have the keys %v, %v and %v", down.Keys, up.Keys, after.Keys)
	}
}

// A second finger lets go what the first one held, without a click; what is left of the two holds nothing.
func TestSecondFingerLetsGo(t *testing.T) {
	h := newHand()
	h.add(Press, true, 1, 100, 100)
	if !h.frame().Down {
		t.Error("one finger holds nothing")
	}
	h.add(Press, true, 2, 200, 100)
	if in := h.frame(); in.Down || !in.Cancel {
		t.Errorf("the second finger: %+v", in)
	}
	h.add(Release, true, 2, 270, 100)
	h.add(Move, true, 1, 60, 100)
	if in := h.frame(); in.Down {
		t.Errorf("the finger that is left: %+v", in)
	}
	h.add(Release, true, 1, 60, 100)
	h.frame()
	h.add(Press, true, 3, 10, 10)
	if !h.frame().Down {
		t.Error("a new finger holds nothing")
	}
}

// A finger that rests asks what is there; one that moves does not.
func TestLongPress(t *testing.T) {
	for _, moved := range []float64{3, 40} {
		h := newHand()
		h.add(Press, true, 1, 100, 100)
		h.frame()
		h.add(Move, true, 1, 100+moved, 100)
		for range longPress / longFrame {
			h.now = h.now.Add(longFrame)
			h.frame()
		}
		if in := h.frame(); in.Long != (moved < fingerReach) {
			t.Errorf("moved by %v: long is %v", moved, in.Long)
		}
	}
}

// A tap that waited long for its frames is still a tap, even if its release comes some frames after.
func TestTapsDuringSlowFrames(t *testing.T) {
	for late := range 3 {
		h := newHand()
		h.add(Press, true, 1, 40, 50)
		for i := range late + 2 {
			if i == late {
				h.add(Release, true, 1, 40, 50)
			}
			h.now = h.now.Add(2 * longPress)
			if in := h.frame(); in.Long || in.Cancel || in.Down != (i < max(1, late)) {
				t.Errorf("released in frame %d, frame %d: %+v", late, i, in)
			}
		}
	}
}
