package terminal

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"veilpath/planner/problem"
)

// Input is a problem that was read from standard input, as a file that may be opened again. The zero value is none.
type Input struct {
	Text []byte
	name string // empty for none
}

const (
	inputStem = "stdin" // of the name of standard input

	// LargestInput is how many bytes are read from standard input.
	LargestInput = 64 << 20
)

// Take returns the name of a problem. For - it reads all of from, which then goes by a name with the ending of the
// format.
func (i *Input) Take(from io.Reader, name, format string) (string, error) {
	ending := "." + strings.TrimPrefix(format, ".")
	switch {
	case name != "-" && format != "":
		return "", fmt.Errorf("--from-format %s: the ending of a file's name says its format; leave it out, or "+
			"give - for standard input", format)
	case name != "-":
		return name, nil
	case format != "" && !problem.Known(inputStem+ending):
		return "", fmt.Errorf("--from-format %s: not a format of problems; want one of %s", format,
			strings.Join(problem.Endings(), ", "))
	case format == "":
		return "", fmt.Errorf("-: the format of standard input is unknown; add --from-format with one of %s, such "+
			"as --from-format csv", strings.Join(problem.Endings(), ", "))
	}
	text, err := io.ReadAll(io.LimitReader(from, LargestInput+1))
	if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	if len(text) > LargestInput {
		return "", fmt.Errorf("standard input: more than %d MiB; write it to a file and name that", LargestInput>>20)
	}
	if _, zipped := problem.CutGzip(ending); !zipped && bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return "", fmt.Errorf("standard input is compressed by gzip; say so with --from-format %s.gz", ending[1:])
	}
	*i = Input{text, inputStem + ending}
	return i.name, nil
}

// Named reports whether a path is the name that Take gave standard input.
func (i *Input) Named(path string) bool { return i.name != "" && path == i.name }

// Over returns an Open that gives what was read by the name that Take returned, and finds no file beside it. Other
// paths are those of files.
func (i *Input) Over(files problem.Open) problem.Open {
	return func(path string) (io.ReadCloser, error) {
		switch {
		case i.Named(path):
			return io.NopCloser(bytes.NewReader(i.Text)), nil
		case i.name != "" && strings.HasPrefix(path, inputStem+"."):
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return files(path)
	}
}
