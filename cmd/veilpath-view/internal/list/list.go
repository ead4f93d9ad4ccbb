// Package list is a list that lies over the view, in which everything is found by its name or one section is shown.
package list

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Item is an entry of a list.
type Item struct {
	ID, Text string
	Keys     string // that do the same
	Also     string // other words by which it is found
	On       bool   // chosen now
	Choose   func()
	Name     string // of a number, which Set sets to what is typed behind it
	Set      func(float64)
	Told     func(float64) string // what Set makes of such a number, in words
}

// List lies over the view. In it everything is found by its name, or it shows one section alone.
type List struct {
	Open    bool
	Section string // empty for everything

	query   string    // typed so far
	at      float64   // how far it is scrolled, points
	on      int       // the entry that the keys have come to, -1 for none
	follows bool      // a key has come to an entry, which is to be in view
	field   draw.Rect // where fingers type
}

// Begin opens the list at its beginning.
func (p *List) Begin(section string) { *p = List{Open: true, Section: section, on: -1} }

// Look opens the list with words that are looked for, behind which more can be typed.
func (p *List) Look(words string) { *p = List{Open: true, query: words, on: -1} }

// Field returns where fingers type what is looked for, and what that is; no area where there is no place for it.
func (p *List) Field() (area draw.Rect, words string) {
	if !p.Open {
		return draw.Rect{}, ""
	}
	return p.field, p.query
}

// Find looks for words that were typed elsewhere.
func (p *List) Find(words string) {
	if words != p.query {
		p.find(words)
	}
}

// Shows reports whether a section, or everything, is open.
func (p *List) Shows(section string) bool { return p.Open && p.Section == section }

// Found returns the entries that the list shows: those with all words that were typed. A number behind the name of a
// quantity, with a point or a comma, is what Enter sets it to. Such entries come first, and of them and of the others
// those that begin with what was typed.
func (p *List) Found(items []Item) []Item {
	words := strings.Fields(strings.ToLower(p.query))
	if len(words) == 0 {
		return items
	}
	var ranks [4][]Item
	names, value, isNumber := typedNumber(words)
	for _, it := range items {
		text, wanted, rank := it.Text+" "+it.Keys+" "+it.Also, words, 2
		if isNumber && it.Set != nil {
			set, told := it.Set, it.Told(value)
			text, wanted, rank = it.Name+" "+it.Also+" "+told, names, 0
			it.Text, it.Choose = it.Name+": set to "+told, func() { set(value) }
		}
		text = strings.ToLower(text)
		if slices.ContainsFunc(wanted, func(w string) bool { return !strings.Contains(" "+text, " "+w) }) {
			continue
		}
		if !strings.HasPrefix(text, strings.Join(wanted, " ")) {
			rank++
		}
		ranks[rank] = append(ranks[rank], it)
	}
	return slices.Concat(ranks[:]...)
}

// typedNumber returns the number that words end with, and the words before it.
func typedNumber(words []string) (names []string, value float64, ok bool) {
	last := len(words) - 1
	value, err := strconv.ParseFloat(strings.Replace(words[last], ",", ".", 1), 64)
	return words[:last], value, last > 0 && err == nil && !math.IsNaN(value)
}

// take chooses an entry, which closes the list.
func (p *List) take(it Item) {
	p.Open = false
	it.Choose()
}

// Key does what a key asks for: it walks through the entries, or is part of what is looked for. Items are all entries.
func (p *List) Key(k ui.Key, items []Item) {
	letters := []rune(p.query)
	switch {
	case k == ui.Escape:
		p.Open = false
	case k == ui.Backspace && len(letters) > 0:
		p.find(string(letters[:len(letters)-1]))
	case k == ui.Space && len(letters) > 0:
		p.query += " "
	case len([]rune(string(k))) == 1:
		p.find(p.query + string(k))
	default:
		p.walk(k, p.Found(items))
	}
}

// find looks for other words.
func (p *List) find(words string) { p.query, p.at, p.on = words, 0, 0 }

// walk follows a key through the entries that are found.
func (p *List) walk(k ui.Key, items []Item) {
	last := len(items) - 1
	p.on = min(p.on, last) // a list may have become shorter
	switch k {
	case ui.ArrowDown:
		p.on = min(p.on+1, last)
	case ui.ArrowUp:
		p.on = max(p.on-1, min(0, last))
	case ui.End:
		p.on = last
	case ui.Home:
		p.on = min(0, last)
	case ui.Enter:
		if p.on >= 0 {
			p.take(items[p.on])
		}
	default:
		return
	}
	p.follows = true
}
