package screen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// palette is the list over the view in which everything is found by its name, or one section of it alone.
type palette struct {
	open    bool
	section string  // empty for everything
	query   string  // typed so far
	at      float64 // how far it is scrolled, points
	on      int     // the entry that the keys have come to, -1 for none
}

// item is an entry of the palette.
type item struct {
	id, text string
	keys     string // that do the same
	problem  string // why it cannot be chosen; empty when it can
	on       bool   // chosen now
	choose   func()
	turn     func(steps int) // for what is set and not chosen, instead: so many steps up, or down where negative
	name     string          // of a number, which set sets to what is typed behind it
	set      func(float64)
}

// The sections of what is chosen from lists.
const (
	watcherSection = "Who watches"
	saveSection    = "Save"
	panelSection   = "Panels"
	missionSection = "Mission and mechanism"
	recordSection  = "Recordings"
	pointSection   = "Points of the sweep"
)

// section is a list by its title.
type section struct {
	title string
	items []item
}

// sections returns what there is to choose from in lists.
func (s *Screen) sections() []section {
	all := []section{{watcherSection, s.watcherItems()}, {saveSection, s.exports()}}
	if !s.layout.Compact {
		all = append(all, section{panelSection, s.panelItems()})
	}
	all = append(all, section{missionSection, s.missionItems()})
	if len(s.Library) > 1 {
		all = append(all, section{recordSection, s.recordItems()})
	}
	if points := s.pointItems(); len(points) > 1 {
		all = append(all, section{pointSection, points})
	}
	return all
}

// openPalette opens the palette at its beginning.
func (s *Screen) openPalette(section string) {
	s.palette = palette{open: true, section: section, on: -1}
}

// shows reports whether a section, or all of the palette, is open.
func (s *Screen) shows(section string) func() bool {
	return func() bool { return s.palette.open && s.palette.section == section }
}

// toggles opens a section, or all of the palette, and closes it.
func (s *Screen) toggles(section string) func() {
	return func() {
		if s.shows(section)() {
			s.palette.open = false
		} else {
			s.openPalette(section)
		}
	}
}

// items are the entries that the palette shows: those with all words that were typed, those that begin with them first.
// A number behind the name of a quantity is what Enter sets it to.
func (s *Screen) items() []item {
	items := s.everything()
	if s.palette.section != "" {
		for _, l := range s.sections() {
			if l.title == s.palette.section {
				items = l.items
			}
		}
	}
	words := strings.Fields(strings.ToLower(s.palette.query))
	if len(words) == 0 {
		return items
	}
	value, err := strconv.ParseFloat(words[len(words)-1], 64)
	var first, rest []item
	for _, it := range items {
		text := strings.ToLower(it.text + " " + it.keys)
		wanted, sets := words, false
		if err == nil && it.set != nil && len(words) > 1 {
			wanted = words[:len(words)-1]
			set := it.set
			it.text, text = "Set to "+number(value)+": "+it.name, strings.ToLower(it.name)
			it.choose, it.turn, sets = func() { set(value) }, nil, true
		}
		if slices.ContainsFunc(wanted, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		if sets || strings.HasPrefix(text, wanted[0]) {
			first = append(first, it)
		} else {
			rest = append(rest, it)
		}
	}
	return append(first, rest...)
}

// everything lists all that can be set and done, what there is to choose from, and what happens on the flight.
func (s *Screen) everything() []item {
	var items []item
	for i := range s.table {
		c := &s.table[i]
		if !c.offered() || c.id == "menu" || c.id == "escape" {
			continue
		}
		it := item{id: "command." + c.id, text: c.name(), keys: c.keyNames(), on: c.isOn(), choose: c.do}
		switch {
		case c.isNumber():
			it.text, it.turn, it.name, it.set = c.name()+": "+c.text(c.get()), c.turn, c.name(), c.to
		case c.isChoice():
			it.text, it.turn = c.name()+": "+spoken(c.options[c.chosen()]), c.turn
		}
		items = append(items, it)
	}
	for _, l := range s.sections() {
		for _, it := range l.items {
			it.text = l.title + ": " + it.text
			items = append(items, it)
		}
	}
	f := s.Model.Flight()
	for i, e := range s.why().events {
		items = append(items, item{id: "command.event." + strconv.Itoa(i), text: when(f, e.Sample) + ": " + s.eventText(e),
			choose: func() {
				s.Model.Clock.Playing = false
				s.Model.Clock.Seek(f.TimeS(e.Sample))
			}})
	}
	return items
}

// missionItems lists the missions, and the mechanisms of privacy.
func (s *Screen) missionItems() []item {
	var items []item
	for _, mission := range model.Missions() {
		items = append(items, item{id: "mission." + mission.Name, text: "Mission " + mission.Name + ": " + mission.Title,
			on:     s.Model.Flies(mission),
			choose: func() { s.Model.SetMission(mission) }})
	}
	for _, m := range model.Mechanisms() {
		items = append(items, item{id: "mechanism." + m.Name, text: "Mechanism " + spoken(m.Name) + ": " + m.Meaning,
			on:     m.Name == s.Model.Config.Privacy.Mechanism,
			choose: func() { s.Model.SetMechanism(m.Name) }})
	}
	return items
}

// missionName is the mission on show, empty for one that is on no list.
func (s *Screen) missionName() string {
	all := model.Missions()
	if i := slices.IndexFunc(all, s.Model.Flies); i >= 0 {
		return all[i].Name
	}
	return ""
}

// recordItems lists the recordings that can be opened.
func (s *Screen) recordItems() []item {
	items := make([]item, len(s.Library))
	for i, e := range s.Library {
		text := e.Name
		if e.Verb != "" {
			text += "  (" + e.Verb + ")"
		}
		items[i] = item{id: "library." + e.Name, text: text, problem: e.Problem, choose: func() { s.openEntry(i, asked{}) }}
	}
	return items
}

// pointItems lists the points of the sweep that is open.
func (s *Screen) pointItems() []item {
	points, now := s.Model.Points(), s.Model.Point()
	items := make([]item, len(points))
	for i, p := range points {
		items[i] = item{id: fmt.Sprintf("point.%d", i), text: p.String(), on: i == now,
			choose: func() { s.Model.ShowPoint(i) }}
	}
	return items
}

// Size of the palette, points.
const (
	listWidth  = 480 // at least
	widestList = 960
	listTitle  = 38
	mostListed = 620 // high
)

// drawPalette draws the palette over everything else. It scrolls by the wheel and by dragging; arrow keys go from entry
// to entry and turn what is set, Enter chooses, and what is typed leaves the entries that have it.
func (s *Screen) drawPalette(l *draw.List) {
	t, w, p := s.theme(), s.layout.Window, &s.palette
	items := s.items()
	l.Rect(w, ui.Faded(t.Background, 0.6))
	head := either(s.layout.Compact || s.UI.Input.Touch, touchTarget+float64(pad), listTitle)
	rows, box := s.placeList(l, items, head)
	whole := rows[len(items)].Y
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	top, view := box.Inset(pad).CutTop(head - pad)
	s.listHead(l, top)
	s.walkList(items, view, rows)
	s.scrollList(view, whole)
	l.Clip(view)
	for i, it := range items {
		r := draw.Rect{X: view.X, Y: view.Y + rows[i].Y - p.at, W: rows[i].W, H: rows[i].H}
		if r.Bottom() <= view.Y || r.Y >= view.Bottom() {
			continue
		}
		if s.listItem(l, it, r, view) {
			s.take(it)
		}
		if i == p.on {
			l.Line([]draw.Point{{X: r.X, Y: r.Y}, {X: r.Right(), Y: r.Y}, {X: r.Right(), Y: r.Bottom()}, {X: r.X, Y: r.Bottom()},
				{X: r.X, Y: r.Y}}, 2, t.Accent)
		}
	}
	if len(items) == 0 {
		l.TextIn(t.Body, draw.Rect{X: view.X + pad, Y: view.Y, W: view.W, H: 30}, draw.Left, t.Muted,
			"Nothing has these words. Backspace takes a letter back.")
	}
	l.Unclip()
	if whole > view.H {
		share := view.H / whole
		bar := draw.Rect{X: view.Right() - 5, Y: view.Y + p.at*share, W: 4, H: view.H * share}
		l.RoundRect(bar, 2, t.Muted)
	}
	over, _, clicked := s.UI.Area("list", w)
	if over && clicked && !box.Contains(s.UI.Input.Pointer) {
		p.open = false
	}
}

// listAir is between the entries of a list, points.
const listAir = 4

// placeList returns where the entries of a list are, from its top on, with where the next would be, and the list's
// frame. Entries are as high as their lines.
func (s *Screen) placeList(l *draw.List, items []item, head float64) (rows []draw.Rect, box draw.Rect) {
	t, w := s.theme(), s.layout.Window
	widest := float64(listWidth)
	for _, it := range items {
		widest = math.Max(widest, math.Min(widestList, l.Width(t.Body, it.said())+l.Width(t.Small, it.keys)+70))
	}
	box = draw.Rect{W: math.Min(widest, w.W-2*gap)}
	least := either(s.layout.Compact || s.UI.Input.Touch, touchTarget, 30.)
	row := draw.Rect{W: box.W - 2*pad - 10}
	for _, it := range items {
		lines := float64(len(s.listLines(l, it, row.W)))
		row.H = math.Max(least, lines*ui.LineHeight+2*listAir)
		rows = append(rows, row)
		row.Y += row.H + listAir
	}
	box.H = math.Min(math.Max(row.Y, least)+head+2*pad, math.Min(mostListed, w.H-2*gap-44))
	box.X, box.Y = w.Center().X-box.W/2, math.Min(60, (w.H-box.H)/2)
	return append(rows, row), box
}

// listLines breaks an entry into lines.
func (s *Screen) listLines(l *draw.List, it item, width float64) []string {
	return l.Wrap(s.theme().Body, it.said(), width-2*pad-l.Width(s.theme().Small, it.keys))
}

// listHead draws the title of the palette or what was typed, and what closes it.
func (s *Screen) listHead(l *draw.List, r draw.Rect) {
	t, p := s.theme(), &s.palette
	side := math.Min(touchTarget, r.H)
	end := draw.Rect{X: r.Right() - side, Y: r.Y, W: side, H: side}
	text := r.Trim(2, 0, side+4, 0)
	x := text.X
	if p.section != "" {
		x += l.TextIn(t.Title, text, draw.Left, t.Ink, p.section) + 14
	}
	typed := draw.Rect{X: x, Y: r.Y, W: text.Right() - x, H: r.H}
	if p.query == "" {
		l.TextIn(t.Body, typed, draw.Left, t.Muted, either(s.layout.Compact, "Everything",
			"Type to find; a number behind a name sets it"))
	} else {
		l.TextIn(t.Title, typed, draw.Left, t.Ink, p.query+"_")
	}
	if s.UI.IconButton("list.close", end, "Close (Esc)", false, closeIcon) {
		p.open = false
	}
}

func closeIcon(l *draw.List, r draw.Rect, ink colour) { cross(l, r.Center(), r.W*0.4, 2, ink) }

// said is what a list says of an entry.
func (it *item) said() string { return it.text + either(it.problem == "", "", ": "+it.problem) }

// listItem draws an entry of a list, and reports whether it is chosen.
func (s *Screen) listItem(l *draw.List, it item, r, view draw.Rect) bool {
	seen, lines := r.Within(view), s.listLines(l, it, r.W)
	if it.problem != "" {
		over, _, _ := s.UI.Area(it.id, seen)
		s.UI.Hint(over, seen, it.problem)
		s.UI.Lines(r, lines, s.theme().Muted)
		return false
	}
	pressed := s.UI.ClippedButton(it.id, r, seen, lines, it.on)
	ink := either(it.on, s.theme().OnAccent, s.theme().Muted)
	l.TextIn(s.theme().Small, r.Trim(0, 0, pad, 0), draw.Right, ink, it.keys)
	return pressed
}

// take chooses an entry, which closes the palette, or turns it by a step.
func (s *Screen) take(it item) {
	switch {
	case it.problem != "":
	case it.turn != nil:
		it.turn(1)
	default:
		s.palette.open = false
		it.choose()
	}
}

// typeInPalette takes a key that is part of what is looked for.
func (s *Screen) typeInPalette(k ui.Key) {
	p := &s.palette
	letters := []rune(p.query)
	switch {
	case k == ui.Escape:
		p.open = false
	case k == ui.Backspace && len(letters) > 0:
		p.query, p.at, p.on = string(letters[:len(letters)-1]), 0, 0
	case k == ui.Space && len(letters) > 0:
		p.query += " "
	case len([]rune(string(k))) == 1:
		p.query, p.at, p.on = p.query+string(k), 0, 0
	}
}

// walkList follows the keys through the list, and keeps the entry that they have come to in view.
func (s *Screen) walkList(items []item, view draw.Rect, rows []draw.Rect) {
	p := &s.palette
	last := len(items) - 1
	p.on = min(p.on, last) // a list may have become shorter
	for _, k := range s.UI.Input.Keys {
		switch k {
		case ui.ArrowDown:
			p.on = min(p.on+1, last)
		case ui.ArrowUp:
			p.on = max(p.on-1, min(0, last))
		case ui.End:
			p.on = last
		case ui.Home:
			p.on = min(0, last)
		case ui.ArrowLeft, ui.ArrowRight:
			if p.on >= 0 && items[p.on].turn != nil {
				items[p.on].turn(either(k == ui.ArrowRight, 1, -1))
			}
		case ui.Enter:
			if p.on >= 0 {
				s.take(items[p.on])
			}
		default:
			continue
		}
		if p.on >= 0 {
			r := rows[p.on]
			p.at = clampTo(p.at, r.Bottom()+listAir-view.H, r.Y)
		}
	}
}

// scrollList moves the list under the view, no farther than its ends.
func (s *Screen) scrollList(view draw.Rect, whole float64) {
	in := s.UI.Input
	if view.Contains(in.Pointer) {
		const step = 68 // points a notch of the wheel
		s.palette.at -= in.Wheel * step
	}
	s.palette.at -= s.UI.Dragged(view).Y
	s.palette.at = clampTo(s.palette.at, 0, math.Max(0, whole-view.H))
}
