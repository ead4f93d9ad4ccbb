package terminal

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Answer is one number of an answer, with its name in JSON and CSV and what it means.
type Answer struct {
	Name    string
	Value   any    // float64, int, bool or string
	Meaning string // empty where the value speaks for itself, and at length
}

// WriteAnswers writes answers as a table, CSV or JSON.
func WriteAnswers(w io.Writer, format string, answers []Answer) error {
	switch format {
	case "json":
		return writeAnswersJSON(w, answers)
	case "csv":
		rows := [][]string{{"quantity", "value", "meaning"}}
		for _, q := range answers {
			rows = append(rows, []string{q.Name, fmt.Sprint(q.Value), q.Meaning})
		}
		return csv.NewWriter(w).WriteAll(rows)
	}
	return writeAnswersTable(w, answers)
}

// writeAnswersTable prints names, values and, broken between words, meanings.
func writeAnswersTable(w io.Writer, answers []Answer) error {
	names, values := 0, 0
	texts := make([]string, len(answers))
	for i, q := range answers {
		texts[i] = fmt.Sprint(q.Value)
		if v, ok := q.Value.(float64); ok {
			texts[i] = fmt.Sprintf("%.6g", v)
		}
		names = max(names, len(q.Name))
		if q.Meaning != "" {
			values = max(values, len(texts[i]))
		}
	}
	for i, q := range answers {
		if q.Meaning == "" {
			fmt.Fprintf(w, "%-*s  %s\n", names, q.Name, texts[i])
			continue
		}
		name, value := q.Name, texts[i]
		for _, line := range Wrapped(q.Meaning, Width-names-values-4) {
			if _, err := fmt.Fprintf(w, "%-*s  %-*s  %s\n", names, name, values, value, line); err != nil {
				return err
			}
			name, value = "", ""
		}
	}
	return nil
}

// writeAnswersJSON prints an object with the numbers in their order.
func writeAnswersJSON(w io.Writer, answers []Answer) error {
	var out bytes.Buffer
	for i, q := range answers {
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
