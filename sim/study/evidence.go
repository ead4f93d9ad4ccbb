package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// evidence accumulates, value by value, evidence that a mean is above a limit, and that it is below: an
// e-process for each, the wealth of a gambler that starts with 1 and bets a fraction of it on every value. If
// the mean is on the other side, the e-process ever reaches 1/alpha with probability at most alpha, so it may
// be checked after every value (Ville's inequality; Waudby-Smith & Ramdas 2023, section 4). It assumes only
// values in [0, bound].
//
// It is a mean of e-processes, so that it contains a good one: some with bets of fixed sizes, and one with most
// of the weight whose bets may differ from value to value, if each is fixed before its value is seen. The
// contribution of a value does not depend on the others, so one value can be replaced by another: along an axis
// of epsilon the evidence is updated from corner to corner.
type evidence struct {
	bound, limit float64 // limit in units of bound
	gains                // of all values: logs of the e-processes
}

// gains are the contributions of a value to the logs of the e-processes, by size of the bet; the last is the
// tuned bet.
type gains struct{ above, below [bets + 1]float64 }

const (
	bets        = 9   // number of fixed sizes, each half of the one before: 0.9 to 0.0035 of the largest allowed bet
	largestPart = 0.9 // of the largest allowed bet, so that no e-process ever falls to 0
	tunedWeight = 0.9 // weight of the tuned e-process in the mean; the others share the rest
)

// newEvidence returns the evidence about a limit above 0 before the first value.
func newEvidence(bound, limit float64) *evidence {
	return &evidence{bound: bound, limit: limit / bound}
}

// holds reports whether a value is valid: it lies in [0, bound].
func (w *evidence) holds(value float64) bool { return value >= 0 && value <= w.bound }

// gainsOf returns the gains of a value in [0, bound] with a tuned bet, in units of 1/bound.
func (w *evidence) gainsOf(value, tuned float64) (g gains) {
	if w.limit >= 1 {
		return g // no value is above the limit
	}
	surprise, part := value/w.bound-w.limit, largestPart
	bet := func(i int, above, below float64) {
		g.above[i], g.below[i] = math.Log1p(above*surprise), math.Log1p(-below*surprise)
	}
	for i := range bets {
		bet(i, part/w.limit, part/(1-w.limit))
		part /= 2
	}
	if tuned > 0 {
		bet(bets, min(tuned, largestPart/w.limit), min(tuned, largestPart/(1-w.limit)))
	}
	return g
}

// count adds the gains of a value times times; times is negative to remove it.
func (w *evidence) count(g *gains, times int) {
	for i := range g.above {
		w.above[i] += float64(float64(times) * g.above[i])
		w.below[i] += float64(float64(times) * g.below[i])
	}
}

// tune returns the bet, in units of 1/bound, that is optimal for a number of values of the given standard
// deviation and an error probability of alpha.
func (w *evidence) tune(values, std, alpha float64) float64 {
	return math.Sqrt(-2*math.Log(tunedWeight*alpha)/values) * w.bound / std
}

// logs returns the logarithms of the e-processes: if below reaches log(1/alpha), the mean is shown to be at
// most the limit with an error probability of alpha, and correspondingly for above.
func (w *evidence) logs() (below, above float64) {
	if w.limit >= 1 {
		return math.Inf(1), math.Inf(-1)
	}
	return logMean(&w.below), logMean(&w.above)
}

// logMean is the log of the weighted mean over the sizes of the bets.
func logMean(of *[bets + 1]float64) float64 {
	most := math.Inf(-1)
	for _, x := range of {
		most = max(most, x)
	}
	sum := 0.0
	for i, x := range of {
		weight := (1 - tunedWeight) / bets
		if i == bets {
			weight = tunedWeight
		}
		sum += weight * math.Exp(x-most)
	}
	return most + math.Log(sum)
}

// evidenceStep is a part of a range on which no run changes: it begins at low and ends where the next one
// begins.
type evidenceStep struct {
	low          float64 // epsilon
	mean         float64
	below, above float64 // logs of the evidence about the demand
}

// evidenceSteps returns what the runs show about a demand on a part of the range, epsilon ascending; bet returns the
// tuned bet on a run. It returns an error if a quantity exceeds the bound of the demand.
func (e *ensemble) evidenceSteps(d *Demand, bet func(run int) float64, on Range) ([]evidenceStep, error) {
	// Flights repeat, so there are far fewer different values than pieces of runs. The gains of each value and bet are
	// computed once.
	type wager struct{ value, bet float64 }
	type change struct { // of a run from one wager to another
		epsilon       float64
		before, after int
	}
	var wagers []wager
	var gainsOf []gains // of each wager
	var counts []int    // of each wager, at the low end of the range
	numbers := map[wager]int{}
	var changes []change
	w, sum := newEvidence(d.Bound, d.Limit), 0.0
	for run := range e.each {
		first, tuned, last := pieceAt(run, on.Low), bet(run[0].Run), 0
		for i := first; i < len(run) && (i == first || run[i].Epsilon <= on.High); i++ {
			value := d.value(&run[i])
			if !w.holds(value) {
				return nil, fmt.Errorf("study: run %d at epsilon %g has %s %g, but the search assumes at most %g",
					run[i].Run, run[i].Epsilon, d.Name, d.Of(&run[i]), d.Bound)
			}
			number, known := numbers[wager{value, tuned}]
			if !known {
				number = len(wagers)
				numbers[wager{value, tuned}] = number
				wagers, gainsOf = append(wagers, wager{value, tuned}), append(gainsOf, w.gainsOf(value, tuned))
				counts = append(counts, 0)
			}
			if i == first {
				counts[number]++
				sum += value
			} else if number != last {
				changes = append(changes, change{run[i].Epsilon, last, number})
			}
			last = number
		}
	}
	for number, times := range counts {
		w.count(&gainsOf[number], times)
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.epsilon, b.epsilon) })
	var steps []evidenceStep
	for low, k := on.Low, 0; ; {
		step := evidenceStep{low: low, mean: sum / float64(e.runs)}
		step.below, step.above = w.logs()
		steps = append(steps, step)
		if k == len(changes) {
			return steps, nil
		}
		for low = changes[k].epsilon; k < len(changes) && changes[k].epsilon == low; k++ {
			before, after := changes[k].before, changes[k].after
			w.count(&gainsOf[before], -1)
			w.count(&gainsOf[after], 1)
			sum += wagers[after].value - wagers[before].value
		}
	}
}
