package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a long job is, on a terminal; elsewhere it is silent.
type progress struct{ bar *progressbar.ProgressBar }

// newProgress starts a display of total units.
func (a *app) newProgress(total int, what string) *progress {
	file, ok := a.stderr.(*os.File)
	if !ok || a.quiet || !term.IsTerminal(int(file.Fd())) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions(total,
		progressbar.OptionSetWriter(file),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString(what),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(),
	)}
}

// add advances the display by n units.
func (p *progress) add(n int) {
	if p.bar != nil {
		p.bar.Add(n)
	}
}

// total changes how many units there are.
func (p *progress) total(n int) {
	if p.bar != nil && p.bar.GetMax() != n {
		p.bar.ChangeMax(n)
	}
}

// end removes the display.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
