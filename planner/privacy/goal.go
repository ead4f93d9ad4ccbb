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
	// Probabilities writes to dst, which has one entry per cell, the probability that each cell is drawn for a
	// goal.
	Probabilities(dst []float64, goal int)
}

// goalMechanisms lists the mechanisms that draw the goal, with their constructors.
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

// GoalMechanisms returns one value of each mechanism, for their names and meanings.
func GoalMechanisms() []GoalMechanism {
	var all []GoalMechanism
	for _, m := range goalMechanisms {
		all = append(all, m.of)
	}
	return all
}

// NewGoalMechanism returns the mechanism with a name and a guarantee; each mechanism uses the parts of it that
// it needs.
func NewGoalMechanism(name string, l Lattice, g Guarantee) (GoalMechanism, error) {
	for _, m := range goalMechanisms {
		if m.of.Name() == name {
			return m.new(l, g)
		}
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
