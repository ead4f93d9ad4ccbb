package screen

import (
	"fmt"
	"strings"

	"veilpath/cmd/internal/recording"
)

// Entry is a recorded run, study or tune that can be opened. Load fetches its files; it may take its time.
type Entry struct {
	Name    string
	Verb    string
	Problem string // why it cannot be opened; empty when it can
	Load    func() (recording.Files, error)
}

func (e Entry) name() string { return e.Name }

// said is what a list says of an entry.
func (e Entry) said() string {
	if e.Problem != "" {
		return e.Name + ": " + e.Problem
	}
	return strings.TrimSpace(e.Name + "  " + e.Verb)
}

// recordNames returns what lists what is said of the entries.
func (s *Screen) recordNames(said func(Entry) string) func() []string {
	return func() (all []string) {
		for _, e := range s.Library {
			all = append(all, said(e))
		}
		return all
	}
}

// arrival is what an entry's Load returned, and what it was asked for.
type arrival struct {
	asked
	entry Entry
	files recording.Files
	err   error
}

// asked says why an entry is opened.
type asked struct {
	link     string // to follow once it is open; empty for none
	offered  []int  // entries to go on to when it cannot be opened
	troubles string // of those before it
}

// openEntry begins to open an entry of the library; a later Advance shows it, or says what is wrong.
func (s *Screen) openEntry(i int, why asked) {
	e := s.Library[i]
	if e.Problem != "" {
		s.Model.Say(true, "%s: %s", e.Name, e.Problem)
		return
	}
	go func() {
		files, err := e.Load()
		s.arrived <- func() { s.open(arrival{why, e, files, err}) }
	}()
}

// open opens what has been loaded, or goes on to the next entry that is offered.
func (s *Screen) open(a arrival) {
	if a.err == nil {
		a.err = s.Model.OpenRecord(a.entry.Name, recording.ManifestName, a.files)
	}
	switch {
	case s.Model.Await(a.err, func() { a.err = nil; s.open(a) }):
	case a.err == nil:
		s.opened()
		if a.troubles != "" {
			s.Model.Say(true, "%s; shown is %s", a.troubles, a.entry.Name)
		}
		if a.link != "" {
			s.Follow(a.link)
		}
	case len(a.offered) > 0:
		if a.troubles == "" {
			a.troubles = fmt.Sprintf("%s: %v", a.entry.Name, a.err)
		}
		s.openEntry(a.offered[0], asked{offered: a.offered[1:], troubles: a.troubles})
	case a.troubles != "":
		s.Model.Say(true, "%s; shown is the preset paper", a.troubles)
	default:
		s.Model.Say(true, "%s: %v", a.entry.Name, a.err)
	}
}

// opened shows the whole of what was opened, which plays unless nothing is to move by itself.
func (s *Screen) opened() {
	if t := s.Model.Tuned(); t != nil {
		s.DemandKm = t.HiddenUntilKm
	}
	s.Model.Clock.Playing = s.Model.Clock.Playing && !s.Still
}

// Offer puts recordings on offer and opens the first that can be; folder is the name of where they are.
// It says so when there is nothing to open.
func (s *Screen) Offer(folder string, entries []Entry) { s.offer(folder, entries, "") }

// offer is Offer after something was refused, which it says.
func (s *Screen) offer(folder string, entries []Entry, refused string) {
	s.Library = entries
	var sound []int
	for i, e := range entries {
		if e.Problem == "" {
			sound = append(sound, i)
		}
	}
	switch {
	case len(sound) > 0:
		s.openEntry(sound[0], asked{offered: sound[1:], troubles: refused})
	case len(entries) > 0:
		s.Model.Say(true, "%s: %s; shown is the preset paper", entries[0].Name, entries[0].Problem)
	default:
		s.Model.Say(true, "%s holds no recorded run, study or tune; shown is the preset paper", folder)
	}
}
