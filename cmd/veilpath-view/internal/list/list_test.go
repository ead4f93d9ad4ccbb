package list

import (
	"fmt"
	"testing"

	"veilpath/cmd/veilpath-view/internal/ui"
)

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
	p := new(List)
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

// What is typed begins words: "ten" is not found in "often".
func TestFoundWordsBeginSo(t *testing.T) {
	for typed, want := range map[string]bool{"often": true, "oft": true, "ten": false, "0.3": true, "ε": true,
		"nearer": true, "earer": false, "draw a": true} {
		p := List{Open: true, query: typed}
		if found := len(p.Found([]Item{{Text: "Draws a goal, more often a nearer one, ε 0.3"}})) > 0; found != want {
			t.Errorf("%q is found: %v", typed, found)
		}
	}
}
