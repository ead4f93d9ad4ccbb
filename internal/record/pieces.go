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

// PiecesName is the name of the journal of unfinished work other than a study.
const PiecesName = "work.journal"

// PartName is the name of the file with the pieces of one part of divided work.
const PartName = "part.journal"

// Pieces is the journal of the results of unfinished work, in the order of its pieces. A result that is kept
// survives the process. A later session reads the results back in order and continues after them.
type Pieces struct {
	blocks
	PieceReader
	kept int
}

// PieceReader reads results back in order.
type PieceReader struct {
	from      io.ReaderAt
	path      string
	next, end int64
}

// piecesFormat bounds a piece to 64 MiB.
var piecesFormat = format{magic: "veilpath-pieces\x00", version: 1, record: 1, most: 1 << 26}

// OpenPieces opens or creates the pieces of work with an identity. A torn piece and all after it are cut off.
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

// Len returns the number of pieces.
func (p *Pieces) Len() int { return p.kept }

// Kept passes the next result of an earlier session to read, and reports whether there was one.
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
		return false, fmt.Errorf("journal %s: %w; remove the file to start the work over", p.path, cause(err))
	}
	p.next += blockHeader + length
	return true, nil
}

// Keep appends a result, which write encodes.
func (p *Pieces) Keep(write func(io.Writer) error) error {
	b := bytes.NewBuffer(p.block())
	if err := write(b); err != nil {
		return fmt.Errorf("journal %s: %w", p.blocks.path, err)
	}
	if b.Len() > piecesFormat.most {
		return fmt.Errorf("journal %s: a piece has %d bytes, and a block holds at most %d", p.blocks.path, b.Len(),
			piecesFormat.most)
	}
	if err := p.append(b.Bytes()); err != nil {
		return err
	}
	p.kept++
	return nil
}

// Write writes the file of a part, which contains all pieces.
func (p *Pieces) Write(w io.Writer) error {
	_, err := io.Copy(w, io.NewSectionReader(p.file, 0, p.size))
	return err
}

// Part is an open file of a part.
type Part struct {
	PieceReader
	file *VerifiedFile
}

// OpenPart opens the pieces of the part in a folder. They must belong to its manifest. Close the result after use.
func OpenPart(ctx context.Context, disk FileSystem, folder string, m Manifest) (*Part, error) {
	l, err := OpenVerified(ctx, disk, folder, PartName, m)
	if err != nil {
		return nil, err
	}
	header := make([]byte, headerLength)
	if _, err = l.ReadAt(header, 0); err == nil && [headerLength]byte(header) != piecesFormat.header(m.Identity()) {
		err = errors.New("it belongs to other work than its manifest")
	}
	if err != nil {
		l.Close()
		return nil, l.Damaged(err)
	}
	return &Part{PieceReader{l, l.path, headerLength, l.Size()}, l}, nil
}

// Close closes the file.
func (p *Part) Close() error { return p.file.Close() }
