package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// What is read of tables that other programs wrote: pages of numbers and not much more.
const (
	mostForeignGroups = 1 << 10 // whose footer is read
	foreignSlack      = 1 << 16 // bytes of a page beside its values: levels, and blocks that are padded
	mostForeignPage   = 1 << 26 // bytes, decoded
)

// checkForeign refuses a table of flat columns of numbers whose pages are larger than their values, or than they say,
// by reading each page in bounded memory.
func checkForeign(file io.ReaderAt, size int64) error {
	metadata, end, err := readFooter(file, size, mostForeignGroups)
	if err != nil {
		return err
	}
	if len(metadata.Schema) > maxColumns {
		return unlike("the number of its columns")
	}
	left := int64(mostForeignValues)
	for i := range metadata.RowGroups {
		if len(metadata.Schema) != 1+len(metadata.RowGroups[i].Columns) {
			return errors.New("not flat columns; want numbers")
		}
		for k := range metadata.RowGroups[i].Columns {
			repetition := metadata.Schema[1+k].RepetitionType
			optional := repetition.Valid && repetition.V != format.Required
			m := &metadata.RowGroups[i].Columns[k].MetaData
			if m.NumValues < 0 || m.NumValues > left {
				return unlike("the number of its values")
			}
			left -= m.NumValues
			if err := checkForeignChunk(file, m, end, optional); err != nil {
				return fmt.Errorf("column %s: %w", strings.Join(m.PathInSchema, "."), err)
			}
		}
	}
	return nil
}

// checkForeignChunk goes through the pages of a column, which must lie before the end.
func checkForeignChunk(file io.ReaderAt, m *format.ColumnMetaData, end int64, optional bool) error {
	switch m.Type {
	case format.Int32, format.Int64, format.Float, format.Double:
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
	walk := chunkWalk{file: file}
	missing := m.NumValues
	for end := at + m.TotalCompressedSize; at < end; {
		header, length, err := walk.pageHeader(at, end)
		if err != nil {
			return err
		}
		at += length
		packed := int64(header.CompressedPageSize)
		if packed < 0 || packed > end-at || packed > mostForeignPage {
			return unlike("the length of a page")
		}
		if err := checkForeignPage(file, header, m, at, &missing, optional); err != nil {
			return err
		}
		at += packed
	}
	if missing != 0 {
		return unlike("the number of its values")
	}
	return nil
}

// checkForeignPage checks one page and takes its values off those that are missing.
func checkForeignPage(file io.ReaderAt, h *format.PageHeader, m *format.ColumnMetaData, at int64, missing *int64, optional bool) error {
	var values, levels int64
	zipped := true
	switch {
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		values = int64(h.DictionaryPageHeader.V.NumValues)
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		values = int64(h.DataPageHeader.V.NumValues)
		*missing -= values
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		v := &h.DataPageHeaderV2.V
		values, levels = int64(v.NumValues), int64(v.DefinitionLevelsByteLength)+int64(v.RepetitionLevelsByteLength)
		zipped = !v.IsCompressed.Valid || v.IsCompressed.V
		*missing -= values
	default:
		return unlike("the type of a page")
	}
	if values < 0 || values > m.NumValues || *missing < 0 {
		return unlike("the number of its values")
	}
	plain := int64(h.UncompressedPageSize)
	if plain < 0 || plain > 16*values+foreignSlack || plain > mostForeignPage || levels < 0 || levels > min(plain, int64(h.CompressedPageSize)) {
		return unlike("the length of a page")
	}
	text := make([]byte, h.CompressedPageSize)
	if _, err := file.ReadAt(text, at); err != nil {
		return err
	}
	codec := m.Codec
	if !zipped {
		codec = format.Uncompressed
	}
	data, err := unpacked(codec, text[levels:], plain-levels)
	if err != nil {
		return err
	}
	if int64(len(data)) != plain-levels {
		return unlike("the length of a page")
	}
	return checkForeignValues(h, text[:levels], data, values, optional)
}

// checkForeignValues checks that what a page repeats is no more than its values.
func checkForeignValues(h *format.PageHeader, levels, data []byte, values int64, optional bool) error {
	var encoding format.Encoding
	switch h.Type {
	case format.DataPage:
		encoding = h.DataPageHeader.V.Encoding
		if optional { // levels are packed with the values, after their length
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
	case format.RLEDictionary, format.PlainDictionary:
		fits = fits && (len(data) == 0 || data[0] <= 32 && runsFit(data[1:], int64(data[0]), values))
	case format.DeltaBinaryPacked:
		for range 2 { // block size, blocks
			size, n := binary.Uvarint(data)
			fits = fits && n > 0 && size <= foreignSlack
			data = data[max(n, 0):]
		}
		total, n := binary.Uvarint(data)
		fits = fits && n > 0 && total <= uint64(values)
	}
	if !fits {
		return unlike("the values of a page")
	}
	return nil
}

// unpacked unpacks a page, to no more than a byte over what it may be.
func unpacked(codec format.CompressionCodec, text []byte, most int64) ([]byte, error) {
	var r io.Reader
	switch codec {
	case format.Uncompressed:
		return text, nil
	case format.Snappy:
		if n, err := snappy.DecodedLen(text); err != nil || int64(n) != most {
			return nil, unlike("the length of a page")
		}
		return snappy.Decode(nil, text)
	case format.Zstd:
		decoder, err := zstd.NewReader(bytes.NewReader(text), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostForeignPage))
		if err != nil {
			return nil, err
		}
		defer decoder.Close()
		r = decoder
	case format.Gzip:
		var err error
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

// runsFit reports whether runs of so many bits a value are of no more values than there are; the last may be padded.
func runsFit(data []byte, width, values int64) bool {
	const padding = 512
	found := int64(0)
	for len(data) > 0 {
		head, n := binary.Uvarint(data)
		if n <= 0 || head>>1 > mostForeignValues {
			return false
		}
		data = data[n:]
		count, length := int64(head>>1), (width+7)/8
		if head&1 != 0 {
			length = count * width // groups of 8
			count *= 8
		}
		if found += count; found > values+padding {
			return false
		}
		data = data[min(length, int64(len(data))):]
	}
	return true
}
