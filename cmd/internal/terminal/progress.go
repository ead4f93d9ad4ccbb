package terminal

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"veilpath/sim/campaign"
)

// Progress shows the progress of a long job on a terminal. Otherwise it is silent.
type Progress struct{ bar *progressbar.ProgressBar }

// NewProgress starts a display of total units, -1 for an unknown number.
func NewProgress(w io.Writer, total int, what string) *Progress {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return &Progress{}
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = usual
	}
	return &Progress{bar: newBar(file, width, total, what)}
}

// newBar starts a bar on one line of a terminal, with count, speed and remaining time if there is room.
func newBar(w io.Writer, width, total int, what string) *progressbar.ProgressBar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionClearOnFinish(),
	}
	if width >= usual {
		return progressbar.NewOptions(total, append(options,
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(what),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionFullWidth(),
		)...)
	}
	const around = len(" 100% ||  ") + 1 // and the last column, after which some terminals begin a new line
	return progressbar.NewOptions(total, append(options,
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetWidth(max(1, width-around-len(what))),
	)...)
}

// Add advances the display by n units.
func (p *Progress) Add(n int) {
	if p.bar != nil {
		p.bar.Add(n)
	}
}

// total changes the number of units.
func (p *Progress) total(n int) {
	if p.bar != nil && p.bar.GetMax() != n {
		p.bar.ChangeMax(n)
	}
}

// End removes the display.
func (p *Progress) End() {
	if p.bar != nil {
		p.bar.Finish()
	}
}

// Works shows the progress of a campaign, one kind of work after the other, and its remarks.
type Works struct {
	To      io.Writer
	Quiet   bool     // show nothing
	Environ []string // see ShowsBars and Columns

	bar         *Progress // nil if no bar is shown
	work        campaign.Kind
	done, total int
	next        time.Time // of a line, if no bar can be shown
}

// lineEvery is the time between lines of progress where no bar can be shown, such as in a pipe.
const lineEvery = 10 * time.Second

// Progress updates the display.
func (w *Works) Progress(work campaign.Kind, done, total int) {
	if w.Quiet {
		return
	}
	if file, ok := w.To.(*os.File); !ok || !term.IsTerminal(int(file.Fd())) || !ShowsBars(w.Environ) {
		if now := time.Now(); w.next.IsZero() || now.After(w.next) {
			if !w.next.IsZero() {
				fmt.Fprintf(w.To, "%d of %d %s\n", done, max(done, total), work)
			}
			w.next = now.Add(lineEvery)
		}
		return
	}
	if w.bar == nil || work != w.work || done < w.done || (total < 0) != (w.total < 0) {
		w.End()
		w.bar = NewProgress(w.To, total, string(work))
	}
	w.bar.total(total)
	w.bar.Add(done - w.done)
	w.work, w.done, w.total = work, done, total
}

// Remark prints a text for the user.
func (w *Works) Remark(text string) {
	w.End()
	if !w.Quiet {
		WriteNote(w.To, w.Environ, text)
	}
}

// End removes the display.
func (w *Works) End() {
	if w.bar != nil {
		w.bar.End()
	}
	w.bar, w.done = nil, 0
}
