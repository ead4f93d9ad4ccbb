package problem

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Open opens a file to be read.
type Open func(path string) (io.ReadCloser, error)

// Create writes a file whole, or not at all.
type Create func(path string, write func(io.Writer) error) error

// format is a format of files.
type format struct {
	endings []string // lower case; the first is the usual one
	read    func(open Open, path string) (*Problem, error)
	write   func(p *Problem, create Create, path string) (lost []string, err error) // nil where the format is only read
}

// formats are those that there are. Another one is a file beside theirs and a line here.
func formats() []format {
	return []format{
		{[]string{".json"}, readGymnasium, writeGymnasium},
		{[]string{".csv"}, readCSV, writeCSV},
		{[]string{".parquet"}, readParquet, writeParquet},
		{[]string{".tra"}, readTransitions, writeTransitions},
		{[]string{".drn"}, readDRN, writeDRN},
		{[]string{".mdp", ".pomdp"}, readCassandra, writeCassandra},
		{[]string{".npz"}, readNumPy, writeNumPy},
		{[]string{".yaml", ".yml"}, readTeam, writeTeam},
	}
}

// Endings returns the endings of names that Read and Write know.
func Endings() []string {
	var all []string
	for _, f := range formats() {
		all = append(all, f.endings...)
	}
	return all
}

// Known reports whether a path has an ending that Read knows.
func Known(path string) bool {
	_, err := formatOf(path)
	return err == nil
}

func formatOf(path string) (format, error) {
	ending := strings.ToLower(filepath.Ext(path))
	for _, f := range formats() {
		for _, e := range f.endings {
			if e == ending {
				return f, nil
			}
		}
	}
	return format{}, fmt.Errorf("%s: no format of problems has the ending %q; want one of %s", path, filepath.Ext(path), strings.Join(Endings(), ", "))
}

// Read reads the problem in a file, and in the files beside it that belong to it.
func Read(open Open, path string) (*Problem, error) {
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	return f.read(open, path)
}

// Write writes a problem in the format of a file's name. It returns what the file does not hold.
func Write(p *Problem, create Create, path string) (lost []string, err error) {
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	if lost, err = f.write(p, create, path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return lost, nil
}
