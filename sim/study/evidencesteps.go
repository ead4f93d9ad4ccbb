package study

import (
	"cmp"
	"fmt"
	"slices"
)

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
