package configs

import (
	"fmt"
	"strings"
)

// Value reads a value of the key alone, written as in --set: a float64 for a number, an int64 for a whole
// number, and for anything else its text. Whatever way a value is written, it comes out the same. The error
// is an *[Error] that names the flag it came from.
func (f Field) Value(text, flag string) (any, error) {
	value, problem := f.domain.parse(textNode(text))
	if problem != "" {
		return nil, &Error{Key: f.Key, Value: shortened(text), Origin: "flag " + flag, Problem: problem,
			Allowed: f.Allowed(), Fix: "set it to an allowed value, such as the default " + f.Default}
	}
	return plain(value), nil
}

// plain turns what a domain reads into a number or a text.
func plain(value any) any {
	switch v := value.(type) {
	case int:
		return int64(v)
	case Heading:
		return v.value()
	case Belief:
		return v.value()
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = exactText(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return value
}

// exactText writes a number so that reading it gives the same one, and anything else as it is.
func exactText(value any) string {
	if f, ok := value.(float64); ok {
		return EpsilonText(f)
	}
	return fmt.Sprint(value)
}
