package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/option"
	"veilpath/internal/record"
)

// ReadManifest reads the manifest of a results folder. If this version wrote the manifest, it also verifies the
// hash of the settings.
func (p *Program) ReadManifest(folder string) (record.Manifest, error) {
	m, err := record.ReadManifest(folder)
	if errors.Is(err, record.ErrNoManifest) {
		if _, missing := os.Stat(folder); errors.Is(missing, fs.ErrNotExist) {
			err = fmt.Errorf("%w, because there is no such folder", err)
		}
	}
	if err != nil || m.Version != p.Version {
		return m, err
	}
	loaded, err := configs.Load(RecordedRequest(folder, m))
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

// RecordedRequest returns the request that loads the settings in a manifest.
func RecordedRequest(folder string, m record.Manifest) configs.Request {
	return configs.Request{
		Config:   filepath.Join(folder, record.ManifestName),
		ReadFile: func(string) ([]byte, error) { return m.Config, nil },
	}
}

// differences returns an error with the first difference between the manifest in a folder and that of the requested
// work; nil if they differ at most in the number of runs of a study.
func differences(recorded, asked record.Manifest) error {
	switch {
	case recorded.EssenceButRuns() == asked.EssenceButRuns():
		return nil
	case recorded.Verb != asked.Verb:
		return fmt.Errorf("it was written by veilpath %s, not by veilpath %s", recorded.Verb, asked.Verb)
	case recorded.Version != asked.Version || recorded.GoVersion != asked.GoVersion || recorded.Arch != asked.Arch:
		return fmt.Errorf("veilpath %s (%s, %s) began it, but this is %s (%s, %s)",
			recorded.Version, recorded.GoVersion, recorded.Arch, asked.Version, asked.GoVersion, asked.Arch)
	}
	if recorded.Own != asked.Own {
		return fmt.Errorf("its program had %s, now it has %s", cmp.Or(recorded.Own, "no additions"), cmp.Or(asked.Own,
			"no additions"))
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
	all := slices.DeleteFunc(Changes(recorded.Config, asked.Config), func(c Change) bool {
		return c.Key == RunsKey && asked.Verb == "study"
	})
	if len(all) > 0 {
		was, is := all[0].Brief()
		return RequestErrorf("%s was %s, now it is %s", all[0].Key, was, is)
	}
	if recorded.UntilKm != asked.UntilKm {
		return option.Errorf("{until} was %s, now it is %s", untilText(recorded.UntilKm), untilText(asked.UntilKm))
	}
	if recorded.Trajectories != asked.Trajectories {
		return option.Errorf("{trajectories} was %d, now it is %d", recorded.Trajectories, asked.Trajectories)
	}
	if flags := Changes(recorded.Asked, asked.Asked); len(flags) > 0 {
		was, is := flags[0].Brief()
		return RequestErrorf("%s was %s, now it is %s", strings.ToLower(flags[0].Key), was, is)
	}
	return option.Errorf("{sweep} differs")
}

// untilText returns a half-width as --until takes it.
func untilText(km float64) string {
	if km == 0 {
		return "none"
	}
	return fmt.Sprintf("%gkm", km)
}
