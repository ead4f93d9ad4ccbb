package terminal

import (
	"strings"
	"unicode/utf8"
)

// Wrapped breaks a text between words into lines of at most width characters. A longer word is a line alone.
func Wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
