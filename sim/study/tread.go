package study

import (
	"cmp"
	"fmt"
	"slices"
)

// tread is a part of a range on which no run changes: it begins at low and ends where the next one begins.
type tread struct {
	low          float64 // epsilon
	mean         float64
	below, above float64 // logs of the evidence about the demand
	steps        int     // how many lie below it or at its low end
}

// treads are what runs show about a demand on a range, epsilon ascending.
type treads struct {
	runs   int
	list   []tread
	stakes stakes
	first  []int // how often each stake is there at the low end of the range
	steps  []step
}

// step is that a run changes from one stake to another.
type step struct {
	epsilon  float64
	old, new int
}

// stakes are the different values that runs have, each with the bet that was laid on it, and what each adds to the
// evidence: flights repeat, so that they are far fewer than the pieces of the runs.
type stakes struct {
	all   []stake
	gains []gains // of each
	place map[stake]int
}

type stake struct{ value, bet float64 }

// of returns the number of a stake. It is false where the value is no basis for evidence.
func (s *stakes) of(w *evidence, value, bet float64) (number int, ok bool) {
	if !w.holds(value) {
		return 0, false
	}
	number, known := s.place[stake{value, bet}]
	if !known {
		number = len(s.all)
		s.place[stake{value, bet}] = number
		s.all, s.gains = append(s.all, stake{value, bet}), append(s.gains, w.gainsOf(value, bet))
	}
	return number, true
}

// treads returns what the runs show about a demand on a part of the range, when bet says which tuned bet was laid on a
// run. It is an error when a quantity is beyond the bound that evidence rests on.
func (e *ensemble) treads(d *Demand, bet func(run int) float64, on Range) (*treads, error) {
	w, sum := newEvidence(d.Bound, d.Limit), 0.0
	t := &treads{runs: e.runs, stakes: stakes{place: map[stake]int{}}}
	for run := range e.each {
		first, tuned, last := pieceAt(run, on.Low), bet(run[0].Run), 0
		for i := first; i < len(run) && (i == first || run[i].Epsilon <= on.High); i++ {
			value := d.Of(&run[i])
			number, ok := t.stakes.of(w, value, tuned)
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
		w.count(&t.stakes.gains[number], times)
	}
	slices.SortStableFunc(t.steps, func(a, b step) int { return cmp.Compare(a.epsilon, b.epsilon) })
	t.climb(w, sum, on.Low)
	return t, nil
}

// begin counts a stake that is there at the low end.
func (t *treads) begin(number int) {
	for len(t.first) <= number {
		t.first = append(t.first, 0)
	}
	t.first[number]++
}

// climb lists the treads, from evidence and sum at the low end on.
func (t *treads) climb(w *evidence, sum, low float64) {
	stakes := &t.stakes
	for k := 0; ; {
		next := tread{low: low, mean: sum / float64(t.runs), steps: k}
		next.below, next.above = w.logs()
		t.list = append(t.list, next)
		if k == len(t.steps) {
			return
		}
		for low = t.steps[k].epsilon; k < len(t.steps) && t.steps[k].epsilon == low; k++ {
			from, to := t.steps[k].old, t.steps[k].new
			w.count(&stakes.gains[from], -1)
			w.count(&stakes.gains[to], 1)
			sum += stakes.all[to].value - stakes.all[from].value
		}
	}
}

// sample returns the values of all runs on a tread.
func (t *treads) sample(i int) Sample {
	counts := make([]int, len(t.stakes.all))
	copy(counts, t.first)
	for _, s := range t.steps[:t.list[i].steps] {
		counts[s.old]--
		counts[s.new]++
	}
	return t.stakes.sample(counts)
}

// sample returns the values of stakes that are there so often.
func (s *stakes) sample(counts []int) (out Sample) {
	var there []int
	for number, times := range counts {
		if times > 0 {
			there = append(there, number)
		}
	}
	slices.SortFunc(there, func(a, b int) int { return cmp.Compare(s.all[a].value, s.all[b].value) })
	for _, number := range there {
		value := s.all[number].value
		if n := len(out.Values); n == 0 || value != out.Values[n-1] {
			out.Values, out.Counts = append(out.Values, value), append(out.Counts, 0)
		}
		out.Counts[len(out.Counts)-1] += counts[number]
	}
	return out
}

func beyond(d *Demand, r *Run) error {
	return fmt.Errorf("study: run %d at epsilon %g has %s %g, beyond the %g that confidence rests on", r.Run, r.Epsilon,
		d.Name, d.Of(r), d.Bound)
}
