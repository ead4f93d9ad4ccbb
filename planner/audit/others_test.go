package audit_test

import (
	"math/rand/v2"
	"testing"

	"veilpath/planner/audit"
)

// Noise that all entries share breaks the promise however large it is: whoever knows all entries except one reads the
// noise off them. So does noise that is mostly shared. Noise that is shared beside enough noise of its own is honest.
func TestNoiseThatEntriesShareBreaksThePromise(t *testing.T) {
	claim := gaussian(t, 1)
	for _, c := range []struct {
		name             string
		shared, own      float64 // standard deviations, in units of the promised one
		releases, broken int     // of 5 audits at 1 %, at least
	}{
		{"one normal for all", 1, 0, 40, 5},
		{"one normal for all, ten times as large", 10, 0, 80, 5},
		{"mostly shared", 1, 0.05, 60, 5},
		{"shared beside its own", 3, 1, 80, 0},
	} {
		broken := 0
		for seed := range uint64(5) {
			random := rand.New(rand.NewPCG(seed, 2))
			releases := newSource(seed).tables(c.releases, 8, claim.Sigma, func(z [][]float64) {
				for _, row := range z {
					common := c.shared * random.NormFloat64()
					for i := range row {
						row[i] = c.own*row[i] + common
					}
				}
			})
			r, err := claim.JudgeRecorded(audit.Of(releases), 0.01)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict() == audit.Broken {
				broken++
			}
		}
		if broken < c.broken || c.broken == 0 && broken > 0 {
			t.Errorf("%s: %d of 5 audits say broken, want %d", c.name, broken, c.broken)
		}
	}
}
