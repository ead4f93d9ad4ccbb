// Package quantity holds answers that are single numbers, each told by its name and its meaning, and writes them for
// other programs.
package quantity

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// Named is a number, or what else an answer may be, with its name in JSON and CSV and what it means.
type Named struct {
	Name    string
	Value   any    // float64, int, bool or string
	Meaning string // a sentence without a full stop; empty where the value needs none
}

// List is an answer.
type List []Named

// Add adds a number at the end.
func (l *List) Add(name string, value any, meaning string) {
	*l = append(*l, Named{name, value, meaning})
}

// Get returns the value of a name, nil where there is none.
func (l List) Get(name string) any {
	for _, q := range l {
		if q.Name == name {
			return q.Value
		}
	}
	return nil
}

// Number returns the number of a name, NaN where there is none.
func (l List) Number(name string) float64 {
	if x, ok := l.Get(name).(float64); ok {
		return x
	}
	return math.NaN()
}

// Maybe is a number that JSON writes as null where there is none, or where it is infinite.
type Maybe float64

// MarshalJSON writes the number, or null when it is not finite.
func (m Maybe) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(m)) || math.IsInf(float64(m), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(m))
}

// UnmarshalJSON reads what MarshalJSON writes, null as NaN.
func (m *Maybe) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*m = Maybe(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(m))
}

// WriteJSON writes an object with the numbers in their order. Those that are not finite are null.
func (l List) WriteJSON(w io.Writer) error {
	var out bytes.Buffer
	for i, q := range l {
		value := q.Value
		if v, ok := value.(float64); ok {
			value = Maybe(v)
		}
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s\n  %q: %s", strings.Repeat(",", min(i, 1)), q.Name, text)
	}
	_, err := fmt.Fprintf(w, "{%s\n}\n", out.String())
	return err
}

// text writes a value for CSV: nothing for a number that is none.
func text(value any) string {
	if x, ok := value.(float64); ok && math.IsNaN(x) {
		return ""
	}
	return fmt.Sprint(value)
}

// WriteRecord writes CSV of two rows: the names and the values.
func (l List) WriteRecord(w io.Writer) error {
	var names, values []string
	for _, q := range l {
		names, values = append(names, q.Name), append(values, text(q.Value))
	}
	return csv.NewWriter(w).WriteAll([][]string{names, values})
}

// WriteCSV writes a row a number: quantity, value and meaning.
func (l List) WriteCSV(w io.Writer) error {
	rows := [][]string{{"quantity", "value", "meaning"}}
	for _, q := range l {
		rows = append(rows, []string{q.Name, text(q.Value), q.Meaning})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
