package record

import (
	"encoding/json"
	"io"
)

// ManifestName is the file that says how results came about.
const ManifestName = "manifest.json"

// Manifest says how results came about and how to repeat them. The fields from WallTimeS on differ
// between runs of the program, all others depend on the results alone.
type Manifest struct {
	Program            string          `json:"program"`
	Version            string          `json:"version"`
	GoVersion          string          `json:"go_version"`
	Verb               string          `json:"verb"`
	Complete           bool            `json:"complete"` // false when interrupted: the files hold the runs that were done
	Seed               uint64          `json:"seed"`
	Run                *int            `json:"run,omitempty"`  // of a single flight
	Runs               int             `json:"runs,omitempty"` // per epsilon, in the files
	NominalDetectionKm float64         `json:"nominal_detection_km"`
	ConfigSHA256       string          `json:"config_sha256"`
	Config             json.RawMessage `json:"config"` // all settings that results depend on

	WallTimeS float64 `json:"wall_time_s"`
	Workers   int     `json:"workers"`
}

// WriteManifest writes the manifest as indented JSON.
func WriteManifest(w io.Writer, m Manifest) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(m)
}
