package problem

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
)

// Open opens a file for reading.
type Open func(path string) (io.ReadCloser, error)

// format reads one file format.
type format struct {
	endings []string // lower case; the first is the usual one
	packed  bool     // already compressed; no .gz of it is read
	models  bool     // may have several reward models
	read    func(open Open, path string, options Options) (*Problem, error)
}

// Options are choices in reading a file.
type Options struct {
	RewardModel string // of a DRN file, by name; empty for its first
	Start       string // the state that is reported, by name, if it is not that of the file
}

// formats lists all formats. To add one, write a file beside theirs and a line here.
func formats() []format {
	return []format{
		{endings: []string{".json"}, read: readGymnasium},
		{endings: []string{".csv"}, read: readCSV},
		{endings: []string{".drn"}, read: readDRN, models: true},
		{endings: []string{".npz"}, read: readNumPy, packed: true},
		{endings: []string{".yaml", ".yml"}, read: readTeam, models: true},
	}
}

// removed says what to use instead of files that are not read. FILE is the path without its ending.
var removed = map[string]string{
	".tra":     "let Storm write DRN: storm --prism FILE.prism --buildfull --exportbuild FILE.drn",
	".prism":   "let Storm write DRN: storm --prism FILE.prism --buildfull --exportbuild FILE.drn",
	".nm":      "let Storm write DRN: storm --prism FILE.nm --buildfull --exportbuild FILE.drn",
	".jani":    "let Storm write DRN: storm --jani FILE.jani --buildfull --exportbuild FILE.drn",
	".parquet": "let DuckDB write CSV: duckdb -c \"COPY (SELECT * FROM 'FILE.parquet') TO 'FILE.csv'\"",
	".mdp":     "write CSV with a row per outcome: " + wantHeadings,
	".pomdp":   "write CSV with a row per outcome: " + wantHeadings,
	".png":     "write CSV with a line of numbers per row of cells, the northernmost first",
}

// Removed returns an error that says what to use instead of a file whose ending is no longer read, and nil for other
// files.
func Removed(path string) error {
	stem, _ := CutGzip(path)
	ending := filepath.Ext(stem)
	if advice := removed[strings.ToLower(ending)]; advice != "" {
		return fmt.Errorf("%s: %s files are not read; %s", path, strings.ToLower(ending),
			strings.ReplaceAll(advice, "FILE", strings.TrimSuffix(stem, ending)))
	}
	return nil
}

// Endings returns the file name endings that Read accepts.
func Endings() []string {
	var all []string
	for _, f := range formats() {
		all = append(all, f.endings...)
	}
	return all
}

// Known reports whether Read accepts the ending of a path.
func Known(path string) bool {
	_, err := formatOf(path)
	return err == nil
}

func formatOf(path string) (format, error) {
	stem, zipped := CutGzip(path)
	ending := strings.ToLower(filepath.Ext(stem))
	for _, f := range formats() {
		for _, e := range f.endings {
			if e == ending && zipped && f.packed {
				return format{}, fmt.Errorf("%s: %s is already compressed; decompress the .gz and name that file", path, e)
			}
			if e == ending {
				return f, nil
			}
		}
	}
	if err := Removed(path); err != nil {
		return format{}, err
	}
	return format{}, fmt.Errorf("%s: no problem format has the ending %q; want one of %s; text formats also with .gz",
		path, filepath.Ext(path), strings.Join(Endings(), ", "))
}

// Read reads the problem in a file, and in the files that it names. For a name with .gz, open must return the
// decompressed content, see [Unzipped]; the files that it names may be compressed too.
func Read(open Open, path string, options Options) (*Problem, error) {
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	if options.RewardModel != "" && !f.models {
		return nil, fmt.Errorf("%s: reward models to choose from are in DRN files alone", path)
	}
	stem, zipped := CutGzip(path)
	if zipped {
		plain := open
		open = func(name string) (io.ReadCloser, error) {
			file, err := plain(name + path[len(stem):])
			if errors.Is(err, fs.ErrNotExist) {
				return plain(name)
			}
			return file, err
		}
	}
	p, err := f.read(open, stem, options)
	if err != nil {
		return nil, err
	}
	p.Remarks = append([]string{p.sentence(stem, options.Start)}, p.Remarks...)
	return p, nil
}
