package screen

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/internal/flightfile"
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

// flown is the flights of the ensemble that are there, from the first one without a gap.
func (s *Screen) flown() []study.Run { return s.Model.Ensemble.Runs() }

// trajectoryCSV writes the flight on show step by step, as veilpath run does.
func (s *Screen) trajectoryCSV(w io.Writer) error {
	f := s.Model.Flight()
	history := sim.History{StepS: f.StepS, Samples: f.Samples}
	return flightfile.WriteTrajectory(w, flightfile.Trajectory(&history, &f.Errors))
}

// exports lists what can be saved: the picture, then files.
func (s *Screen) exports() []panel.Item {
	items := []panel.Item{s.file("png", "Picture of the window", "PNG", "veilpath.png", s.Pictures.PNG)}
	const settings = "Settings, for veilpath study and run"
	items = append(items,
		panel.Item{ID: "export.config", Text: settings + ", YAML", Row: settings, Cell: "YAML", Choose: s.saveConfig},
		s.file("trajectory", "The flight on show step by step, as veilpath run writes it", "CSV",
			flightfile.TrajectoryCSVName, buffered(s.trajectoryCSV)))
	return append(items, s.ensembleFiles()...)
}

// ensembleFiles lists the files of the flights.
func (s *Screen) ensembleFiles() []panel.Item {
	const row = "The flights, with the columns of runs.parquet"
	items := []panel.Item{
		s.file("summary", "Summary of the flights, as studies write it", "CSV", flightfile.SummaryName,
			buffered(s.summaryCSV)),
		s.file("runs", row, "CSV", "runs.csv",
			buffered(func(w io.Writer) error { return study.WriteRuns(w, s.flown()) }))}
	if s.WriteRuns != nil {
		it := s.file("parquet", row, "Parquet", record.RunsName,
			buffered(func(w io.Writer) error { return s.WriteRuns(w, s.flown()) }))
		it.Text += " as studies write it" // words by which it is found beside the CSV
		items = append(items, it)
	}
	return items
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
	if s.Pictures.Version != "" {
		version = "-veilpath-" + strings.Map(func(r rune) rune { return either(unicode.IsSpace(r), '-', r) },
			s.Pictures.Version)
	}
	return fmt.Sprintf("-epsilon-%s-radius-%s-seed-%d%s", chart.Number(c.Privacy.Epsilon),
		chart.Number(c.Adversary.RadiusKm), c.Study.Seed, version)
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

// configName is the file of the settings that are saved.
const configName = "veilpath.yaml"

// saveConfig saves the settings, and says which command flies the flight on show with them.
func (s *Screen) saveConfig() {
	where, err := s.shell.Save(configName, s.Model.ExportYAML(configName, s.Pictures.Version))
	if err != nil {
		s.Model.Say(true, "the configuration was not saved: %v", err)
		return
	}
	s.Model.Say(false, "Saved %s. veilpath run --config %s %s flies this flight.", where, configName, s.Model.RunFlags())
}
