package screen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// control is something that can be set or done: a button, a switch, a choice or a number. Its row is all there is to
// it: keys, the help, links, undoing, the palette and the document beside the picture follow from the table.
type control struct {
	id      string
	label   string        // in the palette and the document
	says    func() string // the label where it depends on what is on show
	hint    string        // what the pointer is told; nothing for the label
	also    string        // other words by which the palette finds it
	section string        // of the palette that lists it; empty for none
	keys    []stroke
	there   func() bool // whether it is on offer; nil for always
	on      func() bool // of a switch; nil for what is done once
	do      func()      // of a button or a switch
	quantity
	choice
	link *link.Key // what a link says of it
}

// stroke is a key, or keys that belong together, as the help tells them.
type stroke struct {
	keys []ui.Key
	name string // as shown
	does string // nothing for the control's label
	do   func(ui.Key)
}

// quantity is a value that is set between two ends. Values go in equal ratios where log is set.
type quantity struct {
	span  func() (low, high float64)
	get   func() float64
	set   func(float64)
	text  func(float64) string  // with its unit
	none  func() string         // instead of a value, while there is none; empty otherwise
	round func(float64) float64 // of values that are not typed, so that they read well; nil for none
	log   bool
	most  float64
}

// choice is one of several.
type choice struct {
	options func() []string // as links and the document call them
	texts   func() []string // as lists call them
	chosen  func() int      // -1 for none
	choose  func(int)
}

// of is what returns some texts.
func of(texts ...string) func() []string { return func() []string { return texts } }

// kind of a control.
func (c *control) isNumber() bool { return c.get != nil }
func (c *control) isChoice() bool { return c.options != nil }
func (c *control) isButton() bool { return c.do != nil }

// offered reports whether the control is on offer now.
func (c *control) offered() bool { return c.there == nil || c.there() }

// isOn reports whether a switch is on.
func (c *control) isOn() bool { return c.on != nil && c.on() }

// name is what the palette and the document call the control now.
func (c *control) name() string {
	if c.says != nil {
		return c.says()
	}
	return c.label
}

// said is what a number is set to.
func (c *control) said() string {
	if c.none != nil && c.none() != "" {
		return c.none()
	}
	return c.text(c.within(c.get()))
}

// keyNames are the keys of the control as they are shown.
func (c *control) keyNames() string {
	var names []string
	for _, k := range c.keys {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// tip is what the pointer is told: a finger nothing of keys.
func (c *control) tip(touch bool) string {
	text := either(c.hint == "", c.name(), c.hint)
	if keys := c.keyNames(); keys != "" && !touch {
		text += " (" + keys + ")"
	}
	return text
}

// to sets a number within its ends, and near sets one that reads well near another.
func (c *control) to(v float64) { c.set(c.within(v)) }

func (c *control) near(v float64) {
	if c.round != nil {
		v = c.round(v)
	}
	c.to(v)
}

// within is the value nearest to another that can be set.
func (c *control) within(v float64) float64 {
	low, high := c.span()
	return max(low, min(math.Max(high, c.most), v))
}

// end says which end a number takes instead of a value beyond it; nothing for one that can be set.
func (c *control) end(v float64) string {
	at := c.within(v)
	return either(at > v, "the least, ", either(at < v, "the most, ", ""))
}

// row returns the control of an id, nil for none.
func (s *Screen) row(id string) *control {
	if i := slices.IndexFunc(s.table, func(c control) bool { return c.id == id }); i >= 0 {
		return &s.table[i]
	}
	return nil
}

// Labelled draws the button of a control with a label, and does what it does when it is pressed.
func (s *Screen) Labelled(id string, r draw.Rect, label string) {
	if c := s.row(id); s.UI.Button(id, r, label, c.tip(s.Touch), c.isOn()) {
		c.do()
	}
}

// key does what keys ask for.
func (s *Screen) key(k ui.Key) {
	for i := range s.table {
		c := &s.table[i]
		for _, stroke := range c.keys {
			if slices.Contains(stroke.keys, k) && c.offered() {
				stroke.do(k)
			}
		}
	}
}

// strokes lists all keys and what they do, in the order of the table.
func (s *Screen) strokes() [][2]string {
	var rows [][2]string
	for i := range s.table {
		for _, k := range s.table[i].keys {
			rows = append(rows, [2]string{k.name, either(k.does == "", s.table[i].label, k.does)})
		}
	}
	return rows
}

// Operate does what a control of the document asks for. The error says what is not possible.
func (s *Screen) Operate(id, value string) error {
	c := s.row(id)
	switch {
	case c == nil:
		return fmt.Errorf("there is no control %q", id)
	case !c.offered():
		return fmt.Errorf("%s: not possible now", c.name())
	case c.isButton():
		c.do()
		return nil
	case c.isChoice():
		at := slices.Index(c.options(), value)
		if at < 0 {
			return fmt.Errorf("%s: %q is none of %s", c.id, value, strings.Join(c.options(), ", "))
		}
		c.choose(at)
		return nil
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(v) {
		return fmt.Errorf("%s: %q is no number", c.id, value)
	}
	c.near(v)
	return nil
}

func either[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}

// keys does what the keys of a frame ask for. What is typed goes to the palette while that is open.
func (s *Screen) keys(pressed []ui.Key) {
	for _, k := range pressed {
		if s.palette.Open {
			s.palette.Key(k, s.offers())
		} else {
			s.key(k)
		}
	}
}
