package screen

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Entry is a recorded run or study that can be opened. Load fetches its manifest.json and, where there is
// one, its summary.csv; it may take its time.
type Entry struct {
	Name string
	Load func() (manifest, summary []byte, err error)
}

// arrival is what an entry's Load returned.
type arrival struct {
	name              string
	manifest, summary []byte
	err               error
}

// OpenEntry begins to open an entry of the library; a later Step shows it, or says what is wrong.
func (s *Screen) OpenEntry(i int) {
	e := s.Library[i]
	go func() {
		manifest, summary, err := e.Load()
		s.arrivals <- arrival{e.Name, manifest, summary, err}
	}()
}

// receive opens what has been loaded.
func (s *Screen) receive() {
	select {
	case a := <-s.arrivals:
		if a.err == nil {
			a.err = s.Model.OpenRecord(a.name, "manifest.json", a.manifest, a.summary)
		}
		if a.err != nil {
			s.Model.Say(true, "%s: %v", a.name, a.err)
			return
		}
		s.fitted = false
	default:
	}
}

// Facts are the numbers on screen, for tests that drive the program from outside.
type Facts struct {
	Epsilon     float64 `json:"epsilon"`
	RadiusKm    float64 `json:"radius_km"`
	Run         int     `json:"run"`
	Seed        uint64  `json:"seed"`
	Direct      bool    `json:"direct"`
	DetectionKm float64 `json:"detection_km"`
	TimeS       float64 `json:"time_s"`
	Playing     bool    `json:"playing"`
	Runs        int     `json:"runs"`
	Fresh       int     `json:"fresh"`
	MeanText    string  `json:"mean"`
	Message     string  `json:"message"`
	Survey      int     `json:"survey_flights"`
	Record      string  `json:"record"`
	Recorded    float64 `json:"recorded_mean_km"` // of the record for these settings; 0 for none
	MeanKm      float64 `json:"mean_km"`          // 0 for none
	Dots        []Dot   `json:"dots"`
}

// Dot is a run's place on the distribution, points.
type Dot struct {
	Run int     `json:"run"`
	X   float64 `json:"x"`
	Y   float64 `json:"y"`
}

// Facts returns the numbers on screen.
func (s *Screen) Facts() Facts {
	m := s.Model
	f := Facts{
		Epsilon: m.Config.Privacy.Epsilon, RadiusKm: m.Config.Adversary.RadiusKm, Run: m.RunNumber, Seed: m.Config.Study.Seed,
		Direct: m.ShowDirect, DetectionKm: m.Flight().Run.DetectionKm, TimeS: m.Clock.TimeS, Playing: m.Clock.Playing,
		Runs: m.Runs(), Fresh: m.Ensemble.Fresh, MeanText: s.meanText(), Message: m.Message.Text, Survey: m.Survey.Flights(),
	}
	if m.Record != nil {
		f.Record, f.Recorded = m.Record.Name, s.known().km
	}
	if m.Ensemble.Fresh > 0 {
		f.MeanKm = m.Ensemble.Summary().MeanKm
	}
	for _, d := range s.dots().dots {
		f.Dots = append(f.Dots, Dot{d.run, d.at.X, d.at.Y})
	}
	return f
}

// library draws the list of what can be opened, over everything else.
func (s *Screen) library(l *draw.List) {
	const width, row = 420, 28
	t, w := s.theme(), s.layout.Window
	l.Rect(w, ui.Faded(t.Background, 0.6))
	most := int((w.H - 140) / row)
	entries := s.Library[:min(most, len(s.Library))]
	box := draw.Rect{X: w.Center().X - width/2, Y: 60, W: width, H: row*float64(len(entries)) + 52}
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	inner := box.Inset(14)
	title, inner := inner.CutTop(24)
	l.TextIn(t.Title, title, draw.Left, t.Ink, "Recorded runs and studies")
	for i, e := range entries {
		r := draw.Rect{X: inner.X, Y: inner.Y + row*float64(i), W: inner.W, H: row - 4}
		if s.UI.Button("library."+e.Name, r, e.Name, "") {
			s.OpenEntry(i)
			s.ShowLibrary = false
		}
	}
	if over, _, clicked := s.UI.Area("library", w); over && clicked {
		s.ShowLibrary = false
	}
}
