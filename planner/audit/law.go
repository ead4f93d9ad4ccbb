package audit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/planner/privacy"
)

const (
	// mostNormal and fewestNormal are the largest and the least number of values tested for normality.
	mostNormal, fewestNormal = 500, 20
	// normalDraws is the number of normal samples with which the statistic is compared.
	normalDraws = 9999
)

// normalLaw tests whether values come from a normal distribution with any mean and standard deviation. The
// statistic is the largest difference between their distribution and the normal with their mean and standard
// deviation (Lilliefors 1967). Its distribution under normality does not depend on that normal; it is drawn, so
// its rank among the draws is exact. It returns nil for too few values.
func normalLaw(values []float64) *Test {
	n := min(len(values), mostNormal)
	if n < fewestNormal {
		return nil
	}
	sorted := slices.Clone(values[:n])
	observed := fromNormal(sorted)
	// The seed depends on the values; otherwise one sequence of draws would decide how many audits alarm.
	random := rand.New(rand.NewPCG(math.Float64bits(values[0]), math.Float64bits(values[1])))
	t := &Test{Name: "normal", Measure: "distance from a normal law", Claim: "the noise is normal", Statistic: observed,
		Chance: true, Finding: fmt.Sprintf("the noise is not normal: the two distributions are up to %.3g apart", observed)}
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

// fromNormal returns the largest difference between the distribution of values and the normal with their mean
// and standard deviation. It sorts the values. It is 1 if all values are equal.
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

// testLaw tests whether entries of a table and of its neighbour, less what the table has there, are distributed as the
// mechanism says. It is nil for one that does not say.
func (s Subject) testLaw(table, neighbour []float64) (*Test, error) {
	m, is := s.Mechanism.(privacy.Distributed)
	if !is {
		return nil, nil
	}
	law, err := m.Law(s.Problem.Rewards.Shape, s.Guarantee)
	if err != nil {
		return nil, err
	}
	pair := s.pair()
	var u []float64
	for i, releases := range [][]float64{table, neighbour} {
		for _, v := range releases {
			u = append(u, law(pair[i], pair[0]+v))
		}
	}
	return uniform(u, "a private reward is distributed as "+m.Name()+" says"), nil
}

// uniform tests whether numbers are independent and uniform between 0 and 1, as their own distribution functions of
// releases are: by the largest difference of the two distributions. It is beyond d for n numbers with a probability of
// at most 2 exp(-2 n d^2) (Massart 1990).
func uniform(u []float64, claim string) *Test {
	slices.Sort(u)
	far, n := 0.0, float64(len(u))
	for i, v := range u {
		far = max(far, v-float64(i)/n, float64(i+1)/n-v)
	}
	return &Test{Name: "law", Measure: "distance from the stated law", Claim: claim, Statistic: far, Chance: true,
		Finding: fmt.Sprintf("it is not true that %s: the two distributions are up to %.3g apart", claim, far),
		P:       min(1, 2*math.Exp(-2*n*far*far))}
}
