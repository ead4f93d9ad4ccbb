package study

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"veilpath/internal/table"
)

// Decision is what runs have shown about a limit.
type Decision string

// The decisions.
const (
	Met       Decision = "met"
	NotMet    Decision = "not met"
	Undecided Decision = "undecided"
)

// Sets divide a range of epsilon by what is shown. Each is a list of ranges in ascending order.
type Sets struct{ Met, NotMet, Undecided []Range }

// newSets returns the sets of a range, from ranges that do not overlap.
func newSets(between Range, met, notMet []Range) Sets {
	return Sets{met, notMet, between.without(union(met, notMet))}
}

// Decision returns the decision on an epsilon.
func (s *Sets) Decision(epsilon float64) Decision {
	holds := func(r Range) bool { return r.Contains(epsilon) }
	switch {
	case slices.ContainsFunc(s.Met, holds):
		return Met
	case slices.ContainsFunc(s.NotMet, holds):
		return NotMet
	}
	return Undecided
}

// without returns the parts of a range outside some ascending ranges that do not overlap.
func (r Range) without(others []Range) (rest []Range) {
	from := r.Low
	for _, o := range others {
		if o.Low > from {
			rest = append(rest, Range{from, o.Low})
		}
		from = o.High
	}
	if from < r.High {
		rest = append(rest, Range{from, r.High})
	}
	return rest
}

// union returns the union of two lists of ranges, ascending.
func union(a, b []Range) (merged []Range) {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(r, o Range) int { return cmp.Compare(r.Low, o.Low) })
	for _, r := range all {
		if n := len(merged); n > 0 && r.Low <= merged[n-1].High {
			merged[n-1].High = max(merged[n-1].High, r.High)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// intersection returns the intersection of two lists of ascending ranges.
func intersection(a, b []Range) (both []Range) {
	for _, r := range a {
		for _, o := range b {
			if low, high := max(r.Low, o.Low), min(r.High, o.High); low <= high {
				both = append(both, Range{low, high})
			}
		}
	}
	return both
}

// Answer is the result of a search for a demand. With the confidence of the search, every epsilon of Met meets
// the demand and none of NotMet does, all together and at every interim analysis. The ends of Met and NotMet
// are rounded inwards to a few digits.
type Answer struct {
	Demand Demand
	Sets
	// Crossings are the epsilons at which the mean passes the limit, one between every two neighbours of Met and
	// NotMet. The interval is the undecided range between them; the value in it is where the mean of the runs
	// passes the limit.
	Crossings []Estimate
	Analyses  []Analysis

	between  Range
	alpha    float64 // probability that a wrong epsilon is ever in Met or NotMet
	starts   []float64
	segments []segment  // consecutive segments that cover the range; neighbours have different decisions
	bets     []tunedBet // ascending
}

// Analysis is the result of an interim analysis.
type Analysis struct {
	Runs        int
	Axis        Range // of the last runs
	Met, NotMet []Range
}

// tunedBet is the bet on the runs from first on.
type tunedBet struct {
	first int
	bet   float64
}

// segment is a part of the range with one decision. It ends where the next segment begins.
type segment struct {
	low          float64 // epsilon
	decision     Decision
	mean         float64 // of the runs; no run changes within the segment
	below, above float64 // logs of the evidence
}

// startCount is the number of starting epsilons for decisions, at equal ratios, including both ends of the
// range.
const startCount = 33

// newAnswer returns the answer before the first run, when nothing is decided. For a quantity that falls with
// epsilon, the two ends are enough starting epsilons.
func newAnswer(d Demand, between Range, alpha float64) *Answer {
	a := &Answer{Demand: d, between: between, alpha: alpha, starts: between.spread(startCount),
		segments: []segment{{low: between.Low, decision: Undecided}}}
	if d.Falls {
		a.starts = []float64{between.Low, between.High}
	}
	a.updateSets()
	return a
}

// analyse decides what the runs show. Decisions are final.
//
// Decisions start at fixed epsilons and extend from segment to segment as far as the evidence allows, so not
// every epsilon counts as a separate test. Three errors are possible for a starting epsilon: its own decision
// is wrong; or its decision is right but is extended, to the left or to the right, beyond the nearest epsilon
// at which the mean equals the limit. These are three fixed epsilons, at each of which the evidence ever
// reaches 1/p with probability at most p (see evidence). Every starting epsilon has three equal parts of the
// error probability, one per error. (The extension is the fixed-sequence test of Maurer, Hothorn & Lehmacher
// 1995.)
//
// To extend a segment, the parts of all starting epsilons in it may be used, because they share the nearest
// crossing. A segment at an end of the range has no crossing on that side, so its other side may use both
// parts.
func (a *Answer) analyse(e *ensemble) error {
	if a.open() {
		steps, err := e.evidenceSteps(&a.Demand, a.bet, a.hull())
		if err != nil {
			return err
		}
		segments := a.split(steps)
		for a.decideStarts(segments) || a.extendDecisions(segments) {
		}
		a.estimateCrossings(segments)
		a.segments = slices.CompactFunc(segments, func(s, t segment) bool { return s.decision == t.decision })
		a.updateSets()
	}
	a.Analyses = append(a.Analyses, Analysis{Runs: e.runs, Axis: e.axis(), Met: a.Met, NotMet: a.NotMet})
	return nil
}

// split returns the segments; it splits undecided segments wherever a run changes.
func (a *Answer) split(steps []evidenceStep) (segments []segment) {
	for i, s := range a.segments {
		if s.decision != Undecided {
			segments = append(segments, s)
			continue
		}
		for _, t := range steps {
			if t.low >= s.low && (i+1 == len(a.segments) || t.low < a.segments[i+1].low) {
				segments = append(segments, segment{t.low, Undecided, t.mean, t.below, t.above})
			}
		}
	}
	return segments
}

// decide decides an undecided segment if the evidence suffices for that many parts of the error probability. It
// reports whether it did.
func (a *Answer) decide(s *segment, decision Decision, parts int) bool {
	evidence := s.below
	if decision == NotMet {
		evidence = s.above
	}
	const partsEach = 3 // per starting epsilon
	probability := a.alpha * float64(parts) / float64(partsEach*len(a.starts))
	if s.decision != Undecided || evidence < -math.Log(probability) {
		return false
	}
	s.decision = decision
	return true
}

// leftOut is the decision on a segment that stays undecided because no more runs are flown for it.
const leftOut Decision = "left out"

// leaveOut leaves out what is undecided below an epsilon.
func (a *Answer) leaveOut(below float64) {
	var segments []segment
	for i, s := range a.segments {
		if s.decision != Undecided || s.low >= below {
			segments = append(segments, s)
			continue
		}
		out := s
		out.decision = leftOut
		segments = append(segments, out)
		if a.end(i) > below {
			s.low = below
			segments = append(segments, s)
		}
	}
	a.segments = segments
}

// decideStarts decides starting epsilons and reports whether it decided any.
func (a *Answer) decideStarts(segments []segment) (decided bool) {
	for _, epsilon := range a.starts {
		i := sort.Search(len(segments), func(i int) bool { return segments[i].low > epsilon }) - 1
		decided = a.decide(&segments[i], Met, 1) || a.decide(&segments[i], NotMet, 1) || decided
	}
	return decided
}

// extendDecisions extends decisions to both sides and reports whether it extended any.
func (a *Answer) extendDecisions(segments []segment) (decided bool) {
	n := len(segments)
	startsBefore := func(i int) int { // number of starting epsilons before the i-th segment
		if i == n {
			return len(a.starts)
		}
		return place(a.starts, segments[i].low)
	}
	for first := 0; first < n; {
		decision, end := segments[first].decision, first+1
		for end < n && segments[end].decision == decision {
			end++
		}
		if decision != Undecided && decision != leftOut {
			left := startsBefore(end) - startsBefore(first)
			right := left
			if first == 0 {
				right *= 2
			}
			if end == n {
				left *= 2
			}
			for i := first - 1; i >= 0 && a.decide(&segments[i], decision, left); i-- {
				decided = true
			}
			for ; end < n && a.decide(&segments[end], decision, right); end++ {
				decided = true
			}
		}
		first = end
	}
	return decided
}

// estimateCrossings estimates the crossings.
func (a *Answer) estimateCrossings(segments []segment) {
	a.Crossings = nil
	last := -1 // decided segment
	for i := range segments {
		if segments[i].decision == Undecided || segments[i].decision == leftOut {
			continue
		}
		if last >= 0 && segments[i].decision != segments[last].decision {
			a.Crossings = append(a.Crossings, a.crossing(segments[last+1:i+1], segments[last].decision))
		}
		last = i
	}
}

// crossing estimates where the mean crosses the limit within some undecided segments. before is the decision on
// their left; the last of the segments is decided for the other side.
func (a *Answer) crossing(segments []segment, before Decision) Estimate {
	after := len(segments) - 1
	isBefore := func(i int) bool { return (segments[i].mean <= a.Demand.Limit) == (before == Met) }
	first, last := 0, after
	for first < after && isBefore(first) {
		first++
	}
	for last > 0 && !isBefore(last-1) {
		last--
	}
	low, high := a.lastBefore(segments[0].low), min(a.between.High, roundedTo(segments[after].low, math.Ceil))
	return Estimate{math.Sqrt(segments[first].low * segments[last].low), low, high}
}

// lastBefore returns the largest epsilon with few digits below the given one.
func (a *Answer) lastBefore(epsilon float64) float64 {
	return max(a.between.Low, roundedTo(math.Nextafter(epsilon, 0), math.Floor))
}

// updateSets sets Met, NotMet and Undecided from the segments.
func (a *Answer) updateSets() {
	var met, notMet []Range
	for i, s := range a.segments {
		r := a.between
		if i > 0 {
			r.Low = min(r.High, roundedTo(s.low, math.Ceil))
		}
		if i+1 < len(a.segments) {
			r.High = a.lastBefore(a.segments[i+1].low)
		}
		switch {
		case r.Low > r.High: // it contains no epsilon with few digits
		case s.decision == Met:
			met = append(met, r)
		case s.decision == NotMet:
			notMet = append(notMet, r)
		}
	}
	a.Sets = newSets(a.between, met, notMet)
}

// end returns the epsilon at which a segment ends.
func (a *Answer) end(i int) float64 {
	if i+1 < len(a.segments) {
		return a.segments[i+1].low
	}
	return a.between.High
}

// open reports whether any epsilon is undecided.
func (a *Answer) open() bool { return len(a.gaps()) > 0 }

// gaps returns the undecided ranges, without rounding.
func (a *Answer) gaps() (gaps []Range) {
	for i, s := range a.segments {
		if s.decision != Undecided {
			continue
		}
		gaps = append(gaps, Range{s.low, a.end(i)})
	}
	return gaps
}

// hull returns the range from the first undecided epsilon to the last; there must be one.
func (a *Answer) hull() Range {
	gaps := a.gaps()
	return Range{gaps[0].Low, gaps[len(gaps)-1].High}
}

// widest returns the gap with the largest relative width, and half its width. The half width is infinite if
// nothing is decided yet, so that ranges narrower than the resolution are decided too.
func (a *Answer) widest() (gap Range, halfWidth float64) {
	if len(a.segments) == 1 && a.open() {
		return a.between, math.Inf(1)
	}
	for _, g := range a.gaps() {
		if half := math.Sqrt(g.High/g.Low) - 1; half > halfWidth {
			gap, halfWidth = g, half
		}
	}
	return gap, halfWidth
}

// epsilonDigits is the number of digits of the epsilons that a search finds, few enough to write down.
const epsilonDigits = 4

// roundedTo returns an epsilon with few digits, rounded by round.
func roundedTo(epsilon float64, round func(float64) float64) float64 {
	return table.Digits(epsilon, epsilonDigits, round)
}
