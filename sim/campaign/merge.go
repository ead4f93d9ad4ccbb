package campaign

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
)

// wholeOf checks that folders have all parts of divided work, in any order, and returns the manifest of the first part.
// Parts of different work or by other programs, a part given twice, and missing or unfinished parts are errors that
// name the parts.
func (p *Program) wholeOf(folders []string) (record.Manifest, error) {
	var first record.Manifest
	var places []string // by index
	for _, folder := range folders {
		m, err := p.ReadManifest(folder)
		switch {
		case errors.Is(err, record.ErrNoManifest):
			return m, RequestErrorf("%w; name the folders of the parts", err)
		case err != nil:
			return m, err
		case m.Shard == nil:
			return m, RequestErrorf("%s is not a part, because it holds a whole %s; name the folders of the parts", folder,
				m.Verb)
		case !m.Complete:
			return m, fmt.Errorf("%s is unfinished; finish it with the command that began it", folder)
		}
		work, err := record.ReadWork(folder) // which has the build
		if err != nil {
			return m, fmt.Errorf("%w; make the part again", err)
		}
		if work.Build != pieces.Build() {
			return m, RequestErrorf("%s was made by another build of veilpath %s; merge with that", folder, m.Version)
		}
		if places == nil {
			first, places = m, make([]string, m.Shard.Of)
		}
		if a := first; a.Version != m.Version || a.GoVersion != m.GoVersion || a.Arch != m.Arch {
			return m, RequestErrorf("%s and %s were made by different programs: veilpath %s (%s, %s) and %s (%s, %s); make one "+
				"of them again with the program of the other", folders[0], folder, a.Version, a.GoVersion, a.Arch, m.Version,
				m.GoVersion, m.Arch)
		} else if a.Shard.Of != m.Shard.Of {
			return m, RequestErrorf("%s (part %s) and %s (part %s) are parts of different work", folders[0], a.Shard, folder,
				m.Shard)
		} else if err := differences(a.Whole(), m.Whole()); err != nil || runsOf(a) != runsOf(m) {
			return m, RequestErrorf("%s (veilpath %s, part %s) and %s (veilpath %s, part %s) are parts of different "+
				"work: %w; make all parts with one command, divided into the same number of parts",
				folders[0], a.Verb, a.Shard, folder, m.Verb, m.Shard, err)
		}
		if twice := places[m.Shard.Index-1]; twice != "" {
			return m, RequestErrorf("%s and %s are both part %s; leave one out", twice, folder, m.Shard)
		}
		places[m.Shard.Index-1] = folder
	}
	var missing []string
	for i, folder := range places {
		if folder == "" {
			missing = append(missing, fmt.Sprintf("%d/%d", i+1, len(places)))
		}
	}
	if len(missing) > 0 {
		return first, RequestErrorf("part %s is missing; make it, or name its folder", strings.Join(missing, ", "))
	}
	return first, p.checkOwn(folders[0], first)
}

// Merge returns the whole study of which folders have all parts, given in any order. Only the workers of the settings
// are used.
func (p *Program) Merge(ctx context.Context, folders []string, settings configs.Request) (*Session, error) {
	m, err := p.wholeOf(folders)
	if err != nil {
		return nil, err
	}
	plan, err := p.recordedPlan(folders[0], m.Whole(), settings)
	if err != nil {
		return nil, err
	}
	plan.parts = m.Shard.Of
	return p.newSession(ctx, plan)
}

// MergeInto merges the parts of a study into a new folder. The files have the bytes of the study flown in one piece,
// except wall_time_s and workers in the manifest. Flights that are damaged in the parts are flown again.
func (p *Program) MergeInto(ctx context.Context, path string, parts ...string) (*Result, error) {
	s, err := p.Merge(ctx, parts, configs.Request{})
	if err != nil {
		return nil, err
	}
	j, err := p.Job(s.Question())
	if err != nil {
		return nil, err
	}
	folder, err := pieces.Create(path, false)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	if _, err = p.Answer(ctx, j, folder, parts...); err == nil {
		err = s.unmet()
	}
	return s.finished, err
}

// VerbOf returns the verb that wrote a folder, empty if the manifest cannot be read.
func (p *Program) VerbOf(folder string) string {
	m, err := p.ReadManifest(folder)
	if err != nil {
		return ""
	}
	return m.Verb
}
