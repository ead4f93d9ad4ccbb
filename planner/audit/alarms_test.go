package audit_test

import (
	"fmt"
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
	{"Laplace", false, func(r *rand.Rand, _ float64) float64 { return r.ExpFloat64() * float64(1-2*r.IntN(2)) }},
	// The logarithm of the ratio of two Cauchy densities a distance of 1 apart is at most 2 asinh(1/2) < 1 at scale 1.
	{"Cauchy", false, func(r *rand.Rand, _ float64) float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) }},
}

// shapes are numbers of releases and of entries.
var shapes = [][2]int{
	{2, 2}, {2, 3}, {2, 200}, {3, 2}, {3, 3}, {4, 4}, {5, 40}, {8, 2}, {8, 3}, {8, 4}, {8, 6}, {8, 100}, {12, 12}, {16, 3},
	{20, 20},
	{30, 2}, {30, 10}, {60, 5}, {60, 60}, {100, 3}, {200, 2},
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
		for i, rate := range rates {
			r, err := claim.JudgeRecorded(rec, rate)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict() != audit.Consistent {
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

// Noise that is as described alarms no more often than is stated, at every size.
func TestFalseAlarmsOfSmallTables(t *testing.T) {
	audits := 60
	for _, l := range laws {
		for _, shape := range shapes[:16] {
			if counts := alarms(t, l, shape, audits, []float64{0.1}); counts[0] > mostByChance(audits, 0.1) {
				t.Errorf("%s, %d releases of %d entries: %d of %d audits alarm at 10 %%", l.name, shape[0], shape[1], counts[0],
					audits)
			}
		}
	}
}

// BenchmarkFalseAlarms says how often noise that is as described alarms at stated rates, as alarms@rate: b.N audits
// each.
func BenchmarkFalseAlarms(b *testing.B) {
	rates := []float64{0.1, 0.05, 0.01}
	for _, l := range laws {
		for _, shape := range shapes {
			b.Run(fmt.Sprintf("%s/%dx%d", l.name, shape[0], shape[1]), func(b *testing.B) {
				for i, count := range alarms(b, l, shape, b.N, rates) {
					b.ReportMetric(float64(count)/float64(b.N), fmt.Sprintf("alarms@%g", rates[i]))
				}
			})
		}
	}
}

// At a low rate there is no time to draw as many orders as would resolve it. Where the limit is not known either, the
// test of pairs resolves less, and does not alarm.
func TestFewTablesDoNotAlarmAtALowRate(t *testing.T) {
	claim, alarms := gaussian(t, 1), 0
	for seed := range uint64(3) {
		r, err := claim.JudgeRecorded(audit.Of(newSource(seed).tables(17, 240, claim.Sigma, nil)), 0.001)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict() != audit.Consistent {
			alarms++
			t.Log(r.Why())
		}
	}
	if alarms > 0 {
		t.Errorf("%d of 3 audits alarm at a stated 0.1 %%", alarms)
	}
}

// spoilt are faults of normal noise, of which powers are told.
var spoilt = []struct {
	name  string
	spoil func(z [][]float64)
}{
	{"halved", func(z [][]float64) { each(z, 0.5) }},
	{"low10", func(z [][]float64) { each(z, 0.9) }},
	{"reused", func(z [][]float64) { copy(z[1], z[0]) }},
	{"shared", func(z [][]float64) {
		for _, row := range z {
			for i := range row[:len(row)/2] {
				row[2*i+1] = row[2*i]
			}
		}
	}},
	{"missing", func(z [][]float64) {
		for _, row := range z {
			row[0] = 0
		}
	}},
}

func each(z [][]float64, by float64) {
	for _, row := range z {
		for i := range row {
			row[i] *= by
		}
	}
}

// BenchmarkPowerOfTables says how often faults are found by releases of whole tables, at a false alarm rate of 1 %.
func BenchmarkPowerOfTables(b *testing.B) {
	for _, f := range spoilt {
		for _, shape := range [][2]int{{8, 4}, {12, 12}, {30, 40}, {60, 300}} {
			b.Run(fmt.Sprintf("%s/%dx%d", f.name, shape[0], shape[1]), func(b *testing.B) {
				found, claim := 0, gaussian(b, 1)
				for i := range b.N {
					rec := audit.Of(newSource(uint64(i)).tables(shape[0], shape[1], claim.Sigma, f.spoil))
					r, err := claim.JudgeRecorded(rec, 0.01)
					if err != nil {
						b.Fatal(err)
					}
					if r.Verdict() != audit.Consistent {
						found++
					}
				}
				b.ReportMetric(float64(found)/float64(b.N), "found/op")
			})
		}
	}
}
