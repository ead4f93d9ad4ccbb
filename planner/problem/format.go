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

// Create writes a file completely or not at all.
type Create func(path string, write func(io.Writer) error) error

// format reads and writes one file format.
type format struct {
	endings []string // lower case; the first is the usual one
	packed  bool     // already compressed; no .gz of it is read
	read    func(open Open, path string) (*Problem, error)
	// write is nil if the format is only read.
	write func(p *Problem, create Create, path string) (lost []string, err error)
}

// formats lists all formats. To add one, write a file beside theirs and a line here.
func formats() []format {
	return []format{
		{[]string{".json"}, false, readGymnasium, writeGymnasium},
		{[]string{".csv"}, false, readCSV, writeCSV},
		{[]string{".parquet"}, true, readParquet, writeParquet},
		{[]string{".tra"}, false, readTransitions, writeTransitions},
		{[]string{".drn"}, false, readDRN, writeDRN},
		{[]string{".mdp", ".pomdp"}, false, readCassandra, writeCassandra},
		{[]string{".npz"}, true, readNumPy, writeNumPy},
		{[]string{".yaml", ".yml"}, false, readTeam, writeTeam},
	}
}

// Endings returns the file name endings that Read and Write accept.
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
	return format{}, fmt.Errorf("%s: no problem format has the ending %q; want one of %s; text formats also "+
		"with .gz", path,
		filepath.Ext(path), strings.Join(Endings(), ", "))
}

// Read reads the problem in a file, and in the files beside it that belong to it. For a name with .gz, open
// must return the decompressed content, see [Unzipped]; the files beside it may be compressed too.
func Read(open Open, path string) (*Problem, error) {
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	stem, zipped := CutGzip(path)
	if !zipped {
		return f.read(open, path)
	}
	return f.read(func(name string) (io.ReadCloser, error) {
		file, err := open(name + path[len(stem):])
		if errors.Is(err, fs.ErrNotExist) {
			if plain, missing := open(name); missing == nil {
				return plain, nil
			}
		}
		return file, err
	}, stem)
}

// Write writes a problem in the format of a file's name. It returns what the file cannot hold.
func Write(p *Problem, create Create, path string) (lost []string, err error) {
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	if stem, zipped := CutGzip(path); zipped {
		return nil, fmt.Errorf("%s: problems are written uncompressed; name %s, and compress that", path, stem)
	}
	if lost, err = f.write(p, create, path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return lost, nil
}
