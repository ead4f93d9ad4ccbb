package study

import "math"

// eProcesses are evidence, gathered value by value, that a mean is above a limit or below it: an e-process for
// each, the wealth of who begins with 1 and bets a part of it on every value. Where the mean is on the other
// side, the e-process reaches 1/alpha with probability alpha at most, ever, so one may look after every value
// (Ville's inequality; Waudby-Smith & Ramdas 2023, section 4). Each is the mean of e-processes with bets of many
// sizes, a good one among them, whatever the spread of the values is. It supposes no shape, only values in
// [0, bound].
type eProcesses struct {
	bound, limit float64       // limit in units of bound
	above, below [bets]float64 // log of the e-process, by size of the bet
}

const (
	bets        = 9   // each half as large as the last: 0.9 to 0.0035 of the largest allowed
	largestPart = 0.9 // of the largest bet allowed, so that no e-process ever falls to 0
)

// newEProcesses returns the evidence about a limit above 0 before the first value.
func newEProcesses(bound, limit float64) *eProcesses {
	return &eProcesses{bound: bound, limit: limit / bound}
}

// add takes a value and reports whether it is in [0, bound]; one that is not is no basis for evidence.
func (w *eProcesses) add(value float64) bool {
	x := value / w.bound
	if !(x >= 0 && x <= 1) {
		return false
	}
	if w.limit >= 1 {
		return true // nothing is above it
	}
	surprise, part := x-w.limit, largestPart
	for i := range bets {
		w.above[i] += math.Log1p(part / w.limit * surprise)
		w.below[i] += math.Log1p(-part / (1 - w.limit) * surprise)
		part /= 2
	}
	return true
}

// verdict says what has been shown with an error probability of alpha.
func (w *eProcesses) verdict(alpha float64) Verdict {
	switch enough := -math.Log(alpha); {
	case w.limit >= 1:
		return Met
	case logMean(&w.below) >= enough:
		return Met
	case logMean(&w.above) >= enough:
		return NotMet
	}
	return Undecided
}

// logMean is the log of the mean over the sizes of the bets.
func logMean(of *[bets]float64) float64 {
	most := math.Inf(-1)
	for _, x := range of {
		most = max(most, x)
	}
	sum := 0.0
	for _, x := range of {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum/bets)
}
