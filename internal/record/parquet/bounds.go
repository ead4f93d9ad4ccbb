package parquet

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"

	"veilpath/internal/table"
	"veilpath/planner/columnar"
)

// What a table of runs can hold, as it was written. The Parquet library believes what a file says of its own
// lengths, so all of them are checked before it sees the file.
const (
	maxPage = 8*rowsPerGroup + 1<<10 // bytes, decoded: the numbers of a row group
)

// checkBounds refuses a file whose lengths are not those of a table of so many rows, by reading as much of it as
// such a table has and no more. The columns given are those to be read.
func checkBounds[T any](file io.ReaderAt, size, rows int64, columns []table.Column[T]) error {
	groups := (rows + rowsPerGroup - 1) / rowsPerGroup
	metadata, end, err := columnar.ReadFooter(file, size, groups)
	if err != nil {
		return err
	}
	if metadata.NumRows != rows || int64(len(metadata.RowGroups)) != groups || len(metadata.Schema) > columnar.MaxColumns {
		return columnar.Unlike(fmt.Sprintf("%d rows in %d groups, and its manifest says %d", metadata.NumRows,
			len(metadata.RowGroups), rows))
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return err
	}
	defer decoder.Close()
	walk := chunkWalk{file: file, headers: columnar.PageHeaders{File: file}, decoder: decoder,
		plain: make([]byte, 0, maxPage)}
	for i := range metadata.RowGroups {
		g := &metadata.RowGroups[i]
		if g.NumRows != min(rows, rowsPerGroup) {
			return columnar.Unlike("the length of a row group")
		}
		rows -= g.NumRows
		for _, c := range columns {
			if err := walk.column(g, c.Name, end); err != nil {
				return fmt.Errorf("column %s: %w", c.Name, err)
			}
		}
	}
	return nil
}

// chunkWalk goes through the pages of a column in a row group.
type chunkWalk struct {
	file    io.ReaderAt
	headers columnar.PageHeaders
	decoder *zstd.Decoder
	packed  []byte
	plain   []byte
}

// column checks the pages of a column, which must lie before the end.
func (w *chunkWalk) column(g *format.RowGroup, name string, end int64) error {
	for i := range g.Columns {
		m := &g.Columns[i].MetaData
		if len(m.PathInSchema) != 1 || m.PathInSchema[0] != name {
			continue
		}
		at := m.DataPageOffset
		if m.DictionaryPageOffset > 0 {
			at = m.DictionaryPageOffset
		}
		if m.Codec != format.Zstd || m.NumValues != g.NumRows || at < 0 || m.TotalCompressedSize < 0 || at > end ||
			m.TotalCompressedSize > end-at {
			return columnar.Unlike("its place")
		}
		return w.pages(m, at, at+m.TotalCompressedSize)
	}
	return columnar.Unlike("it is missing")
}

// pages checks the pages between two places, which must hold the values of the column between them.
func (w *chunkWalk) pages(m *format.ColumnMetaData, at, end int64) error {
	values := m.NumValues
	for at < end {
		header, length, err := w.headers.At(at, end)
		if err != nil {
			return err
		}
		at += length
		packed, plain := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
		if packed < 0 || plain < 0 || packed > end-at || packed > 2*maxPage || plain > maxPage {
			return columnar.Unlike("the length of a page")
		}
		if err := w.page(header, m.Type, at, &values); err != nil {
			return err
		}
		at += packed
	}
	if values != 0 {
		return columnar.Unlike("the number of its values")
	}
	return nil
}

// page checks a page and takes its values off those that are missing.
func (w *chunkWalk) page(h *format.PageHeader, kind format.Type, at int64, missing *int64) error {
	var values int64
	var encoding format.Encoding
	zipped := true
	switch {
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		values, encoding = int64(h.DictionaryPageHeader.V.NumValues), h.DictionaryPageHeader.V.Encoding
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		v := &h.DataPageHeaderV2.V
		if v.NumNulls != 0 || v.DefinitionLevelsByteLength != 0 || v.RepetitionLevelsByteLength != 0 {
			return columnar.Unlike("a page with nulls")
		}
		values, encoding = int64(v.NumValues), v.Encoding
		zipped = !v.IsCompressed.Valid || v.IsCompressed.V
		*missing -= values
	default:
		return columnar.Unlike("the type of a page")
	}
	if values < 0 || values > rowsPerGroup || *missing < 0 {
		return columnar.Unlike("the number of its values")
	}
	data, err := w.read(h, at, zipped)
	if err != nil {
		return err
	}
	if !holds(data, values, encoding, kind) {
		return columnar.Unlike("the values of a page")
	}
	return nil
}

// read reads a page and decodes it, to no more than its header says.
func (w *chunkWalk) read(h *format.PageHeader, at int64, zipped bool) ([]byte, error) {
	if n := int(h.CompressedPageSize); cap(w.packed) < n {
		w.packed = make([]byte, n)
	}
	w.packed = w.packed[:h.CompressedPageSize]
	if _, err := w.file.ReadAt(w.packed, at); err != nil {
		return nil, err
	}
	data := w.packed
	if zipped {
		var err error
		if data, err = w.decoder.DecodeAll(w.packed, w.plain[:0:h.UncompressedPageSize]); err != nil {
			return nil, fmt.Errorf("%w: %w", err, columnar.ErrTable)
		}
	}
	if len(data) != int(h.UncompressedPageSize) {
		return nil, columnar.Unlike("the length of a page")
	}
	return data, nil
}

// holds reports whether a page has room for its values and for no more.
func holds(data []byte, values int64, encoding format.Encoding, kind format.Type) bool {
	switch encoding {
	case format.Plain:
		bits, ok := map[format.Type]int64{format.Boolean: 1, format.Int32: 32, format.Int64: 64, format.Double: 64}[kind]
		return ok && int64(len(data)) == (values*bits+7)/8
	case format.RLEDictionary:
		return holdsIndices(data, values)
	case format.DeltaBinaryPacked:
		total, ok := columnar.CountDifferences(data)
		return ok && total == uint64(values)
	}
	return false
}

// holdsIndices reports whether a page of runs of indices into a dictionary has as many as its values; the last
// group may be filled up.
func holdsIndices(data []byte, values int64) bool {
	if len(data) == 0 || data[0] > 32 {
		return false
	}
	found, whole, ok := columnar.CountRuns(data[1:], int64(data[0]))
	return ok && whole && found >= values && found <= values+columnar.RunPadding
}
