package terminal

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"veilpath/planner/problem"
)

// Input is a problem from standard input, which can be opened like a file, more than once. The zero value is no
// problem.
type Input struct {
	Text []byte
	name string // empty for none
}

const (
	inputStem = "stdin" // stem of the name of standard input

	// LargestInput is the largest length of standard input in bytes.
	LargestInput = 64 << 20
)

// Take returns the name of a problem. For the name - it reads all of from and returns a name with the extension of
// the format.
func (i *Input) Take(from io.Reader, name, format string) (string, error) {
	ending := "." + strings.TrimPrefix(format, ".")
	switch {
	case name != "-" && format != "":
		return "", fmt.Errorf("--from-format %s: the format of a file follows from its name; leave the flag out, "+
			"or give - for standard input", format)
	case name != "-":
		return name, nil
	case format != "" && problem.Removed(inputStem+ending) != nil:
		return "", problem.Removed(inputStem + ending)
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
		return "", fmt.Errorf("standard input: more than %d MiB; write it to a file and name the file", LargestInput>>20)
	}
	if _, zipped := problem.CutGzip(ending); !zipped && bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return "", fmt.Errorf("standard input is compressed with gzip; add --from-format %s.gz", ending[1:])
	}
	*i = Input{text, inputStem + ending}
	return i.name, nil
}

// Named reports whether a path is the name from Take for standard input.
func (i *Input) Named(path string) bool { return i.name != "" && path == i.name }

// Over returns an Open that opens standard input under the name from Take, and other files with files.
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

// ReadAtMost reads at most the first bytes of a file, so that an endless device or a huge file does not fill the
// memory. It waits for a silent pipe or terminal until the context ends. A named pipe without a writer is empty.
func ReadAtMost(ctx context.Context, path string, bytes int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// regular files have no deadlines and need none
	stop := context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	text, err := io.ReadAll(io.LimitReader(f, bytes))
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted while reading it: %w", ctx.Err())
	}
	return text, err
}
