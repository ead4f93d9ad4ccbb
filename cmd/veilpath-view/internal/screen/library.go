package screen

import (
	"fmt"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/veilpath-view/internal/draw"
)

// Entry is a recorded run, study or tune that can be opened. Load fetches its files; it may take its time.
type Entry struct {
	Name    string
	Verb    string
	Problem string // why it cannot be opened; empty when it can
	Load    func() (recording.Files, error)
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
	go func() {
		files, err := e.Load()
		s.arrivals <- arrival{why, e, files, err}
	}()
}

// receive opens what has been loaded.
func (s *Screen) receive() {
	var a arrival
	select {
	case a = <-s.arrivals:
	default:
		return
	}
	if a.err == nil {
		a.err = s.Model.OpenRecord(a.entry.Name, recording.ManifestName, a.files)
	}
	switch {
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
	s.fitted = false
	s.Model.Clock.Playing = s.Model.Clock.Playing && !s.Still
}

// Offer puts recordings on offer and opens the first that can be; folder is the name of where they are.
// It says so when there is nothing to open.
func (s *Screen) Offer(folder string, entries []Entry) {
	s.Library = entries
	var sound []int
	for i, e := range entries {
		if e.Problem == "" {
			sound = append(sound, i)
		}
	}
	switch {
	case len(sound) > 0:
		s.openEntry(sound[0], asked{offered: sound[1:]})
	case len(entries) > 0:
		s.Model.Say(true, "%s: %s; shown is the preset paper", entries[0].Name, entries[0].Problem)
	default:
		s.Model.Say(true, "%s holds no recorded run, study or tune; shown is the preset paper", folder)
	}
}

// library lists the recordings that can be opened.
func (s *Screen) library(l *draw.List) { s.list(l, "Recordings", s.recordItems(), &s.ShowLibrary) }

func (s *Screen) recordItems() []item {
	items := make([]item, len(s.Library))
	for i, e := range s.Library {
		text := e.Name
		if e.Verb != "" {
			text += "  (" + e.Verb + ")"
		}
		items[i] = item{id: "library." + e.Name, text: text, problem: e.Problem, choose: func() { s.openEntry(i, asked{}) }}
	}
	return items
}

// sweepPoints lists the points of the sweep that is open.
func (s *Screen) sweepPoints(l *draw.List) {
	s.list(l, "Points of the sweep", s.pointItems(), &s.ShowPoints)
}

func (s *Screen) pointItems() []item {
	points, now := s.Model.Points(), s.Model.Point()
	items := make([]item, len(points))
	for i, p := range points {
		items[i] = item{id: fmt.Sprintf("point.%d", i), text: p.String(), on: i == now,
			choose: func() { s.Model.ShowPoint(i) }}
	}
	return items
}
