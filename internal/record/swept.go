package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"veilpath/internal/table"
)

// Swept is a configuration key that varies over the points of a study.
type Swept struct {
	Key    string `json:"key"`
	Unit   string `json:"unit,omitempty"`
	Values []any  `json:"values"` // float64, int64 or string, one type; the text of a list
}

// observerKey is the setting of who watches.
const observerKey = "adversary.observer"

// Watched returns who watches the flights of a sweep whose last key is the observer, and the keys before it; nobody
// where it is another. Such points differ in the observer alone, and runs.parquet has one row for all of them.
func Watched(sweep []Swept) (observers []string, settings []Swept) {
	last := len(sweep) - 1
	if last < 0 || sweep[last].Key != observerKey || len(sweep[last].Values) < 2 {
		return nil, sweep
	}
	for _, v := range sweep[last].Values {
		observers = append(observers, table.Text(v))
	}
	return observers, sweep[:last]
}

// ObserversLast returns a sweep with the observer as its last key, if it is one of them.
func ObserversLast(sweep []Swept) []Swept {
	at := slices.IndexFunc(sweep, func(s Swept) bool { return s.Key == observerKey })
	if at < 0 {
		return sweep
	}
	return append(slices.Delete(slices.Clone(sweep), at, at+1), sweep[at])
}

// PointValues returns the value of every swept key at a point: the last key varies fastest.
func PointValues(sweep []Swept, point int) []any {
	values := make([]any, len(sweep))
	for i := len(sweep) - 1; i >= 0; i-- {
		n := len(sweep[i].Values)
		values[i] = sweep[i].Values[point%n]
		point /= n
	}
	return values
}

// swept is Swept with values that are still text.
type swept struct {
	Key    string            `json:"key"`
	Type   string            `json:"type"`
	Unit   string            `json:"unit,omitempty"`
	Values []json.RawMessage `json:"values"`
}

// MarshalJSON writes the values with their type, so that 1 stays a whole number.
func (s Swept) MarshalJSON() ([]byte, error) {
	out := swept{Key: s.Key, Unit: s.Unit, Values: make([]json.RawMessage, len(s.Values))}
	for i, v := range s.Values {
		switch v.(type) {
		case float64:
			out.Type = "number"
		case int64:
			out.Type = "whole number"
		default:
			out.Type = "text"
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		out.Values[i] = text
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Swept) UnmarshalJSON(b []byte) error {
	var in swept
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*s = Swept{Key: in.Key, Unit: in.Unit, Values: make([]any, len(in.Values))}
	for i, raw := range in.Values {
		var err error
		switch in.Type {
		case "number":
			s.Values[i], err = decode[float64](raw)
		case "whole number":
			s.Values[i], err = decode[int64](raw)
		default:
			s.Values[i], err = decode[string](raw)
		}
		if err != nil {
			return fmt.Errorf("value %d of the sweep of %s: %w", i+1, in.Key, err)
		}
	}
	return nil
}

func decode[T any](raw json.RawMessage) (v T, err error) {
	err = json.Unmarshal(raw, &v)
	return v, err
}
