package privacy

import (
	"fmt"
	"math"
	"slices"
)

// A destination can be hidden itself, instead of one entry of the reward that follows from it: a goal is drawn
// near the true one, and all that is done until the hand-over is done for the drawn one, which is
// post-processing. The guarantee then is between goals, which that for one entry hardly reaches.

// GoalMechanism draws a cell of a lattice in place of the true goal.
type GoalMechanism interface {
	// Name is what settings call the mechanism.
	Name() string
	// Meaning says in a sentence how it draws.
	Meaning() string
	// Delta is the probability with which its epsilon may fail.
	Delta() float64
	// Probabilities writes to dst, of one entry per cell, how probable it is that a cell is drawn for a goal.
	Probabilities(dst []float64, goal int)
}

// goalMechanisms are the mechanisms that draw the goal, by what their constructors take.
var goalMechanisms = []struct {
	of  GoalMechanism
	new func(Lattice, Guarantee) (GoalMechanism, error)
}{
	{GeoIndistinguishable{}, func(l Lattice, g Guarantee) (GoalMechanism,
		error) {
		return NewGeoIndistinguishable(l, g.Epsilon)
	}},
	{GaussianGoal{}, func(l Lattice, g Guarantee) (GoalMechanism, error) {
		return NewGaussianGoal(l, g.Calibration, g.Epsilon, g.Delta)
	}},
}

// GoalMechanisms returns one of each that there are, for their names and meanings.
func GoalMechanisms() []GoalMechanism {
	var all []GoalMechanism
	for _, m := range goalMechanisms {
		all = append(all, m.of)
	}
	return all
}

// NewGoalMechanism returns the mechanism of a name with a guarantee, of which each uses its part.
func NewGoalMechanism(name string, l Lattice, g Guarantee) (GoalMechanism, error) {
	for _, m := range goalMechanisms {
		if m.of.Name() == name {
			return m.new(l, g)
		}
	}
	return nil, fmt.Errorf("privacy: no mechanism that draws the goal is called %q", name)
}

// Lattice is a rectangle of cells, numbered row by row. Distances are Euclidean, in cells.
type Lattice struct {
	Columns, Rows int
	Allowed       []bool // which cells may be drawn, at least one; nil for all
}

// Cells returns how many there are.
func (l Lattice) Cells() int { return l.Columns * l.Rows }

// Distance returns how far apart two cells are, in cells.
func (l Lattice) Distance(one, other int) float64 {
	return math.Hypot(float64(one%l.Columns-other%l.Columns), float64(one/l.Columns-other/l.Columns))
}

// allows reports whether a cell may be drawn.
func (l Lattice) allows(cell int) bool { return l.Allowed == nil || l.Allowed[cell] }

// nearestAllowed returns the cell that may be drawn and is nearest to a cell, the first of several.
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

// GeoIndistinguishable draws cell j for goal g with probability proportional to exp(-Epsilon d(g, j)/2), d the
// distance in cells: the exponential mechanism of the distance (McSherry and Talwar 2007). For any two goals the odds
// of any draw differ by a factor of at most exp(Epsilon d(g, g')): geo-indistinguishability (Andres et al. 2013). By
// the triangle inequality the weights differ by at most exp(Epsilon d/2); so does their sum over the cells that may be
// drawn, which depends on the goal where those end: it is what the half pays for.
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
	return "draws a goal, the likelier the nearer it is: epsilon is per cell of distance between two goals, delta is 0"
}

// Delta implements GoalMechanism.
func (GeoIndistinguishable) Delta() float64 { return 0 }

// Probabilities implements GoalMechanism.
func (m GeoIndistinguishable) Probabilities(dst []float64, goal int) {
	sum := 0.0
	nearest := m.Distance(goal, m.nearestAllowed(goal)) // taken off, so that not all weights vanish
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

// GaussianGoal adds Gaussian noise to the goal's two coordinates, the parameters that its reward follows from, and
// draws the nearest cell of the lattice to that, or where it may not be drawn the one nearest to it that may. With the
// noise of a calibration at the lattice's Diameter it is (epsilon, delta)-differentially private between any two goals:
// group privacy for all entries of the reward at once, at the price of two numbers.
type GaussianGoal struct {
	Lattice
	Sigma float64 // in cells
	delta float64
}

// NewGaussianGoal returns the mechanism that keeps (epsilon, delta) between any two goals. Arguments as for
// Calibration.Sigma; the lattice must have more than one cell.
func NewGaussianGoal(l Lattice, c Calibration, epsilon, delta float64) (GaussianGoal, error) {
	if err := l.check(); err != nil {
		return GaussianGoal{}, err
	}
	sigma, err := c.Sigma(epsilon, delta, l.Diameter())
	return GaussianGoal{l, sigma, delta}, err
}

// Name implements GoalMechanism.
func (GaussianGoal) Name() string { return "parameter" }

// Meaning implements GoalMechanism.
func (GaussianGoal) Meaning() string {
	return "adds Gaussian noise to the goal's coordinates: (epsilon, delta) between any two goals"
}

// Delta implements GoalMechanism.
func (m GaussianGoal) Delta() float64 { return m.delta }

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

// nearest is the probability that a coordinate with noise is nearest to one of n places; those at the ends have
// all that lies beyond.
func (m GaussianGoal) nearest(place, actual, n int) float64 {
	low, high := math.Inf(-1), math.Inf(1)
	if place > 0 {
		low = (float64(place-actual) - 0.5) / m.Sigma
	}
	if place < n-1 {
		high = (float64(place-actual) + 0.5) / m.Sigma
	}
	if low > 0 { // where the difference of tails keeps its digits
		return normalTail(low) - normalTail(high)
	}
	return normalTail(-high) - normalTail(-low)
}

// DrawFrom returns the cell that a number u, uniform in [0, 1), draws from probabilities that sum to 1.
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
