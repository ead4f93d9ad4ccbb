package campaign

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"veilpath/adversary"
	"veilpath/internal/exec"
	"veilpath/internal/record"
	"veilpath/internal/setup"
	"veilpath/planner"
)

// Program is the program that runs studies, with its version and clock.
type Program struct {
	Version string           // part of the identity of every study
	Now     func() time.Time // clock; nil for time.Now
	Page    bool             // also write a page of results
	Dots    int              // dots per inch of PNG figures; 0 for figure.PNGResolution
	Events  Events           // receives progress and remarks; may be nil

	// A mechanism and observers that no setting names. Manifests record them, and only a program with the same ones
	// resumes the work.
	Mechanism     planner.Mechanism     // of all plans, also those that observers sample; nil for that of the settings
	Observer      adversary.Model       // replaces the observer of the settings unless its Name is empty
	GoalObservers []adversary.GoalModel // observers of the goal besides adversary.GoalModels

	// May reports whether a command that settings name may be run, see configs.CommandOf. If it is nil, none may be run.
	May func(line string) bool

	mu         sync.Mutex
	commands   exec.Commands
	introduced map[*exec.Command]bool // commands that remarks have introduced

	last  lastProgress
	parts int // number of parts of the work, of which one is done; 0 for undivided work
}

// lastProgress is the progress that was reported last.
type lastProgress struct {
	work        Kind
	done, total int
}

// Events receives progress and remarks. Its methods are called from one goroutine at a time.
type Events interface {
	// Progress reports the finished and total units of some work. Flights include those of earlier sessions. The
	// total is an estimate if the study ends at a half-width, and negative if it is unknown.
	Progress(work Kind, done, total int)
	// Remark reports a line that is not a result.
	Remark(text string)
}

// ProgressFunc is a function as Events without remarks.
type ProgressFunc func(work Kind, done, total int)

// Progress calls the function.
func (f ProgressFunc) Progress(work Kind, done, total int) { f(work, done, total) }

// Remark does nothing.
func (f ProgressFunc) Remark(string) {}

// Kind is a kind of work, whose units Progress counts.
type Kind string

// The kinds of work of a campaign.
const (
	Points  Kind = "points"  // points of a sweep, built
	Flights Kind = "flights" // planned, flown and observed
	Plans   Kind = "plans"   // private policies for observers of the goal, and flights
	Runs    Kind = "runs"    // runs of a search, each on a range of epsilon
)

// Builder returns a builder of experiments.
func (p *Program) Builder() *setup.Builder {
	return &setup.Builder{Mechanism: p.Mechanism, Observer: p.Observer, Commands: p.ExternalCommands()}
}

// own names the mechanism and observers that no setting names. It is empty without any.
func (p *Program) own() string {
	var parts []string
	if p.Mechanism != nil {
		parts = append(parts, "mechanism "+p.Mechanism.Name())
	}
	if p.Observer.Name != "" {
		parts = append(parts, "observer "+p.Observer.Name)
	}
	for _, m := range p.GoalObservers {
		parts = append(parts, "observer of the goal "+m.Name)
	}
	return strings.Join(parts, ", ")
}

// checkOwn returns an error if a folder was written with a mechanism or observer that the program does not have.
func (p *Program) checkOwn(folder string, m record.Manifest) error {
	if m.Own == p.own() {
		return nil
	}
	return RequestErrorf("%s was written by a program with %s, and this program has %s; use the program that wrote it",
		folder, cmp.Or(m.Own, "no additions"), cmp.Or(p.own(), "no additions"))
}

// Time returns the time of the clock.
func (p *Program) Time() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// Progress reports the finished and total units of some work, see [Events]. Of a part it reports the total of the part.
func (p *Program) Progress(work Kind, done, total int) {
	if p.parts > 1 && total > 0 {
		total = max(done, (total+p.parts-1)/p.parts)
	}
	p.last = lastProgress{work, done, total}
	if p.Events != nil {
		p.Events.Progress(work, done, total)
	}
}

// Counter returns a function that counts finished units of some work and reports progress. The total is an estimate, or
// negative if it is unknown.
func (p *Program) Counter(work Kind, total int) func(n int) {
	done := 0
	return func(n int) {
		done += n
		if total >= 0 {
			total = max(done, total)
		}
		p.Progress(work, done, total)
	}
}

// Remarkf reports a line that is not a result, see [Events].
func (p *Program) Remarkf(format string, args ...any) {
	if p.Events != nil {
		p.Events.Remark(fmt.Sprintf(format, args...))
	}
}
