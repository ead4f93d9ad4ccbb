package problem

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
)

// Limits on input, so that no small file can claim a large amount of memory.
const (
	maxLineBytes   = 1 << 20
	maxTextBytes   = 8 << 30 // bytes of a file that is read line by line
	maxFileBytes   = 1 << 30 // bytes of a file that is read into memory
	maxStreamBytes = 1 << 26 // the same if the file's size is unknown
	maxStates      = 1 << 28 // states that a header may claim before rows show them
	maxActions     = 1 << 20
	maxPairs       = 1<<31 - 2 // states x actions
)

// text reads a file line by line.
type text struct {
	path  string
	file  io.Closer
	whole *io.LimitedReader // the file, up to maxTextBytes
	lines *bufio.Reader
	line  int32 // number of the line that next returned, from 1
}

// openText opens a text and skips the byte order mark that some editors write at its beginning.
func openText(open Open, path string) (*text, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	t := &text{path: path, file: file, whole: &io.LimitedReader{R: file, N: maxTextBytes}}
	t.lines = bufio.NewReaderSize(t.whole, maxLineBytes)
	if mark, _ := t.lines.Peek(3); string(mark) == "\ufeff" {
		t.lines.Discard(3)
	}
	return t, nil
}

func (t *text) close() { t.file.Close() }

// next returns the next line without its line ending, or io.EOF. The line holds until the next call.
func (t *text) next() ([]byte, error) {
	line, err := t.lines.ReadSlice('\n')
	t.line++
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, t.fail("a line of more than %d bytes", maxLineBytes)
	case err == io.EOF && t.whole.N <= 0:
		return nil, fmt.Errorf("%s: more than %d GiB", t.path, maxTextBytes>>30)
	case err == io.EOF && len(line) == 0:
		return nil, io.EOF
	case err != nil && err != io.EOF:
		return nil, fmt.Errorf("%s: %w", t.path, err)
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'}), nil
}

// each passes the remaining lines to a function.
func (t *text) each(use func(line []byte) error) error {
	for {
		line, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = use(line)
		}
		if err != nil {
			return err
		}
	}
}

// fail is an error about the current line.
func (t *text) fail(problem string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", t.path, t.line, fmt.Sprintf(problem, args...))
}

// nextWord returns the first word of a line, and the rest after it. Words are separated by blanks or tabs.
func nextWord(line []byte) (word, rest []byte) {
	line = bytes.TrimLeft(line, " \t")
	end := bytes.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return line[:end], line[end:]
}

// parseNumber reads an integer of at least 0 that fits 31 bits, without leading zeros.
func parseNumber(word []byte) (n int, ok bool) {
	if len(word) == 0 || len(word) > 10 || len(word) > 1 && word[0] == '0' {
		return 0, false
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, n < math.MaxInt32
}

// parseFloat reads a finite decimal number.
func parseFloat(word []byte) (float64, bool) {
	x, err := strconv.ParseFloat(string(word), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || bytes.ContainsAny(word, "_xX") {
		return 0, false
	}
	return x, true
}

// parseRatio reads a number or a ratio of two numbers, such as 1/3.
func parseRatio(word []byte) (float64, bool) {
	over := bytes.IndexByte(word, '/')
	if over < 0 {
		return parseFloat(word)
	}
	above, ok := parseFloat(word[:over])
	below, too := parseFloat(word[over+1:])
	if x := above / below; ok && too && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x, true
	}
	return 0, false
}

// readWhole reads a file into memory.
func readWhole(open Open, path string) ([]byte, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	most, size := int64(maxStreamBytes), int64(0)
	if f, ok := file.(fs.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			most, size = maxFileBytes, info.Size()
		}
	}
	if size > most {
		return nil, fmt.Errorf("%s: more than %d MiB; write such a large problem as CSV or DRN", path, most>>20)
	}
	whole, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if int64(len(whole)) > most {
		return nil, fmt.Errorf("%s: more than %d MiB, and not a regular file; write it to a regular file", path, most>>20)
	}
	return whole, nil
}
