package screen

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/internal/flightfile"
	"veilpath/internal/png"
	"veilpath/internal/record"
	"veilpath/sim"
	"veilpath/sim/study"
)

// savedPanel is a part of the window that can be saved by itself.
type savedPanel struct {
	name, title string
	pane
	place func(*Screen, *layout.Layout) // gives one its area that is not part of everything
}

// savedPanels are those there are. They are drawn as in a wide window, whatever the window.
var savedPanels = []savedPanel{
	{"map", "Map", pane{area: func(l *layout.Layout) draw.Rect {
		return draw.Rect{X: l.Map.X, Y: l.Headline.Y, W: l.Map.W, H: l.Map.Bottom() - l.Headline.Y}
	}, still: func(s *Screen, l *draw.List) { s.savedMap(l) }}, nil},
	{"guess", "Guess or belief", guessPane, nil},
	{"flights", "Where the flights are recognised (distribution)", flightsPane, nil},
	{"surface", "Mean distance by epsilon and radius", surfacePane, nil},
	{"axis", "Along epsilon", alongPane, nil},
	{"time", "Over time", dockPane, nil},
	{"results", "Table of the results", resultsPane,
		func(s *Screen, l *layout.Layout) { l.Results = draw.Rect{W: 640, H: max(800, s.results.Height(640))} }},
}

// Size of the window that panels are saved as of, points.
const savedWidth, savedHeight = 1280, 800

// savedMap draws the headline and the map at this moment, without buttons, messages and the pointer.
func (s *Screen) savedMap(l *draw.List) {
	s.headline.Draw(l)
	l.Clip(s.Layout.Map)
	s.plan.DrawGround(l)
	s.plan.Shown().DrawFan(l, s.plan.Tracks(nil))
	s.plan.DrawRoutes(l)
	s.plan.DrawMoving(l)
	l.Unclip()
}

// savedLayout is that of the window that panels are saved as of.
func (s *Screen) savedLayout(panels []savedPanel) layout.Layout {
	layout := layout.NewLayout(savedWidth, savedHeight, layout.Shape{Saved: true})
	for _, p := range panels {
		if p.place != nil {
			p.place(s, &layout)
		}
	}
	return layout
}

// saved has the layout and the camera of a saved picture of panels while do draws it.
func (s *Screen) saved(panels []savedPanel, scale float64, do func()) {
	layout, plan, before := s.Layout, s.plan.Map, s.Scale
	s.UI.Theme.SetCompact(false)
	s.Layout = s.savedLayout(panels)
	s.plan.Reframe(s.Layout.Map)
	s.Scale = scale
	s.plan.Shown().PlaceCards()
	defer func() {
		s.Layout, s.plan.Map, s.Scale = layout, plan, before
		s.UI.Theme.SetCompact(layout.Compact)
	}()
	do()
}

// panelsNamed returns the panels of a name; "all" is every one.
func panelsNamed(name string) []savedPanel {
	for _, p := range savedPanels {
		if p.name == name {
			return []savedPanel{p}
		}
	}
	return slices.DeleteFunc(slices.Clone(savedPanels), func(p savedPanel) bool { return p.place != nil })
}

// about is what is to be known of a saved picture.
func (s *Screen) about() string {
	m := s.Model
	if s.Unsigned {
		return "veilpath"
	}
	return fmt.Sprintf("veilpath; configuration SHA-256 %s; run %d; %s s; epsilon %s, delta %s%s", m.Exported().SHA256(),
		m.RunNumber, fixed(m.Clock.TimeS, 1),
		number(m.Config.Privacy.Epsilon), number(m.Experiment.Delta()),
		either(s.WhatIf(), "; changed by hand, not a private flight", ""))
}

// drawSaved draws panels into a list and returns their area.
func (s *Screen) drawSaved(l *draw.List, panels []savedPanel, scale float64) draw.Rect {
	area := panels[0].area(&s.Layout)
	for _, p := range panels {
		area = area.Around(p.area(&s.Layout))
	}
	l.Reset(area, scale) // which measures of texts need
	area = s.withSign(l, area)
	l.Reset(area, scale)
	l.Rect(area, s.Theme().Background)
	s.sign(l, area)
	for _, p := range panels {
		l.Clip(p.area(&s.Layout))
		p.still(s, l)
		if p.moving != nil {
			p.moving(s, l)
		}
		l.Unclip()
	}
	return area
}

// signHeight is the height of a line at the foot of a saved picture, points.
const signHeight = 18

// withSign is the area of a saved picture with the lines at its foot.
func (s *Screen) withSign(l *draw.List, area draw.Rect) draw.Rect {
	return area.Trim(0, 0, 0, -signHeight*float64(len(s.signLines(l, area.W))))
}

// sign writes at the foot of a saved picture what it is of.
func (s *Screen) sign(l *draw.List, area draw.Rect) {
	lines := s.signLines(l, area.W)
	for i, line := range lines {
		at := draw.Rect{X: area.X + 4, Y: area.Bottom() - signHeight*float64(len(lines)-i), W: area.W - 8, H: signHeight}
		l.TextIn(s.Theme().Small, at, draw.Left, s.Theme().Muted, line)
	}
}

// signLines is what a saved picture is of, in lines of a width.
func (s *Screen) signLines(l *draw.List, width float64) []string {
	if s.Unsigned {
		return nil
	}
	m := s.Model
	parts := []string{strings.TrimSpace("veilpath " + s.Version), "ε " + number(m.Config.Privacy.Epsilon),
		"ρ " + number(m.Config.Adversary.RadiusKm) + " km", fmt.Sprintf("seed %d", m.Config.Study.Seed),
		fmt.Sprintf("run %d", m.RunNumber), "δ " + number(m.Experiment.Delta()),
		"mission " + cmp.Or(s.MissionName(), "of its own"), "mechanism " + m.MechanismTitle()}
	if s.OwnObserver() {
		parts = append(parts, "seen by "+m.ObserverTitle())
	}
	if s.WhatIf() {
		parts = append(parts, "changed by hand")
	}
	lines := []string{""}
	for _, part := range parts {
		last := &lines[len(lines)-1]
		switch joined := *last + "  " + part; {
		case *last == "":
			*last = part
		case l.Width(s.Theme().Small, joined) <= width-8:
			*last = joined
		default:
			lines = append(lines, part)
		}
	}
	return lines
}

// svg returns a panel, or all of them, as a vector graphic.
func (s *Screen) svg(name string) []byte {
	var text []byte
	panels := panelsNamed(name)
	s.saved(panels, 1, func() {
		list := draw.NewList(s.Atlas())
		graphic := list.NewSVG()
		area := s.drawSaved(list, panels, 1)
		text = graphic.Bytes(area, s.Status(), s.about())
	})
	return text
}

// pictureScale is how many times finer than on screen a saved picture is.
const pictureScale = 2

// png returns a panel, or all of them, as a picture at twice the resolution.
func (s *Screen) png(name string) ([]byte, error) {
	var picture *image.RGBA
	panels := panelsNamed(name)
	s.saved(panels, pictureScale, func() { picture = s.rasterSaved(panels, pictureScale) })
	var data bytes.Buffer
	err := png.Encode(&data, picture, s.about())
	return data.Bytes(), err
}

// rasterSaved draws panels as pixels.
func (s *Screen) rasterSaved(panels []savedPanel, scale float64) *image.RGBA {
	list := draw.NewList(s.Atlas())
	area := s.drawSaved(list, panels, scale)
	x, y := int(math.Round(area.X*scale)), int(math.Round(area.Y*scale))
	picture := image.NewRGBA(image.Rect(x, y, x+int(math.Round(area.W*scale)), y+int(math.Round(area.H*scale))))
	draw.Raster(list, picture)
	picture.Rect = picture.Rect.Sub(picture.Rect.Min)
	return picture
}

// buffered is what something writes into a file.
func buffered(write func(io.Writer) error) func() ([]byte, error) {
	return func() ([]byte, error) {
		var data bytes.Buffer
		err := write(&data)
		return data.Bytes(), err
	}
}

// summaryCSV writes the summary of the flights of the ensemble that are shown: of all of them as a study writes it.
func (s *Screen) summaryCSV(w io.Writer) error {
	return flightfile.WriteSummaries(w, record.Sweep{}, [][]study.Summary{{s.Summary()}})
}

// flown is the flights that are shown: those of the ensemble that are there, from the first one without a gap, or those
// that are selected.
func (s *Screen) flown() []study.Run { return s.Model.Ensemble.Runs(s.IsSelected) }

// trajectoryCSV writes the flight on show step by step, as veilpath run does.
func (s *Screen) trajectoryCSV(w io.Writer) error {
	f := s.Model.Flight()
	history := sim.History{StepS: f.StepS, Samples: f.Samples}
	return flightfile.WriteTrajectory(w, flightfile.Trajectory(&history, &f.Errors))
}

// trajectoryName names the file of the flight on show.
func (s *Screen) trajectoryName() string {
	return either(s.Model.ChangedByHand(), "trajectory-changed-by-hand.csv", flightfile.TrajectoryCSVName)
}

// exports lists what can be saved: panels in rows of formats, then files.
func (s *Screen) exports() []panel.Item {
	var items []panel.Item
	for _, p := range append([]savedPanel{{name: "all", title: "Everything"}}, savedPanels...) {
		items = append(items,
			s.file(p.name+".svg", p.title, "SVG", "veilpath-"+p.name+".svg",
				func() ([]byte, error) { return s.svg(p.name), nil }),
			s.file(p.name+".png", p.title, "PNG", "veilpath-"+p.name+".png",
				func() ([]byte, error) { return s.png(p.name) }))
		if p.name == "map" {
			items = append(items, panel.Item{ID: "export.gif",
				Text: p.title + ", GIF of the flight (the stretch that is looped)", Row: p.title, Cell: "GIF", Choose: s.beginGIF})
		}
	}
	const settings = "Settings, for veilpath study and run"
	items = append(items,
		panel.Item{ID: "export.config", Text: settings + ", YAML", Row: settings, Cell: "YAML", Choose: s.saveConfig},
		s.file("trajectory", "The flight on show"+either(s.Model.ChangedByHand(), ", changed by hand,", "")+
			" step by step, as veilpath run writes it", "CSV", s.trajectoryName(), buffered(s.trajectoryCSV)))
	return append(items, s.ensembleFiles()...)
}

// ensembleFiles lists the files of the flights that are shown: all of them, or those that are selected.
func (s *Screen) ensembleFiles() []panel.Item {
	const row = "The flights%s, with the columns of runs.parquet"
	items := []panel.Item{
		s.flightsFile("summary", "Summary of the flights%s, as studies write it", "CSV", flightfile.SummaryName,
			buffered(s.summaryCSV)),
		s.flightsFile("runs", row, "CSV", "runs.csv",
			buffered(func(w io.Writer) error { return study.WriteRuns(w, s.flown()) }))}
	if s.WriteRuns != nil {
		it := s.flightsFile("parquet", row, "Parquet", record.RunsName,
			buffered(func(w io.Writer) error { return s.WriteRuns(w, s.flown()) }))
		it.Text += " as studies write it" // words by which it is found beside the CSV
		items = append(items, it)
	}
	return items
}

// flightsFile is a file of all flights, or of the selected ones.
func (s *Screen) flightsFile(id, row, format, name string, encode func() ([]byte, error)) panel.Item {
	runs, n := s.SelectedRuns()
	if runs == nil {
		return s.file(id, fmt.Sprintf(row, ""), format, name, encode)
	}
	it := s.file(id, fmt.Sprintf(row, fmt.Sprintf(" (%d selected)", n)), format, suffixed(name, "-selected"), encode)
	it.Problem = either(n == 0, "none is selected", "")
	return it
}

// file is an entry that saves a file, in a row with others of the same things. Tables have no line that says what they
// are of, so their names do.
func (s *Screen) file(id, row, format, name string, encode func() ([]byte, error)) panel.Item {
	if format == "CSV" || format == "Parquet" {
		name = suffixed(name, s.nameSuffix())
	}
	return panel.Item{ID: "export." + id, Text: row + ", " + format, Row: row, Cell: format,
		Choose: func() { s.keep(name, encode) }}
}

// suffixed is the name of a file with more before its extension.
func suffixed(name, suffix string) string {
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + suffix + extension
}

// nameSuffix is what the name of a table tells of its settings.
func (s *Screen) nameSuffix() string {
	c, version := &s.Model.Config, ""
	if s.Version != "" {
		version = "-veilpath-" + strings.Map(func(r rune) rune { return either(unicode.IsSpace(r), '-', r) }, s.Version)
	}
	return fmt.Sprintf("-epsilon-%s-radius-%s-seed-%d%s", number(c.Privacy.Epsilon), number(c.Adversary.RadiusKm),
		c.Study.Seed, version)
}

// keep saves a file and says where.
func (s *Screen) keep(name string, encode func() ([]byte, error)) {
	data, err := encode()
	where := ""
	if err == nil {
		where, err = s.shell.Save(name, data)
	}
	if err != nil {
		s.Model.Say(true, "%s was not saved: %v", name, err)
		return
	}
	s.Model.Say(false, "Saved %s", where)
}
