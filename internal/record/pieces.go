package record

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// PiecesName is the file that work under way, other than a study's, keeps its pieces in.
const PiecesName = "work.journal"

// PartName is the file with the pieces of a part of some work that was shared out.
const PartName = "part.journal"

// Pieces are the results of the pieces of some work under way, in their order, safe from the moment they are kept.
// They are read back, first to last, by a later session, which goes on after them.
type Pieces struct {
	blocks
	PieceReader
	kept int
}

// PieceReader reads results back, first to last.
type PieceReader struct {
	from      io.ReaderAt
	path      string
	next, end int64
}

// piecesFormat bounds a piece to 64 MiB.
var piecesFormat = format{magic: "veilpath-pieces\x00", version: 1, record: 1, most: 1 << 26}

// OpenPieces opens the pieces in the folder, or begins with none, of the work of an identity. A piece that is torn is
// cut off, with those after it.
func (f *Folder) OpenPieces(identity [32]byte, now func() time.Time) (*Pieces, error) {
	p := new(Pieces)
	opened, _, err := f.openBlocks(PiecesName, piecesFormat, identity, now,
		func([]byte) (bool, error) { p.kept++; return true, nil })
	if err != nil {
		return nil, err
	}
	p.blocks, p.PieceReader = *opened, PieceReader{opened.file, opened.path, headerLength, opened.size}
	return p, nil
}

// removePieces removes the pieces of the folder, if there are any.
func (f *Folder) removePieces() error { return f.remove(PiecesName) }

// Len returns how many pieces are kept.
func (p *Pieces) Len() int { return p.kept }

// Kept has the next result that was kept by an earlier session read, and reports whether there was one.
func (p *PieceReader) Kept(read func(io.Reader) error) (bool, error) {
	if p.next >= p.end {
		return false, nil
	}
	var head [blockHeader]byte
	_, err := p.from.ReadAt(head[:], p.next)
	length := int64(binary.LittleEndian.Uint32(head[0:]))
	if err == nil {
		err = read(io.NewSectionReader(p.from, p.next+blockHeader, length))
	}
	if err != nil {
		return false, fmt.Errorf("journal %s: %w; remove the file and the work starts over", p.path, cause(err))
	}
	p.next += blockHeader + length
	return true, nil
}

// Keep keeps what write writes of a result.
func (p *Pieces) Keep(write func(io.Writer) error) error {
	b := bytes.NewBuffer(p.block())
	if err := write(b); err != nil {
		return fmt.Errorf("journal %s: %w", p.blocks.path, err)
	}
	if b.Len() > piecesFormat.most {
		return fmt.Errorf("journal %s: a piece of %d bytes, more than the %d that a block holds", p.blocks.path, b.Len(),
			piecesFormat.most)
	}
	if err := p.append(b.Bytes()); err != nil {
		return err
	}
	p.kept++
	return nil
}

// Write writes all pieces, as the file of a part.
func (p *Pieces) Write(w io.Writer) error {
	_, err := io.Copy(w, io.NewSectionReader(p.file, 0, p.size))
	return err
}

// Part is the file of a part, opened.
type Part struct {
	PieceReader
	file *Listed
}

// OpenPart opens the pieces of the part in a folder, which must be those of its manifest. Close it.
func OpenPart(ctx context.Context, disk FileSystem, folder string, m Manifest) (*Part, error) {
	l, err := OpenListed(ctx, disk, folder, PartName, m)
	if err != nil {
		return nil, err
	}
	header := make([]byte, headerLength)
	if _, err = l.ReadAt(header, 0); err == nil && [headerLength]byte(header) != piecesFormat.header(m.Identity()) {
		err = errors.New("it is of other work than its manifest")
	}
	if err != nil {
		l.Close()
		return nil, l.Damaged(err)
	}
	return &Part{PieceReader{l, l.path, headerLength, l.Size()}, l}, nil
}

// Close closes the file.
func (p *Part) Close() error { return p.file.Close() }
