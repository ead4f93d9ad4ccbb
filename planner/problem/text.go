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
	"strings"
)

// Bounds of what is read, so that no file fills the memory by its looks alone.
const (
	longestLine   = 1 << 20
	largestText   = 8 << 30   // bytes of a file that is read line by line
	largestWhole  = 1 << 30   // bytes of a file that is read into memory
	largestStream = 1 << 26   // the same where its size is not known before
	mostStates    = 1 << 28   // what a header may claim before a row shows it
	mostActions   = 1 << 20   //
	mostPairs     = 1<<31 - 2 // states x actions
)

// text reads a file line by line.
type text struct {
	path string
	file io.ReadCloser
	r    *bufio.Reader
	left int64
	line int // number of the line that next returned, from 1
}

func openText(open Open, path string) (*text, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	return &text{path: path, file: file, r: bufio.NewReaderSize(file, longestLine), left: largestText}, nil
}

func (t *text) close() { t.file.Close() }

// next returns the next line without its end, or io.EOF. It holds until the next call.
func (t *text) next() ([]byte, error) {
	line, err := t.r.ReadSlice('\n')
	t.line++
	t.left -= int64(len(line))
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, t.fail("a line of more than %d bytes", longestLine)
	case err == io.EOF && len(line) == 0:
		return nil, io.EOF
	case err != nil && err != io.EOF:
		return nil, fmt.Errorf("%s: %w", t.path, err)
	case t.left < 0:
		return nil, t.fail("more than %d GiB", largestText>>30)
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'}), nil
}

// times returns how many times what was read so far goes into the file, 1 where its size is not known.
func (t *text) times() float64 {
	if size, known := sizeOf(t.file); known {
		return 1.02 * float64(size) / float64(largestText-t.left)
	}
	return 1
}

// sizeOf returns how many bytes a regular file has.
func sizeOf(file io.ReadCloser) (size int64, known bool) {
	if f, ok := file.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size(), true
		}
	}
	return 0, false
}

// fail is an error about the line.
func (t *text) fail(problem string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", t.path, t.line, fmt.Sprintf(problem, args...))
}

// cursor takes words off a line.
type cursor struct{ rest []byte }

// word returns the next word, between blanks; nil at the end.
func (c *cursor) word() []byte {
	i := 0
	for i < len(c.rest) && (c.rest[i] == ' ' || c.rest[i] == '\t') {
		i++
	}
	from := i
	for i < len(c.rest) && c.rest[i] != ' ' && c.rest[i] != '\t' {
		i++
	}
	word := c.rest[from:i]
	c.rest = c.rest[i:]
	if len(word) == 0 {
		return nil
	}
	return word
}

// number reads the next word as a number from 0 on.
func (c *cursor) number() (int, bool) { return parseNumber(c.word()) }

// parseNumber reads a whole number from 0 on that fits 31 bits.
func parseNumber(word []byte) (int, bool) {
	if len(word) == 0 || len(word) > 10 || word[0] == '0' && len(word) > 1 {
		return 0, false
	}
	n := 0
	for _, b := range word {
		if b < '0' || b > '9' {
			return 0, false
		}
		n = 10*n + int(b-'0')
	}
	return n, n <= math.MaxInt32-1
}

var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseFloat reads a finite number. Digits that make a whole number below 2^53 and a power of ten up to 22 divide
// exactly, with one rounding (Clinger 1990); others go the longer way to the same end.
func parseFloat(word []byte) (float64, bool) {
	i, negative := 0, false
	if len(word) > 0 && word[0] == '-' {
		i, negative = 1, true
	}
	mantissa, decimals, seen, point := uint64(0), 0, 0, false
	for ; i < len(word); i++ {
		switch b := word[i]; {
		case b >= '0' && b <= '9':
			if mantissa >= 1<<53/10 {
				return parseSlowly(word)
			}
			mantissa = 10*mantissa + uint64(b-'0')
			seen++
			if point {
				decimals++
			}
		case b == '.' && !point:
			point = true
		default:
			return parseSlowly(word)
		}
	}
	if seen == 0 || decimals >= len(powers) {
		return parseSlowly(word)
	}
	x := float64(mantissa)
	if decimals > 0 {
		x /= powers[decimals]
	}
	if negative {
		x = -x
	}
	return x, true
}

func parseSlowly(word []byte) (float64, bool) {
	if bytes.IndexByte(word, '_') >= 0 || bytes.IndexByte(word, 'x') >= 0 || bytes.IndexByte(word, 'X') >= 0 {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(word), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, false
	}
	return x, true
}

// parseRatio reads a number or a ratio of two, such as 1/3.
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

// appendFloat writes the shortest text that reads back as the number.
func appendFloat(text []byte, x float64) []byte { return strconv.AppendFloat(text, x, 'g', -1, 64) }

// readWhole reads a file into memory.
func readWhole(open Open, path string) ([]byte, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	most := int64(largestStream)
	size, known := sizeOf(file)
	if known {
		most = largestWhole
	}
	var all bytes.Buffer
	if size <= most {
		all.Grow(int(size) + bytes.MinRead)
		if _, err := all.ReadFrom(io.LimitReader(file, most+1)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		size = int64(all.Len())
	}
	if size > most && known {
		return nil, fmt.Errorf("%s: more than %d MiB; a problem so large goes into .tra or .parquet", path, most>>20)
	}
	if size > most {
		return nil, fmt.Errorf("%s: more than %d MiB, and no regular file; write it to one", path, most>>20)
	}
	return all.Bytes(), nil
}

// buffered writes through a buffer, with one error at the end.
func buffered(write func(w *bufio.Writer)) func(io.Writer) error {
	return func(to io.Writer) error {
		w := bufio.NewWriterSize(to, 1<<16)
		write(w)
		return w.Flush()
	}
}

// withEnding replaces the ending of a path.
func withEnding(path, from, to string) string {
	if n := len(path) - len(from); n >= 0 && strings.EqualFold(path[n:], from) {
		return path[:n] + to
	}
	return path + to
}
