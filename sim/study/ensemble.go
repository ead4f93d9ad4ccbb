package study

import (
	"cmp"
	"fmt"
	"slices"
)

// ensemble is runs known on the whole of one range of epsilon.
type ensemble struct {
	axis   Range
	pieces []Run // run by run, epsilon ascending, the first of each run at the range's low end
	runs   int
}

// add takes the pieces of more runs on the same range.
func (e *ensemble) add(pieces []Run) {
	for i := range pieces {
		if i == 0 || pieces[i].Run != pieces[i-1].Run {
			e.runs++
		}
	}
	e.pieces = append(e.pieces, pieces...)
}

// narrow forgets what lies outside of a range.
func (e *ensemble) narrow(to Range) {
	kept := e.pieces[:0]
	for run := range e.each {
		first := pieceAt(run, to.Low)
		for i := first; i < len(run) && run[i].Epsilon <= to.High; i++ {
			r := run[i]
			r.Epsilon = max(r.Epsilon, to.Low)
			kept = append(kept, r)
		}
	}
	e.pieces, e.axis = kept, to
}

// each yields the pieces of every run.
func (e *ensemble) each(yield func([]Run) bool) {
	for rest := e.pieces; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Run == rest[0].Run {
			n++
		}
		if !yield(rest[:n]) {
			return
		}
		rest = rest[n:]
	}
}

// at returns a quantity of every run at an epsilon, sorted.
func (e *ensemble) at(epsilon float64, of func(*Run) float64) []float64 {
	values := make([]float64, 0, e.runs)
	for run := range e.each {
		values = append(values, of(&run[pieceAt(run, epsilon)]))
	}
	slices.Sort(values)
	return values
}

// tread is a part of a range on which no run changes: it begins at low and ends where the next one begins.
type tread struct {
	low          float64 // epsilon
	mean         float64
	below, above float64 // logs of the evidence about the demand
}

// treads returns what the runs show about a demand on a part of the range, epsilon ascending, when bet says which
// tuned bet was laid on a run. It is an error when a quantity is beyond the bound that evidence rests on.
func (e *ensemble) treads(d *Demand, bet func(run int) float64, on Range) ([]tread, error) {
	w, sum := newEvidence(d.Bound, d.Limit), 0.0
	type step struct{ epsilon, old, new, bet float64 }
	var steps []step
	for run := range e.each {
		i := pieceAt(run, on.Low)
		value, tuned := d.Of(&run[i]), bet(run[0].Run)
		if !w.add(value, tuned) {
			return nil, beyond(d, &run[i])
		}
		sum += value
		for i++; i < len(run) && run[i].Epsilon <= on.High; i++ {
			next := d.Of(&run[i])
			if !w.holds(next) {
				return nil, beyond(d, &run[i])
			}
			if next != value {
				steps = append(steps, step{run[i].Epsilon, value, next, tuned})
			}
			value = next
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.epsilon, b.epsilon) })
	treads := make([]tread, 0, len(steps)+1)
	for low := on.Low; ; {
		t := tread{low: low, mean: sum / float64(e.runs)}
		t.below, t.above = w.logs()
		treads = append(treads, t)
		if len(steps) == 0 {
			return treads, nil
		}
		for low = steps[0].epsilon; len(steps) > 0 && steps[0].epsilon == low; steps = steps[1:] {
			w.exchange(steps[0].old, steps[0].new, steps[0].bet)
			sum += steps[0].new - steps[0].old
		}
	}
}

func beyond(d *Demand, r *Run) error {
	return fmt.Errorf("study: run %d at epsilon %g has %s %g, beyond the %g that confidence rests on", r.Run, r.Epsilon, d.Name, d.Of(r), d.Bound)
}
