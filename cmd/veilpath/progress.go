package main

import (
	"io"
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
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = wideTerminal
	}
	return &progress{bar: newBar(file, width, total, what)}
}

// wideTerminal has room for all that a bar can say, in characters.
const wideTerminal = 80

// newBar starts a bar on one line of a terminal: with count, speed and remaining time where there is room.
func newBar(w io.Writer, width, total int, what string) *progressbar.ProgressBar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionClearOnFinish(),
	}
	if width >= wideTerminal {
		return progressbar.NewOptions(total, append(options,
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(what),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionFullWidth(),
		)...)
	}
	const around = len(" 100% ||  ") + 1 // and the last column, where some terminals go on to the next line
	return progressbar.NewOptions(total, append(options,
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetWidth(max(1, width-around-len(what))),
	)...)
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
