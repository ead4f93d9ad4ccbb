package privacy

import (
	"fmt"
	"math"
	"slices"
)

// The destination itself can be hidden, instead of one entry of the reward that follows from it: a goal is
// drawn near the true one, and everything until the hand-over uses the drawn goal, which is post-processing.
// The guarantee then holds between goals; a guarantee for one entry says little about them.

// GoalMechanism draws a cell of a lattice in place of the true goal.
type GoalMechanism interface {
	// Name is the mechanism's name in settings.
	Name() string
	// Meaning says in one sentence how the mechanism draws.
	Meaning() string
	// EpsilonBetween is the epsilon of its guarantee between two goals, Delta the delta.
	EpsilonBetween(one, other int) float64
	Delta() float64
	// Promise says what it guarantees.
	Promise() Promise
	// Probabilities writes to dst, which has one entry per cell, the probability that each cell is drawn for a goal.
	Probabilities(dst []float64, goal int)
}

// GoalMechanisms returns one value of each mechanism, for their names and meanings.
func GoalMechanisms() []GoalMechanism { return []GoalMechanism{GeoIndistinguishable{}, GaussianGoal{}} }

// NewGoalMechanism returns the mechanism with a name and a guarantee; each mechanism uses the parts of it that
// it needs.
func NewGoalMechanism(name string, l Lattice, g Guarantee) (GoalMechanism, error) {
	switch name {
	case GeoIndistinguishable{}.Name():
		return NewGeoIndistinguishable(l, g.Epsilon)
	case GaussianGoal{}.Name():
		return NewGaussianGoal(l, g.Calibration, g.Epsilon, g.Delta)
	}
	return nil, fmt.Errorf("privacy: there is no goal mechanism %q", name)
}

// Lattice is a rectangle of cells, numbered row by row. Distances are Euclidean, in cells.
type Lattice struct {
	Columns, Rows int
	Allowed       []bool // the cells that may be drawn, at least one; nil for all
}

// Cells returns the number of cells.
func (l Lattice) Cells() int { return l.Columns * l.Rows }

// Distance returns the distance of two cells, in cells.
func (l Lattice) Distance(one, other int) float64 {
	return math.Hypot(float64(one%l.Columns-other%l.Columns), float64(one/l.Columns-other/l.Columns))
}

// allows reports whether a cell may be drawn.
func (l Lattice) allows(cell int) bool { return l.Allowed == nil || l.Allowed[cell] }

// nearestAllowed returns the allowed cell nearest to a cell, the first of several.
func (l Lattice) nearestAllowed(cell int) int {
	nearest := -1
	for j := range l.Cells() {
		if l.allows(j) && (nearest < 0 || l.Distance(cell, j) < l.Distance(cell, nearest)) {
			nearest = j
		}
	}
	return nearest
}

// Diameter is the largest distance of two cells: the L2 sensitivity of the goal's coordinates to another goal.
func (l Lattice) Diameter() float64 { return math.Hypot(float64(l.Columns-1), float64(l.Rows-1)) }

func (l Lattice) check() error {
	if l.Columns < 1 || l.Rows < 1 {
		return fmt.Errorf("privacy: a lattice of %d x %d cells; both sides must be at least 1", l.Columns, l.Rows)
	}
	if l.Allowed != nil && (len(l.Allowed) != l.Cells() || !slices.Contains(l.Allowed, true)) {
		return fmt.Errorf("privacy: no cell of the lattice of %d x %d may be drawn; want at least one", l.Columns, l.Rows)
	}
	return nil
}

// DrawFrom returns the cell that u, uniform in [0, 1), draws from probabilities that sum to 1.
func DrawFrom(probabilities []float64, u float64) int {
	last := 0
	for j, p := range probabilities {
		if p > 0 {
			last = j
		}
		if u -= p; u < 0 {
			return j
		}
	}
	return last // rounding
}

// GeoIndistinguishable draws cell j for goal g with probability proportional to exp(-Epsilon d(g, j)/2), where d is the
// distance in cells: the exponential mechanism of the distance (McSherry and Talwar 2007). For any two goals the
// probabilities of any draw differ by a factor of at most exp(Epsilon d(g, g')): geo-indistinguishability (Andres et
// al. 2013). By the triangle inequality the weights differ by a factor of at most exp(Epsilon d/2), and so does their
// sum over the allowed cells, which depends on the goal near the border; this is why the exponent has the factor 1/2.
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

func (GeoIndistinguishable) Name() string { return "goal" }

func (GeoIndistinguishable) Meaning() string {
	return "draws a goal, more often a nearer one: epsilon is per cell of distance between two goals, delta is 0"
}

// EpsilonBetween implements GoalMechanism: it grows with the distance.
func (m GeoIndistinguishable) EpsilonBetween(one, other int) float64 {
	return m.Epsilon * m.Distance(one, other)
}

func (GeoIndistinguishable) Delta() float64 { return 0 }

func (GeoIndistinguishable) Promise() Promise {
	return Promise{Protects: "the goal", Neighbours: "any two goals, with epsilon times their distance in cells",
		Guarantee: "(epsilon, 0) per cell", Pure: true, Source: "McSherry and Talwar 2007; Andres et al. 2013"}
}

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

func (GaussianGoal) Name() string { return "parameter" }

func (GaussianGoal) Meaning() string {
	return "adds Gaussian noise to the goal's coordinates: (epsilon, delta) between any two goals"
}

// EpsilonBetween implements GoalMechanism: it is the same for all goals.
func (m GaussianGoal) EpsilonBetween(_, _ int) float64 { return m.epsilon }

func (m GaussianGoal) Delta() float64 { return m.delta }

func (GaussianGoal) Promise() Promise {
	return Promise{Protects: "the goal", Neighbours: "any two goals", Guarantee: "(epsilon, delta)",
		Source: "Dwork and Roth 2014; Balle and Wang 2018"}
}

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
