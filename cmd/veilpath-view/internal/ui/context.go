package ui

import "veilpath/cmd/veilpath-view/internal/draw"

// Context is the state of the widgets between and during frames.
type Context struct {
	Theme Theme
	List  *draw.List // where widgets draw
	Input Input

	held    string // widget that has captured the pointer; "" for none
	wasDown bool
	last    draw.Point // pointer in the frame before
	downAt  draw.Point // where the pointer went down
	moved   draw.Point // by the pointer while it was held
	strayed bool       // the pointer has since gone farther than a finger that rests
	pressed bool       // the button went down in this frame
	release bool       // and up
	blocked bool       // an overlay covers what is drawn now
	hint    hint       // of this frame
	regions map[string]draw.Rect
	cursor  Cursor
}

// Cursor is the shape of the pointer.
type Cursor int

// The shapes the viewer uses.
const (
	Arrow Cursor = iota
	Hand
	Cross
	ResizeX
)

// NewContext returns a context without input.
func NewContext(theme Theme) *Context {
	return &Context{Theme: theme, regions: map[string]draw.Rect{}}
}

// Begin starts a frame that draws into the list.
func (c *Context) Begin(list *draw.List, in Input) {
	c.List, c.Input = list, in
	c.pressed, c.release = in.Down && !c.wasDown, !in.Down && c.wasDown && !in.Outside
	c.wasDown = in.Down
	c.moved = draw.Point{}
	if in.Down && !c.pressed {
		c.moved = draw.Point{X: in.Pointer.X - c.last.X, Y: in.Pointer.Y - c.last.Y}
	}
	c.last = in.Pointer
	if c.pressed {
		c.downAt, c.strayed = in.Pointer, false
	}
	c.strayed = c.strayed || away(in.Pointer, c.downAt) > fingerReach
	c.blocked, c.hint, c.cursor = false, hint{}, Arrow
	clear(c.regions)
}

// End finishes a frame: a button that went up frees the pointer.
func (c *Context) End() {
	if !c.Input.Down {
		c.held = ""
	}
}

// Block makes widgets deaf until Unblock: an overlay lies above them.
func (c *Context) Block() { c.blocked = true }

// Blocked reports whether an overlay covers what is drawn now.
func (c *Context) Blocked() bool { return c.blocked }

// Unblock lets widgets hear again.
func (c *Context) Unblock() { c.blocked = false }

// Cursor returns the shape the pointer should have.
func (c *Context) Cursor() Cursor { return c.cursor }

// SetCursor chooses the shape for this frame.
func (c *Context) SetCursor(s Cursor) { c.cursor = s }

// Holding reports whether a widget has captured the pointer.
func (c *Context) Holding(id string) bool { return c.held == id && id != "" }

// Sets reports whether the pointer sets the value of a widget by its place: a mouse that has captured it, and a finger
// that moves or taps there.
func (c *Context) Sets(id string) bool {
	switch {
	case !c.Holding(id):
		return false
	case c.Input.Touch && !c.strayed:
		return c.release
	}
	return c.Input.Down || c.release // a drag may be over within a frame
}

// Captured reports whether any widget has.
func (c *Context) Captured() bool { return c.held != "" }

// Dragged returns how far the pointer was moved in this frame while it was held within the rectangle.
func (c *Context) Dragged(r draw.Rect) draw.Point {
	if c.blocked || !r.Contains(c.Input.Pointer) {
		return draw.Point{}
	}
	return c.moved
}

// Strayed returns how far the pointer is from there, in points.
func (c *Context) Strayed() float64 { return away(c.Input.Pointer, c.downAt) }

// Regions returns where the widgets of the frame are, by name, in points.
func (c *Context) Regions() map[string]draw.Rect { return c.regions }

// Area makes a rectangle a widget: it reports whether the pointer is over it and free to act on it,
// whether it went down on it in this frame, and whether it went up again over it.
func (c *Context) Area(id string, r draw.Rect) (over, pressed, clicked bool) {
	c.regions[id] = r
	over = !c.blocked && !c.Input.Outside && r.Contains(c.Input.Pointer) && (c.held == "" || c.held == id)
	if over && c.pressed && c.held == "" {
		c.held, pressed = id, true
	}
	strayed := c.Input.Touch && away(c.Input.Pointer, c.downAt) > fingerReach
	clicked = over && c.release && c.held == id && !strayed
	return over, pressed, clicked
}

// Spot is a rectangle that a hand works, with a hint: it reports whether the pointer is over it and whether it is
// clicked.
func (c *Context) Spot(id string, r draw.Rect, hint string) (over, clicked bool) {
	over, _, clicked = c.Area(id, r)
	c.Hint(over, r, hint)
	if over {
		c.cursor = Hand
	}
	return over, clicked
}

// hint is a text beside a rectangle.
type hint struct {
	at   draw.Rect
	text string
}

// Hint shows a text beside a rectangle at the end of the frame, when a mouse is over it and holds nothing.
func (c *Context) Hint(over bool, r draw.Rect, text string) {
	if over && !c.Input.Down && !c.Input.Touch {
		c.hint = hint{r, text}
	}
}

// HintText returns the text of the hint of the frame, empty for none.
func (c *Context) HintText() string { return c.hint.text }

// DrawHint draws the hint of the frame, if there is one, inside the bounds.
func (c *Context) DrawHint(bounds draw.Rect) {
	if c.hint.text == "" {
		return
	}
	const width, pad, leading = 270, 7, 16
	t := &c.Theme
	lines := c.List.Wrap(t.Small, c.hint.text, width)
	w := c.List.Widest(t.Small, lines)
	box := draw.Rect{W: w + 2*pad, H: leading*float64(len(lines)) + 2*pad - 3}
	box.X = min(max(bounds.X+4, c.hint.at.Center().X-box.W/2), bounds.Right()-box.W-4)
	box.Y = c.hint.at.Bottom() + 6
	if box.Bottom() > bounds.Bottom()-4 {
		box.Y = c.hint.at.Y - 6 - box.H
	}
	c.List.Frame(box, 5, 1, t.Muted, t.Background)
	for i, line := range lines {
		c.List.Text(t.Small, draw.Point{X: box.X + pad, Y: box.Y + pad + 8.5 + leading*float64(i)}, t.Ink, line)
	}
}
