package list

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Sizes of a list, points.
const (
	leastWide  = 480
	mostWide   = 960
	mostHigh   = 620
	gap        = 10 // around it
	pad        = 10 // within it
	air        = 4  // between the entries
	fingerHigh = 44 // of what a finger works
)

// Draw draws the list over everything else in a window, for fingers or a mouse. It scrolls by the wheel and by
// dragging; arrow keys go from entry to entry, Enter chooses, and what is typed leaves the entries that have it.
func (p *List) Draw(c *ui.Context, window draw.Rect, fingers bool, all []Item) {
	l, t, items := c.List, &c.Theme, p.Found(all)
	l.Rect(window, ui.Faded(t.Background, 0.6))
	fingers = fingers || c.Input.Touch
	head, least := 38., 30.
	if fingers {
		head, least = fingerHigh+pad, fingerHigh
	}
	rows, box, whole := p.place(c, window, items, head, least)
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	top, view := box.Inset(pad).CutTop(head - pad)
	p.head(c, top, fingers)
	p.scroll(c, view, rows, whole)
	l.Clip(view)
	for i, it := range items {
		r := rows[i]
		r.X, r.Y = r.X+view.X, r.Y+view.Y-p.at
		if r.Bottom() <= view.Y || r.Y >= view.Bottom() {
			continue
		}
		if p.entry(c, it, r, view) {
			p.take(it)
		}
		if i == p.on {
			l.Line(r.Outline(), 2, t.Accent)
		}
	}
	if len(items) == 0 {
		l.TextIn(t.Body, draw.Rect{X: view.X + pad, Y: view.Y, W: view.W, H: 30}, draw.Left, t.Muted,
			"Nothing has these words.")
	}
	l.Unclip()
	if whole > view.H {
		share := view.H / whole
		l.RoundRect(draw.Rect{X: view.Right() - 5, Y: view.Y + p.at*share, W: 4, H: view.H * share}, 2, t.Muted)
	}
	over, _, clicked := c.Area("list", window)
	if over && clicked && !box.Contains(c.Input.Pointer) {
		p.Open = false
	}
}

// place returns where the entries of a list are, from its top on, the list's frame, and how high all of it is. Entries
// are as high as their lines.
func (p *List) place(c *ui.Context, window draw.Rect, items []Item, head, least float64) (places []draw.Rect,
	box draw.Rect, whole float64) {
	l, t, widest := c.List, &c.Theme, float64(leastWide)
	for i := range items {
		it := &items[i]
		widest = math.Max(widest, math.Min(mostWide, l.Width(t.Body, it.Text)+l.Width(t.Small, it.Keys)+70))
	}
	box.W = math.Min(widest, window.W-2*gap)
	row := draw.Rect{W: box.W - 2*pad - 10}
	for i := range items {
		row.H = math.Max(least, float64(len(lines(c, &items[i], row.W)))*ui.LineHeight+2*air)
		places = append(places, row)
		row.Y = row.Bottom() + air
	}
	box.H = math.Min(math.Max(row.Y, least)+head+2*pad, math.Min(mostHigh, window.H-2*gap-44))
	box.X, box.Y = window.Center().X-box.W/2, math.Min(60, (window.H-box.H)/2)
	return places, box, row.Y
}

// lines breaks an entry into lines.
func lines(c *ui.Context, it *Item, width float64) []string {
	return c.List.Wrap(c.Theme.Body, it.Text, width-2*pad-c.List.Width(c.Theme.Small, it.Keys))
}

// head draws the title of the list or what was typed, and what closes it.
func (p *List) head(c *ui.Context, r draw.Rect, fingers bool) {
	l, t := c.List, &c.Theme
	side := math.Min(fingerHigh, r.H)
	end := draw.Rect{X: r.Right() - side, Y: r.Y, W: side, H: side}
	text := r.Trim(2, 0, side+4, 0)
	p.field = draw.Rect{}
	if p.Section != "" {
		x := text.X + l.TextIn(t.Title, text, draw.Left, t.Ink, p.Section) + 14
		text = draw.Rect{X: x, Y: r.Y, W: text.Right() - x, H: r.H}
	} else if fingers {
		p.field = text
		l.RoundRect(text, ui.Corner, t.Raised)
		text = text.Trim(pad, 0, pad, 0)
	}
	switch {
	case p.query != "":
		l.TextIn(t.Title, text, draw.Left, t.Ink, p.query+"_")
	case fingers && p.Section == "":
		l.TextIn(t.Body, text, draw.Left, t.Muted, "Find, or set: epsilon 0.3")
	case !fingers:
		l.TextIn(t.Body, text, draw.Left, t.Muted, "Type to find; a number behind a name sets it")
	}
	if c.Button("list.close", end, "×", "Close (Esc)", false) {
		p.Open = false
	}
}

// entry draws an entry of a list, and reports whether it is chosen.
func (p *List) entry(c *ui.Context, it Item, r, view draw.Rect) bool {
	t, seen := &c.Theme, r.Within(view)
	pressed := c.ClippedButton(it.ID, r, seen, lines(c, &it, r.W), it.On)
	ink := t.Muted
	if it.On {
		ink = t.OnAccent
	}
	c.List.TextIn(t.Small, r.Trim(0, 0, pad, 0), draw.Right, ink, it.Keys)
	return pressed
}

// scroll moves the list under the view, no farther than its ends, and keeps the entry that the keys have come to in it.
func (p *List) scroll(c *ui.Context, view draw.Rect, rows []draw.Rect, whole float64) {
	const step = 68 // points a notch of the wheel
	if p.on = min(p.on, len(rows)-1); p.follows && p.on >= 0 {
		r := rows[p.on]
		p.at = math.Max(r.Bottom()+air-view.H, math.Min(r.Y, p.at))
	}
	p.follows = false
	if view.Contains(c.Input.Pointer) {
		p.at -= c.Input.Wheel * step
	}
	p.at -= c.Dragged(view).Y
	p.at = math.Max(0, math.Min(math.Max(0, whole-view.H), p.at))
}
