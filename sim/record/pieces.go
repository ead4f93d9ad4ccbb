package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

// PiecesName is the file that work under way, other than a study's, keeps its pieces in.
const PiecesName = "work.journal"

// Pieces are the results of the pieces of some work under way, in their order, safe from the moment they are kept.
// They are read back, first to last, by a later session, which goes on after them.
type Pieces struct {
	blocks
	next, end int64 // of the results that were kept earlier
	kept      int
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
	p.blocks, p.next, p.end = *opened, headerLength, opened.size
	return p, nil
}

// removePieces removes the pieces of the folder, if there are any.
func (f *Folder) removePieces() error { return f.remove(PiecesName) }

// Len returns how many pieces are kept.
func (p *Pieces) Len() int { return p.kept }

// Kept has the next result that was kept by an earlier session read, and reports whether there was one.
func (p *Pieces) Kept(read func(io.Reader) error) (bool, error) {
	if p.next >= p.end {
		return false, nil
	}
	var head [blockHeader]byte
	_, err := p.file.ReadAt(head[:], p.next)
	length := int64(binary.LittleEndian.Uint32(head[0:]))
	if err == nil {
		err = read(io.NewSectionReader(p.file, p.next+blockHeader, length))
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
		return fmt.Errorf("journal %s: %w", p.path, err)
	}
	if b.Len() > piecesFormat.most {
		return fmt.Errorf("journal %s: a piece of %d bytes, more than the %d that a block holds", p.path, b.Len(),
			piecesFormat.most)
	}
	if err := p.append(b.Bytes()); err != nil {
		return err
	}
	p.kept++
	return nil
}
