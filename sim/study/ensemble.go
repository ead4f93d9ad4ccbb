package study

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

// at returns a quantity of every run at an epsilon.
func (e *ensemble) at(epsilon float64, of func(*Run) float64) Sample {
	var values counter
	for run := range e.each {
		values.add(of(&run[pieceAt(run, epsilon)]))
	}
	return values.sample()
}
