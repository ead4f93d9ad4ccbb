package parquet

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// written returns a table as another program may write it.
func written[T any](t *testing.T, rows []T) *bytes.Reader {
	t.Helper()
	var file bytes.Buffer
	w := parquet.NewGenericWriter[T](&file, parquet.MaxRowsPerRowGroup(3))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(file.Bytes())
}

func TestNumbersOfOthersAreRead(t *testing.T) {
	type row struct {
		A float64 `parquet:"a"`
		B int32   `parquet:"b,dict"`
		C float32 `parquet:"c"`
		D *int64  `parquet:"d,optional"`
	}
	var rows []row
	for i := range 7 {
		d := int64(-i)
		rows = append(rows, row{float64(i) / 2, int32(i % 2), 0.25, &d})
	}
	file := written(t, rows)
	got, err := ReadNumbers(file, file.Size())
	if err != nil || fmt.Sprint(got) != "map[a:[0 0.5 1 1.5 2 2.5 3] b:[0 1 0 1 0 1 0] c:[0.25 0.25 0.25 0.25 0.25 0.25 "+
		"0.25] d:[0 -1 -2 -3 -4 -5 -6]]" {
		t.Errorf("%v, %v", got, err)
	}
	rows[4].D = nil
	file = written(t, rows)
	if _, err := ReadNumbers(file, file.Size()); err == nil || !strings.Contains(err.Error(), "column d") {
		t.Errorf("a null: error %v", err)
	}
	type name struct {
		Text string `parquet:"text"`
	}
	file = written(t, []name{{"x"}})
	if _, err := ReadNumbers(file, file.Size()); err == nil || !strings.Contains(err.Error(), "column text") {
		t.Errorf("a text: error %v", err)
	}
}

// Tables with every compression except LZ4_RAW, and both kinds of pages, can be read. The error for LZ4_RAW names
// it.
func TestPackedNumbersOfOthersAreRead(t *testing.T) {
	type row struct {
		A float64  `parquet:"a"`
		B int64    `parquet:"b,delta"`
		C *int32   `parquet:"c,optional,dict"`
		D *float64 `parquet:"d,optional"`
	}
	rows := make([]row, 5000)
	for i := range rows {
		c, d := int32(i/1000), float64(i)
		rows[i] = row{float64(i) / 8, int64(i * i), &c, &d}
	}
	for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Zstd, &parquet.Gzip,
		&parquet.Brotli, &parquet.Lz4Raw} {
		for version := 1; version <= 2; version++ {
			var file bytes.Buffer
			w := parquet.NewGenericWriter[row](&file, parquet.Compression(codec), parquet.DataPageVersion(version))
			if _, err := w.Write(rows); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			got, err := ReadNumbers(bytes.NewReader(file.Bytes()), int64(file.Len()))
			if codec == &parquet.Lz4Raw {
				if err == nil || !strings.Contains(err.Error(), "column a: packed with LZ4_RAW; want zstd") {
					t.Errorf("%v: error %v", codec, err)
				}
				continue
			}
			if err != nil || len(got["a"]) != len(rows) || got["a"][4999] != 4999./8 || got["b"][4999] != 4999*4999 ||
				got["c"][4999] != 4 || got["d"][4999] != 4999 {
				t.Errorf("%v, pages %d: %v", codec, version, err)
			}
		}
	}
}

// A file that was cut or changed anywhere gives an error or numbers, and no panic.
func TestDamagedTablesOfOthersAreSurvived(t *testing.T) {
	type row struct {
		A float64 `parquet:"a"`
	}
	whole := written(t, []row{{1}, {2}, {3}, {4}})
	text := make([]byte, whole.Size())
	if _, err := whole.ReadAt(text, 0); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		changed := bytes.Clone(text)
		changed[i] ^= 0x5a
		_, _ = ReadNumbers(bytes.NewReader(changed), int64(len(changed)))
		if _, err := ReadNumbers(bytes.NewReader(text[:i]), int64(i)); err == nil {
			t.Errorf("the first %d bytes are accepted as a table", i)
		}
	}
}
