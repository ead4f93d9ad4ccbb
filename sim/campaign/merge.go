package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"veilpath/configs"
	"veilpath/internal/benchmark"
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
			return m, fmt.Errorf("%w; restore it from a copy, or make the part again", err)
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
		if a := first; a.Shard.Of != m.Shard.Of {
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

// joiner makes the whole question again of which a folder has a part, from the request that parts record.
type joiner func(ctx context.Context, p *Program, settings *configs.Loaded, request json.RawMessage) (Question, error)

// joiners are the joiners of the verbs whose work can be divided, besides study.
var joiners = map[string]joiner{
	"cost": joinerOf(joinCosts), "reproduce": joinerOf(joinReproduction),
	"leak": joinerOf(func(ctx context.Context, p *Program, settings *configs.Loaded, r LeakRequest) (*Leak, error) {
		r.Settings = settings
		return NewLeak(ctx, p, r)
	}),
	"audit": joinerOf(func(_ context.Context, p *Program, settings *configs.Loaded, r AuditRequest) (*Audit, error) {
		r.Settings = settings
		return NewAudit(p, r)
	}),
	"benchmark": joinerOf(func(_ context.Context, p *Program, settings *configs.Loaded,
		suite benchmark.Suite) (*Benchmark, error) {
		return NewBenchmark(p, settings, &suite)
	}),
}

// joinerOf returns the joiner of a verb that asks with requests of a type.
func joinerOf[R any, A Asker](ask func(context.Context, *Program, *configs.Loaded, R) (A, error)) joiner {
	return func(ctx context.Context, p *Program, settings *configs.Loaded, request json.RawMessage) (Question, error) {
		var r R
		if err := json.Unmarshal(request, &r); err != nil {
			return Question{}, err
		}
		asker, err := ask(ctx, p, settings, r)
		if err != nil {
			return Question{}, err
		}
		return asker.Question(), nil
	}
}

// Merge returns the whole work of which folders have all parts, given in any order. Of the settings only the workers of
// a study are used.
func (p *Program) Merge(ctx context.Context, folders []string, settings configs.Request) (j Job, err error) {
	m, err := p.wholeOf(folders)
	if err != nil {
		return j, err
	}
	q, err := p.whole(ctx, folders[0], m, settings)
	if err != nil {
		return j, err
	}
	j, err = p.Job(q)
	if err == nil && j.Manifest.Identity() != m.Whole().Identity() {
		err = fmt.Errorf("%s: its manifest does not describe its work completely; another program wrote it", folders[0])
	}
	return j, err
}

// whole returns the question of which a folder has a part.
func (p *Program) whole(ctx context.Context, folder string, m record.Manifest,
	given configs.Request) (Question, error) {
	if m.Verb == "study" {
		s, err := p.recorded(folder, m.Whole(), given)
		if err != nil {
			return Question{}, err
		}
		s.parts = m.Shard.Of
		return s.Question(), s.build(ctx)
	}
	settings, err := configs.Load(RecordedRequest(folder, m))
	if err != nil {
		return Question{}, err
	}
	join, known := joiners[m.Verb]
	if !known {
		return Question{}, fmt.Errorf("%s: it has a part of %s, which cannot be joined", folder, WithArticle(m.Verb))
	}
	q, err := join(ctx, p, settings, m.Asked)
	if err != nil {
		err = fmt.Errorf("%s: %w", folder, err)
	}
	return q, err
}

// MergeInto merges the parts of some work into a new folder. The files have the bytes of the work done in one piece,
// except wall_time_s and workers in the manifest. A part that lacks a piece, or has a damaged one, is
// an error that names it.
func (p *Program) MergeInto(ctx context.Context, path string, parts ...string) error {
	j, err := p.Merge(ctx, parts, configs.Request{})
	if err != nil {
		return err
	}
	folder, err := pieces.Create(path, false)
	if err != nil {
		return err
	}
	_, err = p.Answer(ctx, j, folder, parts...)
	return errors.Join(err, folder.Close())
}
