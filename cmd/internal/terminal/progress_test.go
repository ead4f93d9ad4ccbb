package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// On a narrow terminal the bar stays on one line.
func TestProgressStaysOnOneLine(t *testing.T) {
	for _, width := range []int{20, 40, 60, 79} {
		for _, total := range []int{10, 4_000_000, -1} {
			var shown bytes.Buffer
			bar := newBar(&shown, width, total, "flights")
			for range 10 {
				if err := bar.Add(max(1, total/10)); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Millisecond)
			}
			if err := bar.RenderBlank(); err != nil {
				t.Fatal(err)
			}
			for line := range strings.FieldsFuncSeq(shown.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
				if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\x1b[K", "")); n >= width &&
					strings.TrimSpace(line) != "" {
					t.Errorf("%d columns, %d flights: %d characters: %q", width, total, n, line)
				}
			}
			if !strings.Contains(shown.String(), "flights") {
				t.Errorf("%d columns: nothing is shown: %q", width, shown.String())
			}
		}
	}
}

// Into a pipe, long work prints a line from time to time, and short work none.
func TestProgressIntoAPipe(t *testing.T) {
	var printed bytes.Buffer
	w := &Works{To: &printed}
	w.Progress("flights", 1, 9)
	w.Progress("flights", 2, 9)
	w.next = time.Now().Add(-time.Second)
	w.Progress("flights", 3, 9)
	w.Progress("flights", 4, 9)
	if got := printed.String(); got != "3 of 9 flights\n" {
		t.Errorf("%q", got)
	}
}
