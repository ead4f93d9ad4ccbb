package release

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"veilpath/internal/table"
)

// Statement is the guarantee of a release, and the file that it is about.
type Statement struct {
	Statement string `json:"statement"` // the guarantee in words
	// (Epsilon, Delta) differential privacy for tables that differ in one entry by at most Adjacency, b.
	Epsilon        float64 `json:"epsilon"`
	Delta          float64 `json:"delta"`
	CertifiedDelta float64 `json:"certified_delta"` // proven for the noise that was added, at most Delta
	Adjacency      float64 `json:"adjacency"`
	// Sensitivity is the largest L2 distance between neighbouring tables: b, because one entry differs, or the
	// resulting distance of the joint reward.
	Sensitivity float64 `json:"sensitivity"`
	// Sigma is the noise's standard deviation in reward units, SigmaSteps the same in steps of the grid, as an
	// exact fraction.
	Sigma      float64 `json:"sigma"`
	SigmaSteps string  `json:"sigma_steps"`
	// Mu is the guarantee as Gaussian differential privacy, left out if the noise is below 8 steps of the grid. Rho is
	// the guarantee as zero-concentrated differential privacy. Both are certified for the noise that was added.
	Mu            float64 `json:"mu,omitempty"`
	Rho           float64 `json:"rho"`
	Grid          float64 `json:"grid"`
	Calibration   string  `json:"calibration"`
	Mechanism     string  `json:"mechanism"`
	Randomness    string  `json:"randomness"`
	Agents        int     `json:"agents"`
	States        int     `json:"states"`
	Entries       int     `json:"entries"`
	Release       string  `json:"release"`        // name of the file
	ReleaseSHA256 string  `json:"release_sha256"` // of the file
	Program       string  `json:"program"`
	Ledger        *Place  `json:"ledger,omitempty"` // nil if the table's releases are not counted
}

// Place is the place of a release in the ledger of its table.
type Place struct {
	Number       int     `json:"release_number"` // from 1
	TotalEpsilon float64 `json:"total_epsilon"`  // of all releases that the ledger allows
	TotalDelta   float64 `json:"total_delta"`
	SpentEpsilon float64 `json:"spent_epsilon"` // with all earlier releases
	SpentDelta   float64 `json:"spent_delta"`
	LeftEpsilon  float64 `json:"left_epsilon"` // for one more release at the same delta
	Seal         string  `json:"seal"`         // of the ledger with this release
}

// Statement states the guarantee of a file of private rewards, or of a policy that was planned only from them.
// what is "policy" for a policy; name, hash and program are the file's name, its SHA-256 and the program that
// released it.
func (r *Release) Statement(what, name string, hash [32]byte, program string) Statement {
	first := r.agents[0] // guarantee and noise are the same for all agents
	s := Statement{
		Epsilon: first.Epsilon, Delta: first.Delta, CertifiedDelta: first.CertifiedDelta,
		Adjacency: first.Adjacency, Sensitivity: r.sensitivity(),
		Sigma:      float64(first.SigmaNumerator) / float64(first.SigmaDenominator) * first.Grid,
		SigmaSteps: fmt.Sprintf("%d/%d", first.SigmaNumerator, first.SigmaDenominator),
		Grid:       first.Grid, Calibration: string(first.Calibration),
		Mechanism:  "discrete Gaussian noise on every entry, sampled exactly (Canonne, Kamath and Steinke 2020)",
		Randomness: "crypto/rand",
		Agents:     r.teamSize(), States: r.original.States, Entries: r.entries(),
		Release: name, ReleaseSHA256: hex.EncodeToString(hash[:]), Program: program,
	}
	s.Mu, _ = first.Mu()
	steps := float64(first.Sensitivity) / float64(first.SigmaNumerator) * float64(first.SigmaDenominator)
	s.Rho = float64(first.Moved) * steps * steps / 2 // Canonne, Kamath and Steinke 2020, Theorem 4
	if r.original.Joint != nil {
		s.Mechanism += " of the joint reward (Algorithm 2)"
	}
	whose := "the reward table"
	if s.Agents > 1 {
		whose = "each agent's reward table"
	}
	s.Statement = fmt.Sprintf("%s (%g, %g)-differentially private for %s, where neighbouring tables differ in one entry "+
		"by at most %g. "+
		"It covers only this release, and only tables that differ in one entry; the tables of "+
		"missions with different goals differ in more.",
		map[bool]string{true: "This policy is", false: "This release is"}[what == "policy"], s.Epsilon, s.Delta, whose,
		s.Adjacency)
	return s
}

// IsJoint reports whether the joint reward was perturbed.
func (r *Release) IsJoint() bool { return r.original.Joint != nil }

func (r *Release) teamSize() int {
	if joint := r.original.Joint; joint != nil {
		return joint.Rewards.Agents()
	}
	return len(r.agents)
}

func (r *Release) entries() int {
	sum := 0
	for _, agent := range r.agents {
		sum += len(agent.Steps)
	}
	return sum
}

func (r *Release) sensitivity() float64 {
	first := r.agents[0]
	return first.Adjacency / float64(max(1, r.teamSize()/len(r.agents))) * math.Sqrt(float64(first.Moved))
}

// Write writes the statement as indented JSON.
func (s Statement) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(s)
}

// WriteRecord writes the numbers of the statement as CSV with two rows.
func (s Statement) WriteRecord(w io.Writer) error {
	return table.List{{Name: "epsilon", Value: s.Epsilon}, {Name: "delta", Value: s.Delta},
		{Name: "certified_delta", Value: s.CertifiedDelta},
		{Name: "adjacency", Value: s.Adjacency}, {Name: "sigma", Value: s.Sigma}, {Name: "grid", Value: s.Grid},
		{Name: "entries", Value: s.Entries}}.WriteRecord(w)
}
