package job

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"veilpath/internal/record"
)

// errMisplaced is the error for a piece with the wrong number.
var errMisplaced = errors.New("a piece has the wrong number")

// writePart writes the results of a part and its manifest.
func writePart(folder *record.Folder, journal *record.Journal, m record.Manifest) error {
	if err := folder.Write(record.PartName, journal.Write); err != nil {
		return err
	}
	m.Complete = true
	return folder.Finish(m)
}

// Part is a folder with one part of divided work.
type Part struct {
	Folder   string
	Manifest record.Manifest
}

// PartsError is the error for folders that are not all parts of one work. Nothing was written.
type PartsError struct{ error }

func partsErrorf(format string, args ...any) error { return &PartsError{fmt.Errorf(format, args...)} }

// Parts reads the folders of all parts of divided work and returns the parts in order. If a part is missing,
// unfinished, damaged, given twice or of other work, the error names it.
func (d Disk) Parts(ctx context.Context, folders []string) ([]Part, error) {
	var first *Part
	var parts []*Part
	for _, folder := range folders {
		m, err := record.ReadManifest(d.Files, folder)
		switch {
		case errors.Is(err, record.ErrNoManifest):
			return nil, partsErrorf("%w; name the folders of the parts", err)
		case err != nil:
			return nil, err
		case m.Shard == nil:
			return nil, partsErrorf("%s is not a part, because it holds a whole %s; name the folders of the parts", folder,
				m.Verb)
		case !m.Complete:
			return nil, fmt.Errorf("%s is unfinished; finish it by resuming the command that began it", folder)
		}
		part := &Part{folder, m}
		if first == nil {
			first, parts = part, make([]*Part, m.Shard.Of)
		}
		if a, b := first.Manifest, m; a.Version != b.Version || a.GoVersion != b.GoVersion || a.Arch != b.Arch {
			return nil, partsErrorf("%s and %s were made by different programs: veilpath %s (%s, %s) and %s (%s, %s); make one "+
				"of them again with the program of the other", first.Folder, folder, a.Version, a.GoVersion, a.Arch, b.Version,
				b.GoVersion, b.Arch)
		} else if a.Verb != b.Verb || a.Shard.Of != b.Shard.Of ||
			a.Whole().Identity() != b.Whole().Identity() {
			err := partsErrorf("%s (veilpath %s, part %s) and %s (veilpath %s, part %s) are parts of different work",
				first.Folder, a.Verb, a.Shard, folder, b.Verb, b.Shard)
			if d.Differ != nil && a.Shard.Of == b.Shard.Of {
				err = partsErrorf("%w: %w", err, d.Differ(a.Whole(), b.Whole()))
			}
			return nil, partsErrorf("%w; make all parts with one command, divided into the same number of parts", err)
		}
		if twice := parts[m.Shard.Index-1]; twice != nil {
			return nil, partsErrorf("%s and %s are both part %s; leave one out", twice.Folder, folder, m.Shard)
		}
		parts[m.Shard.Index-1] = part
		if err := record.CheckFiles(ctx, d.Files, folder, m); err != nil {
			return nil, fmt.Errorf("%w; restore it from a copy, or make the part again", err)
		}
	}
	return whole(parts)
}

// whole returns all parts, or an error if one is missing.
func whole(parts []*Part) ([]Part, error) {
	var all []Part
	var missing []string
	for i, p := range parts {
		if p == nil {
			missing = append(missing, fmt.Sprintf("%d/%d", i+1, len(parts)))
			continue
		}
		all = append(all, *p)
	}
	if len(missing) > 0 {
		return nil, partsErrorf("part %s is missing; make it, or name its folder", strings.Join(missing, ", "))
	}
	return all, nil
}

// Join copies the pieces of all parts into a folder, in the order of the whole work. Run in that folder then
// continues after them.
func (d Disk) Join(ctx context.Context, folder *record.Folder, parts []Part) (err error) {
	journal, err := folder.OpenJournal(parts[0].Manifest.Whole().Identity(), d.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	var heads []*head
	for _, p := range parts {
		opened, err := record.OpenPart(ctx, d.Files, p.Folder, p.Manifest)
		if err != nil {
			return err
		}
		defer opened.Close()
		heads = append(heads, &head{part: opened})
	}
	for number := uint64(0); ; number++ {
		result, err := take(heads, number)
		if err != nil || result == nil {
			return err
		}
		if err := journal.Keep(func(b []byte) ([]byte, error) { return append(b, result...), nil }); err != nil {
			return err
		}
	}
}

// head is the next piece of a part.
type head struct {
	part   *record.Part
	loaded bool
	number uint64
	result []byte
}

// load reads the next piece unless it is already loaded, and reports whether there is one.
func (h *head) load() (bool, error) {
	if h.loaded {
		return true, nil
	}
	var err error
	h.loaded, err = h.part.Kept(func(b []byte) error {
		number, rest, err := cutNumber(b)
		h.number, h.result = number, bytes.Clone(rest)
		return err
	})
	return h.loaded, err
}

// take returns the result of the piece with a number, and nil after the last piece. Parts with a common piece have
// the same result.
func take(heads []*head, number uint64) (result []byte, err error) {
	left := false
	for _, h := range heads {
		there, err := h.load()
		if err != nil {
			return nil, err
		}
		left = left || there
		if !there || h.number != number {
			continue
		}
		result, h.loaded = h.result, false
	}
	if left && result == nil {
		return nil, fmt.Errorf("piece %d is in none of the parts: %w", number, errMisplaced)
	}
	return result, nil
}
