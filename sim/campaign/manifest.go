package campaign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"

	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/internal/record"
)

// ReadManifest reads the manifest of a results folder. The hash of its settings must be theirs; whether it is
// can only be told of a manifest that this version wrote.
func (p *Program) ReadManifest(folder string) (record.Manifest, error) {
	m, err := record.ReadManifest(p.disk(), folder)
	return p.genuine(folder, m, err)
}

// readStudy is ReadManifest of what a study in a folder is to go on from, see [record.ReadStudy].
func (p *Program) readStudy(folder string) (record.Manifest, error) {
	m, err := record.ReadStudy(p.disk(), folder)
	return p.genuine(folder, m, err)
}

// genuine refuses a manifest that was read whose settings do not have their hash.
func (p *Program) genuine(folder string, m record.Manifest, err error) (record.Manifest, error) {
	if errors.Is(err, record.ErrNoManifest) {
		if _, missing := p.disk().Stat(folder); errors.Is(missing, fs.ErrNotExist) {
			err = fmt.Errorf("%w, since there is no such folder", err)
		}
	}
	if err != nil || m.Version != p.Version {
		return m, err
	}
	loaded, err := p.recordedSettings(folder, m)
	if err != nil {
		return m, err
	}
	if loaded.SHA256() != m.ConfigSHA256 {
		return m, option.Errorf("%s: its settings do not match its config_sha256, so it was edited by hand or damaged; "+
			"restore it, or fly again into another {out}",
			filepath.Join(folder, record.ManifestName))
	}
	return m, nil
}

// recordedSettings are the settings in a manifest.
func (p *Program) recordedSettings(folder string, m record.Manifest) (*configs.Loaded, error) {
	p.settled.Lock()
	defer p.settled.Unlock()
	if p.settled.folder == folder && p.settled.text == string(m.Config) {
		return p.settled.loaded, nil
	}
	loaded, err := configs.Load(recordedRequest(folder, m))
	if err == nil {
		p.noteCommands(folder, loaded.Config, m.Sweep.Observers)
		p.settled.folder, p.settled.text, p.settled.loaded = folder, string(m.Config), loaded
	}
	return loaded, err
}

// recordedRequest asks for the settings in a manifest.
func recordedRequest(folder string, m record.Manifest) configs.Request {
	return configs.Request{
		Config:   filepath.Join(folder, record.ManifestName),
		ReadFile: func(string) ([]byte, error) { return m.Config, nil },
	}
}

// differences names what two manifests of one folder do not agree on.
func differences(recorded, asked record.Manifest) error {
	switch {
	case recorded.Verb != asked.Verb:
		return fmt.Errorf("it is of veilpath %s, not of veilpath %s", recorded.Verb, asked.Verb)
	case recorded.Version != asked.Version || recorded.GoVersion != asked.GoVersion || recorded.Arch != asked.Arch:
		return fmt.Errorf("veilpath %s (%s, %s) began it, this is %s (%s, %s)",
			recorded.Version, recorded.GoVersion, recorded.Arch, asked.Version, asked.GoVersion, asked.Arch)
	}
	if recorded.Own != asked.Own {
		return fmt.Errorf("its own parts were %s, now they are %s", cmp.Or(recorded.Own, "none"), cmp.Or(asked.Own, "none"))
	}
	if !slices.Equal(recorded.Commands, asked.Commands) {
		return otherCommands(recorded, asked)
	}
	shard := func(m record.Manifest) string {
		if m.Shard == nil {
			return "none"
		}
		return m.Shard.String()
	}
	if shard(recorded) != shard(asked) {
		return option.Errorf("{shard} was %s, now it is %s", shard(recorded), shard(asked))
	}
	if all := changes(recorded.Config, asked.Config); len(all) > 0 {
		was, is := all[0].Brief()
		return mistake("%s was %s, now it is %s", all[0].Key, was, is)
	}
	if recorded.UntilKm != asked.UntilKm {
		return option.Errorf("{until} was %s, now it is %s", untilText(recorded.UntilKm), untilText(asked.UntilKm))
	}
	if recorded.Trajectories != asked.Trajectories {
		return option.Errorf("{trajectories} was %d, now it is %d", recorded.Trajectories, asked.Trajectories)
	}
	if recorded.Curves != asked.Curves {
		return option.Errorf("{curves} was %v, now it is %v", recorded.Curves, asked.Curves)
	}
	if recorded.Request != asked.Request {
		return fmt.Errorf("its settings are these, but what was asked beside them was something else")
	}
	return option.Errorf("{sweep} was another")
}

// untilText writes the half-width that ends a study as --until takes it.
func untilText(km float64) string {
	if km == 0 {
		return "none"
	}
	return fmt.Sprintf("%gkm", km)
}

// flatten returns the values of a configuration in JSON by key.
func flatten(text json.RawMessage) map[string]string {
	var tree map[string]json.RawMessage
	flat := map[string]string{}
	if json.Unmarshal(text, &tree) != nil {
		return flat
	}
	for name, raw := range tree {
		var group map[string]any
		if json.Unmarshal(raw, &group) != nil {
			var v any
			if json.Unmarshal(raw, &v) == nil {
				flat[name] = fmt.Sprint(v)
			}
			continue
		}
		for k, v := range group {
			flat[name+"."+k] = fmt.Sprint(v)
		}
	}
	return flat
}

// otherProgram says how the program that recorded a study differs from this one, empty when it does not.
func (p *Program) otherProgram(recorded record.Manifest) string {
	if recorded.Version == p.Version && recorded.GoVersion == runtime.Version() && recorded.Arch == runtime.GOARCH {
		return ""
	}
	return fmt.Sprintf("veilpath %s (%s, %s) recorded it, this is %s (%s, %s)",
		recorded.Version, recorded.GoVersion, recorded.Arch, p.Version, runtime.Version(), runtime.GOARCH)
}

// SameFile reports whether two paths name one file or folder that exists.
func SameFile(disk record.FileSystem, a, b string) bool {
	first, err := disk.Stat(a)
	if err != nil {
		return false
	}
	second, err := disk.Stat(b)
	return err == nil && disk.SameFile(first, second)
}
