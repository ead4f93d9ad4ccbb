package configs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// None is the text of an epsilon for the plan without noise; the number is +Inf.
const None = none

// EpsilonText writes an epsilon so that reading it as a setting gives the same value: a number, or none.
func EpsilonText(epsilon float64) string {
	if math.IsInf(epsilon, 1) {
		return none
	}
	return exactNumber(epsilon)
}

// Axis is a range of epsilon, both ends included; the zero value is no range.
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

// MarshalText writes the range as 0.2..4, or none.
func (a Axis) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the output of MarshalText.
func (a *Axis) UnmarshalText(text []byte) error {
	read, problem := axes.parse(scalar(string(text)))
	if problem != "" {
		return fmt.Errorf("range of epsilon %q: %s", text, problem)
	}
	*a = read.(Axis)
	return nil
}

const (
	none      = "none"
	rangeMark = ".."
)

// axes accepts ranges of epsilon, written low..high, and none.
var axes = domain{parse: parseAxis,
	allowed: "none, or low..high such as 0.2..4, low below high, each " + epsilonNumber.allowed}

func parseAxis(n *yaml.Node) (any, string) {
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
		value, problem := epsilonNumber.parse(scalar(end))
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

// The keys of a study's epsilons: a list, and the range that the list may contain.
const (
	epsilonsKey = "study.epsilons"
	axisKey     = "study.axis"
)

// splitEpsilons removes the range from a value of study.epsilons; axis is nil if there is none. If there are no
// other numbers, the list becomes the published epsilons on the range and its ends.
func splitEpsilons(n *yaml.Node) (list, axis *yaml.Node, problem string) {
	var items []*yaml.Node
	switch n.Kind {
	case yaml.SequenceNode:
		items = n.Content
	case yaml.ScalarNode:
		for item := range strings.SplitSeq(n.Value, ",") {
			items = append(items, scalar(item))
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
	value, problem := axes.parse(axis)
	if problem != "" {
		return nil, nil, "the range " + shortened(axis.Value) + ": " + problem
	}
	isNumber := func(item *yaml.Node) bool {
		return item.Kind != yaml.ScalarNode || strings.TrimSpace(item.Value) != none
	}
	switch {
	case !slices.ContainsFunc(rest, isNumber):
		list := listedOn(value.(Axis))
		list.Content = append(slices.Clone(rest), list.Content...)
		return list, axis, ""
	case len(rest) == 1: // may be start:stop:step
		return rest[0], axis, ""
	}
	return &yaml.Node{Kind: yaml.SequenceNode, Content: rest}, axis, ""
}

// published is the range of epsilons in the paper's Example 3.
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
