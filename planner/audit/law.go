package audit

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// mostNormal is how many values are tested for a normal law, at most, and fewestNormal at least.
	mostNormal, fewestNormal = 500, 20
	// normalDraws is how many samples of a normal its statistic is compared with.
	normalDraws = 9999
)

// normalLaw tests whether values are from a normal of any mean and standard deviation, by the largest difference of
// their distribution to that of the normal with their mean and deviation (Lilliefors 1967). Its law does not depend on
// the normal, and is drawn, as permutationTest draws: a rank among samples of a standard normal is exact. It is nil for
// few values.
func normalLaw(values []float64) *Test {
	n := min(len(values), mostNormal)
	if n < fewestNormal {
		return nil
	}
	sorted := slices.Clone(values[:n])
	observed := fromNormal(sorted)
	// Other values have other draws, or one draw of them would decide how many audits alarm.
	random := rand.New(rand.NewPCG(math.Float64bits(values[0]), math.Float64bits(values[1])))
	t := &Test{Name: "normal", Claim: "the noise is normal", Statistic: observed}
	reached := 0
	for drawn := 1; drawn <= normalDraws; drawn++ {
		for i := range sorted {
			sorted[i] = random.NormFloat64()
		}
		if fromNormal(sorted) >= observed {
			reached++
		}
		if reached == enough {
			t.P = float64(reached) / float64(drawn)
			return t
		}
	}
	t.P = float64(reached+1) / (normalDraws + 1)
	return t
}

// fromNormal returns how far the distribution of values is from that of a normal with their mean and standard
// deviation, at most. It sorts them. Values that are all the same are 1 away.
func fromNormal(values []float64) float64 {
	slices.Sort(values)
	mean, deviation := stat.MeanStdDev(values, nil)
	if !(deviation > 0) || math.IsInf(deviation, 1) {
		return 1
	}
	far, n := 0.0, float64(len(values))
	for i, v := range values {
		p := distuv.UnitNormal.CDF((v - mean) / deviation)
		far = max(far, p-float64(i)/n, float64(i+1)/n-p)
	}
	return far
}
