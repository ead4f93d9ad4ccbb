package terminal

import (
	"fmt"
	"io"

	"veilpath/sim/campaign"
)

// Works shows the progress of a campaign, one kind of work after the other, and its remarks.
type Works struct {
	To    io.Writer
	Quiet bool // show nothing
	Plain bool // show only remarks

	bar         *Progress // nil if no bar is shown
	work        campaign.Work
	done, total int
}

// Progress updates the display.
func (w *Works) Progress(work campaign.Work, done, total int) {
	if w.Quiet || w.Plain {
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

// Remark prints a line for the user.
func (w *Works) Remark(text string) {
	w.End()
	if !w.Quiet {
		fmt.Fprintln(w.To, text)
	}
}

// End removes the display.
func (w *Works) End() {
	if w.bar != nil {
		w.bar.End()
	}
	w.bar, w.done = nil, 0
}
