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

// Ctrl A selects the words that are typed: the next letter takes their place, Backspace removes them, and any other key
// leaves them.
func TestWordsAreSelected(t *testing.T) {
	var p List
	p.Begin("")
	for _, test := range []struct {
		keys []ui.Key
		want string
	}{{[]ui.Key{ui.SelectAll, "m", "a", "p"}, "map"}, {[]ui.Key{ui.SelectAll, "f", "i"}, "fi"},
		{[]ui.Key{ui.SelectAll, ui.ArrowDown, "t"}, "fit"}, {[]ui.Key{ui.SelectAll, ui.Backspace}, ""}} {
		for _, k := range test.keys {
			p.Key(k, nil)
		}
		if p.query != test.want {
			t.Errorf("after %q the words are %q, want %q", test.keys, p.query, test.want)
		}
	}
}

// What is typed leaves the entries with all of its words, those that begin with the first word first, and of them those
// that begin with a whole one; a number behind the name or the value of a quantity sets it.
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
	for query, want := range map[string]string{"": "abmncd", "flight": "cnabm", "FLIGHT the": "abm", "flight 12": "cnm",
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

// In a section, entries of one row stand beside each other below the same formats of other rows, the arrow keys go from
// one to the next, and Enter chooses.
func TestRows(t *testing.T) {
	chosen := ""
	var items []Item
	for _, id := range []string{"map SVG", "map PNG", "axis SVG", "axis PNG"} {
		items = append(items, Item{ID: id, Text: id, Row: id[:len(id)-4], Cell: id[len(id)-3:],
			Choose: func() { chosen = id }})
	}
	p, draw := opened(t, "Save", items)
	at := draw(ui.Input{Outside: true})
	if a, b, c, d := at["map SVG"], at["map PNG"], at["axis SVG"], at["axis PNG"]; a.Y != b.Y || c.Y != d.Y ||
		a.X != c.X || b.X != d.X || c.Y < a.Bottom() || b.X < a.Right() || a.Empty() {
		t.Errorf("the grid is %v %v %v %v", a, b, c, d)
	}
	for _, k := range []ui.Key{ui.ArrowDown, ui.ArrowRight, ui.ArrowRight, ui.ArrowRight, ui.ArrowLeft, ui.Enter} {
		p.Key(k, items)
	}
	if chosen != "axis SVG" || p.Open {
		t.Errorf("the keys choose %q; the list is open: %v", chosen, p.Open)
	}
	p.Begin("")
	if at := draw(ui.Input{Outside: true}); at["map PNG"].Y <= at["map SVG"].Y {
		t.Error("among everything, an entry has no line of its own")
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
