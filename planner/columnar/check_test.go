package columnar_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"veilpath/planner/columnar"
)

type row struct {
	State string  `parquet:"state,dict"`
	Next  string  `parquet:"next"`
	Count int64   `parquet:"count,delta"`
	Mean  float64 `parquet:"mean"`
}

// table returns a table of six rows.
func table(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[row](&out, parquet.Compression(&parquet.Zstd))
	if _, err := w.Write([]row{{"a", "b", 1, 2}, {"b", "c", 2, 3}, {"c", "d", 3, 5}, {"d", "e", 4, 7}, {"e", "f", 5, 11},
		{"f", "a", 6, 13}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// forged puts another page, packed with zstd, in the place of a column's pages. Plain is its length as it says.
func forged(t *testing.T, column string, page []byte, values int32, encoding format.Encoding, plain int32) []byte {
	t.Helper()
	pack, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer pack.Close()
	page = pack.EncodeAll(page, nil)
	whole := table(t)
	footer := len(whole) - 8 - int(binary.LittleEndian.Uint32(whole[len(whole)-8:]))
	var m format.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), whole[footer:len(whole)-8], &m); err != nil {
		t.Fatal(err)
	}
	header := format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: plain, CompressedPageSize: int32(len(page))}
	header.DataPageHeaderV2 = thrift.Null[format.DataPageHeaderV2]{V: format.DataPageHeaderV2{NumValues: values,
		NumRows: values, Encoding: encoding}, Valid: true}
	text, err := thrift.Marshal(new(thrift.CompactProtocol), &header)
	if err != nil {
		t.Fatal(err)
	}
	out := append(append(bytes.Clone(whole[:footer]), text...), page...)
	group := &m.RowGroups[0]
	m.NumRows, group.NumRows = int64(values), int64(values)
	for i := range group.Columns {
		c := &group.Columns[i].MetaData
		c.NumValues = int64(values)
		if c.PathInSchema[0] == column {
			c.DataPageOffset, c.DictionaryPageOffset, c.TotalCompressedSize = int64(footer), 0, int64(len(out)-footer)
			group.Columns[0], group.Columns[i] = group.Columns[i], group.Columns[0]
			m.Schema[1], m.Schema[1+i] = m.Schema[1+i], m.Schema[1]
		}
	}
	if text, err = thrift.Marshal(new(thrift.CompactProtocol), &m); err != nil {
		t.Fatal(err)
	}
	out = append(out, text...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), "PAR1"...)
}

func TestSoundTablesAreTaken(t *testing.T) {
	whole := table(t)
	if err := (columnar.Contents{Values: 24, Text: true}).Check(bytes.NewReader(whole), int64(len(whole))); err != nil {
		t.Error(err)
	}
	if err := (columnar.Contents{Values: 23, Text: true}).Check(bytes.NewReader(whole), int64(len(whole))); !errors.Is(err,
		columnar.ErrTable) {
		t.Errorf("24 values where 23 are the most: %v", err)
	}
	err := columnar.Contents{Values: 24}.Check(bytes.NewReader(whole), int64(len(whole)))
	if err == nil || !strings.Contains(err.Error(), "column state: holds something that is not a finite number") {
		t.Errorf("text where numbers are wanted: %v", err)
	}
}

// A small table that says it is large, or is, is refused by the name of its column, with little memory.
func TestLargePagesAreRefused(t *testing.T) {
	const large = 1 << 28
	front := binary.AppendUvarint(nil, 128)
	run := append(binary.AppendUvarint([]byte{1}, large<<1), 0)
	lengths := binary.AppendUvarint([]byte{128, 1, 4}, large)
	zeros := make([]byte, large)
	for name, c := range map[string]struct {
		column string
		text   []byte
	}{
		"text that is large, and says so":  {"next", forged(t, "next", zeros, 6, format.Plain, large)},
		"text that is larger than it says": {"next", forged(t, "next", zeros, 6, format.Plain, 48)},
		"text that repeats text": {"next",
			forged(t, "next", front, 6, format.DeltaByteArray, int32(len(front)))},
		"lengths of more texts than there are": {"next",
			forged(t, "next", lengths, 6, format.DeltaLengthByteArray, int32(len(lengths)))},
		"a long run of one text": {"state", forged(t, "state", run, 6, format.RLEDictionary, int32(len(run)))},
		"numbers that are large": {"mean", forged(t, "mean", zeros, 6, format.Plain, large)},
		"more numbers than a page has": {"count", forged(t, "count", lengths, 1<<26, format.DeltaBinaryPacked,
			int32(len(lengths)))},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := columnar.Contents{Values: 1 << 28, Text: true}.Check(bytes.NewReader(c.text), int64(len(c.text)))
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "column "+c.column+": ") {
			t.Errorf("%s: %v", name, err)
		}
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 16 {
			t.Errorf("%s: it took %d MiB", name, taken)
		}
	}
}

// FuzzCheck checks whatever a file holds, in bounded memory.
func FuzzCheck(f *testing.F) {
	var out bytes.Buffer
	w := parquet.NewGenericWriter[row](&out)
	if _, err := w.Write([]row{{"a", "b", 1, 2}, {"b", "a", 2, 3}}); err != nil {
		f.Fatal(err)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		columnar.Contents{Values: 1 << 20, Text: true}.Check(bytes.NewReader(text), int64(len(text)))
		runtime.ReadMemStats(&after)
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 256 {
			t.Errorf("%d bytes took %d MiB", len(text), taken)
		}
	})
}

// Whole numbers of 64 bits that say another width are refused: they would be read as other numbers.
func TestWidthsAreThoseOfTheValues(t *testing.T) {
	whole := table(t)
	footer := len(whole) - 8 - int(binary.LittleEndian.Uint32(whole[len(whole)-8:]))
	for width := range 256 {
		var m format.FileMetaData
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), whole[footer:len(whole)-8], &m); err != nil {
			t.Fatal(err)
		}
		for i := range m.Schema {
			if m.Schema[i].Name == "count" {
				m.Schema[i].LogicalType.Value = &format.IntType{BitWidth: int8(width), IsSigned: true}
			}
		}
		text, err := thrift.Marshal(new(thrift.CompactProtocol), &m)
		if err != nil {
			t.Fatal(err)
		}
		out := append(bytes.Clone(whole[:footer]), text...)
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), "PAR1"...)
		err = columnar.Contents{Values: 24, Text: true}.Check(bytes.NewReader(out), int64(len(out)))
		if (err == nil) != (width == 64) || err != nil && !strings.Contains(err.Error(), "column count: ") {
			t.Errorf("a width of %d: %v", width, err)
		}
	}
}
