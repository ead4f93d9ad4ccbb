package terminal

import (
	"strconv"
	"strings"
	"unicode"
)

// Escaped returns a text in which control characters other than line breaks are escaped, so that names of files,
// problems and commands cannot move the cursor or change the order of what is read.
func Escaped(text string) string {
	isControl := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r)
	}
	if !strings.ContainsFunc(text, isControl) {
		return text
	}
	var escaped strings.Builder
	for _, r := range text {
		if !isControl(r) {
			escaped.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		escaped.WriteString(quoted[1 : len(quoted)-1])
	}
	return escaped.String()
}

// longestLine bounds a line of an error, characters.
const longestLine = 500

// shortened leaves the middle out of a line that is longer than longestLine: what is wrong stands at its beginning,
// and what to do at its end.
func shortened(line string) string {
	const gap = " ... "
	runes := []rune(line)
	if len(runes) <= longestLine {
		return line
	}
	half := (longestLine - len(gap)) / 2
	return string(runes[:half]) + gap + string(runes[len(runes)-half:])
}

// ErrorLines returns the lines of an error as people read them, each with the name of the program, escaped and not too
// long.
func ErrorLines(program string, err error) (lines []string) {
	for line := range strings.Lines(formatError(err)) {
		lines = append(lines, shortened(program+": "+Escaped(strings.TrimSuffix(line, "\n"))))
	}
	return lines
}
