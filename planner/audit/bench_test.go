package audit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/planner/audit"
)

// faults are faults of normal noise in tables of 10 entries, by what they do to standard normals. needed is the number
// of releases with which nine of ten audits find one, as doc.go says. best is that of the best test that knows the
// fault, at the same rates: for a wrong sigma by chi-squared quantiles, and otherwise until what cannot happen has
// happened.
var faults = []struct {
	name         string
	needed, best int
	spoil        func(random *rand.Rand, z [][]float64)
}{
	{"sigma halved", 3, 2, func(_ *rand.Rand, z [][]float64) { each(z, 0.5) }},
	{"sigma 10 % low", 89, 60, func(_ *rand.Rand, z [][]float64) { each(z, 0.9) }},
	{"2 % of the entries without noise", 31, 12, func(random *rand.Rand, z [][]float64) {
		for _, row := range z {
			for i := range row {
				if random.Float64() < 0.02 {
					row[i] = 0
				}
			}
		}
	}},
	{"one entry of 10 without noise", 5, 1, func(_ *rand.Rand, z [][]float64) {
		for _, row := range z {
			row[3] = 0
		}
	}},
	{"one normal for two entries", 31, 1, func(_ *rand.Rand, z [][]float64) {
		for _, row := range z {
			row[7] = row[2]
		}
	}},
	{"noise clipped at 3 sigma", 254, 86, func(_ *rand.Rand, z [][]float64) {
		for _, row := range z {
			for i := range row {
				row[i] = clipped(row[i], 3)
			}
		}
	}},
	{"one release used twice", 3, 2, func(_ *rand.Rand, z [][]float64) { copy(z[len(z)-1], z[0]) }},
}

func each(z [][]float64, by float64) {
	for _, row := range z {
		for i := range row {
			row[i] *= by
		}
	}
}

// found returns the share of audits at 1 % that find a fault in so many releases of tables of 10 entries.
func found(t testing.TB, spoil func(*rand.Rand, [][]float64), releases, audits int) float64 {
	t.Helper()
	claim, n := gaussian(t, 1), 0
	for i := range audits {
		random := rand.New(rand.NewPCG(uint64(i), uint64(releases)))
		made := newSource(uint64(i)).tables(releases, 10, claim.Sigma, func(z [][]float64) { spoil(random, z) })
		r, err := claim.JudgeRecorded(audit.Of(made), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict() != audit.Consistent {
			n++
		}
	}
	return float64(n) / float64(audits)
}

// BenchmarkReleasesNeeded says how many releases find a fault in nine of ten audits, beside those that the best test
// that knows it needs.
func BenchmarkReleasesNeeded(b *testing.B) {
	for _, f := range faults {
		b.Run(f.name, func(b *testing.B) {
			for range b.N {
				n := 2
				for found(b, f.spoil, n, 100) < 0.9 {
					n = max(n+1, int(math.Round(1.1*float64(n))))
				}
				b.ReportMetric(float64(n), "releases")
			}
			b.ReportMetric(float64(f.best), "best")
		})
	}
}

// As few releases as doc.go says find every fault.
func TestFaultsAreFoundByFewReleases(t *testing.T) {
	for _, f := range faults {
		if share := found(t, f.spoil, f.needed, 20); share < 0.7 { // of 0.9, less three standard errors
			t.Errorf("%s: found by %g of the audits of %d releases", f.name, share, f.needed)
		}
	}
}
