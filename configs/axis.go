package configs

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Axis is a range of epsilon, both ends included; the zero value is none.
type Axis struct{ Low, High float64 }

// Whole reports whether there is a range.
func (a Axis) Whole() bool { return a != Axis{} }

// String writes the range as 0.2..4, or none.
func (a Axis) String() string {
	if !a.Whole() {
		return none
	}
	return exactNumber(a.Low) + rangeMark + exactNumber(a.High)
}

// MarshalYAML writes the range as 0.2..4, or none.
func (a Axis) MarshalYAML() (any, error) { return a.String(), nil }

// MarshalJSON writes the range as "0.2..4", or "none".
func (a Axis) MarshalJSON() ([]byte, error) { return json.Marshal(a.String()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Axis) UnmarshalJSON(text []byte) error {
	var word string
	if err := json.Unmarshal(text, &word); err != nil {
		return err
	}
	read, problem := extent{strengths}.parse(&yaml.Node{Kind: yaml.ScalarNode, Value: word})
	if problem != "" {
		return fmt.Errorf("range of epsilon %q: %s", word, problem)
	}
	*a = read.(Axis)
	return nil
}

const (
	none      = "none"
	rangeMark = ".."
)

// extent holds the ranges of some numbers, written low..high, and none.
type extent struct{ each interval }

func (d extent) name() string { return "range" }

func (d extent) String() string {
	return "none, or low..high such as 0.2..4, low below high, each " + d.each.String()
}

func (d extent) parse(n *yaml.Node) (any, string) {
	text, problem := wordText(n)
	switch {
	case problem != "":
		return nil, problem
	case text == none:
		return Axis{}, ""
	}
	ends := strings.Split(text, rangeMark)
	if len(ends) != 2 {
		return nil, "not two numbers with .. between them"
	}
	var values [2]float64
	for i, end := range ends {
		value, problem := d.each.parse(&yaml.Node{Kind: yaml.ScalarNode, Value: strings.TrimSpace(end)})
		if problem != "" {
			return nil, element(i, end, problem)
		}
		values[i] = value.(float64)
	}
	if values[0] >= values[1] {
		return nil, "does not go upwards"
	}
	return Axis{values[0], values[1]}, ""
}

// The keys of a study's epsilons: a list, and the range that may stand among them.
const (
	epsilonsKey = "study.epsilons"
	axisKey     = "study.axis"
)

// splitEpsilons takes the range out of a value of study.epsilons, nil when it holds none. Without other numbers
// the range lists the published epsilons on it, and its ends.
func splitEpsilons(n *yaml.Node) (list, axis *yaml.Node, problem string) {
	items := []*yaml.Node{n}
	text := n.Value
	switch n.Kind {
	case yaml.SequenceNode:
		items = n.Content
	case yaml.ScalarNode:
		items = nil
		for item := range strings.SplitSeq(text, ",") {
			items = append(items, &yaml.Node{Kind: yaml.ScalarNode, Value: strings.TrimSpace(item)})
		}
	}
	isRange := func(item *yaml.Node) bool {
		return item.Kind == yaml.ScalarNode && strings.Contains(item.Value, rangeMark)
	}
	at := slices.IndexFunc(items, isRange)
	if at < 0 {
		return n, nil, ""
	}
	axis = items[at]
	rest := slices.Delete(slices.Clone(items), at, at+1)
	if slices.ContainsFunc(rest, isRange) {
		return nil, nil, "holds two ranges"
	}
	value, problem := extent{strengths}.parse(axis)
	if problem != "" {
		return nil, nil, "the range " + shortened(axis.Value) + ": " + problem
	}
	switch {
	case !slices.ContainsFunc(rest, func(item *yaml.Node) bool { return !isNone(item) }):
		list := listedOn(value.(Axis))
		list.Content = append(slices.Clone(rest), list.Content...)
		return list, axis, ""
	case len(rest) == 1: // perhaps start:stop:step
		return rest[0], axis, ""
	}
	return &yaml.Node{Kind: yaml.SequenceNode, Content: rest}, axis, ""
}

// published is the epsilons of the paper's Example 3.
const published = "0.2:4:0.2"

// listedOn lists the published epsilons on a range, and its ends.
func listedOn(a Axis) *yaml.Node {
	steps, _ := parseRange(published)
	values := []float64{a.Low, a.High}
	for _, v := range steps {
		if v > a.Low && v < a.High {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, v := range values {
		list.Content = append(list.Content, textNode(exactNumber(v)))
	}
	return list
}

// strayEpsilons finds listed epsilons outside the range.
func (c Config) strayEpsilons() []finding {
	a := c.Study.Axis
	i := slices.IndexFunc(c.Study.Epsilons, func(e float64) bool { return (e < a.Low || e > a.High) && !math.IsInf(e, 1) })
	if !a.Whole() || i < 0 {
		return nil
	}
	return []finding{{
		keys:    []string{epsilonsKey, axisKey},
		problem: fmt.Sprintf("epsilon %s is outside the range %s", strconv.FormatFloat(c.Study.Epsilons[i], 'g', -1, 64), a),
		allowed: "epsilons on the range",
		fix:     "widen the range, or leave it out (study.axis none)",
	}}
}
