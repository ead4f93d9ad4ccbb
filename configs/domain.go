package configs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A domain is the set of values of a key. It reads a YAML value into the Go value that Config holds, or
// says what is wrong with it; String says what is allowed.
type domain interface {
	fmt.Stringer
	name() string
	parse(*yaml.Node) (value any, problem string)
}

// interval holds the numbers between two ends.
type interval struct {
	low, high   float64
	above, open bool // low, or high, is not one of them
}

func from(low, high float64) interval { return interval{low: low, high: high} }
func positive(high float64) interval  { return interval{high: high, above: true} }

func (d interval) name() string { return "number" }

func (d interval) String() string {
	low, high := "from ", " to "
	if d.above {
		low, high = "above ", ", up to "
	}
	if d.open {
		high = ", below "
	}
	return "a number " + low + plainNumber(d.low) + high + plainNumber(d.high)
}

func (d interval) parse(n *yaml.Node) (any, string) {
	text, problem := plainText(n)
	if problem != "" {
		return nil, problem
	}
	exact, problem := decimal(text)
	if problem != "" {
		return nil, problem
	}
	f, problem := toFloat(exact)
	if problem != "" {
		return nil, problem
	}
	if f < d.low || f > d.high || (d.above && f == d.low) || (d.open && f == d.high) {
		return nil, "out of range"
	}
	return f, ""
}

// whole holds the integers from low to high, however they are written: 200, 200.0 or 2e2.
type whole struct{ low, high int64 }

func (d whole) name() string { return "whole number" }

func (d whole) String() string { return fmt.Sprintf("a whole number from %d to %d", d.low, d.high) }

func (d whole) parse(n *yaml.Node) (any, string) {
	text, problem := plainText(n)
	if problem != "" {
		return nil, problem
	}
	exact, problem := decimal(text)
	if problem != "" {
		return nil, problem
	}
	if !exact.IsInt() {
		return nil, "not a whole number"
	}
	if i := exact.Num(); !i.IsInt64() || i.Int64() < d.low || i.Int64() > d.high {
		return nil, "out of range"
	}
	return int(exact.Num().Int64()), ""
}

// choice holds some words.
type choice []string

func (d choice) name() string { return "choice" }

func (d choice) String() string { return strings.Join(d, " or ") }

func (d choice) parse(n *yaml.Node) (any, string) {
	text, problem := wordText(n)
	if problem == "" && !slices.Contains(d, text) {
		problem = "not one of the choices"
	}
	return text, problem
}

// belief holds what an observer takes a setting to be: actual, or a number.
type belief struct{ number interval }

func (d belief) name() string { return "belief" }

func (d belief) String() string { return Actual + " or " + d.number.String() }

func (d belief) parse(n *yaml.Node) (any, string) {
	if text, _ := wordText(n); text == Actual {
		return Belief(0), ""
	}
	number, problem := d.number.parse(n)
	if problem != "" {
		return nil, problem
	}
	return Belief(number.(float64)), ""
}

// direction holds the headings: line_of_sight, random, or degrees.
type direction struct{ degrees interval }

func (d direction) name() string { return "heading" }

func (d direction) String() string {
	return LineOfSight + " or " + AnyHeading + " or " + d.degrees.String()
}

func (d direction) parse(n *yaml.Node) (any, string) {
	switch text, _ := wordText(n); text {
	case LineOfSight:
		return Heading{LineOfSight: true}, ""
	case AnyHeading:
		return Heading{Random: true}, ""
	}
	degrees, problem := d.degrees.parse(n)
	if problem != "" {
		return nil, problem
	}
	return Heading{Degrees: degrees.(float64)}, ""
}

// list holds the lists of low to high values of one domain, written [a, b] or a,b.
type list struct {
	form      string // what the elements are, for people
	each      domain
	low, high int
	ranges    bool // start:stop:step is a list too, and no value comes twice
}

func (d list) name() string { return "list" }

func (d list) String() string { return fmt.Sprintf("%s, each %s", d.form, d.each) }

func (d list) parse(n *yaml.Node) (any, string) {
	items, problem := d.items(n)
	if problem != "" {
		return nil, problem
	}
	if len(items) < d.low || len(items) > d.high {
		return nil, "a list of length " + strconv.Itoa(len(items))
	}
	values, seen := make([]any, len(items)), make(map[any]bool, len(items))
	for i, item := range items {
		if values[i], problem = d.each.parse(item); problem != "" {
			return nil, element(i, nodeText(item), problem)
		}
		if !d.ranges {
			continue
		}
		if seen[values[i]] {
			return nil, "holds " + nodeText(item) + " twice"
		}
		seen[values[i]] = true
	}
	return values, ""
}

func (d list) items(n *yaml.Node) ([]*yaml.Node, string) {
	if n.Kind == yaml.SequenceNode {
		return n.Content, ""
	}
	text, problem := wordText(n)
	if problem != "" {
		return nil, problem
	}
	if !d.ranges || !strings.Contains(text, ":") {
		return textNode("[" + text + "]").Content, ""
	}
	var items []*yaml.Node
	for part := range strings.SplitSeq(text, ",") {
		if !strings.Contains(part, ":") {
			items = append(items, textNode(part))
			continue
		}
		values, problem := parseRange(part)
		if problem != "" {
			return nil, problem
		}
		for _, v := range values {
			items = append(items, textNode(exactNumber(v)))
		}
	}
	return items, ""
}

// element says what is wrong with one value of a list.
func element(i int, text, problem string) string {
	if text = shortened(text); text == "" {
		return fmt.Sprintf("value %d is missing", i+1)
	}
	return fmt.Sprintf("value %d, %s, is %s", i+1, text, problem)
}

// plainText returns the text of a bare scalar, such as a number must be.
func plainText(n *yaml.Node) (text, problem string) {
	if text, problem = wordText(n); problem == "" && n.Style != 0 {
		problem = "quoted or tagged text, not a number"
	}
	return text, problem
}

// wordText returns the text of a scalar, quoted or not.
func wordText(n *yaml.Node) (text, problem string) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Style == 0 && slices.Contains([]string{"", "~", "null", "Null", "NULL"}, n.Value) {
			return "", "no value"
		}
		return n.Value, ""
	case yaml.SequenceNode:
		return "", "a list, not a single value"
	case yaml.AliasNode:
		return "", "a YAML alias"
	}
	return "", "a group of keys, not a value"
}

// textNode reads a value as people write it in a flag or variable: a word, a number, "a text" or [a, b].
func textNode(text string) *yaml.Node { return textNodeAt(text, 0) }

// deepest is how deep lists may stand in lists in a text.
const deepest = 3

func textNodeAt(text string, depth int) *yaml.Node {
	text = strings.TrimSpace(text)
	inner, opened := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed || depth == deepest {
		if quoted, err := strconv.Unquote(text); err == nil && text[0] == '"' {
			return &yaml.Node{Kind: yaml.ScalarNode, Value: quoted, Style: yaml.DoubleQuotedStyle}
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	}
	sequence := &yaml.Node{Kind: yaml.SequenceNode}
	if strings.TrimSpace(inner) == "" {
		return sequence
	}
	open, from := 0, 0
	for i, r := range inner + "," {
		switch {
		case r == '[':
			open++
		case r == ']':
			open--
		case r == ',' && (open == 0 || i == len(inner)):
			sequence.Content = append(sequence.Content, textNodeAt(inner[from:i], depth+1))
			from = i + 1
		}
	}
	return sequence
}

// nodeText writes a value as YAML on one line.
func nodeText(n *yaml.Node) string {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			return strconv.Quote(n.Value)
		}
		return n.Value
	case yaml.SequenceNode:
		items := make([]string, len(n.Content))
		for i, item := range n.Content {
			items[i] = nodeText(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case yaml.AliasNode:
		return "*" + n.Value
	}
	return "{...}"
}

// exactNumber writes a float64 in as few digits as bring it back.
func exactNumber(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// plainNumber writes a number for people: 1e-9, not 1e-09, and 100000, not 1e+05.
func plainNumber(f float64) string {
	if f == float64(int64(f)) && f < 1e7 && f > -1e7 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strings.NewReplacer("e-0", "e-", "e+0", "e", "e+", "e").Replace(exactNumber(f))
}

// shortened keeps long values readable in a message.
func shortened(text string) string {
	const longest = 60 // characters
	return shortenedTo(longest, text)
}

// shortenedPath leaves a path whole, whose end says which file it is, unless it is longer than one can be.
func shortenedPath(path string) string {
	const longest = 4096 // characters
	return shortenedTo(longest, path)
}

func shortenedTo(longest int, text string) string {
	text = strings.TrimSpace(text)
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "..."
	}
	return text
}
