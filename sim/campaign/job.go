package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

// Asked is everything that the answer of a job depends on.
type Asked struct {
	Verb     string
	Settings *configs.Loaded
	Request  any      // the request besides the settings, a value for encoding/json
	Commands []string // further commands besides those of the settings
	// Shared is the request from which Joined makes the whole work again. It is nil for work that cannot be divided.
	Shared any

	// Ended returns the error with which the finished work in a folder ended. It is nil if finished work has no
	// error.
	Ended func(folder string) error
}

// Resumable is work, other than a study, that can be resumed, see Job.
type Resumable interface {
	Asked() Asked
	Do(ctx context.Context, keeper pool.Keeper) error
	Write(folder *pieces.Folder) error

	// The rest tells about work that is done.
	Answer
	// Effort says how much was done and how long it took; empty if the answer says it.
	Effort() string
	// Next says what to do with the answer in a folder.
	Next(folder string) Next
	// Unmet returns an error if the answer does not meet a demand.
	Unmet() error
}

// Next is what to do with an answer. Its texts may name options, see package option.
type Next struct {
	Files   string   // those to look at by name, as "picture  out/plane.png"; empty for none
	Command []string // a verb and its arguments, to which the settings of this work are added; nil for none
}

// Answer is an answer that every format can show.
type Answer interface {
	WriteCSV(w io.Writer) error
	WriteJSON(w io.Writer) error
	// Sections returns what people read, with all of it if full.
	Sections(full bool) []table.Section
}

// Task is what all Resumable work has in common and embeds. It has no demand.
type Task struct {
	Program *Program
	Wall    time.Duration // that Do took
	Paged   bool          // the files always have a page
}

// Measure begins to measure Wall, and returns the function that ends it.
func (t *Task) Measure() (end func()) {
	start := t.Program.Time()
	return func() { t.Wall = t.Program.Time().Sub(start) }
}

// Timed says how much was done, and how long it took.
func (t *Task) Timed(what string) string { return fmt.Sprintf("%s in %.1f s", what, t.Wall.Seconds()) }

// Next implements Resumable.
func (t *Task) Next(folder string) Next {
	if !t.Paged {
		return Next{}
	}
	return Next{Files: "page     " + filepath.Join(folder, PageName)}
}

// Unmet implements Resumable.
func (*Task) Unmet() error { return nil }

// EndedUnmet is an Asked.Ended for work with a demand: it returns an error if the answer in a folder does not meet it.
func (t *Task) EndedUnmet(folder string) error {
	m, err := record.ReadManifest(folder)
	if err != nil || len(m.Answer) == 0 {
		return err
	}
	var kept struct{ Met bool }
	if err := json.Unmarshal(m.Answer, &kept); err != nil {
		return fmt.Errorf("%s: the answer in its manifest: %w", folder, err)
	}
	if !kept.Met {
		return errors.New("the finished work does not meet its demand")
	}
	return nil
}

// WriteAnswer writes the results of a job with the verb, settings and hash of its request.
func (t *Task) WriteAnswer(folder *pieces.Folder, a Asked, r Results) (err error) {
	r.Verb, r.Settings, r.Commands, r.Wall = a.Verb, a.Settings, a.Commands, t.Wall
	if r.Request, err = a.hash(); err != nil {
		return err
	}
	return t.Program.Write(folder, r)
}

// Job is work, or a part of it, that can be done in a folder.
type Job struct {
	Manifest record.Manifest // of the answer, as far as it is known before the work
	Work     Resumable
	Answer   string // file for the answer as JSON; empty for none
}

// Job returns the work as a job, or a part of it.
func (p *Program) Job(w Resumable, part Part) (j Job, err error) {
	a := w.Asked()
	j.Work = w
	if j.Manifest, err = p.Manifest(a.Verb, a.Settings); err != nil {
		return j, err
	}
	j.Manifest.Complete = false
	j.Manifest.Commands = p.CommandsOf(append(a.Settings.Commands(), a.Commands...))
	if j.Manifest.Request, err = a.hash(); err != nil || part == (Part{}) {
		return j, err
	}
	j.Manifest.Shard = &record.Shard{Index: part.Index, Of: part.Of}
	p.parts = part.Of
	j.Manifest.Asked, err = json.Marshal(a.Shared)
	return j, err
}

// Do does work in a folder, or goes on with it there. If the answer is already there, it does nothing.
func (p *Program) Do(ctx context.Context, w Resumable, path string) error {
	j, err := p.Job(w, Part{})
	if err != nil {
		return err
	}
	state, err := p.State(path, j.Manifest)
	if err != nil {
		return err
	}
	if state == Finished {
		return j.Ended(path)
	}
	folder, err := p.OpenWork(path, state, false)
	if err != nil {
		return err
	}
	return errors.Join(p.Run(ctx, folder, j), folder.Close())
}

// Ended returns the error with which the finished job in a folder ended. A part has none.
func (j Job) Ended(folder string) error {
	if ended := j.Work.Asked().Ended; ended != nil && j.Manifest.Shard == nil {
		return ended(folder)
	}
	return nil
}

// Run does a job with the results that are kept in the folder, or in those of parts, and writes its answer there. If
// the folder is nil, nothing is kept or written. The error is a KeptError if results are kept.
func (p *Program) Run(ctx context.Context, folder *pieces.Folder, j Job, parts ...string) error {
	if folder == nil {
		return interrupted(j.Work.Do(ctx, nil), "nothing is kept without a folder")
	}
	work, err := folder.Begin(j.Manifest, parts...)
	if err != nil {
		return err
	}
	defer work.End()
	err = j.Work.Do(ctx, work)
	if in := work.DamagedIn(); err != nil && len(parts) > 0 && in != "" {
		return fmt.Errorf("part %s is damaged; remove it and make that part again: %w", in, err)
	}
	if _, damaged := work.Found(); damaged > 0 {
		p.Remarkf("%s of the work were damaged and done again", table.Count(damaged, "piece"))
	}
	switch {
	case j.Manifest.Shard != nil && errors.Is(err, pool.ErrPart):
		m := j.Manifest
		m.Complete = true
		err = folder.Finish(m)
	case err == nil:
		if j.Answer != "" {
			err = folder.Write(j.Answer, j.Work.WriteJSON)
		}
		if err == nil {
			err = j.Work.Write(folder)
		}
	}
	switch {
	case err == nil:
		return nil
	case work.Kept() == 0:
		return interrupted(err, "none of the work was done")
	}
	return &KeptError{Folder: folder.Path(), Err: err}
}

// interrupted adds to an interruption what is left of the work.
func interrupted(err error, left string) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted: %s: %w", left, err)
	}
	return err
}

// Joiner makes the whole work again of which a folder has a part, from what parts record of their request. It may
// change the settings.
type Joiner func(ctx context.Context, p *Program, folder string, settings *configs.Loaded,
	asked json.RawMessage) (Resumable, error)

// Joined returns the whole work of which folders have all parts, with the joiner of its verb.
func (p *Program) Joined(ctx context.Context, folders []string, joiners map[string]Joiner) (j Job, err error) {
	m, err := p.wholeOf(folders)
	if err != nil {
		return j, err
	}
	folder := folders[0]
	recorded, err := p.RecordedSettings(folder, m)
	if err != nil {
		return j, err
	}
	join, known := joiners[m.Verb]
	if !known {
		return j, fmt.Errorf("%s: it has a part of %s, which cannot be joined in this way", folder, WithArticle(m.Verb))
	}
	settings := *recorded
	w, err := join(ctx, p, folder, &settings, m.Asked)
	if err != nil {
		return j, fmt.Errorf("%s: %w", folder, err)
	}
	j, err = p.Job(w, Part{})
	if err == nil && j.Manifest.Identity() != m.Whole().Identity() {
		err = fmt.Errorf("%s: its manifest does not describe its work completely; another program wrote it", folder)
	}
	return j, err
}

// hash returns the hexadecimal hash of the request.
func (a Asked) hash() (string, error) {
	text, err := json.Marshal(a.Request)
	if err != nil {
		return "", fmt.Errorf("encoding the request: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}
