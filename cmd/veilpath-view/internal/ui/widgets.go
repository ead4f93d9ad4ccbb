package ui

import (
	"image/color"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/draw"
)

// Corner is the radius of the corners of buttons and panels, in points.
const Corner = 5

// Button draws a button, which stays down while on, and reports a click.
func (c *Context) Button(id string, r draw.Rect, label, hint string, on bool) bool {
	ink, clicked := c.face(id, r, r, hint, on)
	style := c.Theme.Body
	if c.List.Width(style, label) > r.W-4 {
		style = c.Theme.Small
	}
	c.List.TextIn(style, r.Inset(2), draw.Center, ink, label)
	return clicked
}

// ClippedButton draws a button with some lines of text of which only a part is seen, and reports a click on that part.
func (c *Context) ClippedButton(id string, r, seen draw.Rect, lines []string, on bool) bool {
	ink, clicked := c.face(id, r, seen, "", on)
	c.Lines(r, lines, ink)
	return clicked
}

// LineHeight is the height of a line of a text of several, points.
const LineHeight = 17

// Lines writes lines of text from the left, halfway up an area.
func (c *Context) Lines(r draw.Rect, lines []string, ink color.NRGBA) {
	line := r.Trim(10, 0, 10, 0)
	line.Y, line.H = r.Center().Y-LineHeight*float64(len(lines))/2, LineHeight
	c.List.Lines(c.Theme.Body, line, draw.Left, ink, lines)
}

// face works a button that is seen in part, draws what is below its text, and returns the colour of that.
func (c *Context) face(id string, r, seen draw.Rect, hint string, on bool) (ink color.NRGBA, clicked bool) {
	over, clicked := c.Spot(id, seen, hint)
	t := &c.Theme
	fill, ink := t.Raised, t.Ink
	switch {
	case on:
		fill, ink = t.Accent, t.OnAccent
	case over && c.Input.Down:
		fill = assets.Mix(t.Hover, t.Ink, 0.15)
	case over:
		fill = t.Hover
	}
	c.List.RoundRect(r, Corner, fill)
	return ink, clicked
}
