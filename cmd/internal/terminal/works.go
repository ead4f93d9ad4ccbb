package terminal

import (
	"fmt"
	"io"

	"veilpath/sim/campaign"
)

// Works shows how a campaign goes: its works one after the other, and its remarks, until it is ended.
type Works struct {
	To    io.Writer
	Quiet bool // shows nothing
	Plain bool // shows remarks alone, no bar

	bar         *Progress // nil before there is one
	work        campaign.Work
	done, total int
}

// Progress moves the display.
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
