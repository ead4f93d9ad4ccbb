package campaign

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/external"
	"veilpath/internal/record"
	"veilpath/internal/setup"
	"veilpath/planner"
)

// Program is the program that a study is flown with, and its connection to the outside world.
type Program struct {
	Version string            // part of the identity of every study
	Disk    record.FileSystem // where studies are kept; nil for the machine's own
	Now     func() time.Time  // the clock; time.Now when nil
	Page    bool              // whether a page of the results is written beside them
	Dots    int               // per inch of the pictures; 0 for report.PNGResolution
	Events  Events            // hears how the work goes; nobody when nil

	// Parts that no setting names. What is kept says which they were, and only a program with them goes on with it.
	Mechanism     planner.Mechanism     // of all plans, and of those that observers know of; nil for that of the settings
	Observer      adversary.Model       // in place of that of the settings, unless its Name is empty
	GoalObservers []adversary.GoalModel // known to studies of leakage by their names, beside adversary.GoalModels

	// May says whether a command may be run, see configs.CommandOf, that the settings of a folder name; nil for none.
	// Those of a request are always run.
	May func(line string) bool

	mu       sync.Mutex
	commands external.Commands
	recorded map[string]string // the folders whose settings name a command, by its line

	settled settled
	parts   int // that the work is shared out in, one of which is done; 0 for none
}

// settled are the settings of the manifest that was read last, which who goes on with its work asks for again.
type settled struct {
	sync.Mutex
	folder, text string
	loaded       *configs.Loaded
}

// Events hears how the work goes. Its methods are called from one goroutine at a time.
type Events interface {
	// Progress says how many units of some work are done and how many it takes in all: of Flights, those of earlier
	// sessions included, of Points or of Runs. The total is an estimate where a precision ends the study, and negative
	// when it is unknown.
	Progress(work Work, done, total int)
	// Remark tells in one line what is worth knowing and no result.
	Remark(text string)
}

// ProgressFunc makes a function Events that hear of progress alone.
type ProgressFunc func(work Work, done, total int)

// Progress calls the function.
func (f ProgressFunc) Progress(work Work, done, total int) { f(work, done, total) }

// Remark does nothing.
func (f ProgressFunc) Remark(string) {}

// Work is what a campaign takes its time for.
type Work string

// The works of a campaign.
const (
	Points  Work = "points"  // of a sweep, whose experiments are built
	Flights Work = "flights" // planned, flown and observed
	Plans   Work = "plans"   // of what observers of the goal know, and of their flights
	Runs    Work = "runs"    // of a search, each on a range of epsilon
)

// disk is where studies are kept.
func (p *Program) disk() record.FileSystem {
	if p.Disk == nil {
		return record.Disk{}
	}
	return p.Disk
}

// builder builds what is flown.
func (p *Program) builder() *setup.Builder {
	return &setup.Builder{Mechanism: p.Mechanism, Observer: p.Observer, Commands: p.runs()}
}

// own names the parts that no setting names; it is empty without any.
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

// has refuses what was flown with parts that the program does not have.
func (p *Program) has(folder string, m record.Manifest) error {
	if m.Own == p.own() {
		return nil
	}
	return mistake("%s: it was made with %s, and this program has %s; go on with the program that made it", folder,
		cmp.Or(m.Own, "no parts of its own"), cmp.Or(p.own(), "no parts of its own"))
}

func (p *Program) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

func (p *Program) progress(work Work, done, total int) {
	if p.parts > 1 && total > 0 {
		total = max(done, (total+p.parts-1)/p.parts)
	}
	if p.Events != nil {
		p.Events.Progress(work, done, total)
	}
}

func (p *Program) remark(format string, args ...any) {
	if p.Events != nil {
		p.Events.Remark(fmt.Sprintf(format, args...))
	}
}
