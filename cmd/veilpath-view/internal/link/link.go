package link

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Key is what a link says of a control under a key of its own. Settings have a dot in their keys, these have none.
type Key struct {
	Name  string
	Write func() string                            // empty for the usual
	Read  func(text string) (do func(), err error) // nothing is changed before do
	State bool                                     // undoing brings it back; the others say how it is looked at
}

// The keys of links that other code names.
const (
	Heat         = "map"
	Theme        = "theme"
	Quantity     = "chart" // what the chart below the map shows
	Record       = "recording"
	Kept         = "kept"     // settings compared with, as a fragment of their own
	Story        = "story"    // step that is told
	GoalObserver = "observer" // of the goal whose belief is painted
	Demand       = "demand"   // km that flights are to be hidden until on average
	Moment       = "t"        // s, of the model's part of a link
)

// Refuse is the error of a link that asks for what there is not.
func Refuse(key, text, want string) error {
	return fmt.Errorf("the link asks for %s %q; want %s", key, text, want)
}

// Of is what a link says under a key: what parse makes of it, set takes over.
func Of[T any](key string, state bool, write func() string, parse func(string) (T, error), set func(T)) *Key {
	return &Key{Name: key, State: state, Write: write, Read: func(text string) (func(), error) {
		value, err := parse(text)
		return func() { set(value) }, err
	}}
}

// Word is what a link says of one of several words, of which the usual one is left out.
func Word(key string, state bool, words []string, usual int, at func() int, set func(int)) *Key {
	return Of(key, state,
		func() string {
			if at() == usual {
				return ""
			}
			return words[at()]
		},
		func(text string) (int, error) {
			i := slices.Index(words, text)
			if text == "" {
				i = usual
			}
			if i < 0 {
				return 0, Refuse(key, text, strings.Join(words, ", "))
			}
			return i, nil
		}, set)
}

// Number is what a link says of a number between two ends, of which the usual one is left out.
func Number(key string, state bool, usual, low, high float64, want string, write func() string,
	set func(float64)) *Key {
	return Of(key, state, write, func(text string) (v float64, err error) {
		if v = usual; text != "" {
			v, err = strconv.ParseFloat(text, 64)
		}
		if err != nil || !(v >= low && v <= high) {
			return 0, Refuse(key, text, want)
		}
		return v, nil
	}, set)
}
