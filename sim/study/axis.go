package study

import (
	"fmt"
	"math"
	"slices"

	"veilpath/planner"
)

// Range is a range of epsilon, both ends included. The zero value is none.
type Range struct{ Low, High float64 }

// Whole reports whether there is a range.
func (r Range) Whole() bool { return r != Range{} }

// Contains reports whether an epsilon is in the range.
func (r Range) Contains(epsilon float64) bool { return epsilon >= r.Low && epsilon <= r.High }

// ErrNoAxis is the error for a study of a range of epsilon that has no pieces to be found: its noise is
// independent, or its mechanism is not linear on the reward, or more than the route depends on epsilon or run.
var ErrNoAxis = fmt.Errorf("study: a range of epsilon takes common noise that a linear mechanism adds to the reward, " +
	"and an observer who knows the same at every epsilon; list epsilons instead")

// HasAxis reports whether runs of the experiment with this noise are a few pieces in epsilon, each with one
// route: the noise must be common to all epsilons, and the mechanism linear on the reward. How sharp their ends are
// says Resolution.
func (e *Experiment) HasAxis(noise Noise) bool {
	return noise != Independent && e.plain() && e.linear() != nil
}

// span is a range of epsilon and the listed epsilons on it with the noise they take.
type span struct {
	Range
	least, most      float64   // sigma at High and at Low
	epsilons, sigmas []float64 // listed, ascending in epsilon, without None()
	none             bool      // None() is listed too
	planned          []float64 // epsilons to be planned at first, where moves are uncertain
}

// span checks and completes the range of a study.
func (s *Study) span() (*span, error) {
	r := s.Axis
	if !(r.Low > 0 && r.Low < r.High && !math.IsInf(r.High, 1)) {
		return nil, fmt.Errorf("study: epsilon from %v to %v, want a range of finite numbers above 0", r.Low, r.High)
	}
	p := &span{Range: r, epsilons: slices.Sorted(slices.Values(s.Epsilons))}
	if last := len(p.epsilons) - 1; last >= 0 && isNone(p.epsilons[last]) {
		p.epsilons, p.none = p.epsilons[:last], true
	}
	for _, at := range []struct {
		epsilon float64
		sigma   *float64
	}{{r.High, &p.least}, {r.Low, &p.most}} {
		var err error
		if *at.sigma, err = s.Experiment.Sigma(at.epsilon); err != nil {
			return nil, err
		}
	}
	for _, epsilon := range p.epsilons {
		if !r.Contains(epsilon) {
			return nil, fmt.Errorf("study: epsilon %v is outside the range from %v to %v", epsilon, r.Low, r.High)
		}
		sigma, err := s.Experiment.Sigma(epsilon)
		if err != nil {
			return nil, err
		}
		p.sigmas = append(p.sigmas, sigma)
	}
	if !s.Experiment.certain {
		p.planned = p.Between(p.epsilons, plannedApart)
	}
	return p, nil
}

// piece is a part of the axis with one route; it ends where the next begins.
type piece struct {
	low   float64 // epsilon
	route []int32 // state-action pairs
	cost  float64
}

// flyAxis flies runs at every epsilon of a range and passes on the records of their pieces, run by run and
// with epsilon ascending, until it is stopped. A piece is the epsilons from its record's to the next
// one's, or to the end of the range: each of them has the policy's route, and so the flight, of a plan made
// there, and its record except for the epsilon. Where the study lists None(), the plan without noise is one piece more,
// the last. Where two routes are worth the same within what a plan may lose, which is some 1e-9 of epsilon around a
// corner, it may be either's; at the study's listed epsilons it is always the plan's. Where moves are uncertain the
// ends are as sharp as BisectedTo, and the cost of a piece is that of the plan at its lower one. It returns how many
// runs all records were passed on of.
func (f *Flyer) flyAxis(draws []Draw, s *span, o FlightOptions, look func(Flight) (goOn bool)) (whole int,
	err error) {
	f.options = o
	if !f.experiment.HasAxis(Common) {
		return 0, ErrNoAxis
	}
	find := f.cut
	if !f.hasAxis() {
		find = f.bisect
	}
	f.lanes.begin()
	for i, draw := range draws {
		if i > 0 && len(f.lanes.waiting) == 0 && f.stopped() {
			break
		}
		f.pause()
		if err := find(s, draw); err != nil {
			return f.lanes.whole, err
		}
		if m := f.experiment.Mission; s.none {
			f.pieces = append(f.pieces, piece{None(), m.PairsOf(m.Optimal.Policy), 0})
		}
		for k := range f.pieces {
			p := &f.pieces[k]
			draw.Epsilon = p.low
			f.onRoute = f.experiment.Mission.PolicyOn(p.route, f.onRoute)
			f.await(draw, f.follow(f.onRoute), p.cost)
			ends := k == len(f.pieces)-1
			f.lanes.waiting[len(f.lanes.waiting)-1].ends = ends
			if f.due(ends && i == len(draws)-1) && !f.deliver(look) {
				return f.lanes.whole, nil
			}
		}
	}
	return f.lanes.whole, nil
}

// FlyAxis flies runs [first, end) of a study at every epsilon of its range and passes on the records of their pieces,
// run by run and with epsilon ascending, until it is stopped: see Study.Axis. It returns how many runs all records
// were passed on of.
func (f *Flyer) FlyAxis(s *Study, first, end int, o FlightOptions, look func(Flight) (goOn bool)) (whole int,
	err error) {
	span, err := s.span()
	if err != nil {
		return 0, err
	}
	draws := make([]Draw, 0, end-first)
	for run := first; run < end; run++ {
		draws = append(draws, Draw{Seed: s.Seed, Run: run, Noise: s.Noise})
	}
	return f.flyAxis(draws, span, o, look)
}

// cut finds the pieces of a run where moves are certain.
func (f *Flyer) cut(s *span, draw Draw) error {
	found := f.axisOf(draw, s.least, s.most)
	f.pieces = f.pieces[:0]
	low := s.Low
	for i := len(found) - 1; i >= 0; i-- {
		if n := len(f.pieces); n > 0 && !(low > f.pieces[n-1].low) {
			f.pieces = f.pieces[:n-1] // nothing of it is left when sigma is turned into epsilon
		}
		f.pieces = append(f.pieces, piece{low, found[i].Route, found[i].Cost.Relative})
		if i == 0 {
			break // it ends with the range
		}
		corner, err := f.experiment.Epsilon(found[i].Low)
		if err != nil {
			return err
		}
		low = min(max(corner, low), s.High)
	}
	for k, sigma := range s.sigmas {
		if planner.PieceAt(found, sigma) == nil {
			f.draw(draw)
			f.settle(s.epsilons[k], sigma, s.High)
		}
	}
	return nil
}

// hasAxis reports whether the moves are certain and the mechanism linear, and makes the axis ready if so.
func (f *Flyer) hasAxis() bool {
	if f.axis == nil && f.experiment.certain && f.experiment.HasAxis(Common) {
		var err error
		if f.axis, err = planner.NewAxis(f.experiment.Mission.Solved, f.experiment.linear()); err != nil {
			panic("study: " + err.Error()) // the moves are certain
		}
	}
	return f.axis != nil
}

// piecesOf returns the pieces of the axis of a draw's noise that hold some sigmas above 0, none where planning at each
// takes less time.
func (f *Flyer) piecesOf(draw Draw, sigmas []float64) []planner.Piece {
	least, most, n := noisy(sigmas)
	if pays := n >= planner.ManyPlans || f.axes != nil && f.axes.pays(); n == 0 || !pays || !f.hasAxis() {
		return nil
	}
	return f.axisOf(draw, least, most)
}

// noisy returns the least and the most of the sigmas above 0, and how many those are.
func noisy(sigmas []float64) (least, most float64, n int) {
	least = math.Inf(1)
	for _, sigma := range sigmas {
		if sigma > 0 {
			least, most, n = min(least, sigma), max(most, sigma), n+1
		}
	}
	return least, most, n
}

// settle plans at an epsilon and makes it a piece of its own on an axis that ends at high.
func (f *Flyer) settle(epsilon, sigma, high float64) {
	plan := f.planner.Plan(f.planner.Privatize(sigma, f.noise))
	own := piece{epsilon, f.experiment.Mission.PairsOf(plan.Policy), f.planner.CostOfPrivacy(plan.Policy)}
	i := len(f.pieces) - 1
	for f.pieces[i].low > epsilon {
		i--
	}
	rest := f.pieces[i]
	rest.low = math.Nextafter(epsilon, math.Inf(1))
	tail := slices.Clone(f.pieces[i+1:])
	if f.pieces[i].low < epsilon {
		i++
	}
	f.pieces = append(f.pieces[:i], own)
	if rest.low <= high && (len(tail) == 0 || tail[0].low > rest.low) {
		f.pieces = append(f.pieces, rest)
	}
	f.pieces = append(f.pieces, tail...)
}

// Listed appends the records at the study's listed epsilons, run by run and in the order of the list, that
// the records of whole runs are or hold: without a range they are those themselves.
func (s *Study) Listed(records, to []Run) []Run {
	if !s.Axis.Whole() {
		return append(to, records...)
	}
	for len(records) > 0 {
		n := 1
		for n < len(records) && records[n].Run == records[0].Run {
			n++
		}
		for _, epsilon := range s.Epsilons {
			at := pieceAt(records[:n], epsilon)
			to = append(to, records[at])
			to[len(to)-1].Epsilon = epsilon
		}
		records = records[n:]
	}
	return to
}

// pieceAt returns which of a run's pieces an epsilon of the range is on.
func pieceAt(pieces []Run, epsilon float64) int {
	at := 0
	for at+1 < len(pieces) && pieces[at+1].Epsilon <= epsilon {
		at++
	}
	return at
}

// End returns the epsilon at which one of the pieces of runs ends: where the next one of its run begins, or with the
// range. That of the plan without noise is at None() alone.
func (r Range) End(pieces []Run, i int) float64 {
	switch {
	case isNone(pieces[i].Epsilon):
		return None()
	case i+1 < len(pieces) && pieces[i+1].Run == pieces[i].Run && !isNone(pieces[i+1].Epsilon):
		return pieces[i+1].Epsilon
	}
	return r.High
}

// HoldsRuns reports whether records are those of a batch as it is emitted, as far as their runs and epsilons
// tell.
func (s *Study) HoldsRuns(records []Run, b Batch) bool {
	if s.Axis.Whole() {
		runs, ok := s.Axis.countRuns(records, b.First)
		return ok && runs == b.End-b.First
	}
	if len(records) != b.Flights() {
		return false
	}
	for i := range records {
		if r := &records[i]; r.Run != b.First+i/len(b.Epsilons) || r.Epsilon != s.Epsilons[b.Epsilons[i%len(b.Epsilons)]] {
			return false
		}
	}
	return true
}

// countRuns returns how many runs of the range the records are, and false when they are not the whole runs from
// a given one on.
func (r Range) countRuns(records []Run, first int) (runs int, ok bool) {
	for i := range records {
		switch rec := &records[i]; {
		case i > 0 && rec.Run == records[i-1].Run && rec.Epsilon > records[i-1].Epsilon &&
			(rec.Epsilon <= r.High || isNone(rec.Epsilon)):
		case rec.Run == first+runs && rec.Epsilon == r.Low:
			runs++
		default:
			return 0, false
		}
	}
	return runs, true
}
