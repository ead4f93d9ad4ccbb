package recording

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/flightfile"
	"veilpath/internal/record"
)

// The files of a recording that the viewer reads.
const (
	ManifestName = "manifest.json"
	SummaryName  = "summary.csv"
	ConfigName   = "config.yaml" // of a tuning: with the chosen epsilon
)

// Names returns the files of a recording that the viewer reads, the manifest first.
func Names() []string { return []string{ManifestName, SummaryName, ConfigName, FlightsName} }

// Bounds on the files that are listed and read.
const (
	LargestFile         = 4 << 20  // bytes
	largestTrajectories = 32 << 20 // bytes; those of more flights are flown again
	mostRecordings      = 200
	mostEntries         = 20_000
	deepest             = 3 // levels of subfolders
)

// Entry is a folder with a manifest.
type Entry struct {
	Path    string   `json:"path"`
	Verb    string   `json:"verb,omitempty"`
	Problem string   `json:"problem,omitempty"` // why it cannot be shown; empty if it can
	Files   []string `json:"files"`             // existing files of Names
}

// List returns the recordings in the root folder and its subfolders. Recordings that can be shown come first; both
// groups are sorted by path. Unreadable folders are skipped.
func List(files fs.FS) []Entry {
	found := []Entry{}
	seen := 0
	fs.WalkDir(files, ".", func(at string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil:
			return fs.SkipDir
		case seen > mostEntries || len(found) == mostRecordings:
			return fs.SkipAll
		case d.IsDir() && at != "." && (strings.Count(at, "/") >= deepest || Hidden(d.Name())):
			return fs.SkipDir
		case d.Name() == ManifestName && !d.IsDir():
			if e, ok := inspect(files, path.Dir(at)); ok {
				found = append(found, e)
			}
		}
		return nil
	})
	slices.SortFunc(found, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(len(a.Problem), 0)-cmp.Compare(len(b.Problem), 0), strings.Compare(a.Path, b.Path))
	})
	return found
}

// Hidden reports whether a name is that of a hidden file.
func Hidden(name string) bool { return strings.HasPrefix(name, ".") && name != "." }

// inspect returns the entry of a folder. ok is false if its manifest is not a regular file.
func inspect(files fs.FS, folder string) (e Entry, ok bool) {
	e.Path = folder
	for _, name := range Names() {
		at, largest := stored(path.Join(folder, name))
		info, err := fs.Stat(files, at)
		if err == nil && info.Mode().IsRegular() && (largest == LargestFile || info.Size() <= largest) {
			e.Files = append(e.Files, name)
		}
	}
	text, err := ReadFile(files, path.Join(folder, ManifestName))
	if errors.Is(err, record.ErrIrregular) {
		return e, false
	}
	if err == nil {
		var m record.Manifest
		m, err = Manifest(ManifestName, text)
		e.Verb = m.Verb
	}
	if err != nil {
		e.Problem = err.Error()
	}
	return e, true
}

// Manifest reads a manifest with a configuration. name is used in the error, which distinguishes an incomplete
// file, a file of another kind, one of a program with a mechanism or observer of its own, and settings that name a
// command: the viewer flies every flight again, and whoever opens a folder does not run what is in it.
func Manifest(name string, text []byte) (record.Manifest, error) {
	m, err := record.ParseManifest(text)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		err = fmt.Errorf("%s is incomplete or not JSON, at byte %d of %d: %v", name, syntax.Offset, len(text), err)
	case err != nil:
		err = fmt.Errorf("%s is not a manifest of veilpath: %v", name, err)
	case len(m.Config) == 0:
		err = fmt.Errorf("%s has no config; write the record again", name)
	case m.Own != "":
		err = fmt.Errorf("%s was written by a program with %s, which the viewer does not have and would fly otherwise; "+
			"its tables, figures and report.html show these flights", name, m.Own)
	default: // what else is wrong with settings is said where they are loaded
		if lines, wrong := configs.CommandsOf(m.Config); wrong == nil && len(lines) > 0 {
			err = fmt.Errorf("%s names the command %s%s, and the viewer runs no commands; the tables and figures beside it "+
				"show these flights", name, configs.CommandMark, lines[0])
		}
	}
	return m, err
}

// Files are the contents of a recording, by the names of Names.
type Files map[string][]byte

// Read reads a recording whose files are as its manifest lists them, or a manifest that is the only file there is.
func Read(files fs.FS, folder string) (Files, error) {
	if entries, err := fs.ReadDir(files, "."); err != nil || len(entries) != 1 || entries[0].IsDir() {
		if err := Check(files, folder); err != nil {
			return nil, err
		}
	}
	read := Files{}
	for _, name := range Names() {
		text, err := ReadFile(files, path.Join(folder, name))
		switch {
		case err == nil:
			read[name] = text
		case name == ManifestName || name != FlightsName && !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: %w", path.Join(folder, name), record.Cause(err))
		}
	}
	return read, nil
}

// Check compares the files of a folder with its manifest.
func Check(files fs.FS, folder string) error {
	at := path.Join(folder, ManifestName)
	text, err := ReadFile(files, at)
	if err != nil {
		return fmt.Errorf("%s: %w", at, record.Cause(err))
	}
	m, err := Manifest(at, text)
	if err != nil {
		return err
	}
	return record.CheckFilesWith(context.Background(), folder, m, func(name string) (io.ReadCloser, error) {
		info, err := fs.Stat(files, path.Join(folder, name))
		if err == nil && !info.Mode().IsRegular() {
			err = record.ErrIrregular
		}
		if err != nil {
			return nil, err
		}
		return files.Open(path.Join(folder, name))
	})
}

// stored returns the file that a file of Names is made from, and the most bytes it may have.
func stored(name string) (at string, largest int64) {
	if path.Base(name) == FlightsName {
		return path.Join(path.Dir(name), flightfile.TrajectoriesName), largestTrajectories
	}
	return name, LargestFile
}

// ReadFile reads one of the files of Names, or another regular file of at most LargestFile bytes.
func ReadFile(files fs.FS, name string) ([]byte, error) {
	if at, _ := stored(name); at != name {
		return readFlights(files, at)
	}
	return readAtMost(files, name, LargestFile)
}

// readAtMost reads a regular file of at most so many bytes.
func readAtMost(files fs.FS, name string, largest int64) ([]byte, error) {
	errTooLong := fmt.Errorf("longer than %d bytes; veilpath did not write this file", largest)
	// Opening a pipe would wait for its writer, so the kind of file is checked first.
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, record.ErrIrregular
	case info.Size() > largest:
		return nil, errTooLong
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largest+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > largest {
		return nil, errTooLong
	}
	return text, nil
}
