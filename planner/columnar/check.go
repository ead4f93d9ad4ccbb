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

// What a table may hold.
const (
	mostGroups = 1 << 10 // whose footer is read
	pageSlack  = 1 << 16 // bytes of a page beside its values: levels, and blocks that are padded
	mostPage   = 1 << 26 // bytes, decoded
	mostRows   = 1 << 24 // values of a page
)

// Contents says what a table may hold.
type Contents struct {
	Values int64 // at most, in all columns together
	Text   bool  // as well as numbers
	Own    *Own  // what is known of a table that this program wrote; nil for those of others
}

// Own is a table of this program's: packed with zstd, without nulls, every page exactly as long as its values.
type Own struct {
	Rows, GroupRows int64    // in all, and in each row group but the last
	Columns         []string // those to be read, which are checked, and no others
}

// groups returns how many row groups the table has.
func (o *Own) groups() int64 { return (o.Rows + o.GroupRows - 1) / o.GroupRows }

// Check refuses a table of flat columns whose pages are larger than their values, or than they say, by reading each
// page in bounded memory. It returns ErrTable, or what is wrong, with the name of the column.
func (c Contents) Check(file io.ReaderAt, size int64) error {
	groups := int64(mostGroups)
	if c.Own != nil {
		groups = c.Own.groups()
	}
	metadata, end, err := readFooter(file, size, groups)
	if err != nil {
		return err
	}
	if len(metadata.Schema) > maxColumns {
		return unlike("the number of its columns")
	}
	for i := range metadata.Schema {
		if err := checkWidth(&metadata.Schema[i]); err != nil {
			return fmt.Errorf("column %s: %w", metadata.Schema[i].Name, err)
		}
	}
	var unpack unpacker
	defer unpack.close()
	if c.Own != nil {
		return c.Own.check(&metadata, file, end, &unpack)
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
			column := column{file: file, chunk: m, missing: m.NumValues,
				optional: repetition.Valid && repetition.V != format.Required, text: c.Text, unpack: &unpack}
			if err := column.check(end); err != nil {
				return fmt.Errorf("column %s: %w", strings.Join(m.PathInSchema, "."), err)
			}
		}
	}
	return nil
}

// checkWidth refuses a column of whole numbers that says another width than its values have. The library would read
// them as numbers of that width.
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

// check refuses a table that is not the one.
func (o *Own) check(metadata *format.FileMetaData, file io.ReaderAt, end int64, unpack *unpacker) error {
	rows := o.Rows
	if metadata.NumRows != rows || int64(len(metadata.RowGroups)) != o.groups() {
		return unlike(fmt.Sprintf("%d rows in %d groups, and its manifest says %d", metadata.NumRows,
			len(metadata.RowGroups), rows))
	}
	for i := range metadata.RowGroups {
		group := &metadata.RowGroups[i]
		if group.NumRows != min(rows, o.GroupRows) {
			return unlike("the length of a row group")
		}
		rows -= group.NumRows
		for _, name := range o.Columns {
			err := unlike("it is missing")
			for k := range group.Columns {
				m := &group.Columns[k].MetaData
				if len(m.PathInSchema) != 1 || m.PathInSchema[0] != name {
					continue
				}
				if err = unlike("its place"); m.Codec == format.Zstd && m.NumValues == group.NumRows {
					own := column{file: file, chunk: m, missing: m.NumValues, own: o, unpack: unpack}
					err = own.check(end)
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

// column is a column of a row group.
type column struct {
	file           io.ReaderAt
	chunk          *format.ColumnMetaData
	missing        int64 // values that no page has had yet
	optional, text bool
	own            *Own // nil for a table of others
	unpack         *unpacker
}

// check goes through the pages of a column, which must lie before the end.
func (c *column) check(end int64) error {
	m := c.chunk
	switch m.Type {
	case format.Int32, format.Int64, format.Float, format.Double:
		c.text = false
	case format.Boolean:
		if c.own == nil {
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

// page checks one page and takes its values off those that are missing.
func (c *column) page(h *format.PageHeader, at int64) error {
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
	if values < 0 || values > min(c.chunk.NumValues, mostRows) || c.missing < 0 {
		return unlike("the number of its values")
	}
	if c.own != nil {
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
	codec := c.chunk.Codec
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
	if c.own != nil {
		return c.exactly(h, data, values)
	}
	return c.values(h, text[:levels], data, values)
}

// exactly checks that a page of a table of this program's has room for its values and for no more.
func (c *column) exactly(h *format.PageHeader, data []byte, values int64) error {
	encoding := h.DataPageHeaderV2.V.Encoding
	if h.Type == format.DictionaryPage {
		encoding = h.DictionaryPageHeader.V.Encoding
	}
	fits := false
	switch encoding {
	case format.Plain:
		bits := map[format.Type]int64{format.Boolean: 1, format.Int32: 32, format.Int64: 64, format.Double: 64}[c.chunk.Type]
		fits = bits > 0 && int64(len(data)) == (values*bits+7)/8
	case format.RLEDictionary: // whose last group may be filled up
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

// values checks that what a page repeats is no more than its values.
func (c *column) values(h *format.PageHeader, levels, data []byte, values int64) error {
	var encoding format.Encoding
	switch h.Type {
	case format.DataPage:
		encoding = h.DataPageHeader.V.Encoding
		if c.optional { // levels are packed with the values, after their length
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
	case format.DeltaByteArray: // of text that may repeat what is before it
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

// unpacker unpacks one page after another in the same memory.
type unpacker struct {
	text, data []byte
	zstd       *zstd.Decoder // nil before the first page that takes it
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// packed returns room for a page as it lies in the file.
func (u *unpacker) packed(size int) []byte {
	u.text = slices.Grow(u.text[:0], size)[:size]
	return u.text
}

// page unpacks a page, to no more than a byte over what it may be. It holds until the next one.
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

// runsFit reports whether runs of so many bits a value are of no more values than there are. The last may be cut short.
func runsFit(data []byte, width, values int64) bool {
	found, _, ok := countRuns(data, width)
	return ok && found <= values+runPadding
}
