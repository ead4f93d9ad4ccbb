package list

import (
	"fmt"
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// opened is a list with entries, and what draws it with some input.
func opened(t *testing.T, section string, items []Item) (*List, func(ui.Input) map[string]draw.Rect) {
	t.Helper()
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	p, c, list := new(List), ui.NewContext(ui.NewTheme(true)), draw.NewList(atlas)
	p.Begin(section)
	window := draw.Rect{W: 360, H: 640}
	return p, func(in ui.Input) map[string]draw.Rect {
		list.Reset(window, 1)
		c.Begin(list, in)
		p.Draw(c, window, false, items)
		c.End()
		return c.Regions()
	}
}

// What is typed leaves the entries with all of its words, those that begin with it first; a number behind the name or
// the value of a quantity sets it.
func TestFound(t *testing.T) {
	set := 0.
	number := func(id, name, unit string) Item {
		return Item{ID: id, Text: name, Name: name, Set: func(v float64) { set = v },
			Told: func(v float64) string { return fmt.Sprint(unit, v) }}
	}
	items := []Item{{ID: "a", Text: "Epsilon of the flight"}, {ID: "b", Text: "The flight before"},
		number("m", "Moment of the flight", ""), number("n", "Flights flown", ""),
		number("c", "Flight on show", "run "),
		{ID: "d", Text: "Theme", Keys: "t"}}
	p, _ := opened(t, "", items)
	for query, want := range map[string]string{"": "abmncd", "flight": "ncabm", "FLIGHT the": "abm", "flight 12": "ncm",
		"run 12": "c", "show nan": "", "x": ""} {
		p.Begin("")
		for _, r := range query {
			p.Key(ui.Key(string(r)), items)
		}
		got := ""
		for _, it := range p.Found(items) {
			got += it.ID
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	p.Begin("")
	for _, r := range "flight 12" {
		p.Key(ui.Key(string(r)), items)
	}
	if p.Found(items)[0].Choose(); set != 12 {
		t.Errorf("the number is set to %v", set)
	}
}

// An entry that cannot be chosen says why and stays.
func TestProblem(t *testing.T) {
	items := []Item{{ID: "a", Text: "The flights", Problem: "none is selected",
		Choose: func() { t.Error("it is chosen") }}}
	p, draw := opened(t, "", items)
	at := draw(ui.Input{Outside: true})["a"].Center()
	draw(ui.Input{Pointer: at, Down: true})
	draw(ui.Input{Pointer: at})
	p.Key(ui.ArrowDown, items)
	p.Key(ui.Enter, items)
	if it := p.Found(items)[0]; !p.Open || it.Said() != "The flights: none is selected" {
		t.Errorf("open: %v, %q", p.Open, it.Said())
	}
}

// What is typed begins words: "ten" is not found in "often".
func TestFoundWordsBeginSo(t *testing.T) {
	for typed, want := range map[string]bool{"often": true, "oft": true, "ten": false, "0.3": true, "3": true, "ε": true,
		"nearer": true, "earer": false, "draw a": true} {
		p := List{Open: true, query: typed}
		if found := len(p.Found([]Item{{Text: "Draws a goal, more often a nearer one, ε 0.3"}})) > 0; found != want {
			t.Errorf("%q is found: %v", typed, found)
		}
	}
}
