package leak

import (
	"math"

	"veilpath/planner/privacy"
)

// groups is into how many groups the private policies are divided for the jackknife. More groups estimate the
// variance between policies better, with groups-1 degrees of freedom, but each group takes as long as another
// observer.
const groups = 10

// Mean is a mean over flights, as seen by an observer who has sampled private policies. Its standard error
// includes the sampling error of the flights and of the policies.
type Mean struct {
	privacy.SampleMean
	// PoliciesError is the part of the standard error that is due to the sample of policies: another seed would
	// draw other policies. It is estimated by the jackknife over groups of policies (Efron and Stein 1981). It is
	// 0 if the observer uses no policies, and if it uses one, from which the variance cannot be estimated.
	PoliciesError float64
}

// reading is a quantity measured on one flight, with all private policies and without each group of them.
// without is nil if the policies have no groups.
type reading struct {
	all     float64
	without []float64
}

// minus returns the difference of two readings.
func (r reading) minus(other reading) reading {
	d := reading{all: r.all - other.all}
	for g := range max(len(r.without), len(other.without)) {
		d.without = append(d.without, r.at(g)-other.at(g))
	}
	return d
}

// at returns the quantity without a group.
func (r reading) at(group int) float64 {
	if r.without == nil {
		return r.all
	}
	return r.without[group]
}

// estimator accumulates a Mean. The zero value has no flights.
type estimator struct {
	flights  privacy.Sample
	without  []float64 // sums over the flights, by group
	infinite bool      // a flight's reading is +Inf
}

func (e *estimator) add(r reading) {
	e.infinite = e.infinite || math.IsInf(r.all, 1)
	e.flights.Add(r.all)
	for g, x := range r.without {
		if g == len(e.without) {
			e.without = append(e.without, 0)
		}
		e.without[g] += x
	}
}

// mean returns the mean of the flights.
func (e *estimator) mean() Mean {
	m := Mean{SampleMean: e.flights.Mean()}
	n := float64(len(e.without))
	if n == 0 {
		return m
	}
	centre := 0.0
	for _, sum := range e.without {
		centre += sum / n
	}
	spread := 0.0
	for _, sum := range e.without {
		spread += (sum - centre) * (sum - centre)
	}
	m.PoliciesError = math.Sqrt((n-1)/n*spread) / float64(m.Draws)
	m.StandardError = math.Hypot(m.StandardError, m.PoliciesError)
	return m
}

// left returns the mean of bits left, infinite after one flight whose goal was ruled out. The standard error is then
// NaN.
func (e *estimator) left() Mean {
	m := e.mean()
	if e.infinite {
		m.Mean, m.StandardError, m.PoliciesError = math.Inf(1), math.NaN(), math.NaN()
	}
	return m
}
