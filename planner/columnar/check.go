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
}

// Check refuses a table of flat columns whose pages are larger than their values, or than they say, by reading each
// page in bounded memory. It returns ErrTable, or what is wrong, with the name of the column.
func (c Contents) Check(file io.ReaderAt, size int64) error {
	metadata, end, err := ReadFooter(file, size, mostGroups)
	if err != nil {
		return err
	}
	if len(metadata.Schema) > MaxColumns {
		return Unlike("the number of its columns")
	}
	var unpack unpacker
	defer unpack.close()
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
				return Unlike("the number of its values")
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

// column is a column of a row group.
type column struct {
	file           io.ReaderAt
	chunk          *format.ColumnMetaData
	missing        int64 // values that no page has had yet
	optional, text bool
	unpack         *unpacker
}

// check goes through the pages of a column, which must lie before the end.
func (c *column) check(end int64) error {
	m := c.chunk
	switch m.Type {
	case format.Int32, format.Int64, format.Float, format.Double:
		c.text = false
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
		return Unlike("its place")
	}
	headers := PageHeaders{File: c.file}
	for end := at + m.TotalCompressedSize; at < end; {
		header, length, err := headers.At(at, end)
		if err != nil {
			return err
		}
		at += length
		packed := int64(header.CompressedPageSize)
		if packed < 0 || packed > end-at || packed > mostPage {
			return Unlike("the length of a page")
		}
		if err := c.page(header, at); err != nil {
			return err
		}
		at += packed
	}
	if c.missing != 0 {
		return Unlike("the number of its values")
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
		return Unlike("the type of a page")
	}
	if values < 0 || values > min(c.chunk.NumValues, mostRows) || c.missing < 0 {
		return Unlike("the number of its values")
	}
	plain := int64(h.UncompressedPageSize)
	if plain < 0 || !c.text && plain > 16*values+pageSlack || plain > mostPage || levels < 0 ||
		levels > min(plain, int64(h.CompressedPageSize)) {
		return Unlike("the length of a page")
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
		return Unlike("the length of a page")
	}
	return c.values(h, text[:levels], data, values)
}

// values checks that what a page repeats is no more than its values.
func (c *column) values(h *format.PageHeader, levels, data []byte, values int64) error {
	var encoding format.Encoding
	switch h.Type {
	case format.DataPage:
		encoding = h.DataPageHeader.V.Encoding
		if c.optional { // levels are packed with the values, after their length
			if len(data) < 4 || int64(binary.LittleEndian.Uint32(data)) > int64(len(data)-4) {
				return Unlike("the length of a page")
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
		total, ok := CountDifferences(data)
		fits = fits && ok && total <= uint64(values)
	}
	if !fits {
		return Unlike("the values of a page")
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
			return nil, Unlike("the length of a page")
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
			err = Unlike("the length of a page")
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
	found, _, ok := CountRuns(data, width)
	return ok && found <= values+RunPadding
}
