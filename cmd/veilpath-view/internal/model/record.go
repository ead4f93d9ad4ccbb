package model

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"veilpath/configs"
)

// Record is what `veilpath run --out` or `veilpath study --out` wrote, opened.
type Record struct {
	Name     string // of its folder or file
	Verb     string
	Runs     int // per epsilon; 0 for a single flight
	Complete bool
	Config   configs.Config
	Nominal  float64 // detection distance without privacy, km
	Swept    string  // key that the study went through many values of, "" for none
	means    map[float64]float64
}

// manifest is the part of manifest.json that the viewer needs. Package record, which writes the file,
// also writes Parquet; the page leaves that out for its size.
type manifest struct {
	Program            string          `json:"program"`
	Verb               string          `json:"verb"`
	Complete           bool            `json:"complete"`
	Run                *int            `json:"run"`
	Runs               int             `json:"runs"`
	NominalDetectionKm float64         `json:"nominal_detection_km"`
	Sweep              []sweptKey      `json:"sweep"`
	ConfigSHA256       string          `json:"config_sha256"`
	Config             json.RawMessage `json:"config"`
}

type sweptKey struct {
	Key string `json:"key"`
}

// The files that Open understands.
const (
	manifestName = "manifest.json"
	summaryName  = "summary.csv"
)

const (
	largestFile  = 4 << 20 // bytes of a manifest, a summary or a configuration
	mostEntries  = 2000    // files looked at in a folder
	deepestEntry = 3       // folders below the one opened
)

// Open shows a recorded run or study, or takes over a configuration: the first manifest.json found in the
// files, or else the one YAML file. The error says what is wrong and leaves everything as it was.
func (m *Model) Open(name string, files fs.FS) error {
	found, err := find(files)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if found.manifest != "" {
		return m.openRecord(name, files, found.manifest)
	}
	text, err := readLimited(files, found.config)
	if err != nil {
		return fmt.Errorf("%s: %w", found.config, err)
	}
	config, err := loadText(found.config, text)
	if err != nil {
		return err
	}
	if err := m.apply(config); err != nil {
		return err
	}
	m.Record = nil
	m.Say(false, "settings of %s", found.config)
	return nil
}

// candidates are the files worth opening.
type candidates struct{ manifest, config string }

func find(files fs.FS) (candidates, error) {
	var manifests, configs, others []string
	seen := 0
	err := fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if seen++; seen > mostEntries {
			return fs.SkipAll
		}
		if d.IsDir() {
			if p != "." && strings.Count(p, "/") >= deepestEntry {
				return fs.SkipDir
			}
			return nil
		}
		switch {
		case d.Name() == manifestName:
			manifests = append(manifests, p)
		case path.Ext(p) == ".yaml" || path.Ext(p) == ".yml":
			configs = append(configs, p)
		case path.Ext(p) == ".json":
			manifests = append(manifests, p)
		default:
			others = append(others, p)
		}
		return nil
	})
	if err != nil {
		return candidates{}, fmt.Errorf("cannot be read: %w", err)
	}
	slices.SortStableFunc(manifests, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	switch {
	case len(manifests) > 0:
		return candidates{manifest: manifests[0]}, nil
	case len(configs) == 1:
		return candidates{config: configs[0]}, nil
	case len(configs) > 1:
		return candidates{}, fmt.Errorf("holds %d configurations; open one of them: %s", len(configs), strings.Join(configs[:2], ", "))
	case len(others) > 0:
		return candidates{}, fmt.Errorf("holds %s but no %s; open the folder that veilpath run or study wrote, its %s, or a YAML configuration",
			path.Base(others[0]), manifestName, manifestName)
	}
	return candidates{}, fmt.Errorf("holds no files; open the folder that veilpath run or study wrote")
}

// Recordings lists the folders, relative to the files' root and by name, that hold a manifest.json.
func Recordings(files fs.FS) ([]string, error) {
	var folders []string
	seen := 0
	err := fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil || (d.IsDir() && p != "." && strings.Count(p, "/") >= deepestEntry):
			return fs.SkipDir
		case seen > mostEntries:
			return fs.SkipAll
		case d.Name() == manifestName:
			folders = append(folders, path.Dir(p))
		}
		return nil
	})
	slices.Sort(folders)
	return folders, err
}

// ReadRecording reads the manifest of one of the Recordings and its summary, nil where it has none.
func ReadRecording(files fs.FS, folder string) (manifest, summary []byte, err error) {
	if manifest, err = readLimited(files, path.Join(folder, manifestName)); err != nil {
		return nil, nil, err
	}
	summary, err = readLimited(files, path.Join(folder, summaryName))
	if errors.Is(err, fs.ErrNotExist) {
		return manifest, nil, nil
	}
	return manifest, summary, err
}

func (m *Model) openRecord(name string, files fs.FS, at string) error {
	text, err := readLimited(files, at)
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	if dir := path.Dir(at); dir != "." {
		name = path.Base(dir)
	}
	summary, err := readLimited(files, path.Join(path.Dir(at), summaryName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", summaryName, err)
	}
	return m.OpenRecord(name, at, text, summary)
}

// OpenRecord shows the record of a manifest, found at a path that the messages name; summary is the text
// of the study's summary.csv, nil for none.
func (m *Model) OpenRecord(name, at string, text, summary []byte) error {
	r, run, err := parseManifest(at, text)
	if err != nil {
		return err
	}
	r.Name = name
	// The summary of a sweep has many rows an epsilon, of settings that are not shown.
	if summary != nil && r.Swept == "" {
		if r.means, err = parseMeans(summary); err != nil {
			return err
		}
	}
	config := r.Config
	if r.Runs > 0 {
		config.Study.Runs = r.Runs
		config.Privacy.Epsilon = middle(config.Study.Epsilons)
	}
	if err := m.apply(config); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	m.Record = r
	m.Clock.TimeS, m.Clock.Playing = 0, true
	if direct := r.Verb == "run" && run == nil; direct {
		m.SetDirect(true)
	} else if run != nil {
		m.Select(*run)
	} else {
		m.Select(0)
	}
	m.Say(false, "%s: %s", r.Name, r.describe())
	return nil
}

// middle returns the epsilon to begin with: the first, where privacy is strongest, unless 1 is there.
func middle(epsilons []float64) float64 {
	if slices.Contains(epsilons, 1) {
		return 1
	}
	return epsilons[0]
}

func (r *Record) describe() string {
	text := fmt.Sprintf("a study of %d epsilons x %d runs", len(r.Config.Study.Epsilons), r.Runs)
	if r.Runs == 0 {
		text = "a single flight"
	}
	if !r.Complete {
		text += ", interrupted"
	}
	if r.Swept != "" {
		text += fmt.Sprintf("; it sweeps %s, shown is the value of its base configuration", r.Swept)
	}
	if r.Runs > MaxRuns {
		text += fmt.Sprintf("; the first %d runs are shown", MaxRuns)
	}
	return text
}

// parseManifest reads a manifest and, for a single private flight, its run number.
func parseManifest(name string, text []byte) (*Record, *int, error) {
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, nil, fmt.Errorf("%s is cut short or not JSON, at byte %d of %d: %v", name, syntax.Offset, len(text), err)
		}
		return nil, nil, fmt.Errorf("%s is no manifest of veilpath: %v", name, err)
	}
	switch {
	case m.Program != "veilpath":
		return nil, nil, fmt.Errorf("%s is no manifest of veilpath: program is %q, want \"veilpath\"", name, m.Program)
	case len(m.Config) == 0:
		return nil, nil, fmt.Errorf("%s holds no config; write the record again", name)
	case m.Verb != "run" && m.Runs < 1:
		return nil, nil, fmt.Errorf("%s is of the verb %q and holds no runs; open what veilpath run or study wrote", name, m.Verb)
	case m.Run != nil && *m.Run < 0:
		return nil, nil, fmt.Errorf("%s: run %d; runs are numbered from 0", name, *m.Run)
	}
	config, err := loadText(name, m.Config)
	if err != nil {
		return nil, nil, err
	}
	if sum := config.SHA256(); m.ConfigSHA256 != "" && sum != m.ConfigSHA256 {
		return nil, nil, fmt.Errorf("%s was changed: its config has the SHA-256 %.12s, recorded is %.12s", name, sum, m.ConfigSHA256)
	}
	r := &Record{Verb: m.Verb, Complete: m.Complete, Config: config, Nominal: m.NominalDetectionKm}
	if m.Verb != "run" {
		r.Runs = m.Runs
	}
	if len(m.Sweep) > 0 {
		r.Swept = m.Sweep[0].Key
	}
	return r, m.Run, nil
}

// loadText reads settings from YAML, or from JSON, which is YAML too.
func loadText(name string, text []byte) (configs.Config, error) {
	loaded, err := configs.Load(configs.Request{Config: "./" + name, ReadFile: func(string) ([]byte, error) { return text, nil }})
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return configs.Config{}, errors.New(strings.TrimPrefix(first, "./"))
	}
	return loaded.Config, nil
}

func readLimited(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largestFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > largestFile {
		return nil, fmt.Errorf("longer than %d bytes; this is no file of veilpath", largestFile)
	}
	return text, nil
}

// parseMeans reads the mean detection distance of every epsilon from a summary.
func parseMeans(text []byte) (map[float64]float64, error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s is cut short or no table: %v", summaryName, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s is empty", summaryName)
	}
	epsilonAt, meanAt := slices.Index(rows[0], "epsilon"), slices.Index(rows[0], "mean_km")
	if epsilonAt < 0 || meanAt < 0 {
		return nil, fmt.Errorf("%s is no summary of a study: it has no columns epsilon and mean_km", summaryName)
	}
	means := map[float64]float64{}
	for i, row := range rows[1:] {
		epsilon, err1 := strconv.ParseFloat(row[epsilonAt], 64)
		mean, err2 := strconv.ParseFloat(row[meanAt], 64)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("%s, line %d: %v", summaryName, i+2, err)
		}
		means[epsilon] = mean
	}
	return means, nil
}

// RecordedMean returns the mean that the opened record holds for what is on show, km, and false when it
// holds none, or other settings than the record's are in force.
func (m *Model) RecordedMean() (float64, bool) {
	if m.Record == nil || m.Record.Runs != m.Config.Study.Runs {
		return 0, false
	}
	c := m.Config
	c.Privacy.Epsilon = m.Record.Config.Privacy.Epsilon
	c.Study.Runs = m.Record.Config.Study.Runs
	if !reflect.DeepEqual(c, m.Record.Config) {
		return 0, false
	}
	mean, ok := m.Record.means[m.Config.Privacy.Epsilon]
	return mean, ok
}

// SameKm reports whether two distances agree to the digits that are shown.
func SameKm(a, b float64) bool {
	const shown = 0.005 // km: two decimals
	return math.Abs(a-b) <= shown
}
