package exec

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"veilpath/adversary"
	"veilpath/planner"
)

// protocol is the version of the protocol. A command that speaks another is refused.
const protocol = 1

// Role is what a command is used as.
type Role string

// The roles of commands.
const (
	MechanismRole Role = "mechanism"
	observerRole  Role = "observer"
)

// What an observer answers.
const (
	points    = "points"    // where it expects flights to end
	posterior = "posterior" // how probable every goal is
)

// Hello is how a command introduces itself.
type Hello struct {
	Protocol      int    `json:"protocol"`
	Role          Role   `json:"role"` // of the command; empty for one that does not say
	Name          string `json:"name"`
	Version       string `json:"version"`
	Meaning       string `json:"meaning"`       // what it does, after its name in a sentence
	Guarantee     string `json:"guarantee"`     // of a mechanism, in its own words; empty for none
	Deterministic bool   `json:"deterministic"` // false for a command that draws from more than its seed; true if left out
	Answers       string `json:"answers"`       // of an observer: points or posterior; empty for points
	Every         int    `json:"every"`         // of an observer: it is asked at every such sample; 0 for 1
}

// Promise says what the mechanism guarantees, in its own words.
func (h *Hello) Promise() string { return cmp.Or(h.Guarantee, "none") }

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

// greet has a process introduce itself. The first process sets the Hello of the command.
func (c *Command) greet(p *process) error {
	message := map[string]any{"hello": map[string]any{"protocol": protocol, "role": c.Role}}
	_, err := c.request(p, message, 0, []string{"hello"}, func(a answer) error {
		hello := Hello{Meaning: "is a command of the user's", Deterministic: true}
		if err := a.decode(&hello); err != nil {
			return err
		}
		if err := hello.check(c.Role); err != nil {
			return err
		}
		if c.Hello.Protocol == 0 {
			c.Hello = hello
		}
		if hello != c.Hello {
			return fmt.Errorf("a process calls itself %s, and another one %s", &hello, &c.Hello)
		}
		return nil
	})
	return err
}

// check refuses what no command of a role says of itself.
func (h *Hello) check(role Role) error {
	const longestName = 40 // in tables
	builtin := planner.MechanismNames()
	if role == observerRole {
		builtin = adversary.Names()
	}
	texts := h.Name + h.Version + h.Meaning + h.Guarantee
	mechanism, observer := h.Guarantee != "", h.Answers != "" || h.Every != 0 // what only one of that role has
	switch {
	case h.Protocol != protocol:
		return fmt.Errorf("it speaks protocol %d; want %d", h.Protocol, protocol)
	case h.Role != "" && h.Role != role, mechanism && role == observerRole, observer && role == MechanismRole:
		return fmt.Errorf("it is used as %s, and its hello is that of another role: only mechanisms have a guarantee, and "+
			"only observers have answers and every", role)
	case strings.TrimSpace(h.Name) == "" || len(h.Name) > longestName || len(h.Version) > longestName:
		return fmt.Errorf("want a name of 1 to %d bytes, and a version of at most as many", longestName)
	case strings.ContainsAny(h.Name, ",:;") || slices.Contains(builtin, h.Name):
		return fmt.Errorf("its name is %q; want one that is not built in, without comma, colon and semicolon", h.Name)
	case strings.ContainsFunc(texts, unicode.IsControl):
		return errors.New("want texts of one line without control characters")
	case !slices.Contains([]string{"", points, posterior}, h.Answers) || h.Every < 0:
		return fmt.Errorf("want answers %q or %q, and every 1 or more", points, posterior)
	}
	return nil
}

// request makes a request, the answer to which has one of some fields and at most so many numbers. It returns the line
// of the answer after its use.
func (c *Command) request(p *process, message any, numbers int, fields []string, use func(answer) error) (line []byte,
	err error) {
	id := p.answered
	if line, err = p.ask(message, c.limit, digits*numbers); err != nil {
		return nil, err
	}
	a, err := parse(line, id, fields)
	if err == nil && a.field == "error" {
		var why string
		if err = a.decode(&why); err == nil {
			return nil, fmt.Errorf("it says: %q", why)
		}
	}
	if err == nil {
		err = use(a)
	}
	if err != nil {
		err = fmt.Errorf("%w; the line was %s", err, quoted(line))
	}
	return line, err
}

// quoted quotes the beginning of a line, in which control characters are escaped.
func quoted(line []byte) string { return fmt.Sprintf("%.120q", bytes.TrimSpace(line)) }

// answer is what a command answers a request with: a field, and its value as JSON.
type answer struct {
	field string
	value json.RawMessage
}

// parse reads a line with one of some fields or an error. The line may repeat the ID of the request.
func parse(line []byte, id int, fields []string) (answer, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(line, &all); err != nil {
		return answer{}, fmt.Errorf("it is not the JSON that is wanted (%w): print other text to standard error, and note "+
			"that JSON has no NaN and no Infinity", err)
	}
	maps.DeleteFunc(all, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	if of, given := all["id"]; given && string(of) != strconv.Itoa(id) {
		return answer{}, fmt.Errorf("it is the answer to request %s; want that to request %d", of, id)
	}
	delete(all, "id")
	for field, value := range all {
		if len(all) == 1 && (field == "error" || slices.Contains(fields, field)) {
			return answer{field, value}, nil
		}
	}
	return answer{}, fmt.Errorf(`want one of "%s"`, strings.Join(fields, `", "`))
}

// decode reads the value of the answer. It refuses fields that v does not have.
func (a answer) decode(v any) error {
	d := json.NewDecoder(bytes.NewReader(a.value))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", a.field, err)
	}
	return nil
}

// table is a table of numbers as a list of rows, in which null, a nil pointer, stands for -Inf.
type table [][]*float64

// newTable returns the table of numbers that are stored row by row, and shares them.
func newTable(values []float64, columns int) (t table) {
	for from := 0; from < len(values); from += columns {
		row := make([]*float64, columns)
		for i := range row {
			if x := &values[from+i]; !math.IsInf(*x, -1) {
				row[i] = x
			}
		}
		t = append(t, row)
	}
	return t
}

// numbers reads a table of so many rows and columns and returns its numbers row by row.
func (a answer) numbers(rows, columns int) ([]float64, error) {
	var t table
	if err := a.decode(&t); err != nil {
		return nil, err
	}
	if len(t) != rows {
		return nil, fmt.Errorf("%s has %d rows; want %d of %d numbers", a.field, len(t), rows, columns)
	}
	values := make([]float64, 0, rows*columns)
	for i, row := range t {
		if len(row) != columns {
			return nil, fmt.Errorf("row %d of %s has %d numbers; want %d", i, a.field, len(row), columns)
		}
		for _, x := range row {
			if x == nil {
				values = append(values, math.Inf(-1))
			} else {
				values = append(values, *x)
			}
		}
	}
	return values, nil
}
