package privacy

import "math"

// GeoIndistinguishable draws cell j for goal g with probability proportional to exp(-Epsilon d(g, j)/2), where
// d is the distance in cells: the exponential mechanism of the distance (McSherry and Talwar 2007). For any two
// goals the probabilities of any draw differ by a factor of at most exp(Epsilon d(g, g')):
// geo-indistinguishability (Andres et al. 2013). By the triangle inequality the weights differ by a factor of
// at most exp(Epsilon d/2), and so does their sum over the allowed cells, which depends on the goal near the
// border; this is why the exponent has the factor 1/2.
type GeoIndistinguishable struct {
	Lattice
	Epsilon float64 // per cell
}

// NewGeoIndistinguishable returns the mechanism; epsilon must be a finite number above 0.
func NewGeoIndistinguishable(l Lattice, epsilon float64) (GeoIndistinguishable, error) {
	if err := l.check(); err != nil {
		return GeoIndistinguishable{}, err
	}
	return GeoIndistinguishable{l, epsilon}, checkEpsilon(epsilon)
}

// Name implements GoalMechanism.
func (GeoIndistinguishable) Name() string { return "goal" }

// Meaning implements GoalMechanism.
func (GeoIndistinguishable) Meaning() string {
	return "draws a goal, more often a nearer one: epsilon is per cell of distance between two goals, delta is 0"
}

// EpsilonBetween implements GoalMechanism: it grows with the distance.
func (m GeoIndistinguishable) EpsilonBetween(one, other int) float64 {
	return m.Epsilon * m.Distance(one, other)
}

// Delta implements GoalMechanism.
func (GeoIndistinguishable) Delta() float64 { return 0 }

// Promise implements GoalMechanism.
func (GeoIndistinguishable) Promise() Promise {
	return Promise{Protects: "the goal", Neighbours: "any two goals, with epsilon times their distance in cells",
		Guarantee: "(epsilon, 0) per cell", Pure: true, Source: "McSherry and Talwar 2007; Andres et al. 2013"}
}

// Probabilities implements GoalMechanism.
func (m GeoIndistinguishable) Probabilities(dst []float64, goal int) {
	sum := 0.0
	nearest := m.Distance(goal, m.nearestAllowed(goal)) // subtracted so that not all weights underflow
	for j := range m.Cells() {
		dst[j] = 0
		if m.allows(j) {
			dst[j] = math.Exp(-m.Epsilon * (m.Distance(goal, j) - nearest) / 2)
		}
		sum += dst[j]
	}
	for j := range dst[:m.Cells()] {
		dst[j] /= sum
	}
}
