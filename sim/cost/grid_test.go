package cost

import (
	"errors"
	"math"
	"testing"

	"veilpath/sim/study"
)

// The smallest epsilon that meets a demand and the next one are found wherever the border lies, in no more trials than
// were foreseen.
func TestGridBisectsToTheBorder(t *testing.T) {
	g := newGrid(study.Range{Low: 0.1, High: 20}, 0.3)
	if ratio := g.at(1) / g.at(0); ratio > 1.3 || g.at(0) != 0.1 || g.at(g.steps) != 20 || !math.IsNaN(g.at(-1)) {
		t.Errorf("%d steps of a factor %g from %g to %g", g.steps, ratio, g.at(0), g.at(g.steps))
	}
	for border := range g.steps + 2 { // the first epsilon that meets the demand
		trials, smallest, below := 0, border, border-1
		if border > g.steps {
			smallest = -1
		}
		last, next, err := g.bisect(func(i int) (bool, error) {
			trials++
			return i >= border, nil
		})
		if err != nil || last != smallest || next != below || float64(trials) > g.trials() {
			t.Errorf("from %d on they meet it: smallest %d and next %d after %d trials, %v", border, last, next, trials, err)
		}
	}
	broken := errors.New("broken")
	if _, _, err := g.bisect(func(int) (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("the error of a trial is %v", err)
	}
}
