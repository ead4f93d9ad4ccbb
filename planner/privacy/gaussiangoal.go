package privacy

import "math"

// GaussianGoal adds Gaussian noise to the goal's two coordinates, the parameters of its reward, and draws the
// nearest cell of the lattice; if this cell is not allowed, it draws the allowed cell nearest to it. With the
// noise of a calibration at the lattice's Diameter it is (epsilon, delta)-differentially private between any
// two goals: group privacy for all entries of the reward at once, for the noise on two numbers.
type GaussianGoal struct {
	Lattice
	Sigma          float64 // in cells
	epsilon, delta float64
}

// NewGaussianGoal returns the mechanism that is (epsilon, delta)-differentially private between any two goals.
// The other arguments are those of Calibration.Sigma; the lattice must have more than one cell.
func NewGaussianGoal(l Lattice, c Calibration, epsilon, delta float64) (GaussianGoal, error) {
	if err := l.check(); err != nil {
		return GaussianGoal{}, err
	}
	sigma, err := c.Sigma(epsilon, delta, l.Diameter())
	return GaussianGoal{l, sigma, epsilon, delta}, err
}

// Name implements GoalMechanism.
func (GaussianGoal) Name() string { return "parameter" }

// Meaning implements GoalMechanism.
func (GaussianGoal) Meaning() string {
	return "adds Gaussian noise to the goal's coordinates: (epsilon, delta) between any two goals"
}

// EpsilonBetween implements GoalMechanism: it is the same for all goals.
func (m GaussianGoal) EpsilonBetween(_, _ int) float64 { return m.epsilon }

// Delta implements GoalMechanism.
func (m GaussianGoal) Delta() float64 { return m.delta }

// Promise implements GoalMechanism.
func (GaussianGoal) Promise() Promise {
	return Promise{Protects: "the goal", Neighbours: "any two goals", Guarantee: "(epsilon, delta)",
		Source: "Dwork and Roth 2014; Balle and Wang 2018"}
}

// Probabilities implements GoalMechanism.
func (m GaussianGoal) Probabilities(dst []float64, goal int) {
	for j := range m.Cells() {
		dst[j] = m.nearest(j%m.Columns, goal%m.Columns, m.Columns) * m.nearest(j/m.Columns, goal/m.Columns, m.Rows)
	}
	if m.Allowed == nil {
		return
	}
	for j := range m.Cells() {
		if !m.allows(j) {
			dst[m.nearestAllowed(j)] += dst[j]
			dst[j] = 0
		}
	}
}

// nearest is the probability that a coordinate with noise is nearest to a given one of n places; the places at
// the ends receive everything beyond them.
func (m GaussianGoal) nearest(place, actual, n int) float64 {
	low, high := math.Inf(-1), math.Inf(1)
	if place > 0 {
		low = (float64(place-actual) - 0.5) / m.Sigma
	}
	if place < n-1 {
		high = (float64(place-actual) + 0.5) / m.Sigma
	}
	if low > 0 { // the difference of these tails keeps its digits
		return normalTail(low) - normalTail(high)
	}
	return normalTail(-high) - normalTail(-low)
}
