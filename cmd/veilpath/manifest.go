package main

import (
	"encoding/json"
	"fmt"
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
