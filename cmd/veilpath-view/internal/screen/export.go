package screen

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"math"
	"path"
	"strings"
	"unicode"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/list"
	"veilpath/internal/flightfile"
	"veilpath/internal/png"
	"veilpath/internal/record"
	"veilpath/sim"
	"veilpath/sim/study"
)

// buffered is what something writes into a file.
func buffered(write func(io.Writer) error) func() ([]byte, error) {
	return func() ([]byte, error) {
		var data bytes.Buffer
		err := write(&data)
		return data.Bytes(), err
	}
}

// summaryCSV writes the summary of the ensemble as a study writes it.
func (s *Screen) summaryCSV(w io.Writer) error {
	return flightfile.WriteSummaries(w, record.Sweep{}, [][]study.Summary{{s.Model.Ensemble.Summary()}})
}

// trajectoryCSV writes the flight on show step by step, as veilpath run does.
func (s *Screen) trajectoryCSV(w io.Writer) error {
	f := s.Model.Flight()
	history := sim.History{StepS: f.StepS, Samples: f.Samples}
	return flightfile.WriteTrajectory(w, flightfile.Trajectory(&history, &f.Errors))
}

// exports lists what can be saved: the picture, then files.
func (s *Screen) exports() []list.Item {
	const settings = "Settings, for veilpath study and run"
	link := s.row("link")
	return []list.Item{
		{ID: "export.link", Text: link.label, Choose: link.do},
		s.file("png", "Picture of the window", "PNG", "veilpath.png", s.picture),
		list.Item{ID: "export.config", Text: settings + ", YAML", Row: settings, Cell: "YAML", Choose: s.saveConfig},
		s.file("trajectory", "The flight on show step by step, as veilpath run writes it", "CSV",
			flightfile.TrajectoryCSVName, buffered(s.trajectoryCSV)),
		s.file("summary", "Summary of the flights, as studies write it", "CSV", flightfile.SummaryName,
			buffered(s.summaryCSV)),
		s.file("runs", "The flights, with the columns of runs.parquet", "CSV", "runs.csv",
			buffered(func(w io.Writer) error { return study.WriteRuns(w, s.Model.Ensemble.Runs()) })),
	}
}

// file is an entry that saves a file, in a row with others of the same things. Tables have no line that says what they
// are of, so their names do.
func (s *Screen) file(id, row, format, name string, encode func() ([]byte, error)) list.Item {
	if format == "CSV" {
		name = suffixed(name, s.nameSuffix())
	}
	return list.Item{ID: "export." + id, Text: row + ", " + format, Row: row, Cell: format,
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
		version = "-veilpath-" + strings.Map(func(r rune) rune { return either(unicode.IsSpace(r), '-', r) },
			s.Version)
	}
	return fmt.Sprintf("-epsilon-%s-radius-%s-seed-%d%s", answer.Number(c.Privacy.Epsilon),
		answer.Number(c.Adversary.RadiusKm), c.Study.Seed, version)
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

// picture is the window at this moment, without the pointer and what lies over it, at twice the resolution.
func (s *Screen) picture() ([]byte, error) {
	const scale = 2
	l := draw.NewList(s.UI.List.Atlas)
	window := s.Layout.Window
	l.Reset(window, scale)
	l.Rect(window, s.Theme().Background)
	s.DrawHeadline(l)
	s.Views.DrawStill(l)
	s.DrawMoving(l)
	picture := image.NewRGBA(image.Rect(0, 0, int(math.Round(window.W*scale)), int(math.Round(window.H*scale))))
	draw.Raster(l, picture)
	var data bytes.Buffer
	m := s.Model
	err := png.Encode(&data, picture, fmt.Sprintf("veilpath; configuration SHA-256 %s; run %d; %s s; epsilon %s, delta %s",
		m.Exported().SHA256(), m.RunNumber, answer.Fixed(m.Clock.TimeS, 1), answer.Number(m.Config.Privacy.Epsilon),
		answer.Number(m.Experiment.Delta())))
	return data.Bytes(), err
}

// configName is the file of the settings that are saved.
const configName = "veilpath.yaml"

// saveConfig saves the settings, and says which command flies the flight on show with them.
func (s *Screen) saveConfig() {
	where, err := s.shell.Save(configName, s.Model.ExportYAML(configName, s.Version))
	if err != nil {
		s.Model.Say(true, "the configuration was not saved: %v", err)
		return
	}
	s.Model.Say(false, "Saved %s. veilpath run --config %s %s flies this flight.", where, configName, s.Model.RunFlags())
}
