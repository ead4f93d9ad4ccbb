package columnar

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// Limits of a table.
const (
	mostGroups = 1 << 10 // row groups for which a footer is read
	pageSlack  = 1 << 16 // bytes of a page besides its values: levels, and padded blocks
	mostPage   = 1 << 26 // bytes, decoded
	mostRows   = 1 << 24 // values of a page
)

// Contents says what a table may hold.
type Contents struct {
	Values int64   // largest number of values in all columns together
	Text   bool    // text is allowed besides numbers
	Layout *Layout // layout of a table that this program wrote; nil for other tables
}

// Layout is the layout of a table that this program wrote: packed with zstd, without nulls, every page exactly as
// long as its values.
type Layout struct {
	Rows, GroupRows int64    // of the table, and of each row group except the last
	Columns         []string // the columns to be read; only these are checked
}

// groups returns the number of row groups.
func (l *Layout) groups() int64 { return (l.Rows + l.GroupRows - 1) / l.GroupRows }

// Check refuses a table of flat columns with a page that is larger than its values, or than it states; it reads
// each page in bounded memory. It returns ErrTable, or an error with the name of the column.
func (c Contents) Check(file io.ReaderAt, size int64) error {
	groups := int64(mostGroups)
	if c.Layout != nil {
		groups = c.Layout.groups()
	}
	metadata, end, err := readFooter(file, size, groups)
	if err != nil {
		return err
	}
	if len(metadata.Schema) > maxColumns {
		return unlike("the number of its columns")
	}
	if !flat(metadata.Schema) {
		return errors.New("not flat columns; want numbers")
	}
	for i := range metadata.Schema {
		if err := checkWidth(&metadata.Schema[i]); err != nil {
			return fmt.Errorf("column %s: %w", metadata.Schema[i].Name, err)
		}
	}
	var unpack unpacker
	defer unpack.close()
	if c.Layout != nil {
		return c.Layout.check(&metadata, file, end, &unpack)
	}
	left := c.Values
	for i := range metadata.RowGroups {
		group := &metadata.RowGroups[i]
		if len(metadata.Schema) != 1+len(group.Columns) {
			return errors.New("not flat columns; want numbers")
		}
		for k := range group.Columns {
			repetition := metadata.Schema[1+k].RepetitionType
			m := &group.Columns[k].MetaData
			if m.NumValues < 0 || m.NumValues > left || m.NumValues != group.NumRows {
				return unlike("the number of its values")
			}
			left -= m.NumValues
			part := chunk{file: file, of: m, missing: m.NumValues,
				optional: repetition.Valid && repetition.V != format.Required, text: c.Text, unpack: &unpack}
			if err := part.check(end); err != nil {
				return fmt.Errorf("column %s: %w", strings.Join(m.PathInSchema, "."), err)
			}
		}
	}
	return nil
}

// flat reports whether a schema is a group of columns that are no groups: the library fails on other counts.
func flat(schema []format.SchemaElement) bool {
	for i := range schema {
		children := 0
		if i == 0 {
			children = len(schema) - 1
		}
		if int(schema[i].NumChildren.V) != children {
			return false
		}
	}
	return len(schema) > 0
}

// checkWidth refuses a column of integers that states another width than its values have: the library would
// read them as numbers of that width.
func checkWidth(column *format.SchemaElement) error {
	whole, ok := column.LogicalType.Value.(*format.IntType)
	if !ok {
		return nil
	}
	switch {
	case column.Type.V == format.Int64 && whole.BitWidth == 64:
	case column.Type.V == format.Int32 && (whole.BitWidth == 8 || whole.BitWidth == 16 || whole.BitWidth == 32):
	default:
		return unlike(fmt.Sprintf("%d bits of a value of type %v", whole.BitWidth, column.Type.V))
	}
	return nil
}

// check refuses a table with another layout.
func (l *Layout) check(metadata *format.FileMetaData, file io.ReaderAt, end int64, unpack *unpacker) error {
	rows := l.Rows
	if metadata.NumRows != rows || int64(len(metadata.RowGroups)) != l.groups() {
		return unlike(fmt.Sprintf("%d rows in %d groups, but its manifest says %d", metadata.NumRows,
			len(metadata.RowGroups), rows))
	}
	for i := range metadata.RowGroups {
		group := &metadata.RowGroups[i]
		if group.NumRows != min(rows, l.GroupRows) {
			return unlike("the length of a row group")
		}
		rows -= group.NumRows
		for _, name := range l.Columns {
			err := ErrColumn
			for k := range group.Columns {
				m := &group.Columns[k].MetaData
				if len(m.PathInSchema) != 1 || m.PathInSchema[0] != name {
					continue
				}
				if err = unlike("its place"); m.Codec == format.Zstd && m.NumValues == group.NumRows {
					part := chunk{file: file, of: m, missing: m.NumValues, layout: l, unpack: unpack}
					err = part.check(end)
				}
				break
			}
			if err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
		}
	}
	return nil
}

// chunk is the part of a column in a row group, while its pages are checked.
type chunk struct {
	file           io.ReaderAt
	of             *format.ColumnMetaData
	missing        int64 // values that no page has held so far
	optional, text bool
	layout         *Layout // nil for a table of another program
	unpack         *unpacker
}

// check reads the pages of a column, which must lie before end.
func (c *chunk) check(end int64) error {
	m := c.of
	switch m.Type {
	case format.Int32, format.Int64, format.Float, format.Double:
		c.text = false
	case format.Boolean:
		if c.layout == nil {
			return errors.New("holds something that is not a finite number")
		}
	case format.ByteArray, format.FixedLenByteArray:
		if !c.text {
			return errors.New("holds something that is not a finite number")
		}
	default:
		return errors.New("holds something that is not a finite number")
	}
	at := m.DataPageOffset
	if m.DictionaryPageOffset > 0 {
		at = m.DictionaryPageOffset
	}
	if at < 0 || at > end || m.TotalCompressedSize < 0 || m.TotalCompressedSize > end-at {
		return unlike("its place")
	}
	headers := pageHeaders{file: c.file}
	for end := at + m.TotalCompressedSize; at < end; {
		header, length, err := headers.at(at, end)
		if err != nil {
			return err
		}
		at += length
		packed := int64(header.CompressedPageSize)
		if packed < 0 || packed > end-at || packed > mostPage {
			return unlike("the length of a page")
		}
		if err := c.page(header, at); err != nil {
			return err
		}
		at += packed
	}
	if c.missing != 0 {
		return unlike("the number of its values")
	}
	return nil
}

// page checks one page and subtracts its values from missing.
func (c *chunk) page(h *format.PageHeader, at int64) error {
	var values, levels int64
	zipped := true
	switch {
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		values = int64(h.DictionaryPageHeader.V.NumValues)
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		values = int64(h.DataPageHeader.V.NumValues)
		c.missing -= values
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		v := &h.DataPageHeaderV2.V
		values, levels = int64(v.NumValues), int64(v.DefinitionLevelsByteLength)+int64(v.RepetitionLevelsByteLength)
		zipped = !v.IsCompressed.Valid || v.IsCompressed.V
		c.missing -= values
	default:
		return unlike("the type of a page")
	}
	if values < 0 || values > min(c.of.NumValues, mostRows) || c.missing < 0 {
		return unlike("the number of its values")
	}
	if c.layout != nil {
		if v := &h.DataPageHeaderV2.V; h.Type == format.DataPage || levels != 0 || v.NumNulls != 0 {
			return unlike("a page with nulls")
		}
	}
	plain := int64(h.UncompressedPageSize)
	if plain < 0 || !c.text && plain > 16*values+pageSlack || plain > mostPage || levels < 0 ||
		levels > min(plain, int64(h.CompressedPageSize)) {
		return unlike("the length of a page")
	}
	text := c.unpack.packed(int(h.CompressedPageSize))
	if _, err := c.file.ReadAt(text, at); err != nil {
		return err
	}
	codec := c.of.Codec
	if !zipped {
		codec = format.Uncompressed
	}
	data, err := c.unpack.page(codec, text[levels:], plain-levels)
	if err != nil {
		return err
	}
	if int64(len(data)) != plain-levels {
		return unlike("the length of a page")
	}
	if c.layout != nil {
		return c.exactly(h, data, values)
	}
	return c.values(h, text[:levels], data, values)
}

// exactly checks that a page of a table that this program wrote has room for exactly its values.
func (c *chunk) exactly(h *format.PageHeader, data []byte, values int64) error {
	encoding := h.DataPageHeaderV2.V.Encoding
	if h.Type == format.DictionaryPage {
		encoding = h.DictionaryPageHeader.V.Encoding
	}
	fits := false
	switch encoding {
	case format.Plain:
		bits := map[format.Type]int64{format.Boolean: 1, format.Int32: 32, format.Int64: 64, format.Double: 64}[c.of.Type]
		fits = bits > 0 && int64(len(data)) == (values*bits+7)/8
	case format.RLEDictionary: // whose last group may be padded
		if len(data) > 0 && data[0] <= 32 {
			found, whole, ok := countRuns(data[1:], int64(data[0]))
			fits = ok && whole && found >= values && found <= values+runPadding
		}
	case format.DeltaBinaryPacked:
		total, ok := countDifferences(data)
		fits = ok && total == uint64(values)
	}
	if !fits {
		return unlike("the values of a page")
	}
	return nil
}

// values checks that a page repeats no more than its values.
func (c *chunk) values(h *format.PageHeader, levels, data []byte, values int64) error {
	var encoding format.Encoding
	switch h.Type {
	case format.DataPage:
		encoding = h.DataPageHeader.V.Encoding
		if c.optional { // the levels precede the values, after their length
			if len(data) < 4 || int64(binary.LittleEndian.Uint32(data)) > int64(len(data)-4) {
				return unlike("the length of a page")
			}
			n := 4 + int(binary.LittleEndian.Uint32(data))
			levels, data = data[4:n], data[n:]
		}
	case format.DataPageV2:
		encoding = h.DataPageHeaderV2.V.Encoding
	default:
		return nil
	}
	fits := runsFit(levels, 1, values)
	switch encoding {
	//lint:ignore SA1019 files written before the name RLEDictionary have it
	case format.RLEDictionary, format.PlainDictionary:
		fits = fits && (len(data) == 0 || data[0] <= 32 && runsFit(data[1:], int64(data[0]), values))
	case format.DeltaByteArray: // text whose values share prefixes
		return errors.New("text in front coding; want it plain or in a dictionary")
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray:
		total, ok := countDifferences(data)
		fits = fits && ok && total <= uint64(values)
	}
	if !fits {
		return unlike("the values of a page")
	}
	return nil
}

// unpacker unpacks pages one after another into the same memory.
type unpacker struct {
	text, data []byte
	zstd       *zstd.Decoder // nil before the first page in zstd
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// packed returns a buffer for a page as it is in the file.
func (u *unpacker) packed(size int) []byte {
	u.text = slices.Grow(u.text[:0], size)[:size]
	return u.text
}

// page unpacks a page to at most most+1 bytes. The result holds until the next page.
func (u *unpacker) page(codec format.CompressionCodec, text []byte, most int64) ([]byte, error) {
	var r io.Reader
	var err error
	switch codec {
	case format.Uncompressed:
		return text, nil
	case format.Snappy:
		if n, err := snappy.DecodedLen(text); err != nil || int64(n) != most {
			return nil, unlike("the length of a page")
		}
		return snappy.Decode(nil, text)
	case format.Zstd:
		if u.zstd == nil {
			u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
				zstd.WithDecoderMaxWindow(mostPage), zstd.WithDecodeAllCapLimit(true))
			if err != nil {
				return nil, err
			}
		}
		u.data = slices.Grow(u.data[:0], int(most)+1)
		data, err := u.zstd.DecodeAll(text, u.data[:0:most+1])
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
			err = unlike("the length of a page")
		}
		return data, err
	case format.Gzip:
		if r, err = gzip.NewReader(bytes.NewReader(text)); err != nil {
			return nil, err
		}
	case format.Brotli:
		r = brotli.NewReader(bytes.NewReader(text))
	default:
		return nil, fmt.Errorf("packed with %v; want zstd, snappy, gzip, brotli or nothing", codec)
	}
	return io.ReadAll(io.LimitReader(r, most+1))
}

// runsFit reports whether runs with width bits per value hold at most values values. The last run may be
// truncated.
func runsFit(data []byte, width, values int64) bool {
	found, _, ok := countRuns(data, width)
	return ok && found <= values+runPadding
}
