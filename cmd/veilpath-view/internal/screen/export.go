package screen

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"path"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/internal/flightfile"
	"veilpath/internal/png"
	"veilpath/internal/record"
	"veilpath/sim"
	"veilpath/sim/study"
)

// panel is a part of the window that can be saved by itself.
type panel struct {
	name, title string
	pane
	place func(*Screen, *Layout) // gives one its area that is not part of everything
}

// savedPanels are those there are. They are drawn as in a wide window, whatever the window.
var savedPanels = []panel{
	{"map", "Map", pane{area: func(l *Layout) draw.Rect {
		maps := l.maps()
		return draw.Rect{X: maps.X, Y: l.Headline.Y, W: maps.W, H: maps.Bottom() - l.Headline.Y}
	}, still: (*Screen).savedMap}, nil},
	{"guess", "Guess or belief", guessPane, nil},
	{"flights", "Where the flights are recognised", flightsPane, nil},
	{"surface", "Mean distance by epsilon and radius", surfacePane, nil},
	{"axis", "Along epsilon", pane{area: alongPane.area, still: (*Screen).savedAxis, moving: (*Screen).movingAxis}, nil},
	{"time", "Over time", dockPane, nil},
	{"why", "Why, and what happened when", whyPane, func(_ *Screen, l *Layout) { l.Reasons = draw.Rect{W: 640, H: 600} }},
	{"results", "Table of the results", resultsPane,
		func(s *Screen, l *Layout) { l.Results = draw.Rect{W: 640, H: max(800, s.resultsHeight(640))} }},
}

// Size of the window that panels are saved as of, points.
const savedWidth, savedHeight = 1280, 800

// savedMap draws the headline and the map at this moment, without buttons, messages and the pointer.
func (s *Screen) savedMap(l *draw.List) {
	s.headline(l)
	l.Clip(s.layout.maps())
	s.stillMaps(l)
	s.movingMaps(l)
	l.Unclip()
}

// savedAxis draws the chart along epsilon in its panel.
func (s *Screen) savedAxis(l *draw.List) {
	s.stillAlong(l)
	s.stillAxis(l)
}

// savedLayout is that of the window that panels are saved as of.
func (s *Screen) savedLayout(panels []panel) Layout {
	layout := NewLayout(savedWidth, savedHeight, Shape{Saved: true})
	if s.twoMaps() {
		layout.split()
	}
	for _, p := range panels {
		if p.place != nil {
			p.place(s, &layout)
		}
	}
	return layout
}

// saved has the layout and the camera of a saved picture of panels while do draws it.
func (s *Screen) saved(panels []panel, scale float64, do func()) {
	layout, camera, before, c, kept, rows := s.layout, s.camera, s.scale, s.cards, s.keptCards, s.eventRows
	s.eventRows = nil
	s.UI.Theme.SetCompact(false)
	picture := s.savedLayout(panels)
	whole := s.camera
	s.fitTo(&whole)
	zoom := s.camera.PointsPerKm / whole.PointsPerKm
	s.layout, s.camera.View = picture, picture.Map
	whole = s.camera
	s.fitTo(&whole)
	s.camera.PointsPerKm = whole.PointsPerKm * zoom
	s.scale = scale
	s.onBoth(s.placeCards)
	defer func() {
		s.layout, s.camera, s.scale, s.cards, s.keptCards, s.eventRows = layout, camera, before, c, kept, rows
		s.UI.Theme.SetCompact(layout.Compact)
	}()
	do()
}

// panelsNamed returns the panels of a name; "all" is every one.
func panelsNamed(name string) []panel {
	for _, p := range savedPanels {
		if p.name == name {
			return []panel{p}
		}
	}
	return slices.DeleteFunc(slices.Clone(savedPanels), func(p panel) bool { return p.place != nil })
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
		either(s.whatIf(), "; changed by hand, not a private flight", ""))
}

// drawSaved draws panels into a list and returns their area.
func (s *Screen) drawSaved(l *draw.List, panels []panel, scale float64) draw.Rect {
	area := panels[0].area(&s.layout)
	for _, p := range panels {
		area = area.Around(p.area(&s.layout))
	}
	area = s.withSign(area)
	l.Reset(area, scale)
	l.Rect(area, s.theme().Background)
	s.sign(l, area)
	for _, p := range panels {
		l.Clip(p.area(&s.layout))
		p.still(s, l)
		if p.moving != nil {
			p.moving(s, l)
		}
		l.Unclip()
	}
	return area
}

// signHeight is the height of the line at the foot of a saved picture, points.
const signHeight = 18

// withSign is the area of a saved picture with the line at its foot.
func (s *Screen) withSign(area draw.Rect) draw.Rect {
	return area.Trim(0, 0, 0, either(s.Unsigned, 0., -signHeight))
}

// sign writes at the foot of a saved picture what it is of.
func (s *Screen) sign(l *draw.List, area draw.Rect) {
	if s.Unsigned {
		return
	}
	_, foot := area.CutTop(area.H - signHeight)
	l.TextIn(s.theme().Small, foot.Trim(4, 0, 4, 0), draw.Left, s.theme().Muted, s.signText(l, foot.W-8))
}

// signText is as much of what a saved picture is of as has room.
func (s *Screen) signText(l *draw.List, width float64) string {
	m := s.Model
	text := "veilpath"
	for _, part := range []string{" " + s.Version, "  ε " + number(m.Config.Privacy.Epsilon),
		"  ρ " + number(m.Config.Adversary.RadiusKm) + " km", fmt.Sprintf("  seed %d", m.Config.Study.Seed),
		fmt.Sprintf("  run %d", m.RunNumber), "  δ " + number(m.Experiment.Delta()),
		either(s.whatIf(), "  changed by hand", "")} {
		if strings.TrimSpace(part) != "" && l.Width(s.theme().Small, text+part) <= width {
			text += part
		}
	}
	return text
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
func (s *Screen) rasterSaved(panels []panel, scale float64) *image.RGBA {
	list := draw.NewList(s.Atlas())
	area := s.drawSaved(list, panels, scale)
	x, y := int(math.Round(area.X*scale)), int(math.Round(area.Y*scale))
	picture := image.NewRGBA(image.Rect(x, y, x+int(math.Round(area.W*scale)), y+int(math.Round(area.H*scale))))
	draw.Raster(list, picture)
	picture.Rect = picture.Rect.Sub(picture.Rect.Min)
	return picture
}

// summaryCSV is the summary of the flights of the ensemble that are shown: of all of them as a study writes it.
func (s *Screen) summaryCSV() ([]byte, error) {
	var text bytes.Buffer
	err := flightfile.WriteSummaries(&text, record.Sweep{}, [][]study.Summary{{s.summary()}})
	return text.Bytes(), err
}

// flown is the flights that are shown: those of the ensemble that are there at its settings, from the first one without
// a gap, or those that are selected.
func (s *Screen) flown() []study.Run {
	if s.selection.kind != bySettings {
		return s.Model.Ensemble.Runs(s.isSelected)
	}
	var runs []study.Run
	for _, m := range s.flights() {
		runs = append(runs, m.Run)
	}
	return runs
}

// runsCSV is the flights that are shown with the columns of a study of them.
func (s *Screen) runsCSV() ([]byte, error) {
	var text bytes.Buffer
	err := study.WriteRuns(&text, s.flown())
	return text.Bytes(), err
}

// trajectoryCSV is the flight on show step by step, as veilpath run writes it.
func (s *Screen) trajectoryCSV() ([]byte, error) {
	f := s.Model.Flight()
	var text bytes.Buffer
	steps := flightfile.Trajectory(&sim.History{StepS: f.StepS, Samples: f.Samples}, &f.Errors)
	err := flightfile.WriteTrajectory(&text, steps)
	return text.Bytes(), err
}

// trajectoryName names the file of the flight on show.
func (s *Screen) trajectoryName() string {
	return either(s.Model.ChangedByHand(), "trajectory-changed-by-hand.csv", flightfile.TrajectoryCSVName)
}

// exports lists what can be saved.
func (s *Screen) exports() []item {
	var items []item
	for _, p := range append([]panel{{name: "all", title: "Everything"}}, savedPanels...) {
		items = append(items,
			s.file(p.name+".svg", p.title+", SVG", "veilpath-"+p.name+".svg",
				func() ([]byte, error) { return s.svg(p.name), nil }),
			s.file(p.name+".png", p.title+", PNG at twice the resolution", "veilpath-"+p.name+".png",
				func() ([]byte, error) { return s.png(p.name) }))
	}
	items = append(items,
		item{id: "export.gif", text: "The flight as a moving picture, GIF (the stretch that is looped)", choose: s.beginGIF},
		s.file("config", "Settings, YAML for veilpath study and run", configName,
			func() ([]byte, error) { return s.Model.ExportYAML(configName), nil }),
		s.file("trajectory", "The flight on show"+either(s.Model.ChangedByHand(), ", changed by hand,", "")+
			" step by step, CSV as veilpath run writes it", s.trajectoryName(), s.trajectoryCSV))
	return append(items, s.ensembleFiles()...)
}

// ensembleFiles lists the files of the flights that are shown: all of them, or those that are selected. A selection by
// settings has flights of several epsilons, which have no summary.
func (s *Screen) ensembleFiles() []item {
	runs, n := s.selectedRuns()
	items := []item{s.flightsFile("summary", "Summary of the flights%s, CSV as studies write it", flightfile.SummaryName,
		runs != nil, n, s.summaryCSV)}
	selected := runs != nil
	if s.selection.kind == bySettings {
		selected, n = true, len(s.flights())
	}
	items = append(items, s.flightsFile("runs", "The flights%s, CSV with the columns of runs.parquet", "runs.csv",
		selected, n, s.runsCSV))
	if s.WriteRuns != nil {
		items = append(items, s.flightsFile("parquet", "The flights%s, runs.parquet as studies write it", record.RunsName,
			selected, n, func() ([]byte, error) {
				var data bytes.Buffer
				err := s.WriteRuns(&data, s.flown())
				return data.Bytes(), err
			}))
	}
	return items
}

// flightsFile is a file of all flights, or of the n selected ones.
func (s *Screen) flightsFile(id, text, name string, selected bool, n int, encode func() ([]byte, error)) item {
	if !selected {
		return s.file(id, fmt.Sprintf(text, ""), name, encode)
	}
	extension := path.Ext(name)
	it := s.file(id, fmt.Sprintf(text, fmt.Sprintf(" (%d selected)", n)),
		strings.TrimSuffix(name, extension)+"-selected"+extension, encode)
	it.problem = either(n == 0, "none is selected", "")
	return it
}

// file is an entry that saves a file.
func (s *Screen) file(id, text, name string, encode func() ([]byte, error)) item {
	return item{id: "export." + id, text: text, choose: func() { s.keep(name, encode) }}
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
