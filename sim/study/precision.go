package study

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Precision is the schedule that flies until the mean detection distance of every cell is known to a half-width at 95 %
// confidence, by a confidence sequence of its own. A cell is a listed epsilon at a point or, where a range of epsilon
// is flown, also one of 64 epsilons of equal ratio from end to end of the range, between which the means and how they
// vary are much the same. A cell that is known well enough flies no more, so the flights go where the variance is; the
// cells of a point that still fly do so run by run together and share their noise. A range is flown whole until all of
// its cells are known, and flights that several observers watch until each of them knows.
type Precision struct {
	sweep    *Sweep
	targetKm float64
	most     int // runs per cell

	points  [][]precisionPoint // by observer
	pending []Batch
	flights int
	listed  []Run // of the last pieces added
}

// precisionPoint is what is known at a point of what an observer sees.
type precisionPoint struct {
	cells []*Sequence // of the listed epsilons, then of those along the range
	along []float64   // epsilons of the latter, ascending
	runs  int         // flown by the open cells
	far   float64     // beyond which no distance lies, km
	open  []int       // cells that are not known well enough
	same  []bool      // cells of which all flights are the same, so that one tells their mean
}

// firstLook is how many runs every cell gets before the first decision.
const firstLook = 256

// NewPrecision returns the schedule for a half-width in km, above 0. No cell flies more runs than the
// points' Runs.
func (s *Sweep) NewPrecision(halfWidthKm float64) *Precision {
	p := &Precision{sweep: s, targetKm: halfWidthKm, most: s.Points[0].Runs}
	for i := range s.Points {
		var observers []precisionPoint
		for k := range s.observers() {
			seen := s.Points[i].SeenBy(k)
			observers = append(observers, newPrecisionPoint(&seen, halfWidthKm))
		}
		p.points = append(p.points, observers)
	}
	p.plan()
	return p
}

func newPrecisionPoint(s *Study, halfWidthKm float64) precisionPoint {
	point := precisionPoint{far: s.Experiment.FarthestKm()}
	if s.Axis.Whole() {
		point.along = s.Axis.spread(curveKnots)
	}
	point.open = indices(len(s.Epsilons) + len(point.along))
	for k := range point.open {
		point.cells = append(point.cells, NewSequence(point.far, halfWidthKm, Confidence))
		point.same = append(point.same, k < len(s.Epsilons) && s.allSame(s.Epsilons[k]))
	}
	return point
}

// plan lays out the next round: for every point, about as many runs as its nearest cell still needs, so
// that none flies much too long, and at most as many again as it has flown. On a range, where all fly as long as one
// does, it is as many as its farthest cell needs.
func (p *Precision) plan() {
	for point, observers := range p.points {
		p.planFlights(point, observers)
	}
}

// planFlights lays out the next round of the flights of a point, for all of its observers.
func (p *Precision) planFlights(point int, points []precisionPoint) {
	study := &p.sweep.Points[point]
	needs := map[int]int{} // of the cells, by the observer who needs most
	for i := range points {
		points[i].open = slices.DeleteFunc(points[i].open, func(k int) bool { return points[i].known(k, p.targetKm) })
		for _, k := range points[i].open {
			c := points[i].cells[k]
			needs[k] = max(needs[k], c.Needed()-c.Values())
		}
	}
	runs := points[0].runs
	if len(needs) == 0 || runs >= p.most {
		return
	}
	still := slices.Sorted(maps.Keys(needs))
	need := needs[slices.MinFunc(still, func(a, b int) int { return needs[a] - needs[b] })]
	if study.Axis.Whole() {
		need = needs[slices.MaxFunc(still, func(a, b int) int { return needs[a] - needs[b] })]
		still = indices(len(study.Epsilons))
	}
	size := firstLook
	if runs > 0 {
		size = min(max(need, runs/leastGrowth), runs)
	}
	end := min(runs+size, p.most)
	for run, step := runs, p.sweep.runsPerBatch(point, len(still)); run < end; run += step {
		p.pending = append(p.pending, Batch{Point: point, First: run, End: min(run+step, end), Epsilons: still})
	}
	for k := range points {
		points[k].runs = end
	}
}

// known reports whether the mean of a cell is known to a half-width.
func (p *precisionPoint) known(cell int, halfWidthKm float64) bool {
	return p.same[cell] && p.cells[cell].Values() > 0 || p.cells[cell].HalfWidth() <= halfWidthKm
}

// leastGrowth is the smallest round, as a fraction of the runs so far: some 2 % too many flights at most
// for few rounds, between which workers wait for each other.
const leastGrowth = 50

// Pending returns what is left of the round.
func (p *Precision) Pending() iter.Seq[Batch] {
	pending := p.pending
	return func(yield func(Batch) bool) {
		for _, b := range pending {
			if !yield(b) {
				return
			}
		}
	}
}

// Add counts the records of the next pending batch and lays out a new round after the last.
func (p *Precision) Add(point int, seen ...[]Run) error {
	if len(p.pending) == 0 || p.pending[0].Point != point || len(seen) != p.sweep.observers() {
		return fmt.Errorf("study: records of point %d are not the next batch", point)
	}
	for k := range seen {
		if err := p.addSeen(&p.points[point][k], &p.sweep.Points[point], p.pending[0], seen[k]); err != nil {
			return err
		}
	}
	if p.pending = p.pending[1:]; len(p.pending) == 0 {
		p.plan()
	}
	return nil
}

// addSeen counts the records of a batch as an observer saw its flights.
func (p *Precision) addSeen(point *precisionPoint, s *Study, b Batch, records []Run) error {
	pieces := records
	if s.Axis.Whole() {
		if _, ok := s.Axis.countRuns(records, b.First); ok {
			p.listed = s.Listed(records, p.listed[:0])
			records = p.listed
		}
	}
	if b.Flights() != len(records) {
		return fmt.Errorf("study: %d records of point %d are not the next batch", len(records), b.Point)
	}
	for i := range records {
		if err := point.add(b.Epsilons[i%len(b.Epsilons)], &records[i]); err != nil {
			return err
		}
	}
	p.flights += len(records)
	return point.addAlong(pieces)
}

// add counts a record in a cell.
func (p *precisionPoint) add(cell int, r *Run) error {
	if !p.cells[cell].Add(r.DetectionKm) {
		return fmt.Errorf("study: run %d at epsilon %g was detected at %g km, beyond the %g km that confidence rests on; "+
			"give a number of runs instead of a precision", r.Run, r.Epsilon, r.DetectionKm, p.far)
	}
	return nil
}

// addAlong counts the pieces of whole runs in the cells along the range.
func (p *precisionPoint) addAlong(pieces []Run) error {
	along, listed := p.along, len(p.cells)-len(p.along)
	next := 0
	for i := range pieces {
		if i == 0 || pieces[i].Run != pieces[i-1].Run {
			next = 0
		}
		last := i+1 == len(pieces) || pieces[i+1].Run != pieces[i].Run
		for ; next < len(along) && (last || along[next] < pieces[i+1].Epsilon); next++ {
			if err := p.add(listed+next, &pieces[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Flights estimates how many flights it takes in all.
func (p *Precision) Flights() int {
	flights := p.flights
	for i, observers := range p.points {
		needs, farthest := map[int]int{}, 0
		for _, point := range observers {
			for _, k := range point.open {
				c := point.cells[k]
				needs[k] = max(needs[k], min(c.Needed(), p.most)-c.Values())
				farthest = max(farthest, needs[k])
			}
		}
		if p.sweep.Points[i].Axis.Whole() {
			flights += farthest * len(p.sweep.Points[i].Epsilons) * len(observers)
			continue
		}
		for _, more := range needs {
			flights += more * len(observers)
		}
	}
	return flights
}

// Interval returns the interval of a listed epsilon, km, as an observer sees the flights; see Experiment.SeenBy.
func (p *Precision) Interval(point, observer, epsilon int) (lowKm, highKm float64) {
	return p.points[point][observer].cells[epsilon].Interval()
}

// Unmet returns how many cells have not reached the half-width.
func (p *Precision) Unmet() int {
	unmet := 0
	for _, point := range slices.Concat(p.points...) {
		unmet += len(point.open)
	}
	return unmet
}

// Means returns how many cells there are.
func (p *Precision) Means() int {
	means := 0
	for _, point := range slices.Concat(p.points...) {
		means += len(point.cells)
	}
	return means
}
