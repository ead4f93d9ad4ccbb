package release

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// Statement is what is promised about a release, and which file the promise is about.
type Statement struct {
	Statement string `json:"statement"` // the promise in words
	// (Epsilon, Delta) differential privacy for tables that differ in one entry by at most Adjacency, b.
	Epsilon        float64 `json:"epsilon"`
	Delta          float64 `json:"delta"`
	CertifiedDelta float64 `json:"certified_delta"` // proven for the noise that was added, at most Delta
	Adjacency      float64 `json:"adjacency"`
	// Sensitivity is the largest L2 distance between neighbouring tables: b, since one entry differs.
	Sensitivity float64 `json:"sensitivity"`
	// Sigma is the noise's standard deviation in reward units, SigmaSteps the same in steps of the grid, as an
	// exact fraction.
	Sigma         float64 `json:"sigma"`
	SigmaSteps    string  `json:"sigma_steps"`
	Grid          float64 `json:"grid"`
	Calibration   string  `json:"calibration"`
	Mechanism     string  `json:"mechanism"`
	Randomness    string  `json:"randomness"`
	Agents        int     `json:"agents"`
	States        int     `json:"states"`
	Entries       int     `json:"entries"`
	Release       string  `json:"release"`        // the name of the file
	ReleaseSHA256 string  `json:"release_sha256"` // of its bytes
	Program       string  `json:"program"`
}

// Statement states what is promised about a file that Write wrote, for its name, the SHA-256 of its bytes and
// the program that released it.
func (r *Release) Statement(name string, hash [32]byte, program string) Statement {
	first := r.agents[0] // the guarantee and so the noise are the same for all
	s := Statement{
		Epsilon: first.Epsilon, Delta: first.Delta, CertifiedDelta: first.CertifiedDelta,
		Adjacency: first.Adjacency, Sensitivity: first.Adjacency,
		Sigma:      float64(first.SigmaNumerator) / float64(first.SigmaDenominator) * first.Grid,
		SigmaSteps: fmt.Sprintf("%d/%d", first.SigmaNumerator, first.SigmaDenominator),
		Grid:       first.Grid, Calibration: string(first.Calibration),
		Mechanism:  "discrete Gaussian noise on every entry, sampled exactly (Canonne, Kamath and Steinke 2020)",
		Randomness: "crypto/rand",
		Agents:     len(r.table.Agents), States: len(r.table.States), Entries: r.table.Entries(),
		Release: name, ReleaseSHA256: hex.EncodeToString(hash[:]), Program: program,
	}
	whose := "the reward table"
	if s.Agents > 1 {
		whose = "each agent's reward table"
	}
	s.Statement = fmt.Sprintf("This release is (%g, %g)-differentially private for %s, where neighbouring tables differ in one entry by at most %g. "+
		"It covers this release alone, and not tables that differ in more entries, as those of two goals do.", s.Epsilon, s.Delta, whose, s.Adjacency)
	return s
}

// Write writes the statement as indented JSON.
func (s Statement) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(s)
}
