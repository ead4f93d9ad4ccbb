package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/planner/privacy"
)

// Question is what a verb asks. Its answer depends only on the settings, the request, the commands and the program, so
// that work on it can be interrupted, divided and repeated.
type Question struct {
	Verb     string
	Settings *configs.Loaded
	Request  any      // what the answer depends on besides the settings, a value for encoding/json
	Commands []string // further commands besides those of the settings
	Part     Part     // of the work; the zero value is the whole

	// Solve finds the answer. It keeps pieces of the work, which are nil if nothing is kept. Of a part of the work it
	// keeps the pieces and returns pieces.ErrPart. After an interruption it may return an answer of what was done, with
	// the error.
	Solve func(ctx context.Context, kept *pieces.Work) (*answer.Answer, error)

	// Describe adds to the manifest what identifies the work besides all that; nil for nothing.
	Describe func(*record.Manifest)
	// Extend is called if a folder has the answer to the same question with fewer runs; nil if there is no such question.
	Extend func(folder string, m record.Manifest)
	// Again returns the answer in a folder; nil for the answer as it was printed.
	Again func(ctx context.Context, folder string) (*answer.Answer, error)
	// Demand returns the error for a demand that the answer in a folder does not meet, from its text; nil for any error.
	Demand func(text string) error
}

// Asker asks a question.
type Asker interface{ Question() Question }

// Job is a question, or a part of it, with its manifest before the work.
type Job struct {
	Question
	Manifest record.Manifest
	paged    bool // the answer that it extends has a page
}

// Job returns the job of a question.
func (p *Program) Job(q Question) (j Job, err error) {
	j.Question = q
	if j.Manifest, err = p.Manifest(q.Verb, q.Settings); err != nil {
		return j, err
	}
	m := &j.Manifest
	m.Commands = p.CommandsOf(append(q.Settings.Commands(), q.Commands...))
	m.Complete = false
	if q.Request != nil {
		request, err := json.Marshal(q.Request)
		if err != nil {
			return j, fmt.Errorf("encoding the request: %w", err)
		}
		m.Request, m.Asked = fmt.Sprintf("%x", sha256.Sum256(request)), request
	}
	if q.Part != (Part{}) {
		m.Shard = &record.Shard{Index: q.Part.Index, Of: q.Part.Of}
		p.parts = q.Part.Of
	}
	if q.Describe != nil {
		q.Describe(m)
	}
	return j, nil
}

// Do answers a question in a folder, or goes on with it there. If the answer is there already, it is only checked.
func (p *Program) Do(ctx context.Context, asker Asker, path string) error {
	j, err := p.Job(asker.Question())
	if err != nil {
		return err
	}
	state, err := p.State(path, &j)
	if err != nil {
		return err
	}
	if state == Finished {
		_, err := p.Again(ctx, j, path)
		return err
	}
	folder, err := openWork(path, state)
	if err != nil {
		return err
	}
	_, err = p.Answer(ctx, j, folder)
	return errors.Join(err, folder.Close())
}

// Answer does work in a folder with the pieces that it keeps, and those in the folders of parts, and writes the answer
// there. If the folder is nil, nothing is kept or written. The error is a StoppedError if pieces are kept. Of a part of
// the work there is no answer.
func (p *Program) Answer(ctx context.Context, j Job, folder *pieces.Folder, parts ...string) (*answer.Answer, error) {
	started := p.Time()
	p.last = lastProgress{}
	kept, err := folder.Begin(j.Manifest, parts...)
	if err != nil {
		return nil, err
	}
	defer kept.End()
	a, err := j.Solve(ctx, kept)
	done := kept.Result()
	if done.Damaged > 0 {
		p.Remarkf("damaged and done again: %s of the work", table.Count(done.Damaged, "piece"))
	}
	m := j.Manifest
	m.Complete, m.WallTimeS, m.Workers = true, p.Time().Sub(started).Seconds(), pool.Workers(j.Settings.Study.Workers)
	if m.Shard != nil && errors.Is(err, pieces.ErrPart) {
		if err = folder.Finish(m); err == nil {
			return nil, nil
		}
	}
	if err == nil {
		if err = p.write(folder, m, a, j.paged); err == nil {
			return a, nil
		}
		a = nil
	}
	if done.Kept == 0 && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	return a, &StoppedError{Folder: folder.Path(), Kept: done.Kept, Work: p.last.work, Done: p.last.done,
		Of: p.last.total, Err: err}
}

// write writes the files of an answer, with a page if it has had one, the manifest last.
func (p *Program) write(folder *pieces.Folder, m record.Manifest, a *answer.Answer, paged bool) error {
	if folder == nil {
		return nil
	}
	if err := p.writeFiles(folder, a); err != nil {
		return err
	}
	m.Facts = a.Facts
	if a.Workers > 0 {
		m.Workers = a.Workers
	}
	var err error
	if m.Printed, err = printed(a); err != nil {
		return err
	}
	if paged || p.Page || a.Page.Sheets != nil {
		if err := folder.Write(PageName, page(m, a).Write); err != nil {
			return err
		}
	}
	return folder.Finish(m)
}

// Write writes an answer to a folder at once, without pieces. Wall is how long it took.
func (p *Program) Write(folder *pieces.Folder, q Question, a *answer.Answer, wall time.Duration) error {
	j, err := p.Job(q)
	if err != nil {
		return err
	}
	m := j.Manifest
	m.Complete, m.WallTimeS, m.Workers = true, wall.Seconds(), pool.Workers(q.Settings.Study.Workers)
	return p.write(folder, m, a, false)
}

// Manifest returns the manifest of a verb with the settings. Settings that do not change results get their
// defaults, so that equal results have equal manifests.
func (p *Program) Manifest(verb string, settings *configs.Loaded) (record.Manifest, error) {
	config := settings.Config
	config.Study.Workers, config.Exec = 0, configs.Default().Exec
	text, err := json.Marshal(config)
	if err != nil {
		return record.Manifest{}, fmt.Errorf("encoding the configuration: %w", err)
	}
	return record.Manifest{
		Program: "veilpath", Version: p.Version, GoVersion: runtime.Version(), Arch: runtime.GOARCH, Verb: verb,
		Notice: privacy.SimulationNotice, Own: p.own(), Commands: p.CommandsOf(config.Commands()),
		Complete: true, Seed: config.Study.Seed, ConfigSHA256: config.SHA256(), Config: text,
	}, nil
}
