package screen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/list"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// The sections of what is chosen from lists.
const (
	watcherSection  = "Who watches"
	saveSection     = "Save"
	flightSection   = "Flights"
	quantitySection = "The chart below the map"
	missionSection  = "Mission and mechanism"
	recordSection   = "Recordings"
)

// alsoFound are other words by which the entries of sections are found.
var alsoFound = map[string]string{watcherSection: "watcher observer", saveSection: "download export picture image file"}

// sections returns what there is to choose from in lists.
func (s *Screen) sections() (all []list.Section) {
	add := func(there bool, title string, items []list.Item) {
		if there {
			all = append(all, list.Section{Title: title, Also: alsoFound[title], Items: items})
		}
	}
	add(true, watcherSection, s.watcherItems())
	add(true, saveSection, s.exports())
	add(true, flightSection, s.flightItems())
	add(true, quantitySection, s.row("quantity").optionItems(true))
	add(true, missionSection, s.missionItems())
	add(len(s.Library) > 1, recordSection, s.recordItems())
	return all
}

// item returns what there is to choose by its id, nil for none.
func (s *Screen) item(id string) *list.Item {
	for _, l := range s.sections() {
		if i := slices.IndexFunc(l.Items, func(it list.Item) bool { return it.ID == id }); i >= 0 {
			return &l.Items[i]
		}
	}
	return nil
}

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

// Ask opens the palette where a number is typed that a control is set to.
func (s *Screen) Ask(id string) {
	name, _, _ := strings.Cut(strings.ToLower(s.row(id).name()), ",")
	s.palette.Look(name + " ")
}

// offers are the entries that the palette finds words in: those of the section that is open, or where none of these has
// them, all.
func (s *Screen) offers() []list.Item {
	for _, l := range s.sections() {
		if l.Title == s.palette.Section && len(s.palette.Found(l.Items)) > 0 {
			return l.Items
		}
	}
	return s.everything()
}

// everything lists all that can be set and done, what there is to choose from, and what happens on the flight.
func (s *Screen) everything() []list.Item {
	var items []list.Item
	for i := range s.table {
		c := &s.table[i]
		if !c.offered() || c.id == "menu" || c.id == "escape" {
			continue
		}
		it := list.Item{ID: "command." + c.id, Text: c.name(), Keys: c.keyNames(), Also: c.also, On: c.isOn(),
			Choose: c.do}
		switch {
		case c.isNumber():
			it.Text, it.Name, it.Choose = c.name()+": "+c.said(), c.name(), func() { s.Ask(c.id) }
			it.Takes = func(v float64) bool { return c.end(v) == "" }
			it.Told = func(v float64) string { return c.end(v) + c.text(c.within(v)) }
			it.Set = func(v float64) {
				c.to(v)
				text := c.end(v) + c.text(c.get())
				s.Model.Say(false, "%s: %s%s", c.name(), text, either(strings.HasSuffix(text, "…"), "", "."))
			}
		case c.isChoice():
			items = append(items, c.optionItems(false)...)
			continue
		}
		items = append(items, it)
	}
	for _, l := range s.sections() {
		for _, it := range l.Items {
			if it.ID == missionWall {
				continue // the control is there
			}
			it.Text, it.Also = l.Title+": "+it.Text, l.Also
			items = append(items, it)
		}
	}
	f := s.Model.Flight()
	for i, e := range s.Events() {
		items = append(items, list.Item{ID: "command.event." + strconv.Itoa(i),
			Text: answer.Fixed(f.TimeS(e.Sample), 1) + " s: " + s.EventText(e), Also: "why", Choose: func() { s.Model.StopAt(f, e.Sample) }})
	}
	if s.Layout.Narrow || s.Touch { // fingers have no keys to undo with
		slices.SortStableFunc(items, func(a, b list.Item) int { return undoesFirst(a) - undoesFirst(b) })
	}
	return items
}

// undoesFirst sorts entries: those that undo come first.
func undoesFirst(it list.Item) int {
	return either(it.ID == "command.undo" || it.ID == "command.redo", 0, 1)
}

// optionItems lists what can be chosen; all of it for a section, and otherwise what no section lists.
func (c *control) optionItems(all bool) (items []list.Item) {
	for i, option := range c.options {
		if all || !c.listed {
			text := answer.Spoken(option)
			if !all {
				text = c.label + ": " + text
			}
			items = append(items, list.Item{ID: "command." + c.id + "." + option, Text: text, On: i == c.chosen(),
				Choose: func() { c.choose(i) }})
		}
	}
	return items
}

// watcherItems lists who may watch: who extrapolates flights, and who infers their goal.
func (s *Screen) watcherItems() []list.Item {
	var items []list.Item
	for _, m := range model.Observers() {
		items = append(items, list.Item{ID: "watcher." + m.Name, Text: answer.Spoken(m.Name + ": " + m.Meaning),
			On:     m.Name == s.Model.Config.Adversary.Observer,
			Choose: func() { s.Model.SetObserver(m.Name) }})
	}
	for i, name := range adversary.GoalNames() {
		items = append(items, list.Item{ID: "belief." + name, Text: "Belief on the map: " + answer.Spoken(name),
			On: s.Inferring() && s.Observer == i, Choose: func() { s.ChooseHeat(answer.HeatBelief); s.Observer = i }})
	}
	return append(items, list.Item{ID: "belief.none", Text: "No belief on the map", On: !s.Inferring(),
		Choose: func() { s.ChooseHeat(answer.HeatOff) }})
}

// flightItems lists numbers of flights, and what else there is to choose of them.
func (s *Screen) flightItems() []list.Item {
	var items []list.Item
	for _, n := range []int{50, 100, 200, 500, 1000, 2000} {
		items = append(items, list.Item{ID: fmt.Sprintf("flights.%d", n), Text: answer.Thousands(n) + " flights",
			On: s.Model.Runs() == n, Choose: func() { s.Model.SetRuns(n) }})
	}
	for _, id := range []string{"sample", "planned", "direct"} {
		c := s.row(id)
		items = append(items, list.Item{ID: "flights." + id, Text: c.name(), On: c.isOn(), Choose: c.do})
	}
	return items
}

// missionWall is the entry among the missions for a wall of one's own.
const missionWall = "mission.wall"

// missionItems lists the missions, a wall to draw in the one on show, and the mechanisms of privacy.
func (s *Screen) missionItems() []list.Item {
	var items []list.Item
	for _, mission := range model.Missions() {
		items = append(items, list.Item{ID: "mission." + mission.Name,
			Text:   "Mission " + mission.Name + ": " + mission.Title,
			On:     s.Model.Flies(mission),
			Choose: func() { s.Model.SetMission(mission) }})
	}
	wall := s.row("keepout")
	items = append(items, list.Item{ID: missionWall, Text: wall.name(), Also: wall.also, On: wall.isOn(),
		Choose: wall.do})
	for _, m := range model.Mechanisms() {
		items = append(items, list.Item{ID: "mechanism." + m.Name, Text: "Mechanism " + m.Name + ": " + m.Meaning,
			On:     m.Name == s.Model.Config.Privacy.Mechanism,
			Choose: func() { s.Model.SetMechanism(m.Name) }})
	}
	return items
}

// recordItems lists the recordings that can be opened.
func (s *Screen) recordItems() []list.Item {
	items := make([]list.Item, len(s.Library))
	for i, e := range s.Library {
		text := e.Name
		if e.Verb != "" {
			text += "  (" + e.Verb + ")"
		}
		items[i] = list.Item{ID: "library." + e.Name, Text: text, Problem: e.Problem,
			Choose: func() { s.openEntry(i, asked{}) }}
	}
	return items
}
