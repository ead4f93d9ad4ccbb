package record

import (
	"context"
	"errors"
)

// PartName is the name of the file with the results of one part of divided work.
const PartName = "part.journal"

// Part is an open file of a part.
type Part struct {
	JournalReader
	file *VerifiedFile
}

// OpenPart opens the results of the part in a folder. They must belong to its manifest. Close the result after use.
func OpenPart(ctx context.Context, disk FileSystem, folder string, m Manifest) (*Part, error) {
	l, err := OpenVerified(ctx, disk, folder, PartName, m)
	if err != nil {
		return nil, err
	}
	header := make([]byte, headerLength)
	if _, err = l.ReadAt(header, 0); err == nil && [headerLength]byte(header) != journalHeader(m.Identity()) {
		err = errors.New("it belongs to other work than its manifest")
	}
	if err != nil {
		l.Close()
		return nil, l.Damaged(err)
	}
	return &Part{JournalReader{from: l, path: l.path, next: headerLength, end: l.Size()}, l}, nil
}

// Close closes the file.
func (p *Part) Close() error { return p.file.Close() }
