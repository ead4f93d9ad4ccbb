package list

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Item is an entry of a list.
type Item struct {
	ID, Text string
	Keys     string // that do the same
	Also     string // other words by which it is found
	Problem  string // why it cannot be chosen; empty when it can
	On       bool   // chosen now
	Choose   func()
	Turn     func(steps int) // for what is set and not chosen, instead: so many steps up, or down where negative
	Name     string          // of a number, which Set sets to what is typed behind it
	Set      func(float64)
	Told     func(float64) string // what Set makes of such a number, in words
	Takes    func(float64) bool   // whether it is set to such a number as it is

	// Entries of the same row follow each other. A section shows each as a button with the text of its cell, beside the
	// name of the row. An entry without a row has a line.
	Row, Cell string
}

// Said is what a list says of an entry.
func (it *Item) Said() string {
	if it.Problem == "" {
		return it.Text
	}
	return it.Text + ": " + it.Problem
}

// Section is a list by its title.
type Section struct {
	Title string
	Also  string // other words by which its entries are found
	Items []Item
}

// List lies over the view. In it everything is found by its name, or it shows one section alone.
type List struct {
	Open    bool
	Section string // empty for everything

	query   string    // typed so far
	all     bool      // of it is selected: the next letter takes its place
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

// At returns the entry that the keys have come to, -1 for none, and how far the list is scrolled, points.
func (p *List) At() (entry int, scrolled float64) { return p.on, p.at }

// Found returns the entries that the list shows: those with all words that were typed. A number behind the name of a
// quantity, or behind its unit, with a point or a comma, is what Enter sets it to: such entries come first, and of
// them and of the others those that begin with what was typed, or with its first word, a whole one before a part of
// one. A number alone is for every quantity that takes it.
func (p *List) Found(items []Item) []Item {
	words := strings.Fields(strings.ToLower(p.query))
	if len(words) == 0 {
		return items
	}
	var ranks [8][]Item
	names, value, isNumber := typedNumber(words)
	for _, it := range items {
		text, wanted, rank := strings.ToLower(it.Text+" "+it.Keys+" "+it.Also), words, 7
		lacks := func(w string) bool { return !hasWord(text, w) }
		if isNumber && it.Set != nil {
			if len(names) == 0 && !it.Takes(value) {
				continue
			}
			set, told := it.Set, it.Told(value)
			text, wanted, rank = strings.ToLower(it.Name+" "+it.Also), names, 3
			if slices.ContainsFunc(wanted, lacks) {
				text, rank = text+" "+strings.ToLower(told), 4
			}
			it.Text, it.Choose, it.Turn = it.Name+": set to "+told, func() { set(value) }, nil
		}
		if slices.ContainsFunc(wanted, lacks) {
			continue
		}
		whole := strings.Join(wanted, " ")
		first, _, _ := strings.Cut(whole, " ")
		if rest, begins := strings.CutPrefix(text, first); begins {
			rank--
			if next, _ := utf8.DecodeRuneInString(rest); !unicode.IsLetter(next) {
				rank--
			}
			if strings.HasPrefix(text, whole) {
				rank--
			}
		}
		ranks[rank] = append(ranks[rank], it)
	}
	return slices.Concat(ranks[:]...)
}

// hasWord reports whether a word of a text begins with what was typed.
func hasWord(text, typed string) bool {
	first, _ := utf8.DecodeRuneInString(typed)
	for at := 0; ; at++ {
		i := strings.Index(text[at:], typed)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 || !unicode.IsLetter(first) || !unicode.IsLetter(before) {
			return true
		}
	}
}

// typedNumber returns the number that words end with, with its unit behind it or not, and the words before it.
func typedNumber(words []string) (names []string, value float64, ok bool) {
	parse := func(word string) bool {
		var err error
		value, err = strconv.ParseFloat(strings.Replace(word, ",", ".", 1), 64)
		return err == nil && !math.IsNaN(value)
	}
	last := len(words) - 1
	if last > 0 && slices.Contains(units, words[last]) {
		last--
	}
	word := words[last]
	for _, unit := range units {
		if number, cut := strings.CutSuffix(word, unit); cut && parse(number) {
			return words[:last], value, true
		}
	}
	ok = parse(word)
	return words[:last], value, ok
}

// units are what numbers that are typed may have behind them.
var units = []string{"km", "/s", "s", "×", "seconds", "flights"}

// take chooses an entry, which closes the list, or turns it by a step.
func (p *List) take(it Item) {
	switch {
	case it.Problem != "":
	case it.Turn != nil:
		it.Turn(1)
	default:
		p.Open = false
		it.Choose()
	}
}

// Key does what a key asks for: it walks through the entries, or is part of what is looked for. Items are all entries.
func (p *List) Key(k ui.Key, items []Item) {
	if k == ui.Escape {
		p.Open = false
	} else if !p.typed(k) {
		p.walk(k, p.Found(items))
	}
}

// typed takes a key that is part of what is looked for, and reports whether it is.
func (p *List) typed(k ui.Key) bool {
	letters, all, letter := []rune(p.query), p.all, len([]rune(string(k))) == 1
	p.all = false
	switch {
	case k == ui.SelectAll:
		p.all = len(letters) > 0
	case all && (letter || k == ui.Backspace):
		p.find(either(letter, string(k), ""))
	case k == ui.Backspace && len(letters) > 0:
		p.find(string(letters[:len(letters)-1]))
	case k == ui.Space && len(letters) > 0:
		p.query += " "
	case letter:
		p.find(p.query + string(k))
	default:
		return false
	}
	return true
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
	case ui.ArrowLeft, ui.ArrowRight:
		if steps := map[ui.Key]int{ui.ArrowLeft: -1, ui.ArrowRight: 1}[k]; p.on >= 0 && items[p.on].Turn != nil {
			items[p.on].Turn(steps)
		} else if p.on >= 0 && items[p.on].Cell != "" {
			p.on = max(0, min(p.on+steps, last))
		}
	case ui.Enter:
		if p.on >= 0 {
			p.take(items[p.on])
		}
	default:
		return
	}
	p.follows = true
}

// follow keeps the entry that the keys have come to in view.
func (p *List) follow(view draw.Rect, rows []draw.Rect) {
	if p.on = min(p.on, len(rows)-1); p.follows && p.on >= 0 {
		r := rows[p.on]
		p.at = math.Max(r.Bottom()+listAir-view.H, math.Min(r.Y, p.at))
	}
	p.follows = false
}

// scroll moves the list under the view, no farther than its ends.
func (p *List) scroll(c *ui.Context, view draw.Rect, whole float64) {
	if view.Contains(c.Input.Pointer) {
		const step = 68 // points a notch of the wheel
		p.at -= c.Input.Wheel * step
	}
	p.at -= c.Dragged(view).Y
	p.at = math.Max(0, math.Min(math.Max(0, whole-view.H), p.at))
}
