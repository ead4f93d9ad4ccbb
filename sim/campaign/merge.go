package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/job"
	"veilpath/internal/record"
)

// Merge holds the parts of a divided study, after the check that they make up the whole.
type Merge struct {
	session *Session
	parts   []job.Part
}

// Merge prepares merging the parts of a study, given in any order. Parts of different studies, overlapping parts,
// and missing or unfinished parts are errors that name the parts. Only the workers of the settings are used.
func (p *Program) Merge(ctx context.Context, folders []string, settings configs.Request) (*Merge, error) {
	parts, err := p.readParts(folders)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if err := cmp.Or(p.checkOwn(part.Folder, part.Manifest), p.check(ctx, part.Folder, part.Manifest)); err != nil {
			return nil, err
		}
	}
	whole := parts[0].Manifest.Whole()
	plan, err := p.recordedPlan(parts[0].Folder, whole, settings)
	if err != nil {
		return nil, err
	}
	s, err := p.newSession(ctx, plan)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if err := checkSlots(part.Manifest.Shard, s.sweep.Slots()); err != nil {
			return nil, fmt.Errorf("%s: %w", part.Folder, err)
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
	err := s.writeTables(folder, func(table use) error {
		for _, p := range m.parts {
			slots := s.sweep.NewSlots(p.Manifest.Shard.First, p.Manifest.Shard.End)
			err := s.program.readRecorded(ctx, p.Folder, p.Manifest, s.sweep, slots, s.counted(table))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if folder == nil {
		return s.result(true), nil
	}
	folder.Page = s.program.Page
	return s.write(ctx, folder, true)
}

// readParts reads the manifests of the parts and sorts them by slots. They must make up a whole study.
func (p *Program) readParts(folders []string) ([]job.Part, error) {
	parts := make([]job.Part, len(folders))
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
		parts[i] = job.Part{Folder: folder, Manifest: m}
	}
	first := parts[0]
	for _, p := range parts[1:] {
		if p.Manifest.Whole().Identity() != first.Manifest.Whole().Identity() {
			return nil, RequestErrorf("%s and %s are parts of different studies: %s", first.Folder, p.Folder,
				differences(first.Manifest.Whole(), p.Manifest.Whole()))
		}
	}
	slices.SortStableFunc(parts, func(p, q job.Part) int {
		return cmp.Or(cmp.Compare(p.Manifest.Shard.First, q.Manifest.Shard.First),
			cmp.Compare(p.Manifest.Shard.End, q.Manifest.Shard.End))
	})
	return parts, checkAdjacent(parts)
}

// checkAdjacent returns an error if sorted parts overlap or leave a gap.
func checkAdjacent(parts []job.Part) error {
	next, before := 0, "the beginning"
	for i, p := range parts {
		shard := p.Manifest.Shard
		switch {
		case shard.First < next:
			return RequestErrorf("%s (part %s) and %s (part %s) overlap: both have %s; leave one out",
				parts[i-1].Folder, parts[i-1].Manifest.Shard, p.Folder, shard,
				slotsText(p.Manifest, shard.First, min(next, shard.End)))
		case shard.First > next:
			return gap(next, shard.First, before, p.Folder, p.Manifest)
		}
		next, before = shard.End, fmt.Sprintf("%s (part %s)", p.Folder, shard)
	}
	if last := parts[len(parts)-1].Manifest; next < last.Shard.Slots {
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
