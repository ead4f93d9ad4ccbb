package ui

import (
	"image/color"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
)

// user plays frames of input to widgets.
type user struct {
	t       *testing.T
	context *Context
	list    *draw.List
	in      Input
}

func newUser(t *testing.T) *user {
	t.Helper()
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	return &user{t: t, context: NewContext(NewTheme(true)), list: draw.NewList(atlas)}
}

// frame runs the widgets once with the pointer at a place.
func (u *user) frame(x, y float64, down bool, widgets func(*Context)) {
	u.list.Reset(draw.Rect{W: 800, H: 600}, 1)
	u.in.Pointer, u.in.Down = draw.Point{X: x, Y: y}, down
	u.context.Begin(u.list, u.in)
	widgets(u.context)
	u.context.End()
	u.in.Wheel = 0
}

func TestButtonClicks(t *testing.T) {
	inside, outside := draw.Point{X: 20, Y: 20}, draw.Point{X: 300, Y: 300}
	tests := []struct {
		name     string
		down, up draw.Point
		clicks   int
	}{
		{"pressed and let go on it", inside, inside, 1},
		{"let go elsewhere", inside, outside, 0},
		{"pressed elsewhere", outside, inside, 0},
	}
	for _, test := range tests {
		u := newUser(t)
		clicks := 0
		button := func(c *Context) {
			if c.Button("b", draw.Rect{X: 10, Y: 10, W: 50, H: 20}, "Go", "", false) {
				clicks++
			}
		}
		u.frame(test.down.X, test.down.Y, false, button)
		u.frame(test.down.X, test.down.Y, true, button)
		u.frame(test.up.X, test.up.Y, true, button)
		u.frame(test.up.X, test.up.Y, false, button)
		u.frame(test.up.X, test.up.Y, false, button)
		if clicks != test.clicks {
			t.Errorf("%s: %d clicks, want %d", test.name, clicks, test.clicks)
		}
	}
}

// Of two widgets under the pointer the one drawn first takes it, and keeps it while the button is down.
func TestPointerIsCaptured(t *testing.T) {
	u := newUser(t)
	both := func(c *Context) {
		c.Area("above", draw.Rect{X: 0, Y: 0, W: 50, H: 50})
		c.Area("below", draw.Rect{X: 0, Y: 0, W: 500, H: 500})
	}
	u.frame(10, 10, true, both)
	if !u.context.Holding("above") {
		t.Error("the first widget does not hold the pointer")
	}
	u.frame(400, 400, true, both)
	if !u.context.Holding("above") || u.context.Holding("below") {
		t.Error("a drag went over to another widget")
	}
	u.frame(400, 400, false, both)
	if u.context.Captured() {
		t.Error("the pointer is still held after the button went up")
	}
}

func TestBlockedWidgetsAreDeaf(t *testing.T) {
	u := newUser(t)
	u.frame(10, 10, true, func(c *Context) {
		c.Block()
		if over, pressed, _ := c.Area("below", draw.Rect{W: 50, H: 50}); over || pressed {
			t.Error("a widget below an overlay hears the pointer")
		}
	})
}

// A hint stays inside the window wherever its widget is.
func TestHintStaysInside(t *testing.T) {
	u := newUser(t)
	bounds := draw.Rect{W: 800, H: 600}
	for _, r := range []draw.Rect{{X: 0, Y: 0, W: 20, H: 20}, {X: 780, Y: 580, W: 20, H: 20},
		{X: 780, Y: 0, W: 20, H: 20}} {
		u.frame(-1, -1, false, func(c *Context) {
			c.Hint(true, r, "A hint that is long enough to need more than a single line of the box that it is drawn in")
			c.DrawHint(bounds)
		})
		for _, v := range u.list.Batches()[0].Vertices {
			if v.DstX < 0 || v.DstX > 800 || v.DstY < 0 || v.DstY > 600 {
				t.Fatalf("beside %v: a vertex at %v, %v", r, v.DstX, v.DstY)
			}
		}
	}
}

// Text can be read on every background that the themes put it on: a contrast of 4.5, as WCAG asks for.
func TestContrast(t *testing.T) {
	for _, dark := range []bool{false, true} {
		th := NewTheme(dark)
		for _, pair := range []struct {
			name      string
			ink, back color.NRGBA
		}{
			{"ink on background", th.Ink, th.Background}, {"ink on panel", th.Ink, th.Panel},
			{"ink on a button", th.Ink, th.Raised},
			{"muted on panel", th.Muted, th.Panel}, {"muted on background", th.Muted, th.Background},
			{"on accent", th.OnAccent, th.Accent},
			{"the private flight", th.Marks[0], th.Background}, {"the observer", th.Marks[1], th.Panel},
			{"a waypoint", th.Marks[2], th.Panel},
			{"recognised", th.Marks[3], th.Background}, {"recognised on panel", th.Marks[3], th.Panel},
		} {
			if c := Contrast(pair.ink, pair.back); c < 4.5 {
				t.Errorf("dark %v: %s has a contrast of %.2f", dark, pair.name, c)
			}
		}
	}
}

// A finger sets a value where it moves or taps; one that the system takes away sets nothing.
func TestFingersSetValues(t *testing.T) {
	type touch struct {
		x          float64
		down, gone bool
	}
	for name, test := range map[string]struct {
		touches []touch
		want    float64
	}{
		"taps":     {[]touch{{300, true, false}, {300, false, false}}, 300},
		"moves":    {[]touch{{100, true, false}, {200, true, false}, {290, true, false}}, 290},
		"is quick": {[]touch{{100, true, false}, {290, false, false}}, 290},
		"is gone":  {[]touch{{300, true, false}, {300, false, true}}, 5},
	} {
		u, value := newUser(t), 5.0
		for _, at := range test.touches {
			u.in.Touch, u.in.Outside = true, at.gone
			u.frame(at.x, 12, at.down, func(c *Context) {
				c.Area("s", draw.Rect{W: 320, H: 24})
				if c.Sets("s") {
					value = c.Input.Pointer.X
				}
			})
		}
		if value != test.want {
			t.Errorf("a finger that %s sets %v, want %v", name, value, test.want)
		}
	}
}
