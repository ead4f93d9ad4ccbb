package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/sim/study"
)

// Merge holds the parts of a divided study, after the check that they make up the whole.
type Merge struct {
	session *Session
	parts   []part
}

// part is a folder with a shard of a study.
type part struct {
	folder   string
	manifest record.Manifest
}

// Merge prepares merging the parts of a study, given in any order. Parts of different studies, overlapping parts,
// and missing or unfinished parts are errors that name the parts. Only the workers of the settings are used.
func (p *Program) Merge(ctx context.Context, folders []string, settings configs.Request) (*Merge, error) {
	parts, err := p.readParts(folders)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if err := cmp.Or(p.checkOwn(part.folder, part.manifest), p.check(ctx, part.folder, part.manifest)); err != nil {
			return nil, err
		}
	}
	whole := parts[0].manifest.Whole()
	plan, err := p.recordedPlan(parts[0].folder, whole, settings)
	if err != nil {
		return nil, err
	}
	s, err := p.newSession(ctx, plan)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if err := checkSlots(part.manifest.Shard, s.sweep.Slots()); err != nil {
			return nil, fmt.Errorf("%s: %w", part.folder, err)
		}
	}
	s.manifest = whole
	return &Merge{s, parts}, nil
}

// MergeInto merges the parts of a study into a new folder.
func (p *Program) MergeInto(ctx context.Context, folder string, parts ...string) (*Result, error) {
	merge, err := p.Merge(ctx, parts, configs.Request{})
	if err != nil {
		return nil, err
	}
	opened, err := record.OpenFolder(p.FileSystem(), folder, "merge", false)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return merge.Write(ctx, opened)
}

// Write writes the whole study to the folder, or only counts its flights if the folder is nil. The files have the
// bytes of the study flown in one piece, except wall_time_s and workers in the manifest.
func (m *Merge) Write(ctx context.Context, folder *record.Folder) (*Result, error) {
	s := m.session
	if folder == nil {
		if err := m.replay(ctx, m.counting()); err != nil {
			return nil, err
		}
		return s.result(true), nil
	}
	count := m.counting() // used when the parts are read the first time
	err := s.writeTables(folder, func(use func(int, [][]study.Run) error) error {
		counted := count
		count = func(int, [][]study.Run) error { return nil }
		return m.replay(ctx, func(point int, seen [][]study.Run) error {
			if err := counted(point, seen); err != nil {
				return err
			}
			return use(point, seen)
		})
	})
	if err != nil {
		return nil, err
	}
	folder.Page = s.program.Page
	if err := s.writeTrajectories(ctx, folder); err != nil {
		return nil, err
	}
	if err := s.writeCurves(ctx, folder); err != nil {
		return nil, err
	}
	if err := s.writeAnswers(ctx, folder); err != nil {
		return nil, err
	}
	result := s.result(true)
	return result, result.write(folder)
}

// counting returns a function that counts the records of the parts and reports progress.
func (m *Merge) counting() func(point int, seen [][]study.Run) error {
	s, done := m.session, 0
	return func(point int, seen [][]study.Run) error {
		done += s.add(point, seen)
		s.program.Progress(Flights, done, s.schedule.Flights())
		return nil
	}
}

// replay passes the records of all parts to a function, batch by batch.
func (m *Merge) replay(ctx context.Context, use func(point int, seen [][]study.Run) error) error {
	s := m.session
	for _, p := range m.parts {
		slots := s.sweep.NewSlots(p.manifest.Shard.First, p.manifest.Shard.End)
		err := readRecorded(ctx, s.program.FileSystem(), p.folder, p.manifest, s.sweep, slots, use)
		if err != nil {
			return err
		}
	}
	return nil
}

// readParts reads the manifests of the parts and sorts them by slots. They must make up a whole study.
func (p *Program) readParts(folders []string) ([]part, error) {
	parts := make([]part, len(folders))
	for i, folder := range folders {
		m, err := p.ReadManifest(folder)
		switch {
		case errors.Is(err, record.ErrNoManifest):
			return nil, RequestErrorf("%w; name the folders that veilpath study {shard} wrote", err)
		case err != nil:
			return nil, err
		case m.Verb != "study":
			return nil, RequestErrorf("%s is not a part of a study, but a %s; name the folders that veilpath study {shard} "+
				"wrote", folder, m.Verb)
		case m.Shard == nil:
			return nil, RequestErrorf("%s is not a part of a study: it was flown without {shard}; name the folders that "+
				"veilpath study {shard} wrote", folder)
		case !m.Complete:
			return nil, &UnfinishedError{Folder: folder, What: fmt.Sprintf("part %s is unfinished", m.Shard)}
		}
		parts[i] = part{folder, m}
	}
	first := parts[0]
	for _, p := range parts[1:] {
		if p.manifest.Whole().Identity() != first.manifest.Whole().Identity() {
			return nil, RequestErrorf("%s and %s are parts of different studies: %s", first.folder, p.folder,
				differences(first.manifest.Whole(), p.manifest.Whole()))
		}
	}
	slices.SortStableFunc(parts, func(p, q part) int {
		return cmp.Or(cmp.Compare(p.manifest.Shard.First, q.manifest.Shard.First),
			cmp.Compare(p.manifest.Shard.End, q.manifest.Shard.End))
	})
	return parts, checkAdjacent(parts)
}

// checkAdjacent returns an error if sorted parts overlap or leave a gap.
func checkAdjacent(parts []part) error {
	next, before := 0, "the beginning"
	for i, p := range parts {
		shard := p.manifest.Shard
		switch {
		case shard.First < next:
			return RequestErrorf("%s (part %s) and %s (part %s) overlap: both have %s; leave one out",
				parts[i-1].folder, parts[i-1].manifest.Shard, p.folder, shard,
				slotsText(p.manifest, shard.First, min(next, shard.End)))
		case shard.First > next:
			return gap(next, shard.First, before, p.folder, p.manifest)
		}
		next, before = shard.End, fmt.Sprintf("%s (part %s)", p.folder, shard)
	}
	if last := parts[len(parts)-1].manifest; next < last.Shard.Slots {
		return gap(next, last.Shard.Slots, before, "the end", last)
	}
	return nil
}

// gap returns an error with the missing slots and parts. like is the manifest of an existing part.
func gap(first, end int, before, after string, like record.Manifest) error {
	var missing []string
	for i := 1; i <= like.Shard.Of; i++ {
		if s := record.NewShard(i, like.Shard.Of, like.Shard.Slots); s.First < end && s.End > first {
			missing = append(missing, s.String())
		}
	}
	names := "part " + missing[0]
	if len(missing) > 1 {
		names = "parts " + missing[0] + " to " + missing[len(missing)-1]
	}
	return RequestErrorf("missing between %s and %s: %s, which is %s; fly it with {shard}, or name its folder", before,
		after, slotsText(like, first, end), names)
}

// slotsText returns the runs of the slots [first, end), with their points in a sweep.
func slotsText(m record.Manifest, first, end int) string {
	settings, points := m.Sweep.Settings, 1
	for _, s := range settings {
		points *= len(s.Values)
	}
	perPoint := max(1, m.Shard.Slots/points)
	from, to := first%perPoint, (end-1)%perPoint
	at, until := pointText(settings, first/perPoint), pointText(settings, (end-1)/perPoint)
	switch {
	case at != until:
		return fmt.Sprintf("run %d%s to run %d%s", from, at, to, until)
	case from != to:
		return fmt.Sprintf("runs %d to %d%s", from, to, at)
	}
	return fmt.Sprintf("run %d%s", from, at)
}

// pointText returns a point of a sweep as in --set, empty without a sweep.
func pointText(sweep []record.Swept, point int) string {
	if len(sweep) == 0 {
		return ""
	}
	return " at " + strings.Join(record.PointNames(sweep, point, "="), " ")
}

// VerbOf returns the verb that wrote a folder, empty if the manifest cannot be read.
func (p *Program) VerbOf(folder string) string {
	m, err := p.ReadManifest(folder)
	if err != nil {
		return ""
	}
	return m.Verb
}
