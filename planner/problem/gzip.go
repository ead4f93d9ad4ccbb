package problem

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

const gzipEnding = ".gz"

// CutGzip returns a path without the ending .gz, and whether it had this ending.
func CutGzip(path string) (stem string, zipped bool) {
	if n := len(path) - len(gzipEnding); n >= 0 && strings.EqualFold(path[n:], gzipEnding) {
		return path[:n], true
	}
	return path, false
}

// Unzipped returns an Open that decompresses files whose names end in .gz while they are read. Limits on the
// bytes of a file apply to the decompressed bytes.
func Unzipped(open Open) Open {
	return func(path string) (io.ReadCloser, error) {
		file, err := open(path)
		if _, zipped := CutGzip(path); err != nil || !zipped {
			return file, err
		}
		content, err := gzip.NewReader(file)
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("%s: not compressed by gzip, as its name says (%w); leave .gz out of its name", path, err)
		}
		return &unzipped{content, file, path}, nil
	}
}

// unzipped is the decompressed content of a file. Its size is unknown until it is read.
type unzipped struct {
	*gzip.Reader
	file io.Closer
	path string
}

// Read implements io.Reader. The error for a truncated or damaged file names the compressed file.
func (u *unzipped) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	var corrupt flate.CorruptInputError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) {
		err = fmt.Errorf("%s is cut off or damaged; compress it again", u.path)
	}
	return n, err
}

// Close closes the file.
func (u *unzipped) Close() error { return u.file.Close() }
