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

// Texts returns the values as text.
func (s Swept) Texts() (texts []string) {
	for _, v := range s.Values {
		texts = append(texts, table.Text(v))
	}
	return texts
}

// PointNames returns every key and its value at a point, with is between them.
func PointNames(sweep []Swept, point int, is string) (names []string) {
	for i, v := range PointValues(sweep, point) {
		names = append(names, sweep[i].Key+is+table.Text(v))
	}
	return names
}

// Sweep holds what varies over a study: settings, and the observers of each point's flights. The zero value varies
// nothing. In JSON the observers are the last key.
type Sweep struct {
	Settings  []Swept
	Observers []string // two or more observers of the same flights; none for the observer of the settings
}

// observerKey is the setting of the observer.
const observerKey = "adversary.observer"

// NewSweep returns the sweep of some keys. One key may be the observer; with a single value it becomes the last
// setting.
func NewSweep(keys []Swept) (s Sweep) {
	var single []Swept
	for _, k := range keys {
		switch {
		case k.Key != observerKey:
			s.Settings = append(s.Settings, k)
		case len(k.Values) < 2:
			single = append(single, k)
		default:
			s.Observers = append(s.Observers, k.Texts()...)
		}
	}
	s.Settings = append(s.Settings, single...)
	return s
}

// Keys returns the settings, and the observers as the last key if there are several.
func (s Sweep) Keys() []Swept {
	if len(s.Observers) == 0 {
		return s.Settings
	}
	var names []any
	for _, name := range s.Observers {
		names = append(names, name)
	}
	return append(slices.Clone(s.Settings), Swept{Key: observerKey, Values: names})
}

// Watching returns the number of observers.
func (s Sweep) Watching() int { return max(1, len(s.Observers)) }

// FlightsText returns a number of records as the flights that they are of, which all observers of the sweep watch.
func (s Sweep) FlightsText(records int) string {
	flights := table.Count(records/s.Watching(), "flight")
	if watching := s.Watching(); watching > 1 {
		return fmt.Sprintf("%s, each watched by %d observers", flights, watching)
	}
	return flights
}

// IsZero reports whether nothing varies.
func (s Sweep) IsZero() bool { return len(s.Settings) == 0 && len(s.Observers) == 0 }

// MarshalJSON writes the keys.
func (s Sweep) MarshalJSON() ([]byte, error) { return json.Marshal(s.Keys()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Sweep) UnmarshalJSON(b []byte) error {
	var keys []Swept
	err := json.Unmarshal(b, &keys)
	*s = NewSweep(keys)
	return err
}

// PointValues returns the value of every key at a point: the last key varies fastest.
func PointValues(sweep []Swept, point int) []any {
	values := make([]any, len(sweep))
	for i := len(sweep) - 1; i >= 0; i-- {
		n := len(sweep[i].Values)
		values[i] = sweep[i].Values[point%n]
		point /= n
	}
	return values
}

// SweptColumns returns the columns of swept settings, for rows that have a point.
func SweptColumns[T any](sweep []Swept, point func(*T) int) (columns []table.Column[T]) {
	faster := 1 // number of successive points with the same value; the last key varies fastest
	for _, s := range slices.Backward(sweep) {
		every := faster
		faster *= len(s.Values)
		at := func(row *T) any { return s.Values[point(row)/every%len(s.Values)] }
		c := table.Column[T]{Name: s.Key, Unit: s.Unit, Meaning: "swept setting", Repeats: true, Heading: s.Key, Lead: true}
		switch s.Values[0].(type) {
		case float64:
			c.Value = func(row *T) float64 { return at(row).(float64) }
		case int64:
			c.Value, c.Whole = func(row *T) float64 { return float64(at(row).(int64)) }, true
		default:
			c.Text = func(row *T) string { return at(row).(string) }
		}
		columns = append(columns, c)
	}
	slices.Reverse(columns)
	return columns
}

// swept is the JSON of Swept.
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
