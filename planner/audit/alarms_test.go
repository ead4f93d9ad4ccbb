package audit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/planner/audit"
)

// law is noise that keeps a promise, of epsilon 1 for b = 1.
type law struct {
	name  string
	sigma bool // it is promised to be normal
	draw  func(random *rand.Rand, sigma float64) float64
}

var laws = []law{
	{"normal", true, func(r *rand.Rand, sigma float64) float64 { return sigma * r.NormFloat64() }},
	{"rounded", true, func(r *rand.Rand, sigma float64) float64 { return math.Round(2*sigma*r.NormFloat64()) / 2 }},
	{"Laplace", false, func(r *rand.Rand, _ float64) float64 { return r.ExpFloat64() * float64(1-2*r.IntN(2)) }},
	// The logarithm of the ratio of two Cauchy densities a distance of 1 apart is at most 2 asinh(1/2) < 1 at scale 1.
	{"Cauchy", false, func(r *rand.Rand, _ float64) float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) }},
}

// released makes releases of a table of zeros with a coin an entry.
func released(random *rand.Rand, shape [2]int, draw func() float64) []audit.Release {
	all := make([]audit.Release, shape[0])
	for k := range all {
		for range shape[1] {
			v, raised := draw(), random.IntN(2) == 1
			if raised {
				v++
			}
			all[k].Values, all[k].Raised = append(all[k].Values, v), append(all[k].Raised, raised)
		}
	}
	return all
}

// alarms audits a law that is as described, and returns how often each stated rate alarmed.
func alarms(t testing.TB, l law, shape [2]int, audits int, rates []float64) []int {
	t.Helper()
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	sigma := gaussian(t, 1).Sigma
	if l.sigma {
		claim.Sigma = sigma
	}
	random := rand.New(rand.NewPCG(uint64(shape[0]), uint64(shape[1])))
	counts := make([]int, len(rates))
	for range audits {
		rec := audit.Of(released(random, shape, func() float64 { return l.draw(random, sigma) }))
		r, err := claim.JudgeRecorded(rec, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		for i, rate := range rates {
			if r.P() < rate {
				counts[i]++
			}
		}
	}
	return counts
}

// mostByChance is how many of some audits alarm, each with a probability, except for a chance of some 1e-5.
func mostByChance(audits int, rate float64) int {
	mean := float64(audits) * rate
	return int(mean + 4.5*math.Sqrt(mean) + 2)
}

// Noise that is as described alarms no more often than is stated, whatever its law.
func TestFalseAlarmsOfSmallTables(t *testing.T) {
	falseAlarms(t, 40, [][2]int{{2, 3}, {3, 3}, {8, 6}})
}

func falseAlarms(t *testing.T, audits int, shapes [][2]int) {
	for _, l := range laws {
		for _, shape := range shapes {
			if counts := alarms(t, l, shape, audits, []float64{0.1}); counts[0] > mostByChance(audits, 0.1) {
				t.Errorf("%s, %d releases of %d entries: %d of %d audits alarm at 10 %%", l.name, shape[0], shape[1], counts[0],
					audits)
			}
		}
	}
}
