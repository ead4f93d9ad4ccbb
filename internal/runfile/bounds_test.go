package runfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/planner/columnar"
	"veilpath/sim/study"
)

// mostMemory bounds the memory for reading a small file, whatever sizes the file claims.
const mostMemory = 64 << 20

// within fails the test when a function allocates more than mostMemory, or takes more than 10 s.
func within(t *testing.T, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > mostMemory || time.Since(start) > 10*time.Second {
		t.Errorf("it took %d MB and %v", taken>>20, time.Since(start))
	}
}

// zeros compresses n bytes of 0.
func zeros(t *testing.T, n int64) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(w, zero{}, n); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type zero struct{}

func (zero) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// packed compresses bytes.
func packed(t *testing.T, b ...byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}

// forged replaces a column's pages by another page, in a table of 6 rows.
func forged(t *testing.T, column string, page []byte, h format.DataPageHeaderV2, plain, said int32) []byte {
	t.Helper()
	table := writeRuns(t, record.Sweep{}, sample(6))
	footer := len(table) - 8 - int(binary.LittleEndian.Uint32(table[len(table)-8:]))
	var m format.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), table[footer:len(table)-8], &m); err != nil {
		t.Fatal(err)
	}
	header := format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: plain, CompressedPageSize: said}
	header.DataPageHeaderV2 = thrift.Null[format.DataPageHeaderV2]{V: h, Valid: true}
	text, err := thrift.Marshal(new(thrift.CompactProtocol), &header)
	if err != nil {
		t.Fatal(err)
	}
	out := append(bytes.Clone(table[:footer]), text...)
	out = append(out, page...)
	for i := range m.RowGroups[0].Columns {
		if c := &m.RowGroups[0].Columns[i].MetaData; c.PathInSchema[0] == column {
			c.DataPageOffset, c.TotalCompressedSize = int64(footer), int64(len(out)-footer)
		}
	}
	return withFooter(t, out, &m)
}

// withFooter appends a footer to a file.
func withFooter(t *testing.T, file []byte, m *format.FileMetaData) []byte {
	t.Helper()
	text, err := thrift.Marshal(new(thrift.CompactProtocol), m)
	if err != nil {
		t.Fatal(err)
	}
	file = append(file, text...)
	return append(binary.LittleEndian.AppendUint32(file, uint32(len(text))), "PAR1"...)
}

// A small file that claims to be large is refused by name, with little memory.
func TestBombsAreRefusedByName(t *testing.T) {
	const large = 1 << 28
	six := format.DataPageHeaderV2{NumValues: 6, NumRows: 6, Encoding: format.Plain}
	whole := writeRuns(t, record.Sweep{}, sample(6))
	delta := six
	delta.Encoding = format.DeltaBinaryPacked
	run := binary.AppendUvarint([]byte{1}, large<<1)
	page := zeros(t, large)
	footer := func(text ...byte) []byte {
		file := append([]byte("PAR1"), text...)
		return append(binary.LittleEndian.AppendUint32(file, uint32(len(text))), "PAR1"...)
	}
	many := six
	many.NumValues, many.NumRows = math.MaxInt32, math.MaxInt32
	for name, text := range map[string][]byte{
		"a page that is large, and says so":  forged(t, "detection_km", page, six, large, int32(len(page))),
		"a page that is larger than it says": forged(t, "detection_km", page, six, 48, int32(len(page))),
		"a page that ends after the file":    forged(t, "detection_km", page[:100], six, 48, math.MaxInt32),
		"more values than there are": forged(t, "detection_km", packed(t, make([]byte, 48)...), many, 48,
			int32(len(packed(t, make([]byte, 48)...)))),
		"differences of more numbers than there are": forged(t, "run", packed(t, 128, 1, 4, 255, 255, 255, 255, 7, 0), delta,
			9,
			int32(len(packed(t, 128, 1, 4, 255, 255, 255, 255, 7, 0)))),
		"a long run of one index": forged(t, "epsilon", packed(t, append(run, 0)...),
			format.DataPageHeaderV2{NumValues: 6, NumRows: 6, Encoding: format.RLEDictionary},
			int32(len(run)+1), int32(len(packed(t, append(run, 0)...)))),
		"a list in the footer":       footer(0x29, 0xfc, 255, 255, 255, 255, 7),
		"a text in the footer":       footer(0x68, 255, 255, 255, 255, 7),
		"a footer longer than all":   append(bytes.Clone(whole[:len(whole)-8]), "\xff\xff\xff\xffPAR1"...),
		"a footer nested for ever":   footer(bytes.Repeat([]byte{0x1c}, 60_000)...),
		"a file that is only a tail": []byte("\x00\x00\x00\x00PAR1"),
	} {
		folder, m := recorded(t, 6, text)
		var err error
		within(t, func() {
			err = ReadRuns(context.Background(), record.Disk{}, folder, m, func([][]study.Run) error { return nil })
		})
		if !errors.Is(err, record.ErrDamaged) || !errors.Is(err, columnar.ErrTable) ||
			!strings.Contains(err.Error(), filepath.Join(folder, record.RunsName)) {
			t.Errorf("%s, %d bytes: %v", name, len(text), err)
		}
	}
}

// Readers of external tables and of costs also refuse by name a small file that claims to be large, or expands to
// a large one.
func TestBombsInNumbersAreRefusedByName(t *testing.T) {
	const large = 1 << 28
	six := format.DataPageHeaderV2{NumValues: 6, NumRows: 6, Encoding: format.Plain}
	indices := six
	indices.Encoding = format.RLEDictionary
	page, run := zeros(t, large), binary.AppendUvarint([]byte{1}, large<<1)
	first := packed(t, append(run, 0)...)
	for name, text := range map[string][]byte{
		"a page that is large, and says so":  forged(t, "detection_km", page, six, large, int32(len(page))),
		"a page that is larger than it says": forged(t, "detection_km", page, six, 48, int32(len(page))),
		"a long run of one index":            forged(t, "epsilon", first, indices, int32(len(run)+1), int32(len(first))),
	} {
		for reader, read := range map[string]func(io.ReaderAt, int64) (map[string][]float64, error){
			"finite": parquet.ReadNumbers,
			"all": func(r io.ReaderAt, size int64) (map[string][]float64, error) {
				return parquet.ReadColumns(r, size, func(float64) bool { return true })
			}} {
			var err error
			within(t, func() { _, err = read(bytes.NewReader(text), int64(len(text))) })
			if !errors.Is(err, columnar.ErrTable) || !strings.Contains(err.Error(), "column detection_km") &&
				!strings.Contains(err.Error(), "column epsilon") {
				t.Errorf("%s in %s: %v", name, reader, err)
			}
		}
	}
}

// FuzzTable reads files with any contents and the right hash. Memory is bounded, and errors name the file.
func FuzzTable(f *testing.F) {
	var table bytes.Buffer
	w := NewRunWriter(&table, record.Sweep{}, "1.2.3")
	if err := errors.Join(w.Add(0, sample(6)), w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(table.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		within(t, func() {
			columns := runColumns(record.Sweep{})
			parquet.Read(bytes.NewReader(text), int64(len(text)), 6, columns, func([]flown) error { return nil })
		})
	})
}
