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
	steps        int     // number of changes below it or at its low end
}

// evidenceSteps are what runs show about a demand on a range, epsilon ascending.
type evidenceSteps struct {
	runs   int
	list   []evidenceStep
	wagers wagers
	first  []int // count of each wager at the low end of the range
	steps  []step
}

// step is the change of a run from one wager to another.
type step struct {
	epsilon  float64
	old, new int
}

// wagers are the distinct values of runs, each with its bet, and their gains: flights repeat, so there are far
// fewer wagers than pieces of runs.
type wagers struct {
	all   []wager
	gains []gains // of each
	place map[wager]int
}

type wager struct{ value, bet float64 }

// of returns the number of a wager; ok is false if the value is not valid for evidence.
func (s *wagers) of(w *evidence, value, bet float64) (number int, ok bool) {
	if !w.holds(value) {
		return 0, false
	}
	number, known := s.place[wager{value, bet}]
	if !known {
		number = len(s.all)
		s.place[wager{value, bet}] = number
		s.all, s.gains = append(s.all, wager{value, bet}), append(s.gains, w.gainsOf(value, bet))
	}
	return number, true
}

// evidenceSteps returns what the runs show about a demand on a part of the range; bet returns the tuned bet on
// a run. It returns an error if a quantity exceeds the bound of the demand.
func (e *ensemble) evidenceSteps(d *Demand, bet func(run int) float64, on Range) (*evidenceSteps, error) {
	w, sum := newEvidence(d.Bound, d.Limit), 0.0
	t := &evidenceSteps{runs: e.runs, wagers: wagers{place: map[wager]int{}}}
	for run := range e.each {
		first, tuned, last := pieceAt(run, on.Low), bet(run[0].Run), 0
		for i := first; i < len(run) && (i == first || run[i].Epsilon <= on.High); i++ {
			value := d.value(&run[i])
			number, ok := t.wagers.of(w, value, tuned)
			if !ok {
				return nil, beyond(d, &run[i])
			}
			if i == first {
				t.begin(number)
				sum += value
			} else if number != last {
				t.steps = append(t.steps, step{run[i].Epsilon, last, number})
			}
			last = number
		}
	}
	for number, times := range t.first {
		w.count(&t.wagers.gains[number], times)
	}
	slices.SortStableFunc(t.steps, func(a, b step) int { return cmp.Compare(a.epsilon, b.epsilon) })
	t.climb(w, sum, on.Low)
	return t, nil
}

// begin counts a wager at the low end.
func (t *evidenceSteps) begin(number int) {
	for len(t.first) <= number {
		t.first = append(t.first, 0)
	}
	t.first[number]++
}

// climb lists the steps, starting with the evidence and the sum at the low end.
func (t *evidenceSteps) climb(w *evidence, sum, low float64) {
	wagers := &t.wagers
	for k := 0; ; {
		next := evidenceStep{low: low, mean: sum / float64(t.runs), steps: k}
		next.below, next.above = w.logs()
		t.list = append(t.list, next)
		if k == len(t.steps) {
			return
		}
		for low = t.steps[k].epsilon; k < len(t.steps) && t.steps[k].epsilon == low; k++ {
			from, to := t.steps[k].old, t.steps[k].new
			w.count(&wagers.gains[from], -1)
			w.count(&wagers.gains[to], 1)
			sum += wagers.all[to].value - wagers.all[from].value
		}
	}
}

func beyond(d *Demand, r *Run) error {
	return fmt.Errorf("study: run %d at epsilon %g has %s %g, but the search assumes at most %g", r.Run, r.Epsilon,
		d.Name, d.Of(r), d.Bound)
}
