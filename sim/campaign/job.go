package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"veilpath/configs"
	"veilpath/sim/job"
	"veilpath/sim/pool"
	"veilpath/sim/record"
)

// Asked is all that the answer of a job depends on.
type Asked struct {
	Verb     string
	Settings *configs.Loaded
	Request  any // what is asked beside the settings, a value for encoding/json

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

// Job returns the work as a job.
func (p *Program) Job(w Resumable) (job.Job, error) {
	a := w.Asked()
	m, err := p.manifest(a.Verb, a.Settings)
	if err == nil {
		m.Request, err = a.hash()
	}
	return job.Job{Manifest: m, Do: w.Do, Write: w.Write, Ended: a.Ended, Extend: a.Extend}, err
}

// Jobs is where the program keeps jobs.
func (p *Program) Jobs() job.Disk {
	return job.Disk{Files: p.Disk, Now: p.now, Remark: func(text string) { p.remark("%s", text) }}
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
	r.Verb, r.Settings = a.Verb, a.Settings
	if r.Request, err = a.hash(); err != nil {
		return err
	}
	return p.Write(folder, r)
}

// unmet returns the error of a finished tuning in a folder that found no epsilon.
func (p *Program) unmet(folder string) error {
	m, err := record.ReadManifest(p.Disk, folder)
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
