package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"

	"veilpath/configs"
	"veilpath/sim/record"
)

// newManifest begins the manifest of a verb's results with what the configuration says. Settings that
// results do not depend on are left at their defaults, so that equal results have equal manifests.
func newManifest(verb string, loaded *configs.Loaded) (record.Manifest, error) {
	config := loaded.Config
	config.Study.Workers = 0
	text, err := json.Marshal(config)
	if err != nil {
		return record.Manifest{}, fmt.Errorf("encoding the configuration: %w", err)
	}
	return record.Manifest{
		Program: "veilpath", Version: version, GoVersion: runtime.Version(), Arch: runtime.GOARCH, Verb: verb,
		Complete: true, Seed: config.Study.Seed, ConfigSHA256: config.SHA256(), Config: text,
	}, nil
}

// readManifest reads the manifest of a results folder. The hash of its settings must be theirs; whether it
// is can only be told of a manifest that this version wrote.
func (a *app) readManifest(folder string) (record.Manifest, error) {
	m, err := record.ReadManifest(a.disk, folder)
	if err != nil || m.Version != version {
		return m, err
	}
	loaded, err := configs.Load(recordedRequest(folder, m))
	if err != nil {
		return m, err
	}
	if loaded.SHA256() != m.ConfigSHA256 {
		return m, fmt.Errorf("%s: its settings are not those of its config_sha256, so it was edited by hand or damaged; restore it, or fly again into another --out",
			filepath.Join(folder, record.ManifestName))
	}
	return m, nil
}

// recordedRequest asks for the settings in a manifest.
func recordedRequest(folder string, m record.Manifest) configs.Request {
	return configs.Request{
		Config:   filepath.Join(folder, record.ManifestName),
		ReadFile: func(string) ([]byte, error) { return m.Config, nil },
	}
}
