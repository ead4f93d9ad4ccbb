package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"veilpath/adversary"
	"veilpath/planner"
)

// Protocol is the version of the protocol. A command that speaks another is refused.
const Protocol = 1

// Role is what a command is asked for.
type Role string

// The roles of commands.
const (
	MechanismRole Role = "mechanism"
	ObserverRole  Role = "observer"
)

// What an observer answers.
const (
	Points    = "points"    // where it expects flights to end
	Posterior = "posterior" // how probable every goal is
)

// Hello is what a command says of itself before anything else.
type Hello struct {
	Protocol      int    `json:"protocol"`
	Role          Role   `json:"role,omitempty"` // of the command; empty for one that does not say
	Name          string `json:"name"`
	Version       string `json:"version"`
	Meaning       string `json:"meaning"`       // what it does, after its name in a sentence
	Guarantee     string `json:"guarantee"`     // of a mechanism, in its own words; empty for none
	Deterministic bool   `json:"deterministic"` // false for a command that draws from more than its seed; true if left out
	Answers       string `json:"answers"`       // of an observer: Points or Posterior; empty for Points
	Every         int    `json:"every"`         // of an observer: it is asked at every such sample; 0 for 1
}

// Promise says what the mechanism guarantees, in its own words.
func (h *Hello) Promise() string {
	if h.Guarantee == "" {
		return "none"
	}
	return h.Guarantee
}

// String names the command and its version.
func (h *Hello) String() string {
	text := h.Name
	if h.Version != "" {
		text += " " + h.Version
	}
	if !h.Deterministic {
		text += ", not deterministic"
	}
	return text
}

// helloMessage begins a conversation.
type helloMessage struct {
	Protocol int  `json:"protocol"`
	Role     Role `json:"role"`
}

// parseHello reads the answer to that.
func parseHello(line []byte, role Role) (Hello, error) {
	answer := struct {
		Hello Hello  `json:"hello"`
		Error string `json:"error"`
	}{Hello: Hello{Deterministic: true}}
	if err := decode(line, &answer); err != nil {
		return Hello{}, wrong(line, err)
	}
	if answer.Error != "" {
		return Hello{}, errors.New("it says: " + answer.Error)
	}
	if err := answer.Hello.check(role); err != nil {
		return Hello{}, wrong(line, err)
	}
	return answer.Hello, nil
}

// longestName bounds names and versions, which stand in tables.
const longestName = 40

// check refuses what no command of a role says of itself.
func (h *Hello) check(role Role) error {
	if h.Protocol != Protocol {
		return fmt.Errorf("it speaks protocol %d; want %d", h.Protocol, Protocol)
	}
	if strings.TrimSpace(h.Name) == "" || len(h.Name) > longestName || len(h.Version) > longestName {
		return fmt.Errorf("want a name of 1 to %d bytes, and a version of at most as many", longestName)
	}
	for _, text := range []string{h.Name, h.Version, h.Meaning, h.Guarantee} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return errors.New("want texts of one line without control characters")
		}
	}
	if strings.ContainsAny(h.Name, ",:;") {
		return errors.New("want a name without comma, colon and semicolon, which separate names in lists")
	}
	if slices.Contains(builtin(role), h.Name) {
		return fmt.Errorf("%s is the name of one that is built in; want another name", h.Name)
	}
	switch {
	case !slices.Contains([]string{"", Points, Posterior}, h.Answers):
		return fmt.Errorf("its answers are %q; want %q or %q", h.Answers, Points, Posterior)
	case h.Every < 0:
		return fmt.Errorf("every is %d; want 1 or more", h.Every)
	// A command of the other role is known by the role that it states or by what only that role has.
	case h.Role != "" && h.Role != role:
		return fmt.Errorf("its role is %q, and it is used as %s", h.Role, role)
	case role == MechanismRole && (h.Answers != "" || h.Every != 0):
		return errors.New("it is used as mechanism, and its hello has answers or every, which only observers have")
	case role == ObserverRole && h.Guarantee != "":
		return errors.New("it is used as observer, and its hello has a guarantee, which only mechanisms have")
	}
	return nil
}

// builtin returns the names that a role has without commands.
func builtin(role Role) []string {
	if role == ObserverRole {
		return adversary.Names()
	}
	return planner.MechanismNames()
}

// decode reads a line that is one JSON value and has no fields but those of the value.
func decode(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s is %s; want %s", kind.Field, kind.Value, wanted(kind.Type))
	case err != nil:
		return fmt.Errorf("it is not the JSON that is wanted (%w): print other text to standard error, and note that JSON "+
			"has no NaN and no Infinity", err)
	case d.More():
		return errors.New("there is more than one JSON value")
	}
	return nil
}

// wanted describes the JSON of a type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int32:
		return "a whole number without a point"
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "a number"
}
