package study

import (
	"fmt"
	"math"
	"slices"

	"veilpath/planner"
)

// Range is a range of epsilon, both ends included. The zero value is no range.
type Range struct{ Low, High float64 }

// Whole reports whether there is a range.
func (r Range) Whole() bool { return r != Range{} }

// Contains reports whether an epsilon is in the range.
func (r Range) Contains(epsilon float64) bool { return epsilon >= r.Low && epsilon <= r.High }

// ErrNoAxis is the error for a study on a range of epsilon whose runs do not consist of pieces: its noise is
// independent, its mechanism is not linear on the reward, or flights depend on more than the route.
var ErrNoAxis = fmt.Errorf("study: a range of epsilon needs common noise that a linear mechanism adds to the " +
	"reward, and observers with the same knowledge at every epsilon; list epsilons instead")

// HasAxis reports whether runs of the experiment with this noise consist of a few pieces in epsilon, each with
// one route: the noise must be common to all epsilons, and the mechanism linear on the reward. Resolution gives
// the accuracy of the pieces' ends.
func (e *Experiment) HasAxis(noise Noise) bool {
	return noise != Independent && e.routeDetermined() && e.linear() != nil
}

// span is a range of epsilon with the listed epsilons on it, and their noise.
type span struct {
	Range
	least, most      float64   // sigma at High and at Low
	epsilons, sigmas []float64 // listed, ascending in epsilon, without None()
	none             bool      // None() is listed too
	planned          []float64 // the first epsilons to plan at, for random transitions
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
	if !s.Experiment.deterministic {
		p.planned = p.Between(p.epsilons, plannedApart)
	}
	return p, nil
}

// piece is a part of the axis with one route; it ends where the next piece begins.
type piece struct {
	low   float64 // epsilon
	route []int32 // state-action pairs
	cost  float64
}

// flyAxis flies runs at every epsilon of a range and calls look with the records of their pieces, run by run
// and with epsilon ascending, until look returns false. A piece covers the epsilons from its record's up to the
// next record's, or to the end of the range. At each of these epsilons a plan has the piece's route, so it has
// the same flight and record except for the epsilon. If the study lists None(), the plan without noise is a
// last piece. Where the values of two routes differ by less than a plan's tolerance, within some 1e-9 of
// epsilon around a corner, the route may be either; at the listed epsilons it is always the plan's. With random
// transitions the ends are accurate to BisectedTo, and the cost of a piece is that of the plan at its lower
// end. It returns the number of runs whose records were all passed to look.
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
			if f.due(ends && i == len(draws)-1) {
				if goOn, err := f.deliver(look); !goOn {
					return f.lanes.whole, err
				}
			}
		}
	}
	return f.lanes.whole, nil
}

// FlyAxis flies runs [first, end) of a study at every epsilon of its range and calls look with the records of
// their pieces, run by run and with epsilon ascending, until look returns false: see Study.Axis. It returns the
// number of runs whose records were all passed to look.
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

// cut finds the pieces of a run with deterministic transitions.
func (f *Flyer) cut(s *span, draw Draw) error {
	found := f.axisOf(draw, s.least, s.most)
	f.pieces = f.pieces[:0]
	low := s.Low
	for i := len(found) - 1; i >= 0; i-- {
		if n := len(f.pieces); n > 0 && !(low > f.pieces[n-1].low) {
			f.pieces = f.pieces[:n-1] // it vanishes when sigma is turned into epsilon
		}
		f.pieces = append(f.pieces, piece{low, found[i].Route, found[i].Cost.Relative})
		if i == 0 {
			break // the piece ends with the range
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
			f.insertPlan(s.epsilons[k], sigma, s.High)
		}
	}
	return nil
}

// hasAxis reports whether transitions are deterministic and the mechanism is linear; if so it prepares the
// axis.
func (f *Flyer) hasAxis() bool {
	if f.axis == nil && f.experiment.deterministic && f.experiment.HasAxis(Common) {
		var err error
		if f.axis, err = planner.NewAxis(f.experiment.Mission.Solved, f.experiment.linear()); err != nil {
			panic("study: " + err.Error()) // transitions are deterministic
		}
	}
	return f.axis != nil
}

// piecesOf returns the pieces of the axis of a draw's noise that contain the sigmas above 0, or none if
// planning at each sigma is faster.
func (f *Flyer) piecesOf(draw Draw, sigmas []float64) []planner.Piece {
	least, most, n := noisy(sigmas)
	if pays := n >= planner.ManyPlans || f.axes != nil && f.axes.pays(); n == 0 || !pays || !f.hasAxis() {
		return nil
	}
	return f.axisOf(draw, least, most)
}

// noisy returns the smallest and the largest sigma above 0, and the number of sigmas above 0.
func noisy(sigmas []float64) (least, most float64, n int) {
	least = math.Inf(1)
	for _, sigma := range sigmas {
		if sigma > 0 {
			least, most, n = min(least, sigma), max(most, sigma), n+1
		}
	}
	return least, most, n
}

// insertPlan plans at an epsilon and inserts the plan as a piece, on an axis that ends at high.
func (f *Flyer) insertPlan(epsilon, sigma, high float64) {
	plan := f.planner.Plan(f.planner.Privatize(sigma, f.noise))
	planned := piece{epsilon, f.experiment.Mission.PairsOf(plan.Policy), f.planner.CostOfPrivacy(plan.Policy)}
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
	f.pieces = append(f.pieces[:i], planned)
	if rest.low <= high && (len(tail) == 0 || tail[0].low > rest.low) {
		f.pieces = append(f.pieces, rest)
	}
	f.pieces = append(f.pieces, tail...)
}

// Listed appends the records at the study's listed epsilons, run by run and in the order of the list. records
// are the records of whole runs; without a range they are the result themselves.
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

// pieceAt returns the index of the run's piece that contains an epsilon of the range.
func pieceAt(pieces []Run, epsilon float64) int {
	at := 0
	for at+1 < len(pieces) && pieces[at+1].Epsilon <= epsilon {
		at++
	}
	return at
}

// End returns the epsilon at which a piece of a run ends: where the next piece of its run begins, or at the end
// of the range. The piece of the plan without noise is only at None().
func (r Range) End(pieces []Run, i int) float64 {
	switch {
	case isNone(pieces[i].Epsilon):
		return None()
	case i+1 < len(pieces) && pieces[i+1].Run == pieces[i].Run && !isNone(pieces[i+1].Epsilon):
		return pieces[i+1].Epsilon
	}
	return r.High
}

// HoldsRuns reports whether the runs and epsilons of records are those of an emitted batch.
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

// countRuns returns the number of runs of the range in records; ok is false unless they are whole runs,
// starting with run first.
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
