package study

import "math"

// wagers is evidence, gathered value by value, that a mean is above a limit or below it. It is the wealth
// of two gamblers who begin with 1 and stake a part of it on every value in a fair game: one is right if
// the mean is above the limit, the other if it is below. Who is wrong reaches a wealth of 1/alpha with
// probability alpha at most, ever, so one may look after every value (Ville's inequality; Waudby-Smith &
// Ramdas 2023, section 4). Each spreads the wealth over stakes of many sizes, the right one among them,
// whatever the spread of the values is. It supposes no shape, only values in [0, bound].
type wagers struct {
	bound, limit float64         // limit in units of bound
	above, below [stakes]float64 // log of the wealth, by stake
}

const (
	stakes       = 9   // each half as large as the last: 0.9 to 0.0035 of all that may be staked
	largestStake = 0.9 // of all that may be staked, so that nobody is ever ruined
)

// newWagers returns the evidence about a limit above 0 before the first value.
func newWagers(bound, limit float64) *wagers { return &wagers{bound: bound, limit: limit / bound} }

// add takes a value and reports whether it is in [0, bound]; one that is not is no basis for a wager.
func (w *wagers) add(value float64) bool {
	x := value / w.bound
	if !(x >= 0 && x <= 1) {
		return false
	}
	if w.limit >= 1 {
		return true // nothing is above it
	}
	surprise, part := x-w.limit, largestStake
	for i := range stakes {
		w.above[i] += math.Log1p(part / w.limit * surprise)
		w.below[i] += math.Log1p(-part / (1 - w.limit) * surprise)
		part /= 2
	}
	return true
}

// verdict says what has been shown with an error probability of alpha.
func (w *wagers) verdict(alpha float64) Verdict {
	switch enough := -math.Log(alpha); {
	case w.limit >= 1:
		return Met
	case logWealth(&w.below) >= enough:
		return Met
	case logWealth(&w.above) >= enough:
		return NotMet
	}
	return Undecided
}

// logWealth is the log of the mean wealth over the stakes.
func logWealth(of *[stakes]float64) float64 {
	most := math.Inf(-1)
	for _, x := range of {
		most = max(most, x)
	}
	sum := 0.0
	for _, x := range of {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum/stakes)
}
