package screen

import (
	"math"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Entry is a recorded run, study or tune that can be opened. Load fetches its files; it may take its time.
type Entry struct {
	Name    string
	Verb    string
	Problem string // why it cannot be opened; empty when it can
	Load    func() (recording.Files, error)
}

// arrival is what an entry's Load returned.
type arrival struct {
	name  string
	files recording.Files
	err   error
}

// OpenEntry begins to open an entry of the library; a later Step shows it, or says what is wrong.
func (s *Screen) OpenEntry(i int) {
	e := s.Library[i]
	go func() {
		files, err := e.Load()
		s.arrivals <- arrival{e.Name, files, err}
	}()
}

// receive opens what has been loaded.
func (s *Screen) receive() {
	select {
	case a := <-s.arrivals:
		if a.err == nil {
			a.err = s.Model.OpenRecord(a.name, recording.ManifestName, a.files)
		}
		if a.err != nil {
			s.Model.Say(true, "%s: %v", a.name, a.err)
			return
		}
		s.fitted = false
	default:
	}
}

// Offer puts recordings on offer and opens the first that can be; folder is the name of where they are.
// It says so when there is nothing to open.
func (s *Screen) Offer(folder string, entries []Entry) {
	s.Library = entries
	for i, e := range entries {
		if e.Problem == "" {
			s.OpenEntry(i)
			return
		}
	}
	if len(entries) > 0 {
		s.Model.Say(true, "%s: %s; shown is the preset paper", entries[0].Name, entries[0].Problem)
	} else {
		s.Model.Say(true, "%s holds no recorded run, study or tune; shown is the preset paper", folder)
	}
}

// The list of recordings, points.
const (
	libraryWidth = 460
	libraryTitle = 38
)

// library draws the list of what can be opened, over everything else. It scrolls by the wheel, by dragging
// and by the arrow keys.
func (s *Screen) library(l *draw.List) {
	t, w := s.theme(), s.layout.Window
	l.Rect(w, ui.Faded(t.Background, 0.6))
	row := s.touchable(30)
	whole := row * float64(len(s.Library))
	box := draw.Rect{W: math.Min(libraryWidth, w.W-2*gap), H: math.Min(whole+libraryTitle+2*pad, w.H-2*gap-44)}
	box.X, box.Y = w.Center().X-box.W/2, math.Min(60, (w.H-box.H)/2)
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	title, view := box.Inset(pad).CutTop(libraryTitle - pad)
	l.TextIn(t.Title, title, draw.Left, t.Ink, "Recordings")
	s.scrollLibrary(view, whole, row)
	l.Clip(view)
	for i, e := range s.Library {
		r := draw.Rect{X: view.X, Y: view.Y + row*float64(i) - s.libraryAt, W: view.W - 10, H: row - 4}
		if r.Bottom() <= view.Y || r.Y >= view.Bottom() {
			continue
		}
		s.libraryEntry(l, i, e, r, view)
	}
	l.Unclip()
	if whole > view.H {
		share := view.H / whole
		bar := draw.Rect{X: view.Right() - 5, Y: view.Y + s.libraryAt*share, W: 4, H: view.H * share}
		l.RoundRect(bar, 2, t.Muted)
	}
	over, _, clicked := s.UI.Area("library", w)
	if over && clicked && !box.Contains(s.UI.Input.Pointer) {
		s.ShowLibrary = false
	}
}

// libraryEntry draws an entry of the list, and opens it when it is clicked.
func (s *Screen) libraryEntry(l *draw.List, i int, e Entry, r, view draw.Rect) {
	t := s.theme()
	seen := r.Within(view)
	name := e.Name
	if e.Verb != "" {
		name += "  (" + e.Verb + ")"
	}
	if e.Problem != "" {
		over, _, _ := s.UI.Area("library."+e.Name, seen)
		s.UI.Hint(over, seen, e.Problem)
		l.TextIn(t.Body, r.Trim(pad, 0, pad, 0), draw.Left, t.Muted, name+": "+e.Problem)
		return
	}
	if s.UI.ClippedButton("library."+e.Name, r, seen, name) {
		s.OpenEntry(i)
		s.ShowLibrary = false
	}
}

// scrollLibrary moves the list under the view, no farther than its ends.
func (s *Screen) scrollLibrary(view draw.Rect, whole, row float64) {
	in := s.UI.Input
	if view.Contains(in.Pointer) {
		s.libraryAt -= in.Wheel * 2 * row
	}
	for _, k := range in.Keys {
		switch k {
		case ui.ArrowDown:
			s.libraryAt += row
		case ui.ArrowUp:
			s.libraryAt -= row
		case ui.End:
			s.libraryAt = whole
		case ui.Home:
			s.libraryAt = 0
		}
	}
	s.libraryAt -= s.UI.Dragged(view).Y
	s.libraryAt = clampTo(s.libraryAt, 0, math.Max(0, whole-view.H))
}
