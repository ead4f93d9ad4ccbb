package terminal

import (
	"fmt"
	"io"
	"math"

	"veilpath/internal/table"
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

// writeQuantities prints names, values and meanings. Meanings are broken between words. In narrow lines they stand
// below the values.
func writeQuantities(w io.Writer, answers table.List) error {
	names, values := 0, 0
	texts := make([]string, len(answers))
	for i, q := range answers {
		texts[i] = valueText(q.Value)
		names = max(names, len(q.Name))
		if q.Meaning != "" {
			values = max(values, len(texts[i]))
		}
	}
	const indent, least = 4, 16 // of meanings below the values, and the smallest width of meanings beside them
	beside, columns := names+values+2*len(Gap), columnsOf(w)
	below := columns > 0 && columns < beside+least
	if below {
		beside = indent
	}
	for i, q := range answers {
		line := fmt.Sprintf("%-*s%s%s", names, q.Name, Gap, texts[i])
		if below || q.Meaning == "" {
			fmt.Fprintln(w, line)
			line = ""
		}
		if q.Meaning == "" {
			continue
		}
		for _, meaning := range wrappedTo(w, q.Meaning, beside) {
			if _, err := fmt.Fprintf(w, "%-*s%s\n", beside, line, meaning); err != nil {
				return err
			}
			line = ""
		}
	}
	return nil
}
