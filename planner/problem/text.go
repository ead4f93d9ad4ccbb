package problem

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

// Limits on input, so that no small file can claim a large amount of memory.
const (
	longestLine   = 1 << 20
	largestText   = 8 << 30 // bytes of a file that is read line by line
	largestWhole  = 1 << 30 // bytes of a file that is read into memory
	largestStream = 1 << 26 // the same if the file's size is unknown
	mostStates    = 1 << 28 // states that a header may claim before rows show them
	mostActions   = 1 << 20
	mostPairs     = 1<<31 - 2 // states x actions
)

// text reads a file line by line, or byte by byte with more.
type text struct {
	path   string
	file   io.ReadCloser
	buffer []byte // the unconsumed bytes are buffer[from:to]
	from   int
	to     int
	left   int64 // bytes that may still be read
	ended  bool  // nothing follows the buffer
	line   int   // number of the line that next returned, from 1
}

// firstBuffer is the number of bytes read at once, unless a line is longer.
const firstBuffer = 1 << 16

func openText(open Open, path string) (*text, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	t := &text{path: path, file: file, buffer: make([]byte, firstBuffer), left: largestText}
	if err := t.skipMark(); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// byteOrderMark is written by some editors at the beginning of UTF-8 text.
const byteOrderMark = "\ufeff"

// skipMark skips a byte order mark at the beginning.
func (t *text) skipMark() error {
	for t.to < len(byteOrderMark) && !t.ended {
		if err := t.more(); err != nil {
			return err
		}
	}
	if bytes.HasPrefix(t.buffer[:t.to], []byte(byteOrderMark)) {
		t.from = len(byteOrderMark)
	}
	return nil
}

func (t *text) close() { t.file.Close() }

// next returns the next line without its line ending, or io.EOF. The line holds until the next call.
func (t *text) next() ([]byte, error) {
	seen := 0
	for {
		left := t.buffer[t.from:t.to]
		if i := bytes.IndexByte(left[seen:], '\n'); i >= 0 {
			t.from += seen + i + 1
			t.line++
			return withoutReturn(left[:seen+i]), nil
		}
		seen = len(left)
		switch {
		case t.ended && seen == 0:
			t.line++
			return nil, io.EOF
		case t.ended:
			t.from = t.to
			t.line++
			return withoutReturn(left), nil
		case seen >= longestLine:
			t.line++
			return nil, t.fail("a line of more than %d bytes", longestLine)
		}
		if err := t.more(); err != nil {
			return nil, err
		}
	}
}

// withoutReturn removes a carriage return at the end of a line.
func withoutReturn(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// more moves the unconsumed bytes to the beginning of the buffer and appends more of the file, or finds that it
// has ended.
func (t *text) more() error {
	n := copy(t.buffer, t.buffer[t.from:t.to])
	t.from, t.to = 0, n
	if n == len(t.buffer) {
		t.buffer = append(t.buffer, make([]byte, n)...)
	}
	for range mostEmptyReads {
		n, err := t.file.Read(t.buffer[t.to:])
		t.to += n
		t.left -= int64(n)
		switch {
		case t.left < 0:
			return fmt.Errorf("%s: more than %d GiB", t.path, largestText>>30)
		case err == io.EOF:
			t.ended = true
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", t.path, err)
		case n > 0:
			return nil
		}
	}
	return fmt.Errorf("%s: %w", t.path, io.ErrNoProgress)
}

// mostEmptyReads is the number of empty reads after which a file is given up.
const mostEmptyReads = 100

// times returns the size of the file over the size of the part read so far; 1 if the size is unknown.
func (t *text) times() float64 {
	taken := largestText - t.left - int64(t.to-t.from)
	if size, known := sizeOf(t.file); known && taken > 0 {
		return 1.02 * float64(size) / float64(taken)
	}
	return 1
}

// sizeOf returns the size of a regular file in bytes.
func sizeOf(file io.ReadCloser) (size int64, known bool) {
	if f, ok := file.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size(), true
		}
	}
	return 0, false
}

// fail is an error about the current line.
func (t *text) fail(problem string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", t.path, t.line, fmt.Sprintf(problem, args...))
}

// cursor splits a line into words.
type cursor struct{ rest []byte }

// word returns the next word; words are separated by blanks or tabs. It returns nil at the end.
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

// number reads the next word as an integer of at least 0.
func (c *cursor) number() (int, bool) { return parseNumber(c.word()) }

// parseNumber reads an integer of at least 0 that fits 31 bits.
func parseNumber(word []byte) (int, bool) {
	n, end := wholeAt(word, 0)
	return n, end == len(word) && end > 0
}

var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// wholeAt reads an integer of at least 0 that fits 31 bits, at a position of a line. It returns the position
// after it, or at if there is none.
func wholeAt(line []byte, at int) (n, end int) {
	i := at
	for ; i < len(line) && i < at+10; i++ {
		digit := line[i] - '0'
		if digit > 9 {
			break
		}
		n = 10*n + int(digit)
	}
	if n > math.MaxInt32-1 || i == at || i > at+1 && line[at] == '0' || i < len(line) && line[i]-'0' <= 9 {
		return 0, at
	}
	return n, i
}

// numberAt reads a finite decimal number at a position of a line. It returns the position after it, or at if
// there is none.
//
// Digits that form an integer below 2^53, over a power of ten up to 10^22, give the number by one correctly
// rounded division (Clinger 1990); longNumberAt reads all others.
func numberAt(line []byte, at int) (x float64, end int) {
	i, negative := at, false
	if i < len(line) && line[i] == '-' {
		i, negative = i+1, true
	}
	mantissa, digits, point := uint64(0), i, -1
	for ; i < len(line); i++ {
		if digit := line[i] - '0'; digit <= 9 {
			if mantissa >= 1<<53/10 {
				return longNumberAt(line, at)
			}
			mantissa = 10*mantissa + uint64(digit)
		} else if line[i] == '.' && point < 0 {
			point = i
		} else {
			break
		}
	}
	decimals := 0
	if point >= 0 {
		decimals = i - point - 1
		digits++
	}
	if i == digits || decimals >= len(powers) || i < len(line) && (line[i]|0x20 == 'e' || line[i] == '.') {
		return longNumberAt(line, at)
	}
	x = float64(mantissa)
	if decimals > 0 {
		x /= powers[decimals]
	}
	if negative {
		x = -x
	}
	return x, i
}

// longNumberAt is numberAt for numbers with many digits or an exponent.
func longNumberAt(line []byte, at int) (x float64, end int) {
	for end = at; end < len(line) && (line[end]-'0' <= 9 || line[end] == '.' || line[end] == '-' || line[end] == '+' ||
		line[end]|0x20 == 'e'); end++ {
	}
	x, ok := parseSlowly(line[at:end])
	if !ok {
		return 0, at
	}
	return x, end
}

// parseFloat reads a finite number.
func parseFloat(word []byte) (float64, bool) {
	if x, end := numberAt(word, 0); end == len(word) && end > 0 {
		return x, true
	}
	return parseSlowly(word)
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

// appendFloat appends the shortest text that is read back as the same number.
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
		return nil, fmt.Errorf("%s: more than %d MiB; write such a large problem as .tra or .parquet", path, most>>20)
	}
	if size > most {
		return nil, fmt.Errorf("%s: more than %d MiB, and not a regular file; write it to a regular file", path,
			most>>20)
	}
	return all.Bytes(), nil
}

// buffered writes through a buffer and reports the first error at the end.
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
