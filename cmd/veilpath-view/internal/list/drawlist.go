package list

import (
	"image/color"
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Sizes of a list, points.
const (
	listWidth  = 480 // at least
	widestList = 960
	listTitle  = 38
	mostListed = 620 // high
	listAir    = 4   // between the entries
	widestCell = 62  // of a button in a row
)

// Draw draws the list over everything else in a window, for fingers or a mouse. It scrolls by the wheel and by
// dragging; arrow keys go from entry to entry and turn what is set, Enter chooses, and what is typed leaves the entries
// that have it.
func (p *List) Draw(c *ui.Context, window draw.Rect, fingers bool, all []Item) {
	l, t, items := c.List, &c.Theme, p.Found(all)
	l.Rect(window, ui.Faded(t.Background, 0.6))
	fingers = fingers || c.Input.Touch
	head := float64(listTitle)
	if fingers {
		head = TouchTarget + Pad
	}
	rows, box, whole := p.place(c, window, items, head, fingers)
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	top, view := box.Inset(Pad).CutTop(head - Pad)
	p.head(c, top, fingers)
	p.follow(view, rows)
	p.scroll(c, view, whole)
	l.Clip(view)
	for i, it := range items {
		r := rows[i]
		r.X, r.Y = r.X+view.X, r.Y+view.Y-p.at
		if r.Bottom() <= view.Y || r.Y >= view.Bottom() {
			continue
		}
		if p.rowBegins(items, i) {
			name := draw.Rect{X: view.X, Y: r.Y, W: r.X - view.X, H: r.H}
			c.Lines(name, l.Wrap(t.Body, it.Row, name.W-2*Pad), t.Ink)
		}
		if p.entry(c, it, r, view) {
			p.take(it)
		}
		if i == p.on {
			l.Line(r.Outline(), 2, t.Accent)
		}
	}
	if len(items) == 0 {
		l.TextIn(t.Body, draw.Rect{X: view.X + Pad, Y: view.Y, W: view.W, H: 30}, draw.Left, t.Muted,
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

// inRows reports whether an entry is a cell of a row: in a section whose entries have rows, until something is typed.
func (p *List) inRows(it *Item) bool { return it.Cell != "" && p.Section != "" && p.query == "" }

// rowBegins reports whether an entry is the first cell of a row.
func (p *List) rowBegins(items []Item, i int) bool {
	return p.inRows(&items[i]) && (i == 0 || items[i-1].Row != items[i].Row)
}

// place returns where the entries of a list are, from its top on, the list's frame, and how high all of it is. Entries
// are as high as their lines.
func (p *List) place(c *ui.Context, window draw.Rect, items []Item, head float64, fingers bool) (places []draw.Rect,
	box draw.Rect, whole float64) {
	l, t, widest := c.List, &c.Theme, float64(listWidth)
	cells, most := 0, 0 // of a row
	for i := range items {
		it := &items[i]
		if !p.inRows(it) {
			widest = math.Max(widest, math.Min(widestList, l.Width(t.Body, it.Said())+l.Width(t.Small, it.Keys)+70))
			continue
		}
		if p.rowBegins(items, i) {
			cells = 0
		}
		cells++
		most = max(most, cells)
	}
	box = draw.Rect{W: math.Min(widest, window.W-2*Gap)}
	least := 30.
	if fingers {
		least = TouchTarget
	}
	row := draw.Rect{W: box.W - 2*Pad - 10}
	const shares = 5.5 // of a narrow list, of which a button has one
	cell := math.Floor(math.Min(widestCell, row.W/shares))
	names := row.W - cell*float64(most)
	y := 0.
	for i := range items {
		it, at := &items[i], row
		switch {
		case p.rowBegins(items, i):
			lines := float64(len(l.Wrap(t.Body, it.Row, names-2*Pad)))
			at.X, at.Y, at.W, at.H = names, y, cell-listAir, math.Max(least, lines*ui.LineHeight+2*listAir)
		case p.inRows(it):
			at = places[i-1]
			at.X += cell
		default:
			at.Y, at.H = y, math.Max(least, float64(len(entryLines(c, it, row.W)))*ui.LineHeight+2*listAir)
		}
		places, y = append(places, at), at.Bottom()+listAir
	}
	box.H = math.Min(math.Max(y, least)+head+2*Pad, math.Min(mostListed, window.H-2*Gap-44))
	box.X, box.Y = window.Center().X-box.W/2, math.Min(60, (window.H-box.H)/2)
	return places, box, y
}

// entryLines breaks an entry into lines.
func entryLines(c *ui.Context, it *Item, width float64) []string {
	return c.List.Wrap(c.Theme.Body, it.Said(), width-2*Pad-c.List.Width(c.Theme.Small, it.Keys))
}

// head draws the title of the list or what was typed, and what closes it.
func (p *List) head(c *ui.Context, r draw.Rect, fingers bool) {
	l, t := c.List, &c.Theme
	side := math.Min(TouchTarget, r.H)
	end := draw.Rect{X: r.Right() - side, Y: r.Y, W: side, H: side}
	text := r.Trim(2, 0, side+4, 0)
	p.field = draw.Rect{}
	if fingers && p.Section == "" {
		p.field = text
		c.List.RoundRect(text, ui.Corner, t.Raised)
		text = text.Trim(Pad, 0, Pad, 0)
	}
	if p.Section != "" {
		x := text.X + l.TextIn(t.Title, text, draw.Left, t.Ink, p.Section) + 14
		text = draw.Rect{X: x, Y: r.Y, W: text.Right() - x, H: r.H}
	}
	switch {
	case p.query != "":
		if p.all {
			l.RoundRect(draw.Rect{X: text.X - 2, Y: text.Center().Y - 11, W: l.Width(t.Title, p.query) + 4, H: 22}, 3, t.Accent)
		}
		l.TextIn(t.Title, text, draw.Left, either(p.all, t.OnAccent, t.Ink), p.query+either(p.all, "", "_"))
	case fingers && p.Section == "":
		l.TextIn(t.Body, text, draw.Left, t.Muted, "Find, or set: epsilon 0.3")
	case !fingers:
		l.TextIn(t.Body, text, draw.Left, t.Muted, "Type to find; a number behind a name sets it")
	}
	if c.IconButton("list.close", end, "Close (Esc)", false, closeIcon) {
		p.Open = false
	}
}

func closeIcon(l *draw.List, r draw.Rect, ink color.NRGBA) { l.Cross(r.Center(), r.W*0.4, 2, ink) }

// entry draws an entry of a list, and reports whether it is chosen.
func (p *List) entry(c *ui.Context, it Item, r, view draw.Rect) bool {
	t, seen := &c.Theme, r.Within(view)
	var lines []string
	if !p.inRows(&it) {
		lines = entryLines(c, &it, r.W)
	}
	ink, pressed := t.Muted, false
	if it.Problem != "" {
		over, _, _ := c.Area(it.ID, seen)
		c.Hint(over, seen, it.Problem)
		c.Lines(r, lines, ink)
	} else {
		pressed = c.ClippedButton(it.ID, r, seen, lines, it.On)
	}
	if it.On {
		ink = t.OnAccent
	}
	if p.inRows(&it) {
		if it.Problem == "" {
			ink = t.Ink
		}
		c.List.TextIn(t.Body, r, draw.Center, ink, it.Cell)
	}
	c.List.TextIn(t.Small, r.Trim(0, 0, Pad, 0), draw.Right, ink, it.Keys)
	return pressed
}
