package screen

import (
	"slices"
	"strconv"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/list"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/internal/phrase"
)

// The sections of controls that are listed together.
const (
	watcherSection  = "Who watches"
	saveSection     = "Save"
	flightSection   = "Flights"
	quantitySection = "The chart below the map"
	missionSection  = "Mission and mechanism"
	recordSection   = "Recordings"
)

// shows reports whether a section, or all of the palette, is open.
func (s *Screen) shows(section string) func() bool {
	return func() bool { return s.palette.Shows(section) }
}

// toggles opens a section, or all of the palette, and closes it.
func (s *Screen) toggles(section string) func() {
	return func() {
		if s.palette.Shows(section) {
			s.palette.Open = false
		} else {
			s.palette.Begin(section)
		}
	}
}

// Field returns where fingers type what the palette finds, and what is typed there; no area where nothing is.
func (s *Screen) Field() (area draw.Rect, words string) { return s.palette.Field() }

// Find has the palette, while it is open, find words and do what a key asks for, empty for none. It reports whether the
// palette stays open.
func (s *Screen) Find(words string, k ui.Key) bool {
	if s.palette.Open {
		s.palette.Find(words)
		s.keys([]ui.Key{k})
	}
	return s.palette.Open
}

// offers are the entries that the palette finds words in: those of the section that is open, or where none of these has
// them, all that can be set and done, and what happens on the flight.
func (s *Screen) offers() (items []list.Item) {
	if section := s.palette.Section; section != "" {
		for i := range s.table {
			if c := &s.table[i]; c.section == section && c.offered() {
				items = append(items, s.items(c, "")...)
			}
		}
		if len(s.palette.Found(items)) > 0 {
			return items
		}
	}
	items = nil
	for i := range s.table {
		if c := &s.table[i]; c.offered() && c.id != "menu" && c.id != "escape" {
			items = append(items, s.items(c, c.name()+": ")...)
		}
	}
	f := s.Model.Flight()
	for i, e := range s.Events() {
		items = append(items, list.Item{ID: "command.event." + strconv.Itoa(i), Also: "why",
			Text:   phrase.Fixed(f.TimeS(e.Sample), 1) + " s: " + s.EventText(e),
			Choose: func() { s.Model.StopAt(f, e.Sample) }})
	}
	if s.Layout.Narrow || s.Touch { // fingers have no keys to undo with
		first := func(it list.Item) int { return either(it.ID == "command.undo" || it.ID == "command.redo", 0, 1) }
		slices.SortStableFunc(items, func(a, b list.Item) int { return first(a) - first(b) })
	}
	return items
}

// items are the entries of a control: one for each option of a choice, whose name begins them where it is given.
func (s *Screen) items(c *control, name string) (items []list.Item) {
	it := list.Item{ID: "command." + c.id, Text: c.name(), Keys: c.keyNames(), Also: c.also, On: c.isOn(), Choose: c.do}
	switch {
	case c.isChoice():
		texts := c.texts()
		for i, option := range c.options() {
			items = append(items, list.Item{ID: it.ID + "." + option, Text: name + texts[i], Also: c.also,
				On: i == c.chosen(), Choose: func() { c.choose(i) }})
		}
		return items
	case c.isNumber():
		it.Text, it.Name = c.name()+": "+c.said(), c.name()
		it.Choose = func() { // have another typed
			first, _, _ := strings.Cut(strings.ToLower(c.name()), ",")
			s.palette.Look(first + " ")
		}
		it.Told = func(v float64) string { return c.end(v) + c.text(c.within(v)) }
		it.Set = func(v float64) {
			c.to(v)
			text := c.end(v) + c.text(c.get())
			s.Model.Say(false, "%s: %s%s", c.name(), text, either(strings.HasSuffix(text, "…"), "", "."))
		}
	}
	return []list.Item{it}
}
