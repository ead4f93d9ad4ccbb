package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"

	"veilpath/sim/campaign"
)

// Progress shows how far long work is, one kind of work after the other, and remarks. On a terminal it replaces one
// line; elsewhere, such as in a pipe, it prints a line from time to time. Its methods may be called from several
// goroutines.
type Progress struct {
	To      io.Writer
	Environ []string // see replacesLines and Columns
	Quiet   bool     // show nothing

	mutex sync.Mutex
	work  campaign.Kind
	begun time.Time // when this kind of work was first reported
	first int       // units that were done by then
	next  time.Time // when the next line is due
	shown bool      // a line stands on the terminal
}

// The time between two lines, and before the first.
const (
	everyOnTerminal = 200 * time.Millisecond
	everyElsewhere  = 10 * time.Second
)

// Progress reports the finished and total units of some work; total is -1 if it is unknown.
func (p *Progress) Progress(work campaign.Kind, done, total int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.Quiet {
		return
	}
	now := time.Now()
	if work != p.work || done < p.first {
		p.work, p.begun, p.first = work, now, done
	}
	every, replaced := everyElsewhere, Interactive(p.To) && replacesLines(p.Environ)
	if replaced {
		every = everyOnTerminal
	}
	if p.next.IsZero() {
		p.next = now.Add(every)
	}
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(every)
	line := p.line(done, total, now)
	if replaced {
		p.shown = true
		fmt.Fprint(p.To, clearLine, fitted(line, Columns(p.To, p.Environ)))
		return
	}
	fmt.Fprintln(p.To, line)
}

// clearLine moves the cursor of a terminal to the start of its line and clears that.
const clearLine = "\r\x1b[K"

// line says how much is done and, if that is known, how long the rest takes at the same pace.
func (p *Progress) line(done, total int, now time.Time) string {
	if total < done {
		return fmt.Sprintf("%d %s", done, p.work)
	}
	line := fmt.Sprintf("%d of %d %s", done, total, p.work)
	if n := done - p.first; n > 0 {
		left := now.Sub(p.begun).Seconds() / float64(n) * float64(total-done)
		line += fmt.Sprintf(", %v left", time.Duration(left*float64(time.Second)).Round(time.Second))
	}
	return line
}

// fitted shortens a line for a terminal so that it does not fill it: some terminals then begin a new line.
func fitted(line string, columns int) string {
	if columns > 0 && len(line) >= columns {
		return line[:columns-1]
	}
	return line
}

// Remark prints a text for the user.
func (p *Progress) Remark(text string) {
	p.End()
	if !p.Quiet {
		WriteNote(p.To, p.Environ, text)
	}
}

// End removes the line from the terminal.
func (p *Progress) End() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		fmt.Fprint(p.To, clearLine)
	}
	p.shown = false
}
