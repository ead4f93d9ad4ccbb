package audit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/planner"
	"veilpath/planner/audit"
	"veilpath/planner/privacy"
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
		{"one normal for all", 1, 0, 40, 5}, // as assets/guide/audit.md says
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

// sharedRows audits a mechanism on rows, by the given number of releases of all rows, on one noise or with their own.
func sharedRows(t testing.TB, m planner.RowMechanism, shares bool, seed uint64, samples, tables int) *audit.Report {
	t.Helper()
	s, claim, err := audit.OfRows(corridor(t), m, promised, seed)
	if err != nil {
		t.Fatal(err)
	}
	s.Tables = tables
	if shares {
		s.Release = onOneNoise
	}
	r, err := s.Audit(context.Background(), claim, samples, 1, 0.01, nil, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rowMechanisms are the mechanisms on rows of probabilities.
func rowMechanisms() (all []planner.RowMechanism) {
	for _, m := range planner.Mechanisms() {
		if rows, is := m.(planner.RowMechanism); is {
			all = append(all, rows)
		}
	}
	return all
}

// Rows that share their noise break the promise, though each keeps it by itself: whoever knows all rows except one
// reads its noise off another row. Rows with noise of their own do not.
func TestNoiseThatRowsShareBreaksThePromise(t *testing.T) {
	for _, m := range rowMechanisms() {
		for seed := range uint64(5) {
			if r := sharedRows(t, m, true, seed, 200, 60); r.Verdict() != audit.Broken {
				t.Errorf("%s, seed %d: on one noise it is %s", m.Name(), seed, r.Verdict())
			}
			if r := sharedRows(t, m, false, seed, 200, 60); r.Verdict() != audit.Consistent {
				t.Errorf("%s, seed %d: %s", m.Name(), seed, r.Why())
			}
		}
	}
}

// BenchmarkSharedRows says how often rows on one noise are called broken at a stated rate of 1 %, as found/op: b.N
// audits of each number of releases of all rows.
func BenchmarkSharedRows(b *testing.B) {
	for _, m := range rowMechanisms() {
		for _, tables := range []int{30, 60, 100} {
			b.Run(fmt.Sprintf("%s/tables=%d", m.Name(), tables), func(b *testing.B) {
				found := 0
				for seed := range b.N {
					if sharedRows(b, m, true, uint64(seed), 200, tables).Verdict() == audit.Broken {
						found++
					}
				}
				b.ReportMetric(float64(found)/float64(b.N), "found/op")
			})
		}
	}
}

// onOneNoise draws every row with the same random numbers.
func onOneNoise(rows []planner.Row, noise *privacy.Noise) ([][]float64, error) {
	private := make([][]float64, len(rows))
	at := privacy.Address{Seed: uint64(noise.Uniform() * (1 << 52))}
	for i, r := range rows {
		private[i] = slices.Clone(r.Probabilities)
		if len(r.Of) < 2 {
			continue
		}
		d, err := promised.Dirichlet(len(r.Of))
		if err != nil {
			return nil, err
		}
		noise.Seek(at)
		d.Draw(private[i], r.Probabilities, noise)
	}
	return private, nil
}
