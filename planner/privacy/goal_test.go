package privacy

import (
	"fmt"
	"math"
	"testing"
)

// paperLattice is the grid of the paper's mission.
var paperLattice = Lattice{Columns: 20, Rows: 20}

// tableOf is the probabilities of a mechanism, by goal.
func tableOf(t *testing.T, m GoalMechanism, cells int) [][]float64 {
	t.Helper()
	table := make([][]float64, cells)
	for g := range table {
		table[g] = make([]float64, cells)
		m.Probabilities(table[g], g)
		sum := 0.0
		for _, p := range table[g] {
			sum += p
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Fatalf("the probabilities for goal %d sum to %v", g, sum)
		}
	}
	return table
}

// worstOdds is the largest of |ln(p(j|g)/p(j|h))| - epsilon d(g, h) over all pairs of goals and all draws.
func worstOdds(table [][]float64, l Lattice, epsilon float64) float64 {
	logs := make([][]float64, len(table))
	for g, row := range table {
		logs[g] = make([]float64, len(row))
		for j, p := range row {
			logs[g][j] = math.Log(p)
		}
	}
	worst := math.Inf(-1)
	for g := range logs {
		for h := range g {
			bound := epsilon * l.Distance(g, h)
			for j := range logs[g] {
				if over := math.Abs(logs[g][j]-logs[h][j]) - bound; over > worst {
					worst = over
				}
			}
		}
	}
	return worst
}

// The odds bound for all 400 x 400 pairs of goals and all draws; without the half the ends of the lattice break it.
func TestOddsOfTheDrawnGoalAreBounded(t *testing.T) {
	const rounding = 1e-12
	for _, epsilon := range []float64{0.05, 1, 4} {
		m, err := NewGeoIndistinguishable(paperLattice, epsilon)
		if err != nil {
			t.Fatal(err)
		}
		if worst := worstOdds(tableOf(t, m, 400), paperLattice, epsilon); worst > rounding {
			t.Errorf("epsilon %g: the odds exceed their bound by a factor of exp(%g)", epsilon, worst)
		}
	}
	whole := GeoIndistinguishable{paperLattice, 2 * 0.2}
	if worst := worstOdds(tableOf(t, whole, 400), paperLattice, 0.2); worst < 0.01 {
		t.Errorf("without the half the odds exceed their bound by exp(%g) only; it would not be needed", worst)
	}
}

// Where cells are kept out the odds bound holds between any two goals, and nothing but what may be drawn is.
func TestOddsAreBoundedWhereCellsAreKeptOut(t *testing.T) {
	const rounding, epsilon = 1e-12, 0.7
	l := Lattice{Columns: 9, Rows: 7, Allowed: make([]bool, 63)}
	for j := range l.Allowed {
		l.Allowed[j] = j%9 < 3 || j%9 > 5 && j%5 > 0
	}
	m, err := NewGeoIndistinguishable(l, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	table := tableOf(t, m, 63)
	for g := range table { // the odds of what may be drawn
		var kept []float64
		for j, p := range table[g] {
			if !l.Allowed[j] && p != 0 {
				t.Fatalf("cell %d is drawn for goal %d with probability %v", j, g, p)
			}
			if l.Allowed[j] {
				kept = append(kept, p)
			}
		}
		table[g] = kept
	}
	if worst := worstOdds(table, l, epsilon); worst > rounding {
		t.Errorf("the odds exceed their bound by a factor of exp(%g)", worst)
	}
	gaussian, err := NewGaussianGoal(l, Analytic, 1, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	for g, row := range tableOf(t, gaussian, 63) { // whose rows sum to 1
		for j, p := range row {
			if !l.Allowed[j] && p != 0 {
				t.Fatalf("cell %d is drawn for goal %d with probability %v", j, g, p)
			}
		}
	}
}

// The two cells of a strip: p = 1/(1+e^(-epsilon/2)), so the odds are e^(epsilon/2) either way.
func TestADrawFromTwoCellsHasAClosedForm(t *testing.T) {
	m, err := NewGeoIndistinguishable(Lattice{Columns: 2, Rows: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	table := tableOf(t, m, 2)
	if want := 1 / (1 + math.Exp(-0.5)); !(math.Abs(table[0][0]-want) <= 1e-15) || !(math.Abs(table[1][1]-want) <= 1e-15) {
		t.Errorf("%v, want %v on the diagonal", table, want)
	}
}

// (epsilon, delta) between all pairs of goals, by the sum over all draws of what exceeds exp(epsilon) times the
// other: no more than the noise allows at any epsilon, and none at the one that is promised, since noise as wide as
// the lattice draws its ends mostly.
func TestTheGaussianGoalKeepsItsPromiseForAllPairs(t *testing.T) {
	m, err := NewGaussianGoal(paperLattice, Analytic, 4, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	table := tableOf(t, m, 400)
	for _, epsilon := range []float64{0, 0.5, 4} {
		worst, factor := 0.0, math.Exp(epsilon)
		for g := range table {
			for h := range table {
				sum := 0.0
				for j, p := range table[g] {
					sum += max(0, p-factor*table[h][j])
				}
				worst = max(worst, sum)
			}
		}
		allowed, err := Delta(epsilon, m.Sigma, paperLattice.Diameter())
		if err != nil || worst > allowed || epsilon < 1 && worst < allowed/3 {
			t.Errorf("epsilon %g: delta %g between the worst two goals, the noise allows %g, %v", epsilon, worst, allowed, err)
		}
	}
}

// The mass of a cell is that of the square around it, integrated by another rule.
func TestTheGaussianGoalHasTheMassOfItsCell(t *testing.T) {
	m := GaussianGoal{Lattice: Lattice{Columns: 7, Rows: 5}, Sigma: 1.3}
	p := make([]float64, 35)
	m.Probabilities(p, 2*7+3)
	density := func(x float64) float64 { return math.Exp(-x*x/(2*1.3*1.3)) / (1.3 * math.Sqrt(2*math.Pi)) }
	simpson := func(a, b float64) float64 {
		const n = 200
		sum, h := density(a)+density(b), (b-a)/n
		for i := 1; i < n; i++ {
			sum += density(a+float64(i)*h) * float64(2+2*(i%2))
		}
		return sum * h / 3
	}
	if want := simpson(0.5, 1.5) * simpson(-0.5, 0.5); !(math.Abs(p[2*7+4]-want) <= 1e-9) {
		t.Errorf("beside the goal %v, want %v", p[2*7+4], want)
	}
	if want := simpson(2.5, 20) * simpson(1.5, 20); !(math.Abs(p[4*7+6]-want) <= 1e-6) {
		t.Errorf("in the corner %v, want %v", p[4*7+6], want)
	}
}

func ExampleGeoIndistinguishable() {
	m, err := NewGeoIndistinguishable(Lattice{Columns: 20, Rows: 20}, 0.5)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := make([]float64, m.Cells())
	goal := 11*20 + 16
	m.Probabilities(p, goal)
	fmt.Printf("the goal itself is drawn with probability %.3f, cell (19, 19) with %.5f\n", p[goal], p[19*20+19])
	fmt.Println("a draw:", DrawFrom(p, 0.5))
	// Output:
	// the goal itself is drawn with probability 0.016, cell (19, 19) with 0.00186
	// a draw: 233
}

// The cell that may be drawn and is nearest to a cell is the cell itself, where it may be, and otherwise the first of
// those that are nearest.
func TestNearestAllowedCell(t *testing.T) {
	l := Lattice{Columns: 3, Rows: 2}
	for cell := range l.Cells() {
		if got := l.nearestAllowed(cell); got != cell {
			t.Errorf("of all cells the nearest to %d is %d", cell, got)
		}
	}
	l.Allowed = []bool{true, false, true, false, false, true} // the cells 0 and 2 above, 5 below 2
	for cell, want := range []int{0, 0, 2, 0, 5, 5} {
		if got := l.nearestAllowed(cell); got != want {
			t.Errorf("the nearest to %d is %d, want %d", cell, got, want)
		}
	}
	l.Allowed = make([]bool, l.Cells())
	if got := l.nearestAllowed(0); got != -1 {
		t.Errorf("the nearest of none is %d", got)
	}
}
