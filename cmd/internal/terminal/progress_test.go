package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Into a pipe, long work prints a line from time to time, and short work none.
func TestProgressIntoAPipe(t *testing.T) {
	var printed bytes.Buffer
	p := &Progress{To: &printed}
	report := func(done, total int) {
		t.Helper()
		p.next = time.Now().Add(-time.Second)
		p.Progress("flights", done, total)
	}
	p.Progress("flights", 1, 9)
	p.Progress("flights", 2, 9)
	report(3, 9)
	p.Progress("flights", 4, 9)
	report(5, -1)
	if got := printed.String(); got != "3 of 9 flights, 0s left\n5 flights\n" {
		t.Errorf("%q", got)
	}
	p.Quiet = true
	report(6, 9)
	if strings.Contains(printed.String(), "6") {
		t.Error("a quiet program shows progress")
	}
}

// The rest takes as long as the work since the first report suggests, whatever was done before.
func TestTimeLeft(t *testing.T) {
	begun := time.Now()
	p := &Progress{work: "flights", begun: begun, first: 100}
	if got, want := p.line(110, 140, begun.Add(5*time.Second)), "110 of 140 flights, 15s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for want, columns := range map[string]int{"110 of 140": 11, "110": 4, "110 of 140 flights": 0} {
		if got := fitted("110 of 140 flights", columns); got != want {
			t.Errorf("in %d columns: %q, want %q", columns, got, want)
		}
	}
}
