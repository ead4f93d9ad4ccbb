package campaign

import (
	"context"
	"fmt"

	"veilpath/configs"
	"veilpath/internal/job"
	"veilpath/internal/record"
)

// Merge holds the parts of a divided study, after the check that they make up the whole.
type Merge struct {
	session *Session
	parts   []job.Part
}

// Merge prepares merging the parts of a study, given in any order. Parts of different studies, a part given twice, and
// missing, unfinished or damaged parts are errors that name the parts. Only the workers of the settings are used.
func (p *Program) Merge(ctx context.Context, folders []string, settings configs.Request) (*Merge, error) {
	parts, err := p.Jobs().Parts(ctx, folders)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if _, err := p.verifyConfigHash(part.Folder, part.Manifest, nil); err != nil {
			return nil, err
		}
	}
	whole := parts[0].Manifest.Whole()
	if err := p.checkOwn(parts[0].Folder, whole); err != nil {
		return nil, err
	}
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

// VerbOf returns the verb that wrote a folder, empty if the manifest cannot be read.
func (p *Program) VerbOf(folder string) string {
	m, err := p.ReadManifest(folder)
	if err != nil {
		return ""
	}
	return m.Verb
}
