package campaign

import (
	"encoding/json"
	"errors"

	"veilpath/internal/pieces"
	"veilpath/internal/record"
)

// State is what a folder has of some work.
type State int

// The states of work in a folder.
const (
	New        State = iota // nothing
	Begun                   // pieces
	Extensible              // the answer of the same study with fewer runs
	Finished                // the answer
)

// State returns what a folder has of a job. Other work, and the same with fewer runs than it has already, is a
// RequestError that names what differs. It removes what a process left that was killed at the end. If the job extends
// the answer in the folder, it takes what that has.
func (p *Program) State(folder string, j *Job) (State, error) {
	asked := j.Manifest
	m, err := p.ReadManifest(folder)
	switch {
	case errors.Is(err, record.ErrNoManifest):
		return New, nil
	case err != nil:
		return New, err
	case m.Complete && m.Identity() == asked.Identity() && m.ConfigSHA256 == asked.ConfigSHA256:
		if m.Shard != nil { // its pieces may be damaged, and then are computed again
			return Begun, nil
		}
		return Finished, tidy(folder, m)
	}
	work, err := record.ReadWork(folder)
	switch {
	case err == nil && work.Build != pieces.Build() && differences(work, asked) == nil:
		return New, RequestErrorf("%s holds unfinished work of another build of veilpath %s; go on with that, name another "+
			"{out}, or start over with {force}", folder, work.Version)
	case err == nil:
		if err := continues(folder, work, asked); err != nil {
			return New, err
		}
		if !m.Complete || m.Shard != nil || continues(folder, m, asked) != nil {
			p.remarkPrograms(folder, work, asked)
			return Begun, nil
		}
	case !errors.Is(err, record.ErrNoManifest):
		return New, err
	}
	if err := continues(folder, m, asked); err != nil {
		return New, err
	}
	if j.Extend == nil {
		return Begun, nil
	}
	p.remarkPrograms(folder, m, asked)
	j.Extend(folder, m)
	j.paged = m.Files[PageName] != ""
	return Extensible, nil
}

// tidy removes what a process left that was killed at the end of the work in a folder. A part keeps its pieces.
func tidy(folder string, m record.Manifest) error {
	if m.Shard != nil {
		return nil
	}
	f, err := pieces.Open(folder)
	if err != nil {
		return nil // such as a folder that cannot be written
	}
	return errors.Join(f.Tidy(), f.Close())
}

// continues returns an error unless the asked work is the recorded one, or the same study with at least as many runs.
func continues(folder string, recorded, asked record.Manifest) error {
	if err := differences(recorded, asked); err != nil {
		return RequestErrorf("%s holds other work: %w; repeat its flags, name another {out}, or replace it with {force}",
			folder, err)
	}
	if has, wants := runsOf(recorded), runsOf(asked); wants < has {
		return RequestErrorf("%s holds a study of %d runs per epsilon, and %d would lose some; give at least as many, name "+
			"another {out}, or replace it with {force}", folder, has, wants)
	}
	return nil
}

// runsOf returns the runs per epsilon in the settings of a manifest.
func runsOf(m record.Manifest) int {
	var settings struct{ Study struct{ Runs int } }
	json.Unmarshal(m.Config, &settings) // without such settings it is 0
	return settings.Study.Runs
}

// openWork opens a folder for work that is in a state there.
func openWork(path string, state State) (folder *pieces.Folder, err error) {
	if state == New {
		folder, err = pieces.Create(path, false)
	} else {
		folder, err = pieces.Open(path)
	}
	if err != nil {
		return nil, RequestErrorf("%w", err)
	}
	if err := folder.Supersede(""); err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}
