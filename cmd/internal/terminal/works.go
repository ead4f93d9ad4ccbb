package terminal

import (
	"io"

	"veilpath/sim/campaign"
)

// Works shows the progress of a campaign, one kind of work after the other, and its remarks.
type Works struct {
	To      io.Writer
	Quiet   bool     // show nothing
	Environ []string // see ShowsBars and Columns

	bar         *Progress // nil if no bar is shown
	work        campaign.Kind
	done, total int
}

// Progress updates the display.
func (w *Works) Progress(work campaign.Kind, done, total int) {
	if w.Quiet || !ShowsBars(w.Environ) {
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
