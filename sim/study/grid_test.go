package study

import (
	"errors"
	"math"
	"testing"
)

// The last epsilon that meets a demand and the next one are found from either end, wherever the border lies, in no more
// trials than were foreseen.
func TestGridBisectsToTheBorder(t *testing.T) {
	g := NewGrid(Range{Low: 0.1, High: 20}, 0.3)
	if ratio := g.At(1) / g.At(0); ratio > 1.3 || g.At(0) != 0.1 || g.At(g.Steps) != 20 || !math.IsNaN(g.At(-1)) {
		t.Errorf("%d steps of a factor %g from %g to %g", g.Steps, ratio, g.At(0), g.At(g.Steps))
	}
	for meeting := range g.Steps + 2 { // how many epsilons meet the demand
		for _, fromHigh := range []bool{false, true} {
			trials, number := 0, func(k int) int { // of the k-th from the end that is tried first
				switch {
				case k < 0 || k > g.Steps:
					return -1
				case fromHigh:
					return g.Steps - k
				}
				return k
			}
			last, next, err := g.Bisect(fromHigh, func(i int) (bool, error) {
				trials++
				return i < meeting && !fromHigh || g.Steps-i < meeting && fromHigh, nil
			})
			if err != nil || last != number(meeting-1) || next != number(meeting) || float64(trials) > g.Trials() {
				t.Errorf("%d meet it, from the high end: %v: last %d and next %d after %d trials, %v", meeting, fromHigh, last,
					next, trials, err)
			}
		}
	}
	broken := errors.New("broken")
	if _, _, err := g.Bisect(false, func(int) (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("the error of a trial is %v", err)
	}
}
