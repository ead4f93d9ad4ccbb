package leak

import (
	"math"

	"veilpath/planner/privacy"
)

// groups is how many groups of private policies are left out in turn. The more there are, the better the variance
// between policies is known, which then has one degree of freedom less; each takes as long as another observer.
const groups = 10

// Mean is a mean over flights, watched by observers who have seen some private policies. Its standard error is that of
// flights and policies together.
type Mean struct {
	privacy.SampleMean
	// PoliciesError is the part of the standard error that is due to the policies: other ones would have been drawn by
	// another seed. It is estimated by the jackknife over groups of them (Efron and Stein 1981), 0 where the observer
	// asks for none, or for one, which says nothing of it.
	PoliciesError float64
}

// reading is what was found of one flight, and without each group of private policies; nil where those do not show.
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

// at returns what was found without a group.
func (r reading) at(group int) float64 {
	if r.without == nil {
		return r.all
	}
	return r.without[group]
}

// estimator accumulates a Mean. The zero value is one without flights.
type estimator struct {
	flights privacy.Sample
	without []float64 // sums over the flights, by group
}

// add counts a flight.
func (e *estimator) add(r reading) {
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
