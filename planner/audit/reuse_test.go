package audit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/planner/audit"
)

// noiseLaws are distributions of noise for b = 1: continuous ones, and discrete ones whose values come again by chance.
var noiseLaws = map[string]func(random *rand.Rand) float64{
	"normal":       func(random *rand.Rand) float64 { return 2 * random.NormFloat64() },
	"grid":         func(random *rand.Rand) float64 { return math.Round(4*random.NormFloat64()) / 2 },
	"fine grid":    func(random *rand.Rand) float64 { return math.Round(200*random.NormFloat64()) / 100 },
	"coin":         func(random *rand.Rand) float64 { return float64(random.IntN(2)) },
	"mostly zero":  func(random *rand.Rand) float64 { return float64(random.IntN(10) / 9) },
	"zero or more": func(random *rand.Rand) float64 { return max(0, random.NormFloat64()) },
}

// noisy makes releases with a coin for each entry, of tables whose rewards are large beside the noise.
func noisy(random *rand.Rand, releases, entries int, law func(*rand.Rand) float64,
	reuse func(z [][]float64)) []audit.Release {
	z := make([][]float64, releases)
	for k := range z {
		for range entries {
			z[k] = append(z[k], law(random))
		}
	}
	if reuse != nil {
		reuse(z)
	}
	made := make([]audit.Release, releases)
	for k := range made {
		for i := range entries {
			raised := random.IntN(2) == 1
			reward := 100.1 * float64(i)
			released := reward + z[k][i]
			if raised {
				released = reward + 1 + z[k][i]
			}
			made[k].Raised = append(made[k].Raised, raised)
			made[k].Values = append(made[k].Values, released-reward)
		}
	}
	return made
}

// pOf returns the p-value of a test of some releases; 1 where they have no such test.
func pOf(t testing.TB, claim audit.Claim, releases []audit.Release, name string) float64 {
	t.Helper()
	r, err := claim.JudgeRecorded(audit.Of(releases), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range r.Tests {
		if test.Name == name {
			return test.P
		}
	}
	return 1
}

// Noise of its own in every release alarms no more often than stated, whatever its law.
func TestOwnNoiseIsNotReused(t *testing.T) {
	const audits, rate = 30, 0.05
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	for name, law := range noiseLaws {
		for _, size := range [][2]int{{2, 2}, {8, 2}, {8, 4}, {30, 2}, {30, 3}, {100, 4}, {40, 10}} {
			random := rand.New(rand.NewPCG(uint64(size[0]), uint64(size[1])))
			alarms := 0
			for range audits {
				if pOf(t, claim, noisy(random, size[0], size[1], law, nil), "release_reuse") < rate {
					alarms++
				}
			}
			if alarms > mostByChance(audits, rate) {
				t.Errorf("%s, %d x %d: %d of %d alarms", name, size[0], size[1], alarms, audits)
			}
		}
	}
}

// Continuous noise that comes again is found in tables of few entries, and that of one entry is not.
func TestReusedNoiseIsFoundInFewEntries(t *testing.T) {
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	once := func(z [][]float64) { copy(z[len(z)-1], z[0]) }
	twice := func(z [][]float64) {
		for k := 0; k+1 < len(z); k += 2 {
			copy(z[k+1], z[k])
		}
	}
	few := func(z [][]float64) { // ten tables of noise for all releases
		for k := 10; k < len(z); k++ {
			copy(z[k], z[k%10])
		}
	}
	random := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct {
		releases, entries int
		reuse             func([][]float64)
		found             bool
	}{
		{300, 4, twice, true}, {8, 6, twice, true}, {300, 4, once, true}, {100, 2, once, true},
		{6, 4, once, true}, {10, 3, once, true}, {70, 2, once, true}, // as the documentation says
		{200, 4, few, true}, {60, 12, once, true}, {30, 40, once, true}, {14, 4, twice, true},
		{300, 4, nil, false}, {300, 1, twice, false}, {8, 2, twice, false},
	} {
		releases := noisy(random, c.releases, c.entries, noiseLaws["normal"], c.reuse)
		r, err := claim.JudgeRecorded(audit.Of(releases), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range r.Failed() {
			found = found || f.Name == "release_reuse" && !f.Promise
		}
		if found != c.found {
			t.Errorf("%d x %d: found %t, want %t: %s", c.releases, c.entries, found, c.found, r.Why())
		}
	}
}

// Two releases of three have equal noise in both entries. Of the three pairs of an entry one is equal, so that chance
// does the same for some pair with a probability of at most 3 (1/3)^2.
func TestReuseByHand(t *testing.T) {
	releases := []audit.Release{{Raised: []bool{false, true}, Values: []float64{0.25, 8}},
		{Raised: []bool{false, false}, Values: []float64{4, 9}}, {Raised: []bool{true, false}, Values: []float64{1.25, 7}}}
	test := audit.TestReuse(releases, 1)
	if math.Abs(test.P-1./3) > 1e-12 || test.Statistic != 1 || test.Finding != "releases 0 and 2 have the same noise" {
		t.Errorf("%+v", test)
	}
}
