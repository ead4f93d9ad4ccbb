package ui

import (
	"image/color"
	"math"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/internal/axis"
)

// Corner is the radius of the corners of buttons and panels, in points.
const Corner = 5

// Button draws a button, which stays down while on, and reports a click.
func (c *Context) Button(id string, r draw.Rect, label, hint string, on bool) bool {
	ink, clicked := c.face(id, r, r, hint, on)
	c.List.TextIn(c.fitting(c.Theme.Body, r.W-4, label), r.Inset(2), draw.Center, ink, label)
	return clicked
}

// fitting is a style for a text of a width: the small one where another does not fit.
func (c *Context) fitting(style draw.Style, width float64, text string) draw.Style {
	if c.List.Width(style, text) > width {
		return c.Theme.Small
	}
	return style
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

// IconButton draws a button with a drawing on it: icon draws into a square in a colour.
func (c *Context) IconButton(id string, r draw.Rect, hint string, on bool,
	icon func(l *draw.List, r draw.Rect, ink color.NRGBA)) bool {
	ink, clicked := c.face(id, r, r, hint, on)
	side := math.Min(r.W, r.H) * 0.5
	m := r.Center()
	icon(c.List, draw.Rect{X: m.X - side/2, Y: m.Y - side/2, W: side, H: side}, ink)
	return clicked
}

// Choice draws buttons side by side, one of them on, and returns which is on now.
func (c *Context) Choice(id string, r draw.Rect, labels, hints []string, on int) int {
	t := &c.Theme
	c.List.RoundRect(r, Corner, t.Raised)
	w := math.Floor(r.W / float64(len(labels)))
	chosen := on
	for i, label := range labels {
		part := draw.Rect{X: r.X + w*float64(i), Y: r.Y, W: w, H: r.H}
		over, clicked := c.Spot(id+"."+label, part, hints[i])
		ink := t.Muted
		switch {
		case i == on:
			c.List.RoundRect(part.Inset(1.5), Corner-1.5, t.Accent)
			ink = t.OnAccent
		case over:
			c.List.RoundRect(part.Inset(1.5), Corner-1.5, t.Hover)
			ink = t.Ink
		}
		if clicked {
			chosen = i
		}
		c.List.TextIn(t.Body, part.Inset(2), draw.Center, ink, label)
	}
	return chosen
}

// Scale is that of a slider or of an axis.
type Scale = axis.Scale

// Slider is a value to be set by dragging.
type Slider struct {
	ID, Label, Text, Hint string
	Scale                 Scale
	Value, Default        float64
	Marks                 []float64 // values worth a tick
	Breaks                []float64 // values at which what is on show changes
	Bare                  bool      // the track has all of the width, without label and value
	Ask                   func()    // called when the value is clicked; nil for nothing
}

// Of a slider's width, points, the label and the value take these, with a gap to the track.
const (
	labelWidth = 76
	valueWidth = 62
	trackGap   = 6
)

// Track returns where the track of a slider lies.
func Track(r draw.Rect) draw.Rect { return r.Trim(labelWidth+trackGap, 0, valueWidth+trackGap, 0) }

// Slider draws a slider and returns the value it is set to, and whether the user set it in this frame. The
// wheel over it moves it by a hundredth, a double click sets the default, and a click on the value asks for another.
func (c *Context) Slider(r draw.Rect, s Slider) (float64, bool) {
	t := &c.Theme
	over, _, clicked := c.Area(s.ID, r)
	c.Hint(over, r, s.Hint)
	track := Track(r)
	if s.Bare {
		track = r
	}
	value, changed := s.Value, false
	asks := s.Ask != nil && c.Holding(s.ID) && c.downAt.X > track.Right()+trackGap
	switch {
	case asks:
		if clicked {
			s.Ask()
		}
	case over && c.Input.Clicks == 2:
		value, changed = s.Default, true
		c.held = "" // or else the place of the pointer would set it at once
	case c.Sets(s.ID):
		value, changed = c.Meant(s.Scale, track), true
	case over && c.Input.Wheel != 0:
		share := s.Scale.Share(s.Value) + c.Input.Wheel/100
		value, changed = s.Scale.Value(math.Max(0, math.Min(1, share))), true
	}
	if over {
		c.cursor = ResizeX
	}
	c.drawSlider(r, track, s, math.Max(0, math.Min(1, s.Scale.Share(value))), over || c.Holding(s.ID))
	if s.Bare {
		return value, changed && value != s.Value
	}
	c.List.TextIn(t.Body, draw.Rect{X: r.X, Y: r.Y, W: labelWidth, H: r.H}, draw.Left, t.Muted, s.Label)
	c.List.TextIn(c.fitting(t.Strong, valueWidth, s.Text), draw.Rect{X: r.Right() - valueWidth, Y: r.Y, W: valueWidth,
		H: r.H}, draw.Right, t.Ink, s.Text)
	return value, changed && value != s.Value
}

// Meant is the value that the pointer means on a track: of those that lie as near as it can tell, the one with the
// fewest digits.
func (c *Context) Meant(s Scale, track draw.Rect) float64 {
	near := 0.5 // points
	if c.Input.Touch {
		near = 2
	}
	at := func(x float64) float64 { return s.Value(math.Max(0, math.Min(1, (x-track.X)/track.W))) }
	x := c.Input.Pointer.X
	return roundest(at(x-near), at(x+near))
}

// roundest returns the value with the fewest digits between two, of three digits at most, or else their middle.
func roundest(low, high float64) float64 {
	for digits := range 3 {
		step := math.Pow(10, math.Floor(math.Log10(high))-float64(digits))
		if v := math.Ceil(low/step) * step; v <= high {
			return v
		}
	}
	return (low + high) / 2
}

func (c *Context) drawSlider(r, track draw.Rect, s Slider, share float64, lit bool) {
	t := &c.Theme
	y := r.Y + r.H/2
	c.List.RoundRect(draw.Rect{X: track.X, Y: y - 2, W: track.W, H: 4}, 2, t.Hover)
	for _, m := range s.Marks {
		x := track.X + track.W*s.Scale.Share(m)
		c.List.Rect(draw.Rect{X: x - 0.5, Y: y + 4, W: 1, H: 3}, t.Muted)
	}
	for _, b := range s.Breaks {
		x := track.X + track.W*s.Scale.Share(b)
		c.List.Rect(draw.Rect{X: x - 0.75, Y: y - 9, W: 1.5, H: 6}, t.Marks[0])
	}
	x := track.X + track.W*share
	c.List.RoundRect(draw.Rect{X: track.X, Y: y - 2, W: math.Max(4, x-track.X), H: 4}, 2, t.Accent)
	radius := 6.0
	if lit {
		radius = 7.5
	}
	c.List.Disc(draw.Point{X: x, Y: y}, radius+1.5, t.Panel)
	c.List.Disc(draw.Point{X: x, Y: y}, radius, t.Accent)
}
