package configs

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Value reads a value of one key, written as in --set: a float64 for a number, an int64 for a whole number, and
// otherwise its text. Different notations of one value give the same result. The error is an *[Error] whose
// origin is the named flag.
func (f Field) Value(text, flag string) (any, error) {
	value, problem := f.parse(textNode(text))
	if problem != "" {
		return nil, f.unfit(&Error{Key: f.Key, Value: shortened(text), Origin: flagMark + flag}, problem)
	}
	switch v := value.(type) {
	case float64:
		return v, nil
	case int:
		return int64(v), nil
	case epsilonList:
		value = v.values
	}
	value = plainValue(value)
	if items, ok := value.([]any); ok {
		return valueText(items), nil
	}
	return value, nil
}

// otherUnit matches a number and the unit after it.
var otherUnit = regexp.MustCompile(`^[-+]?[0-9][0-9.]* *[a-zA-Z]+$`)

// unfit completes the error of a value that the key does not accept.
func (f Field) unfit(at *Error, problem string) *Error {
	fix := "set it to an allowed value"
	if byDefault := described()[slices.Index(keys, f.Key)].Default; byDefault != "[]" && byDefault != none {
		fix += ", such as " + byDefault
	}
	fix = Suggest(NearestOf(at.Value, f.domain.words), fix)
	if f.Unit != "" && f.Unit != "1" && otherUnit.MatchString(at.Value) {
		problem += ", with or without " + f.Unit
	}
	return at.because(problem, f.Allowed(), fix)
}

// parse reads a value of the key; its numbers may be followed by the unit of the key.
func (f Field) parse(n *yaml.Node) (any, string) {
	if f.Unit != "" && f.Unit != "1" {
		n = withoutUnit(n, f.Unit)
	}
	return f.domain.parse(n)
}

// withoutUnit returns a value without the units after its numbers.
func withoutUnit(n *yaml.Node, unit string) *yaml.Node {
	bare := *n
	switch n.Kind {
	case yaml.ScalarNode:
		number, found := strings.CutSuffix(n.Value, unit)
		if number = strings.TrimSpace(number); found {
			if _, problem := parseNumber(number); problem == "" {
				bare.Value = number
			}
		}
	case yaml.SequenceNode:
		bare.Content = nil
		for _, item := range n.Content {
			bare.Content = append(bare.Content, withoutUnit(item, unit))
		}
	}
	return &bare
}
