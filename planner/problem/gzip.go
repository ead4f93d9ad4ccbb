package problem

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

const gzipEnding = ".gz"

// A file may decompress to maxStreamBytes, or to maxExpansion times its size if that is more. Tables of numbers
// decompress to some 10 times their size, and a table of one repeated row to 500 times.
const maxExpansion = 50

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
		u := &unzipped{path: path, file: file}
		if u.content, err = gzip.NewReader(u.counted()); err != nil {
			file.Close()
			return nil, fmt.Errorf("%s: not compressed by gzip, as its name says (%w); leave .gz out of its name", path, err)
		}
		text := bufio.NewReaderSize(u, 1<<16)
		if start, _ := text.Peek(262); len(start) == 262 && string(start[257:]) == "ustar" { // POSIX.1-1988
			file.Close()
			return nil, fmt.Errorf("%s: an archive of tar; unpack it with tar -xzf %[1]s and name the file in it", path)
		}
		return struct {
			io.Reader
			io.Closer
		}{text, file}, nil
	}
}

// unzipped is the decompressed content of a file.
type unzipped struct {
	path                     string
	file                     io.Reader
	content                  *gzip.Reader
	compressed, decompressed int64 // bytes read so far
}

// counted returns the compressed file as a reader that counts its bytes.
func (u *unzipped) counted() io.Reader {
	count := func(b []byte) (int, error) { u.compressed += int64(len(b)); return len(b), nil }
	return io.TeeReader(u.file, writerFunc(count))
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// Read implements io.Reader. The error for a truncated or damaged file names the compressed file.
func (u *unzipped) Read(b []byte) (int, error) {
	n, err := u.content.Read(b)
	u.decompressed += int64(n)
	var corrupt flate.CorruptInputError
	switch {
	case u.decompressed > max(maxStreamBytes, maxExpansion*u.compressed):
		return 0, fmt.Errorf("%s decompresses to more than %d times its size; decompress it and name that file", u.path,
			maxExpansion)
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt):
		err = fmt.Errorf("%s is cut off or damaged; compress it again", u.path)
	}
	return n, err
}
