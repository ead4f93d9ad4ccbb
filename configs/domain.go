package configs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A domain is the set of allowed values of a key.
type domain struct {
	kind    string   // number, whole number, choice, ...
	allowed string   // description of the accepted values
	words   []string // of a choice

	// parse reads a YAML value into the Go value in Config, or returns the problem.
	parse func(*yaml.Node) (value any, problem string)
}

// interval is the range of numbers between two ends.
type interval struct {
	low, high   float64
	above, open bool // low, or high, is excluded
}

func between(low, high float64) domain { return number(interval{low: low, high: high}) }
func positive(high float64) domain     { return number(interval{high: high, above: true}) }

// number accepts the numbers of an interval.
func number(d interval) domain {
	low, high := "from ", " to "
	if d.above {
		low, high = "above ", ", up to "
	}
	if d.open {
		high = ", below "
	}
	allowed := "a number " + low + plainNumber(d.low) + high + plainNumber(d.high)
	return domain{kind: "number", allowed: allowed, parse: func(n *yaml.Node) (any, string) {
		text, problem := plainText(n)
		if problem != "" {
			return nil, problem
		}
		f, problem := parseNumber(text)
		if problem == "" && (f < d.low || f > d.high || (d.above && f == d.low) || (d.open && f == d.high)) {
			problem = "out of range"
		}
		return f, problem
	}}
}

// whole accepts the integers from low to high, in any notation: 200, 200.0 or 2e2.
func whole(low, high int64) domain {
	allowed := fmt.Sprintf("a whole number from %d to %d", low, high)
	return domain{kind: "whole number", allowed: allowed, parse: func(n *yaml.Node) (any, string) {
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
		if i := exact.Num(); !i.IsInt64() || i.Int64() < low || i.Int64() > high {
			return nil, "out of range"
		}
		return int(exact.Num().Int64()), ""
	}}
}

// choice accepts the given words.
func choice(words ...string) domain {
	return domain{kind: "choice", allowed: strings.Join(words, " or "), words: words,
		parse: func(n *yaml.Node) (any, string) {
			text, problem := wordText(n)
			if problem == "" && !slices.Contains(words, text) {
				problem = "not one of the choices"
			}
			return text, problem
		}}
}

// numberOr accepts numbers, and words that stand for other values of the same type.
func numberOr[T any](kind, allowed string, number domain, of func(float64) T, words map[string]T) domain {
	return domain{kind: kind, allowed: allowed, parse: func(n *yaml.Node) (any, string) {
		text, _ := wordText(n)
		if value, known := words[text]; known {
			return value, ""
		}
		f, problem := number.parse(n)
		if problem != "" {
			return nil, problem
		}
		return of(f.(float64)), ""
	}}
}

// belief accepts the value that an observer assumes for a setting: actual, or a number.
func belief(number domain) domain {
	return numberOr("belief", Actual+" or "+number.allowed, number, func(f float64) Belief { return Belief(f) },
		map[string]Belief{Actual: 0})
}

// list accepts lists of low to high values of one domain, written [a, b] or a,b; form describes them for users.
func list(form string, each domain, low, high int) domain {
	return lists(form, each, low, high, listItems, false)
}

// ascending accepts the empty list, and pairs of numbers from a domain of lists, the lower one first.
func ascending(lists domain) domain {
	parse := lists.parse
	lists.parse = func(n *yaml.Node) (any, string) {
		value, problem := parse(n)
		if problem != "" {
			return nil, problem
		}
		if ends := value.([]any); len(ends) == 1 || len(ends) == 2 && ends[0].(float64) >= ends[1].(float64) {
			return nil, "not two numbers with the lower one first"
		}
		return value, ""
	}
	return lists
}

// distinct accepts lists without repeated values, in which start:stop:step stands for several values.
func distinct(form string, each domain, low, high int) domain {
	return lists(form, each, low, high, rangedItems, true)
}

func lists(form string, each domain, low, high int, split func(*yaml.Node) ([]*yaml.Node, string), once bool) domain {
	return domain{kind: "list", allowed: form + ", each " + each.allowed, parse: func(n *yaml.Node) (any, string) {
		items, problem := split(n)
		if problem != "" {
			return nil, problem
		}
		if len(items) < low || len(items) > high {
			return nil, "a list of length " + strconv.Itoa(len(items))
		}
		values, seen := make([]any, len(items)), make(map[any]bool, len(items))
		for i, item := range items {
			if values[i], problem = each.parse(item); problem != "" {
				return nil, element(i, nodeText(item), problem)
			}
			if !once {
				continue
			}
			if seen[values[i]] {
				return nil, "holds " + nodeText(item) + " twice"
			}
			seen[values[i]] = true
		}
		return values, ""
	}}
}

// listItems returns the elements of [a, b] or a,b.
func listItems(n *yaml.Node) ([]*yaml.Node, string) {
	if n.Kind == yaml.SequenceNode {
		return n.Content, ""
	}
	text, problem := wordText(n)
	return textNode("[" + text + "]").Content, problem
}

// rangedItems returns the elements of [a, b] or a,b, with every start:stop:step replaced by its values.
func rangedItems(n *yaml.Node) (items []*yaml.Node, problem string) {
	text, _ := wordText(n)
	if !strings.Contains(text, ":") {
		return listItems(n)
	}
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

// element describes the problem of one value of a list.
func element(i int, text, problem string) string {
	if text = shortened(text); text == "" {
		return fmt.Sprintf("value %d is missing", i+1)
	}
	return fmt.Sprintf("%s (value %d) is %s", text, i+1, problem)
}

// plainText returns the text of an unquoted scalar, as a number must be.
func plainText(n *yaml.Node) (text, problem string) {
	if text, problem = wordText(n); problem == "" && n.Style != 0 {
		problem = "quoted or tagged text, not a number"
	}
	return text, problem
}

// wordText returns the text of a scalar, quoted or unquoted.
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

// textNode reads a value as written in a flag or variable: a word, a number, "a text" or [a, b].
func textNode(text string) *yaml.Node { return textNodeAt(text, 0) }

// deepest is the largest nesting depth of lists in a text.
const deepest = 3

func textNodeAt(text string, depth int) *yaml.Node {
	text = strings.TrimSpace(text)
	inner, opened := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed || depth == deepest {
		if quoted, err := strconv.Unquote(text); err == nil && text[0] == '"' {
			return &yaml.Node{Kind: yaml.ScalarNode, Value: quoted, Style: yaml.DoubleQuotedStyle}
		}
		return scalar(text)
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

// scalar returns an unquoted value.
func scalar(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: strings.TrimSpace(text)}
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

// exactNumber writes a float64 in the fewest digits that are read back as the same number.
func exactNumber(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// plainNumber writes a number for people: 1e-9, not 1e-09, and 100000, not 1e+05.
func plainNumber(f float64) string {
	if f == float64(int64(f)) && f < 1e7 && f > -1e7 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strings.NewReplacer("e-0", "e-", "e+0", "e", "e+", "e").Replace(exactNumber(f))
}

// shortened cuts long values for messages.
func shortened(text string) string { return truncate(60, text) }

// shortenedPath keeps a path whole, because its end names the file, unless it is longer than any path.
func shortenedPath(path string) string { return truncate(4096, path) }

// truncate cuts a text after the given number of characters.
func truncate(longest int, text string) string {
	text = strings.TrimSpace(text)
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "..."
	}
	return text
}
