package configs

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"veilpath/adversary"
	"veilpath/planner/paper"
)

// A domain is the set of allowed values of a key.
type domain struct {
	allowed string   // description of the accepted values
	words   []string // of a choice
	numbers interval // of numbers

	// parse reads a YAML value into the Go value in Config, or returns the problem.
	parse func(*yaml.Node) (value any, problem string)
}

// domainOf reads the tag of a field: the name of a set of values; words with bars between them; or an interval
// such as (0, 1], with a round bracket at an end that is excluded, of the numbers of the field's type.
func domainOf(field reflect.Type, allow string) domain {
	if named, known := domains[allow]; known {
		return named
	}
	if strings.Contains(allow, "|") {
		return choice(strings.Split(allow, "|")...)
	}
	var numbers interval
	if _, err := fmt.Sscanf(allow[1:len(allow)-1], "%g, %g", &numbers.low, &numbers.high); err != nil {
		panic("configs: a field allows " + allow)
	}
	numbers.above, numbers.open = allow[0] == '(', allow[len(allow)-1] == ')'
	numbers.whole = field.Kind() != reflect.Float64
	if field == reflect.TypeFor[Belief]() {
		return numberOr(Actual+" or "+number(numbers).allowed, number(numbers),
			func(f float64) Belief { return Belief(f) }, map[string]Belief{Actual: 0})
	}
	return number(numbers)
}

// The widest settings: far outside any sensible study, and small enough that nothing overflows.
const (
	maxKm         = 1e5 // km
	maxAreas      = 10_000
	largestReward = 1e9
)

// domains are the sets of values that are neither words nor intervals.
var domains = map[string]domain{
	"position":     list("[east, north, up]", between(-maxKm, maxKm), 3, 3),
	"cell":         cell,
	"cells":        list("[] or cells as [[3, 4], [10, 2]]", cell, 0, 1000),
	"areas":        areas,
	"rewards":      rewardMap,
	"vary":         variations,
	"range":        rewardRange,
	"heading":      heading,
	"mechanism":    choiceOrCommand(mechanismNames...),
	"observer":     choiceOrCommand(adversary.Names()...),
	"candidates":   candidates,
	"weights":      weights,
	"epsilon":      epsilonOrNone,
	"epsilons":     epsilons,
	"axis":         axes,
	"agents":       distinct("different numbers as [2, 4], 2,4 or start:stop:step", whole(1, 9), 9),
	"slip":         choice(paper.SlipNames()...),
	"goal rewards": distinct("different numbers as [5, 50]", between(-1e6, 1e6), 8),
	"start cells":  list("the cells as [0, 15], one per agent", whole(0, 1023), 1, 3),
}

var (
	cell = list("[column, row]", whole(0, 999), 2, 2)

	areas = checked(list("[], or cells and rectangles as [[3, 4], [5, 0, 6, 9]]",
		list("[column, row] or [column, row, column, row]", whole(0, 999), 2, 4), 0, maxAreas),
		func(areas []any) string {
			for i, area := range areas {
				if len(area.([]any)) == 3 {
					return element(i, valueText(area), "neither a cell nor two corners")
				}
			}
			return ""
		})

	// rewardRange holds no list or one of two numbers that ascend.
	rewardRange = checked(list("[] or [low, high]", between(-largestReward, largestReward), 0, 2),
		func(ends []any) string {
			if len(ends) == 1 || len(ends) == 2 && ends[0].(float64) >= ends[1].(float64) {
				return "not two numbers with the lower one first"
			}
			return ""
		})

	degrees = between(-360, 360)
	heading = numberOr(LineOfSight+" or "+degrees.allowed+"; vary draws it", degrees,
		func(f float64) Heading { return Heading{Degrees: f} }, map[string]Heading{LineOfSight: {LineOfSight: true}})

	epsilonNumber = between(1e-9, 1e9)
	epsilonOrNone = numberOr(epsilonNumber.allowed+", or "+none, epsilonNumber,
		func(f float64) float64 { return f }, map[string]float64{none: math.Inf(1)})
)

// interval is the range of numbers, or of whole numbers, between two ends.
type interval struct {
	low, high   float64
	above, open bool // low, or high, is excluded
	whole       bool
}

func between(low, high float64) domain { return number(interval{low: low, high: high}) }

func whole(low, high float64) domain { return number(interval{low: low, high: high, whole: true}) }

// number accepts the numbers of an interval in any decimal notation. A whole number is 200, 200.0 or 2e2.
func number(d interval) domain {
	low, high := "from ", " to "
	if d.above {
		low, high = "above ", ", up to "
	}
	if d.open {
		high = ", below "
	}
	allowed := "a number " + low + plainNumber(d.low) + high + plainNumber(d.high)
	if d.whole {
		allowed = fmt.Sprintf("a whole number from %.0f to %.0f", d.low, d.high)
	}
	return domain{allowed: allowed, numbers: d, parse: func(n *yaml.Node) (any, string) {
		text, problem := plainText(n)
		if problem != "" {
			return nil, problem
		}
		exact, problem := decimal(text)
		if problem != "" {
			return nil, problem
		}
		f, problem := toFloat(exact)
		switch {
		case problem != "":
			return nil, problem
		case d.whole && !exact.IsInt():
			return nil, "not a whole number"
		case f < d.low || f > d.high || (d.above && f == d.low) || (d.open && f == d.high):
			return nil, "out of range"
		case d.whole:
			return int(f), ""
		}
		return f, ""
	}}
}

// choice accepts the given words.
func choice(words ...string) domain {
	return domain{allowed: strings.Join(words, " or "), words: words,
		parse: func(n *yaml.Node) (any, string) {
			text, problem := wordText(n)
			if problem == "" && !slices.Contains(words, text) {
				problem = "not one of the choices"
			}
			return text, problem
		}}
}

// numberOr accepts numbers, and words that stand for other values of the same type.
func numberOr[T any](allowed string, number domain, of func(float64) T, words map[string]T) domain {
	return domain{allowed: allowed, numbers: number.numbers, parse: func(n *yaml.Node) (any, string) {
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

// list accepts lists of low to high values of one domain, written [a, b] or a,b; form describes them for users.
func list(form string, each domain, low, high int) domain {
	return domain{allowed: form + ", each " + each.allowed, parse: func(n *yaml.Node) (any, string) {
		items, problem := itemsOf(n)
		if problem != "" {
			return nil, problem
		}
		if len(items) < low || len(items) > high {
			return nil, "a list of length " + strconv.Itoa(len(items))
		}
		values := make([]any, len(items))
		for i, item := range items {
			if values[i], problem = each.parse(item); problem != "" {
				return nil, element(i, nodeText(item), problem)
			}
		}
		return values, ""
	}}
}

// distinct accepts lists of 1 to high different values.
func distinct(form string, each domain, high int) domain {
	return checked(list(form, each, 1, high), func(values []any) string {
		seen := make(map[any]bool, len(values))
		for _, value := range values {
			if seen[value] {
				return "holds " + valueText(plainValue(value)) + " twice"
			}
			seen[value] = true
		}
		return ""
	})
}

// checked accepts the lists of a domain in which check finds no problem.
func checked(d domain, check func([]any) (problem string)) domain {
	parse := d.parse
	d.parse = func(n *yaml.Node) (any, string) {
		value, problem := parse(n)
		if problem == "" {
			problem = check(value.([]any))
		}
		return value, problem
	}
	return d
}

// itemsOf returns the elements of [a, b] or a,b, with every start:stop:step replaced by its values.
func itemsOf(n *yaml.Node) (items []*yaml.Node, problem string) {
	listed := n.Content
	if n.Kind != yaml.SequenceNode {
		text, problem := wordText(n)
		switch {
		case problem != "":
			return nil, problem
		case strings.Contains(text, "["):
			list := textNode("[" + text + "]")
			if list.Kind != yaml.SequenceNode {
				return nil, "not a list"
			}
			listed = list.Content
		default:
			for item := range strings.SplitSeq(text, ",") {
				listed = append(listed, textNode(item))
			}
		}
	}
	for _, item := range listed {
		parts := strings.Split(item.Value, ":")
		if len(parts) == 1 {
			items = append(items, item)
			continue
		}
		values, problem := steps(parts)
		if problem != "" {
			return nil, problem
		}
		for _, v := range values {
			items = append(items, scalar(exactNumber(v)))
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

// textNode reads a value as written in a flag or variable: a word, a number, "a text" or [a, b]. Only what begins like
// a text or a list is read as YAML.
func textNode(text string) *yaml.Node {
	text = strings.TrimSpace(text)
	var document yaml.Node
	read := yaml.NewDecoder(strings.NewReader(text))
	if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, `"`) || read.Decode(&document) != nil ||
		read.Decode(new(yaml.Node)) != io.EOF || document.Content[0].Kind == yaml.MappingNode {
		return scalar(text)
	}
	return document.Content[0]
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
