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

// epsilonList is a value of study.epsilons, with the range that it names, which becomes study.axis.
type epsilonList struct {
	values []any
	axis   Axis
}

// epsilons accepts lists of epsilons in which one item may be a range. If there are no other numbers, the list is the
// published epsilons on the range and its ends.
var epsilons = domain{allowed: epsilonNumbers.allowed, parse: func(n *yaml.Node) (any, string) {
	items, problem := itemsOf(n)
	var e epsilonList
	var rest []*yaml.Node
	numbers := false
	for _, item := range items {
		if item.Kind != yaml.ScalarNode || !strings.Contains(item.Value, rangeMark) {
			rest = append(rest, item)
			numbers = numbers || item.Value != none
			continue
		}
		if e.axis.Whole() {
			return nil, "holds two ranges"
		}
		value, problem := axes.parse(item)
		if problem != "" {
			return nil, "the range " + shortened(item.Value) + ": " + problem
		}
		e.axis = value.(Axis)
	}
	if problem != "" {
		return nil, problem
	}
	if e.axis.Whole() && !numbers {
		rest = append(rest, listedOn(e.axis)...)
	}
	values, problem := epsilonNumbers.parse(&yaml.Node{Kind: yaml.SequenceNode, Content: rest})
	if problem != "" {
		return nil, problem
	}
	e.values = values.([]any)
	return e, ""
}}

var epsilonNumbers = distinct("different numbers as [0.2, 1, 4], 0.2,1,4 or start:stop:step, at most 10000, and with "+
	"them all from low to high as 0.2..4", epsilonOrNone, maxValues)

// published is the range of epsilons in the paper's Example 3.
const published = "0.2:4:0.2"

// listedOn lists the published epsilons on a range, and its ends.
func listedOn(a Axis) (list []*yaml.Node) {
	all, _ := ParseRange(published)
	values := []float64{a.Low, a.High}
	for _, v := range all {
		if v > a.Low && v < a.High {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	for _, v := range values {
		list = append(list, scalar(exactNumber(v)))
	}
	return list
}
