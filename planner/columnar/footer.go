package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	maxFooter      = 1 << 16 // bytes, without the row groups
	maxFooterGroup = 1 << 14 // further bytes for each row group: some 100 columns
	maxPageHeader  = 1 << 10
)

// maxColumns is the largest number of columns, including the groups that contain columns.
const maxColumns = 1 << 8

// ErrTable is the error for a file that is not a table that this program can read.
var ErrTable = errors.New("it is not a table that veilpath reads")

// ErrColumn is the error of a table that lacks a column of its layout.
var ErrColumn = fmt.Errorf("it is missing: %w", ErrTable)

// unlike returns ErrTable with the property that differs.
func unlike(what string) error { return fmt.Errorf("%s: %w", what, ErrTable) }

// readFooter reads the metadata of a file of at most that many row groups, and where the data ends. It returns
// ErrTable if the footer is too long or incomplete.
func readFooter(file io.ReaderAt, size, groups int64) (m format.FileMetaData, end int64, err error) {
	var tail [8]byte
	if size < int64(len(tail)) {
		return m, 0, unlike("its length")
	}
	if _, err := file.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return m, 0, err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	end = size - int64(len(tail)) - length
	if end < 0 || length > maxFooter+groups*maxFooterGroup {
		return m, 0, unlike("the length of its footer")
	}
	footer := make([]byte, length)
	if _, err := file.ReadAt(footer, end); err != nil {
		return m, 0, err
	}
	if n, ok := skim(footer); !ok || n != len(footer) {
		return m, 0, unlike("its footer")
	}
	return m, end, thrift.Unmarshal(new(thrift.CompactProtocol), footer, &m)
}

// pageHeaders reads the headers of the pages of a file.
type pageHeaders struct {
	file   io.ReaderAt
	header [maxPageHeader]byte
}

// at reads the header of the page at a position, and its length. It returns ErrTable if the header is not
// complete before end.
func (p *pageHeaders) at(at, end int64) (*format.PageHeader, int64, error) {
	n, err := p.file.ReadAt(p.header[:min(maxPageHeader, end-at)], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	length, ok := skim(p.header[:n])
	if !ok {
		return nil, 0, unlike("the header of a page")
	}
	header := new(format.PageHeader)
	return header, int64(length), thrift.Unmarshal(new(thrift.CompactProtocol), p.header[:length], header)
}
