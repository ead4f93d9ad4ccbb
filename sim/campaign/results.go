package campaign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"time"

	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// Results are the files and manifest values that a verb writes to a folder.
type Results struct {
	Verb     string
	Settings *configs.Loaded
	Files    map[string]func(io.Writer) error // by name
	Figures  map[string]*report.Figure        // by name; each is written as .png and .svg
	Request  string                           // as in record.Manifest
	Commands []string                         // as in Asked
	Answer   any                              // of a tune with a demand as a value for encoding/json, otherwise nil
	Words    []string                         // the answer on the page, in sentences
	Intro    string                           // what the page shows; empty for what pages of the verb show
	First    []report.Table                   // tables of the page before those of the files
	Tables   []report.Table                   // tables of the page after those of the files

	Run           int // number of a single flight's run, if Single
	Single        bool
	Runs, Flights int             // as in record.Manifest; 0 if there are none
	Baselines     study.Baselines // of flights; zero if there are none
	Wall          time.Duration
	Workers       int // 0 for the workers of the settings
}

// Write writes results: the files in alphabetical order, and the manifest last.
func (p *Program) Write(folder *pieces.Folder, r Results) error {
	files := maps.Clone(r.Files)
	for name, figure := range r.Figures {
		p.drew(name, figure)
		files[name+".png"], files[name+".svg"] = p.picture(figure), figure.WriteSVG
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := folder.Write(name, files[name]); err != nil {
			return err
		}
	}
	m, err := p.Manifest(r.Verb, r.Settings)
	if err != nil {
		return err
	}
	folder.Page = folder.Page || p.Page
	m.Commands = p.CommandsOf(append(r.Settings.Commands(), r.Commands...))
	m.Request, m.Complete, m.Runs, m.Flights = r.Request, true, r.Runs, r.Flights
	m.NominalDetectionKm, m.PlannedDetectionKm = table.Maybe(r.Baselines.DirectKm()),
		table.Maybe(r.Baselines.Planned.DetectionKm)
	m.WallTimeS, m.Workers = r.Wall.Seconds(), cmp.Or(r.Workers, pool.Workers(r.Settings.Study.Workers))
	if r.Single {
		m.Run = &r.Run
	}
	if r.Answer != nil {
		if m.Answer, err = json.Marshal(r.Answer); err != nil {
			return fmt.Errorf("encoding the answer: %w", err)
		}
	}
	parts := pageParts{words: r.Words, intro: r.Intro, first: r.First, tables: r.Tables}
	if err := p.writePage(folder, m, parts); err != nil {
		return err
	}
	return folder.Finish(m)
}

// Manifest returns the manifest of a verb with the settings. Settings that do not change results get their
// defaults, so that equal results have equal manifests.
func (p *Program) Manifest(verb string, settings *configs.Loaded) (record.Manifest, error) {
	config := settings.Config
	config.Study.Workers, config.Exec = 0, configs.Default().Exec
	text, err := json.Marshal(config)
	if err != nil {
		return record.Manifest{}, fmt.Errorf("encoding the configuration: %w", err)
	}
	return record.Manifest{
		Program: "veilpath", Version: p.Version, GoVersion: runtime.Version(), Arch: runtime.GOARCH, Verb: verb,
		Notice: privacy.SimulationNotice, Own: p.own(), Commands: p.CommandsOf(config.Commands()),
		Complete: true, Seed: config.Study.Seed, ConfigSHA256: config.SHA256(), Config: text,
	}, nil
}
