package terminal

import (
	"strings"
	"unicode/utf8"
)

// Wrapped breaks a text between words into lines of at most width characters. A longer word is a line alone.
func Wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range textWords(text) {
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

// textWords returns the words of a text. A percent sign, and the dots between the ends of an interval, stay with the
// number before them.
func textWords(text string) (words []string) {
	for word := range strings.FieldsSeq(text) {
		if n := len(words); n > 0 && (word[0] == '%' || word == "..") {
			words[n-1] += " " + word
		} else {
			words = append(words, word)
		}
	}
	return words
}
