package study

import (
	"fmt"
	"iter"
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
	leastSigma, mostSigma float64   // sigma at High and at Low
	epsilons, sigmas      []float64 // listed, ascending in epsilon, without None()
	none                  bool      // None() is listed too
	planned               []float64 // the first epsilons to plan at, for random transitions
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
	var err error
	if p.leastSigma, err = s.Experiment.Sigma(r.High); err != nil {
		return nil, err
	}
	if p.mostSigma, err = s.Experiment.Sigma(r.Low); err != nil {
		return nil, err
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

// FlyAxis flies runs [first, end) of a study at every epsilon of its range and calls yield with the records of their
// pieces, run by run and with epsilon ascending, until yield returns false. A piece covers the epsilons from its
// record's up to the next record's, or to the end of the range. At each of these epsilons a plan has the piece's route,
// so it has the same flight and record except for the epsilon. If the study lists None(), the plan without noise is a
// last piece. Where the values of two routes differ by less than a plan's tolerance, within some 1e-9 of
// epsilon around a corner, the route may be either; at the listed epsilons it is always the plan's. With random
// transitions the ends are accurate to BisectedTo, and the cost of a piece is that of the plan at its lower
// end. It returns the number of runs whose records were all passed to yield.
func (f *Flyer) FlyAxis(s *Study, first, end int, o FlightOptions, yield func(Flight) bool) (complete int, err error) {
	on, err := s.span()
	if err != nil {
		return 0, err
	}
	return f.flyAxis(s, on, first, end, o, yield)
}

// flyAxis is FlyAxis for the range of the study, which is checked.
func (f *Flyer) flyAxis(s *Study, on *span, first, end int, o FlightOptions, yield func(Flight) bool) (complete int,
	err error) {
	f.options = o
	if !f.experiment.HasAxis(Common) {
		return 0, ErrNoAxis
	}
	findPieces := f.exactPieces
	if !f.hasAxis() {
		findPieces = f.bisectedPieces
	}
	q, m := &f.queue, f.experiment.Mission
	q.reset()
	q.completeRuns = 0
	for run := first; run < end; run++ {
		if run > first && len(q.draws) == 0 && f.stopped() {
			break
		}
		f.pause()
		draw := Draw{Seed: s.Seed, Run: run, Noise: s.Noise}
		under, err := f.conditionsOf(draw)
		if err == nil {
			err = findPieces(on, draw)
		}
		if err != nil {
			return q.completeRuns, err
		}
		if on.none {
			f.pieces = append(f.pieces, piece{None(), m.PairsOf(m.Optimal.Policy), 0})
		}
		for k := range f.pieces {
			p := &f.pieces[k]
			draw.Epsilon = p.low
			f.onRoute = m.PolicyOn(p.route, f.onRoute)
			f.enqueue(draw, under, f.follow(f.onRoute), p.cost)
			endsRun := k == len(f.pieces)-1
			q.draws[len(q.draws)-1].endsRun = endsRun
			if f.mustFlush(endsRun && run == end-1) {
				if goOn, err := f.flush(yield); !goOn {
					return q.completeRuns, err
				}
			}
		}
	}
	return q.completeRuns, nil
}

// exactPieces finds the pieces of a run with deterministic transitions.
func (f *Flyer) exactPieces(s *span, draw Draw) error {
	found := f.axisOf(draw, s.leastSigma, s.mostSigma)
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
			f.drawNoise(draw)
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
	least, most, n := math.Inf(1), 0.0, 0
	for _, sigma := range sigmas {
		if sigma > 0 {
			least, most, n = min(least, sigma), max(most, sigma), n+1
		}
	}
	if n == 0 || n < planner.ManyPlans && f.shared == nil || !f.hasAxis() {
		return nil
	}
	return f.axisOf(draw, least, most)
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

// BisectedTo is the relative accuracy of an epsilon at which a flight changes, with random transitions. The
// value of a plan then depends on all states that it may reach, and a run's policy has some hundreds of pieces,
// most of which fly the same. So the axis is planned at epsilons with a ratio of at most plannedApart, and
// intervals between different routes are bisected, by ratio, to this accuracy. A flight that differs only
// between two neighbours on the same route is not found.
const (
	BisectedTo   = 0.005
	plannedApart = 1.2
)

// Resolution returns the relative accuracy of an epsilon at which a run's flight changes: 0 for deterministic
// transitions, and BisectedTo otherwise.
func (e *Experiment) Resolution() float64 {
	if e.deterministic {
		return 0
	}
	return BisectedTo
}

// Between returns the ends of a range, the given epsilons on it, and further ones so that neighbours have at
// most a ratio of apart, all ascending.
func (r Range) Between(epsilons []float64, apart float64) []float64 {
	known := slices.Concat([]float64{r.Low}, epsilons, []float64{r.High})
	slices.Sort(known)
	known = slices.Compact(known)
	all := known[:1:1]
	for i, next := range known[1:] {
		steps := math.Ceil(math.Log(next/known[i]) / math.Log(apart))
		for k := 1.0; k < steps; k++ {
			all = append(all, known[i]*math.Pow(next/known[i], k/steps))
		}
		all = append(all, next)
	}
	return all
}

// bisectedPieces finds the pieces of a run with random transitions. Each begins at a planned epsilon and has the cost
// of that plan. A listed epsilon at which the plan has another cost begins a new piece.
func (f *Flyer) bisectedPieces(s *span, draw Draw) error {
	f.pieces = f.pieces[:0]
	f.drawNoise(draw)
	var before piece
	for i, epsilon := range s.planned {
		p, err := f.planAt(epsilon)
		if err != nil {
			return err
		}
		if i == 0 {
			f.pieces = append(f.pieces, p)
		} else if err := f.addPiecesBetween(&before, &p); err != nil {
			return err
		}
		open := &f.pieces[len(f.pieces)-1]
		if _, listed := slices.BinarySearch(s.epsilons, epsilon); listed && open.cost != p.cost {
			f.pieces = append(f.pieces, p)
		}
		before = p
	}
	return nil
}

// addPiecesBetween adds the pieces that begin after one planned epsilon, up to another planned epsilon.
func (f *Flyer) addPiecesBetween(low, high *piece) error {
	if slices.Equal(low.route, high.route) {
		return nil
	}
	if high.low <= low.low*(1+BisectedTo) {
		f.pieces = append(f.pieces, *high)
		return nil
	}
	middle, err := f.planAt(math.Sqrt(low.low * high.low))
	if err != nil {
		return err
	}
	if err := f.addPiecesBetween(low, &middle); err != nil {
		return err
	}
	return f.addPiecesBetween(&middle, high)
}

// planAt plans with the noise drawn last.
func (f *Flyer) planAt(epsilon float64) (piece, error) {
	sigma, err := f.experiment.Sigma(epsilon)
	if err != nil {
		return piece{}, err
	}
	f.rewards = f.planner.Privatize(sigma, f.noise)
	f.made = f.planner.Replan(f.rewards)
	return piece{epsilon, f.experiment.Mission.PairsOf(f.made.Policy), f.planner.CostOfPrivacy(f.made.Policy)}, nil
}

// Listed appends the records at the study's listed epsilons, run by run and in the order of the list. records
// are the records of whole runs; without a range they are the result themselves.
func (s *Study) Listed(records, to []Run) []Run {
	if !s.Axis.Whole() {
		return append(to, records...)
	}
	for pieces := range byRun(records) {
		for _, epsilon := range s.Epsilons {
			to = append(to, pieces[pieceAt(pieces, epsilon)])
			to[len(to)-1].Epsilon = epsilon
		}
	}
	return to
}

// byRun yields the records of every run.
func byRun(records []Run) iter.Seq[[]Run] {
	return func(yield func([]Run) bool) {
		for first := 0; first < len(records); {
			end := first + 1
			for end < len(records) && records[end].Run == records[first].Run {
				end++
			}
			if !yield(records[first:end]) {
				return
			}
			first = end
		}
	}
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
