package terminal

import (
	"fmt"
	"io"
	"math"

	"veilpath/planner/quantity"
)

// writeQuantities prints names, values and meanings. Meanings are broken between words.
func writeQuantities(w io.Writer, answers quantity.List) error {
	names, values := 0, 0
	texts := make([]string, len(answers))
	for i, q := range answers {
		texts[i] = fmt.Sprint(q.Value)
		if v, ok := q.Value.(float64); ok {
			texts[i] = fmt.Sprintf("%.6g", v)
			if math.IsNaN(v) {
				texts[i] = "none"
			}
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
		for _, line := range wrappedTo(w, q.Meaning, names+values+4) {
			if _, err := fmt.Fprintf(w, "%-*s  %-*s  %s\n", names, name, values, value, line); err != nil {
				return err
			}
			name, value = "", ""
		}
	}
	return nil
}
