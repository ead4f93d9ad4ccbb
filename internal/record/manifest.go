// Package record has the manifest, which says how results were made and how to repeat them, and reads the files of a
// results folder. Package pieces writes them; package table writes tables as CSV; package parquet, in a folder of this
// package, writes them as Parquet.
//
// Equal inputs give equal bytes on every machine and with any number of workers, except the manifest's fields
// wall_time_s and workers. Reading a file that a manifest lists checks its hash.
package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"

	"veilpath/internal/table"
)

// ManifestName is the name of the manifest. It is written last: if it exists, all files that it lists are
// complete.
const ManifestName = "manifest.json"

// PiecesName is the directory of the pieces of unfinished work, and of a part, in a results folder.
const PiecesName = "pieces"

// WorkName is the manifest of unfinished work, with nothing done.
const WorkName = PiecesName + "/work.json"

// Manifest says how results were made and how to repeat them. The fields from WallTimeS on differ between runs of
// the program; all others are the same for the same results.
type Manifest struct {
	Program   string `json:"program"`
	Version   string `json:"version"`
	GoVersion string `json:"go_version"`
	Build     string `json:"build,omitempty"` // of unfinished work and parts: revision or hash of the program
	Arch      string `json:"arch"`            // processor, because some round a*b+c once and some twice
	Verb      string `json:"verb"`
	Notice    string `json:"notice,omitempty"` // that the noise is for simulation, see privacy.SimulationNotice
	// external parts that no setting names, such as a mechanism
	Own string `json:"own,omitempty"`
	// the user's commands that were mechanism or observer, with what they call themselves
	Commands []string `json:"commands,omitempty"`
	// files of programs that the commands name, each with the start of its SHA-256
	Programs []string `json:"programs,omitempty"`
	Complete bool     `json:"complete"` // false after an interruption: the files hold the finished runs
	Seed     uint64   `json:"seed"`

	Sweep        Sweep   `json:"sweep,omitzero"`
	UntilKm      float64 `json:"until_km,omitempty"`     // half-width at which the study ends
	Trajectories int     `json:"trajectories,omitempty"` // number of runs per epsilon whose steps are kept
	Shard        *Shard  `json:"shard,omitempty"`
	Facts
	// hash of the request without the settings, for work that can be resumed
	Request string `json:"request_sha256,omitempty"`
	// of one part of such work: the request without the settings, which merging needs
	Asked        json.RawMessage `json:"request,omitempty"`
	ConfigSHA256 string          `json:"config_sha256"`
	Config       json.RawMessage `json:"config"` // all settings that results depend on

	// Files has the SHA-256, in hexadecimal, of every other file by its name.
	Files map[string]string `json:"files,omitempty"`

	WallTimeS float64 `json:"wall_time_s"`
	Workers   int     `json:"workers"`
}

// Facts are what a manifest says of an answer.
type Facts struct {
	Run     *int `json:"run,omitempty"`  // of a single flight
	Runs    int  `json:"runs,omitempty"` // runs per epsilon in the files; the smallest number if they differ
	Flights int  `json:"flights,omitempty"`
	Pieces  int  `json:"pieces,omitempty"` // pieces of the range of epsilon, over all runs
	// relative accuracy of the ends of pieces
	EpsilonResolution float64 `json:"epsilon_resolution,omitempty"`
	Unmet             int     `json:"unmet,omitempty"` // number of intervals that are wider than UntilKm
	Kept              int     `json:"kept,omitempty"`  // of a part: number of pieces of its work
	// of the direct flight at the first point; NaN if there is none
	NominalDetectionKm table.Maybe     `json:"nominal_detection_km"`
	PlannedDetectionKm table.Maybe     `json:"planned_detection_km"` // of the planned flight, without noise
	Answer             json.RawMessage `json:"answer,omitempty"`     // of a tuning: the demand and the result
	// Printed is the answer as people read it, from which the same command prints it again.
	Printed json.RawMessage `json:"printed,omitempty"`
}

// Shard is one of several parts of divided work. The pieces of the work are dealt out in turn.
type Shard struct {
	Index int `json:"index"` // from 1
	Of    int `json:"of"`
}

// String returns the shard in the form of a flag, such as 2/8.
func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// Whole returns the manifest of the whole work of a shard, with nothing done.
func (m Manifest) Whole() Manifest {
	m.Shard, m.Complete, m.Facts, m.Files = nil, false, Facts{}, nil
	m.Asked, m.WallTimeS, m.Workers = nil, 0, 0
	return m
}

// Essence returns the manifest with only those fields that the answer of the work, or of its shard, depends on. A
// command's version says whether its answers changed; its program may be mended, so Programs is left out. If
// a precision ends the study, the number of runs is left out, because it only limits the study.
func (m Manifest) Essence() Manifest {
	shard := m.Shard
	m = m.Whole()
	m.Shard, m.Programs, m.Build = shard, nil, ""
	if m.UntilKm > 0 {
		m.Config, m.ConfigSHA256 = withoutRuns(m.Config), ""
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, m.Config); err == nil {
		m.Config = compact.Bytes()
	}
	return m
}

// withoutRuns returns the settings without study.runs.
func withoutRuns(config json.RawMessage) json.RawMessage {
	var groups, group map[string]json.RawMessage
	if json.Unmarshal(config, &groups) != nil || json.Unmarshal(groups["study"], &group) != nil {
		return config
	}
	delete(group, "runs")
	text, err := json.Marshal(group)
	if err != nil {
		return config
	}
	groups["study"] = text
	if text, err = json.Marshal(groups); err != nil {
		return config
	}
	return text
}

// EssenceButRuns returns a hash of the Essence without the number of runs of a study.
func (m Manifest) EssenceButRuns() [32]byte {
	m = m.Essence()
	if m.Verb == "study" {
		m.Config, m.ConfigSHA256 = withoutRuns(m.Config), ""
	}
	return m.hash()
}

// Identity returns a hash of everything that the answer of the work, or of its shard, depends on.
func (m Manifest) Identity() [32]byte { return m.Essence().hash() }

// PieceIdentity returns a hash of everything that the pieces of the work depend on besides their keys: all of the
// Identity and the build of the program, but not the shard and, for a study, neither the number of runs nor what ends
// it, so that pieces of a shorter study serve a longer one.
func (m Manifest) PieceIdentity() [32]byte {
	build := m.Build
	m = m.Essence()
	m.Shard, m.Build = nil, build
	if m.Verb == "study" {
		m.Config, m.ConfigSHA256, m.UntilKm, m.Trajectories = withoutRuns(m.Config), "", 0, 0
	}
	return m.hash()
}

func (m Manifest) hash() [32]byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic("record: a manifest does not encode: " + err.Error()) // happens only if Config is not JSON
	}
	return sha256.Sum256(text)
}

// WriteManifest writes the manifest as indented JSON.
func WriteManifest(w io.Writer, m Manifest) error { return table.WriteJSON(w, m) }

// ErrNoManifest is the error for a folder without results.
var ErrNoManifest = errors.New("holds no " + ManifestName)

// maxManifest bounds the length of a manifest: the settings take a few thousand bytes, and the values of a sweep
// the rest.
const maxManifest = 4 << 20

// ReadManifest reads the manifest of a results folder. For unfinished work in a folder without a manifest, it
// returns that of the work.
func ReadManifest(folder string) (Manifest, error) {
	m, err := readManifest(folder, ManifestName)
	if errors.Is(err, ErrNoManifest) {
		return ReadWork(folder)
	}
	return m, err
}

// ReadWork reads the manifest of unfinished work, or of a part, in a folder, with nothing done. Without either, the
// error is ErrNoManifest.
func ReadWork(folder string) (Manifest, error) {
	m, err := readManifest(folder, WorkName)
	if err == nil && (m.Complete || len(m.Files) > 0) {
		err = fmt.Errorf("reading %s: it contains finished work", filepath.Join(folder, WorkName))
	}
	return m, err
}

func readManifest(folder, name string) (Manifest, error) {
	path := filepath.Join(folder, name)
	text, err := readWhole(path, maxManifest)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return Manifest{}, fmt.Errorf("%s: %w", folder, ErrNoManifest)
	case err != nil:
		return Manifest{}, fmt.Errorf("reading %s: %w", path, Cause(err))
	}
	m, err := ParseManifest(text)
	if err != nil {
		return Manifest{}, fmt.Errorf("reading %s: %w", path, err)
	}
	return m, nil
}

// ParseManifest reads a manifest. One with impossible contents is an error.
func ParseManifest(text []byte) (m Manifest, err error) {
	if err = json.Unmarshal(text, &m); err == nil {
		err = m.check()
	}
	if err != nil {
		return Manifest{}, err
	}
	return m, nil
}

// check returns an error for impossible contents.
func (m *Manifest) check() error {
	if m.Program != "veilpath" {
		return fmt.Errorf("program is %q, not veilpath", m.Program)
	}
	if s := m.Shard; s != nil && (s.Index < 1 || s.Index > s.Of) {
		return fmt.Errorf("shard %s is impossible, so it was edited by hand or damaged; restore it, or make the part again",
			s)
	}
	for _, s := range m.Sweep.Keys() {
		if len(s.Values) == 0 {
			return fmt.Errorf("the sweep of %s has no values", s.Key)
		}
	}
	for name := range m.Files {
		if name == ManifestName || name != filepath.Base(name) || !filepath.IsLocal(name) {
			return fmt.Errorf("files lists %q, which is not the name of a file in its folder", name)
		}
	}
	return nil
}
