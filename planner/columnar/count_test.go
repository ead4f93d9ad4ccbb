package columnar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

// Runs are repeated values, or groups of 8 values of so many bits: the layout of Parquet's hybrid of both.
func TestRunsAreCounted(t *testing.T) {
	repeated := func(n uint64, value ...byte) []byte { return append(binary.AppendUvarint(nil, n<<1), value...) }
	packed := func(groups uint64, bytes ...byte) []byte {
		return append(binary.AppendUvarint(nil, groups<<1|1), bytes...)
	}
	for name, c := range map[string]struct {
		data      []byte
		width     int64
		values    int64
		whole, ok bool
	}{
		"nothing":                         {nil, 3, 0, true, true},
		"a repeated value":                {repeated(100, 5), 3, 100, true, true},
		"a value of two bytes":            {repeated(100, 5, 1), 9, 100, true, true},
		"a value of two bytes, cut short": {repeated(100, 5), 9, 100, false, true},
		"a group":                         {packed(1, 1, 2, 3), 3, 8, true, true},
		"groups":                          {packed(2, 1, 2, 3, 4, 5, 6), 3, 16, true, true},
		"groups, cut short":               {packed(2, 1, 2, 3, 4, 5), 3, 16, false, true},
		"both": {bytes.Join([][]byte{repeated(7, 1), packed(3, 1, 2, 3), repeated(2, 0)}, nil), 1,
			7 + 24 + 2, true, true},
		"no bits":                   {packed(4), 0, 32, true, true},
		"a length that no page has": {repeated(mostRows+1, 1), 1, 0, false, false},
		"no length":                 {[]byte{0x80}, 1, 0, false, false},
	} {
		values, whole, ok := countRuns(c.data, c.width)
		if values != c.values || whole != c.whole || ok != c.ok {
			t.Errorf("%s: %d values, %v, %v; want %d, %v, %v", name, values, whole, ok, c.values, c.whole, c.ok)
		}
	}
}

// reads counts the bytes that are requested.
type reads struct {
	*bytes.Reader
	most int
}

func (r *reads) ReadAt(to []byte, at int64) (int, error) {
	r.most = max(r.most, len(to))
	return r.Reader.ReadAt(to, at)
}

// A footer that says a length which the file, or any table of so many row groups, does not have is refused before so
// much is read.
func TestFootersSayLengthsThatTablesHave(t *testing.T) {
	const groups = 3
	largest := maxFooter + groups*maxFooterGroup
	for name, c := range map[string]struct {
		size   int // of the file
		length int // as it says
		says   string
	}{
		"shorter than its end": {7, 0, "its length: it is not a table that veilpath reads"},
		"longer than the file": {1000, 993, "the length of its footer: it is not a table that veilpath reads"},
		"all of the file":      {1000, 992, "its footer: it is not a table that veilpath reads"},
		"longer than a footer": {2 * largest, largest + 1, "the length of its footer: it is not a table that " +
			"veilpath reads"},
		"the largest there may": {2 * largest, largest, "its footer: it is not a table that veilpath reads"},
	} {
		file := bytes.Repeat([]byte{0xff}, c.size)
		if c.size >= 8 {
			binary.LittleEndian.PutUint32(file[c.size-8:], uint32(c.length))
		}
		counted := &reads{Reader: bytes.NewReader(file)}
		_, _, err := readFooter(counted, int64(c.size), groups)
		if !errors.Is(err, ErrTable) || err.Error() != c.says {
			t.Errorf("%s: error %v, want %s", name, err, c.says)
		}
		if counted.most > largest {
			t.Errorf("%s: %d bytes were read at once", name, counted.most)
		}
	}
}
