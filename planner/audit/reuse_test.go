package audit_test

import (
	"math"
	"math/rand/v2"
	"strings"
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
	r := judge(t, claim, nil, nil, releases)
	for _, test := range r.Tests {
		if test.Name == name {
			return test.P
		}
	}
	return 1
}

// Noise of its own in every release alarms no more often than stated, whatever its law, and never if it is continuous.
func TestOwnNoiseIsNotReused(t *testing.T) {
	const audits, rate = 60, 0.05
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	for name, law := range noiseLaws {
		for _, size := range [][2]int{{2, 2}, {8, 2}, {8, 4}, {30, 2}, {30, 3}, {100, 4}, {40, 10}} {
			random := rand.New(rand.NewPCG(uint64(size[0]), uint64(size[1])))
			alarms := 0
			for range audits {
				if pOf(t, claim, noisy(random, size[0], size[1], law, nil), "reused") < rate {
					alarms++
				}
			}
			if alarms > mostByChance(audits, rate) || name == "normal" && alarms > 0 {
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
	random := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct {
		releases, entries int
		reuse             func([][]float64)
		found             bool
	}{
		{300, 4, twice, true}, {300, 3, twice, true}, {8, 6, twice, true}, {300, 4, once, true}, {100, 2, once, true},
		{6, 4, once, true}, {10, 3, once, true}, {60, 2, once, true}, // as the documentation says, like the next three
		{14, 4, twice, true}, {40, 3, twice, true}, {1500, 2, twice, true}, {60, 12, once, true},
		{300, 4, nil, false}, {300, 1, twice, false}, {8, 2, twice, false},
	} {
		releases := noisy(random, c.releases, c.entries, noiseLaws["normal"], c.reuse)
		r := judge(t, claim, nil, nil, releases)
		found := false
		for _, f := range r.Failed() {
			found = found || strings.Contains("reused releases", f.Name) && !f.Promise
		}
		if found != c.found {
			t.Errorf("%d x %d: found %t, want %t: %s", c.releases, c.entries, found, c.found, r.Why())
		}
	}
}
