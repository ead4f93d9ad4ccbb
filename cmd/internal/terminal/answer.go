package terminal

import (
	"fmt"
	"io"
	"math"

	"veilpath/planner/quantity"
)

// valueText returns a value as people read it.
func valueText(value any) string {
	x, isNumber := value.(float64)
	switch {
	case !isNumber:
		return fmt.Sprint(value)
	case math.IsNaN(x):
		return "none"
	}
	return fmt.Sprintf("%.6g", x)
}

// writeQuantities prints names, values and meanings. Meanings are broken between words.
func writeQuantities(w io.Writer, answers quantity.List) error {
	names, values := 0, 0
	texts := make([]string, len(answers))
	for i, q := range answers {
		texts[i] = valueText(q.Value)
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
		for _, line := range wrappedTo(w, q.Meaning, names+values+4) {
			if _, err := fmt.Fprintf(w, "%-*s  %-*s  %s\n", names, name, values, value, line); err != nil {
				return err
			}
			name, value = "", ""
		}
	}
	return nil
}
