package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// Named is one value of an answer that has no table, with its name in JSON and CSV and its meaning.
type Named struct {
	Name    string
	Value   any    // float64, int, bool or string
	Meaning string // a sentence without a full stop; empty if the value needs no explanation
}

// List is an answer of single values.
type List []Named

// Add appends a value.
func (l *List) Add(name string, value any, meaning string) {
	*l = append(*l, Named{name, value, meaning})
}

// Get returns the value with a name, nil if there is none.
func (l List) Get(name string) any {
	for _, q := range l {
		if q.Name == name {
			return q.Value
		}
	}
	return nil
}

// Number returns the number with a name, NaN if there is none.
func (l List) Number(name string) float64 {
	if x, ok := l.Get(name).(float64); ok {
		return x
	}
	return math.NaN()
}

// Shown implements Printable: every value with its name and meaning.
func (l List) Shown(most int) (columns []Cells, left int) {
	shown := Plain{Headings: []string{"quantity", "value", "meaning"}, Lead: 2}
	for _, q := range l {
		value := fmt.Sprint(q.Value)
		if x, isNumber := q.Value.(float64); isNumber {
			value = fmt.Sprintf("%.6g", x)
			if math.IsNaN(x) {
				value = "none"
			}
		}
		shown.Rows = append(shown.Rows, []string{q.Name, value, q.Meaning})
	}
	return shown.Shown(most)
}

// Maybe is a number that JSON writes as null if it is NaN or infinite.
type Maybe float64

// MarshalJSON writes the number, or null if it is not finite.
func (m Maybe) MarshalJSON() ([]byte, error) {
	if !finite(float64(m)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(m))
}

// UnmarshalJSON reads the output of MarshalJSON; null becomes NaN.
func (m *Maybe) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*m = Maybe(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(m))
}

// WriteJSON writes an object with the values in their order. Numbers that are not finite are null.
func (l List) WriteJSON(w io.Writer) error {
	var text bytes.Buffer
	err := writeObject(&text, len(l), func(i int) (string, any) {
		if x, ok := l[i].Value.(float64); ok {
			return l[i].Name, Maybe(x)
		}
		return l[i].Name, l[i].Value
	})
	if err != nil {
		return err
	}
	return WriteJSON(w, json.RawMessage(text.Bytes()))
}

// writeObject writes an object of n members in their order.
func writeObject(to *bytes.Buffer, n int, member func(i int) (name string, value any)) error {
	to.WriteByte('{')
	for i := range n {
		name, value := member(i)
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		fmt.Fprintf(to, "%s%q:%s", strings.Repeat(",", min(i, 1)), name, text)
	}
	to.WriteByte('}')
	return nil
}

// WriteRecord writes CSV of two rows: the names and the values.
func (l List) WriteRecord(w io.Writer) error {
	var names, values []string
	for _, q := range l {
		names, values = append(names, q.Name), append(values, Text(q.Value))
	}
	return csv.NewWriter(w).WriteAll([][]string{names, values})
}

// WriteCSV writes one row per value: quantity, value and meaning.
func (l List) WriteCSV(w io.Writer) error {
	rows := [][]string{{"quantity", "value", "meaning"}}
	for _, q := range l {
		rows = append(rows, []string{q.Name, Text(q.Value), q.Meaning})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
