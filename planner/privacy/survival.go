package privacy

import (
	"fmt"
	"math"
	"slices"
)

// Goals asks whether the p largest entries of a reward table are still its p largest, and the q smallest still
// its q smallest, after Gaussian noise: the events B^p and B_q of Theorem 5.
//
// The paper breaks ties arbitrarily. Here equal entries are ranked by index, the lower index counting as the
// larger, once for both sets, so that the sets overlap only if p+q exceeds the number of entries. Equal entries
// are exchangeable, so no probability depends on this choice, but both sets must use the same order: if a top
// set and a bottom set shared an entry without need, the event would be impossible.
//
// Under one ranking the event is a chain: with the L = min(q, k-p) lowest entries, the U = min(p, k-q) highest
// entries and the rest between them, no lower entry exceeds any other and no upper entry falls below any other.
type Goals struct {
	lower, middle, upper []level
	bound                []float64 // gaps of Theorem 5, at most two
}

// level is a reward value and the number of entries with it.
type level struct {
	value float64
	count float64
}

// NewGoals ranks a reward table. p and q must lie between 0 and its length.
func NewGoals(reward []float64, p, q int) (*Goals, error) {
	if err := checkFinite("reward", reward); err != nil {
		return nil, err
	}
	k := len(reward)
	for _, set := range []struct {
		name string
		size int
	}{{"number of goal entries p", p}, {"number of avoid entries q", q}} {
		if set.size < 0 || set.size > k {
			return nil, fmt.Errorf("privacy: %s is %d; it must lie between 0 and the reward's %d entries", set.name, set.size, k)
		}
	}
	ranked := slices.Sorted(slices.Values(reward))
	g := &Goals{}
	if p > 0 && p < k {
		g.bound = append(g.bound, ranked[k-p]-ranked[k-p-1])
	}
	if q > 0 && q < k {
		g.bound = append(g.bound, ranked[q]-ranked[q-1])
	}
	lower, upper := min(q, k-p), min(p, k-q)
	g.lower = levels(ranked[:lower])
	g.middle = levels(ranked[lower : k-upper])
	g.upper = levels(ranked[k-upper:])
	return g, nil
}

// levels counts the runs of equal values.
func levels(ranked []float64) []level {
	var runs []level
	for _, v := range ranked {
		if n := len(runs); n > 0 && runs[n-1].value == v {
			runs[n-1].count++
		} else {
			runs = append(runs, level{v, 1})
		}
	}
	return runs
}

// Bound returns Theorem 5's upper bound on the probability of survival,
//
//	min{ Phi((min T^p - max T^-p)/(sqrt2 sigma)), Q((max T_q - min T_-q)/(sqrt2 sigma)) },
//
// where a term is 1 if its set is empty or holds all entries. It compares only one pair of entries and can be
// far above Probability: it is no assurance.
func (g *Goals) Bound(sigma float64) (float64, error) {
	if err := checkPositive("sigma", sigma); err != nil {
		return 0, err
	}
	bound := 1.0
	for _, gap := range g.bound {
		bound = math.Min(bound, normalTail(-gap/(math.Sqrt2*sigma)))
	}
	return bound, nil
}

// Probability returns the exact probability of survival when independent normals of standard deviation sigma
// are added to the entries, by quadrature over the extremes of the groups, to an absolute accuracy of 1e-12.
// The time grows with the number of distinct values, not of entries: 0.1 ms for a goal among two values, 10 ms
// for goals and avoids; 0.1 s for a goal among 6400 distinct values, 0.3 s for goals and avoids among 640.
// Goals and avoids with more than 20,000 distinct values between them are refused, because of time and memory.
func (g *Goals) Probability(sigma float64) (float64, error) {
	if err := checkPositive("sigma", sigma); err != nil {
		return 0, err
	}
	var p float64
	switch {
	case g.certain():
		return 1, nil
	case len(g.lower) == 0:
		p = orderProbability(g.middle, g.upper, sigma)
	case len(g.middle) == 0:
		p = orderProbability(g.lower, g.upper, sigma)
	case len(g.upper) == 0:
		p = orderProbability(g.lower, g.middle, sigma)
	case len(g.middle) > mostMiddle:
		return 0, fmt.Errorf("privacy: goals and avoids have %d distinct rewards between them; at most %d can be assessed, "+
			"so give only goals or only avoids", len(g.middle), mostMiddle)
	default:
		p = chainProbability(g.lower, g.middle, g.upper, sigma)
	}
	return math.Min(p, 1), nil
}

// mostMiddle limits the quadrature of chainProbability to some 10 s and 150 MB.
const mostMiddle = 20_000

// certain reports whether no noise can break the goals: all entries are in one group.
func (g *Goals) certain() bool {
	groups := 0
	for _, group := range [][]level{g.lower, g.middle, g.upper} {
		if len(group) > 0 {
			groups++
		}
	}
	return groups == 1
}
