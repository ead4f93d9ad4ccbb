package ui

import (
	"slices"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// hand plays events to Pointers.
type hand struct{ Pointers }

func (h *hand) add(kind PointerKind, touch bool, x, y float64) {
	h.Add(PointerEvent{Kind: kind, Touch: touch, At: draw.Point{X: x, Y: y}})
}

func (h *hand) frame() (in Input) {
	h.Frame(&in)
	return in
}

// A tap and a click that are over before the next frame are each a press in one frame and a release, at
// the same place, in the next.
func TestShortPressesAreSeen(t *testing.T) {
	for _, touch := range []bool{true, false} {
		h := new(hand)
		h.add(Press, touch, 40, 50)
		h.add(Release, touch, 40, 50)
		down, up := h.frame(), h.frame()
		at := draw.Point{X: 40, Y: 50}
		if !down.Down || down.Pointer != at || up.Down || up.Pointer != at || up.Outside {
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
	h := new(hand)
	h.Add(PointerEvent{Kind: Typed, Key: "a"})
	h.add(Press, false, 40, 50)
	h.add(Release, false, 40, 50)
	h.Add(PointerEvent{Kind: Typed, Key: "b"})
	h.Add(PointerEvent{Kind: Typed, Key: "c"})
	down, up, after := h.frame(), h.frame(), h.frame()
	if !slices.Equal(down.Keys, []Key{"a"}) || !down.Down || len(up.Keys) > 0 || up.Down ||
		!slices.Equal(after.Keys, []Key{"b", "c"}) {
		t.Errorf("the frames have the keys %v, %v and %v", down.Keys, up.Keys, after.Keys)
	}
}
