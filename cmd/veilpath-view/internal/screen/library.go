package screen

import (
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

// openEntry begins to open an entry of the library; a later Advance shows it and goes on to what is then to be done, or
// says what is wrong.
func (s *Screen) openEntry(i int, then func()) {
	e := s.Library[i]
	if e.Problem != "" {
		s.Model.Say(true, "%s: %s", e.Name, e.Problem)
		return
	}
	go func() {
		files, err := e.Load()
		s.arrived <- func() { s.open(e, files, err, then) }
	}()
}

// open opens what has been loaded.
func (s *Screen) open(e Entry, files recording.Files, err error, then func()) {
	if err == nil {
		err = s.Model.OpenRecord(e.Name, recording.ManifestName, files)
	}
	switch {
	case s.Model.Await(err, func() { s.open(e, files, nil, then) }):
	case err != nil:
		s.Model.Say(true, "%s: %v", e.Name, err)
	default:
		s.opened()
		then()
	}
}

// opened shows the whole of what was opened, which plays unless nothing is to move by itself.
func (s *Screen) opened() {
	if t := s.Model.Tuned(); t != nil {
		s.DemandKm = t.HiddenUntilKm
	}
	s.Model.Clock.Playing = s.Model.Clock.Playing && !s.Still
}

// Offer puts recordings on offer and opens the first, those that can be opened being first; folder is the name of where
// they are. It says so when there is nothing to open.
func (s *Screen) Offer(folder string, entries []Entry) {
	s.Library = entries
	if len(entries) == 0 {
		s.Model.Say(true, "%s holds no recorded run, study or tune; shown is the preset paper", folder)
		return
	}
	s.openEntry(0, func() {})
}
