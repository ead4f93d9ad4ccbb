package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"veilpath/configs"
	"veilpath/internal/job"
	"veilpath/internal/pool"
	"veilpath/internal/record"
)

// Asked is all that the answer of a job depends on.
type Asked struct {
	Verb     string
	Settings *configs.Loaded
	Request  any      // what is asked beside the settings, a value for encoding/json
	Commands []string // of the user's, beside those of the settings
	// Shared is that of work that can be shared out, with all that Joined takes to ask for it again; nil for other work.
	Shared any

	// Ended returns the error that the finished work in a folder ended with. It is nil where finished work has none.
	Ended func(folder string) error
	// Extend takes over the answer in a folder, see job.Job.
	Extend func(folder string) (bool, error)
}

// Resumable is work other than a study's that goes on where an earlier session of it stopped, see job.Job.
type Resumable interface {
	Asked() Asked
	Do(ctx context.Context, keeper pool.Keeper) error
	Write(folder *record.Folder) error
}

// Job returns the work as a job, or a part of it.
func (p *Program) Job(w Resumable, part Part) (j job.Job, err error) {
	a := w.Asked()
	j = job.Job{Do: w.Do, Write: w.Write, Ended: a.Ended, Extend: a.Extend}
	if j.Manifest, err = p.manifest(a.Verb, a.Settings); err != nil {
		return j, err
	}
	j.Manifest.Commands = p.commandsOf(append(a.Settings.Commands(), a.Commands...))
	if j.Manifest.Request, err = a.hash(); err != nil || part == (Part{}) {
		return j, err
	}
	j.Manifest.Shard, j.Ended = record.NewShard(part.Index, part.Of, part.Of), nil
	p.parts = part.Of
	j.Manifest.Asked, err = json.Marshal(a.Shared)
	return j, err
}

// Do does work in a folder, see job.Disk.Do.
func (p *Program) Do(ctx context.Context, w Resumable, path string) error {
	j, err := p.Job(w, Part{})
	if err != nil {
		return err
	}
	return p.Jobs().Do(ctx, path, j)
}

// Joined returns the work that folders hold all parts of, see job.Disk.Join.
func (p *Program) Joined(ctx context.Context, parts []job.Part) (Resumable, error) {
	m, folder := parts[0].Manifest, parts[0].Folder
	recorded, err := p.recordedSettings(folder, m)
	if err != nil {
		return nil, err
	}
	settings := *recorded // which work may narrow
	var w Resumable
	switch m.Verb {
	case "cost":
		w, err = p.joinedCosts(&settings, m.Asked)
	case "leak":
		w, err = p.joinedLeak(ctx, &settings, m.Asked)
	case "audit":
		w, err = p.joinedAudit(&settings, m.Asked)
	case "benchmark":
		w, err = p.joinedBenchmark(&settings, m.Asked)
	case "reproduce":
		w, err = p.joinedReproduction(&settings, m.Asked)
	default:
		err = fmt.Errorf("it holds a part of a %s, which is not shared out so", m.Verb)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	j, err := p.Job(w, Part{})
	if err == nil && j.Manifest.Identity() != m.Whole().Identity() {
		err = fmt.Errorf("%s: its manifest does not say all that its work depends on; it is of another program", folder)
	}
	return w, err
}

// Jobs is where the program keeps jobs.
func (p *Program) Jobs() job.Disk {
	return job.Disk{Files: p.disk(), Now: p.now, Differ: differences,
		Remark: func(text string) { p.remark("%s", text) }}
}

// hash returns the hash of the request, in hexadecimal.
func (a Asked) hash() (string, error) {
	text, err := json.Marshal(a.Request)
	if err != nil {
		return "", fmt.Errorf("encoding the request: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

// writeAnswer writes the results of a job, with the verb, settings and request of what was asked.
func (p *Program) writeAnswer(folder *record.Folder, a Asked, r Results) (err error) {
	r.Verb, r.Settings, r.Commands = a.Verb, a.Settings, a.Commands
	if r.Request, err = a.hash(); err != nil {
		return err
	}
	return p.Write(folder, r)
}

// unmet returns the error of a finished tuning in a folder that found no epsilon.
func (p *Program) unmet(folder string) error {
	m, err := record.ReadManifest(p.disk(), folder)
	if err != nil || len(m.Answer) == 0 {
		return err
	}
	var kept struct{ Met bool }
	if err := json.Unmarshal(m.Answer, &kept); err != nil {
		return fmt.Errorf("%s: the answer in its manifest: %w", folder, err)
	}
	if !kept.Met {
		return errors.New("no epsilon is shown to meet the requirement")
	}
	return nil
}
