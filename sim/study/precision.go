package study

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Precision is the schedule that flies until a confidence sequence knows the mean detection distance of every
// cell to a half-width at 95 % confidence. A cell is a listed epsilon at a point. If a range of epsilon is
// flown, 64 epsilons of equal ratio over the whole range are cells too; in between, the means and their
// variances are much the same. A cell that is known well enough flies no more, so the flights go where the
// variance is; the open cells of a point fly together, run by run, and share their noise. A range is flown
// whole until all of its cells are known, and flights with several observers until the means of all observers
// are known.
type Precision struct {
	sweep    *Sweep
	targetKm float64
	most     int // runs per cell

	points  [][]precisionPoint // by observer
	pending []Batch
	flights int
	listed  []Run // of the last pieces added
}

// precisionPoint is the knowledge about a point for one observer.
type precisionPoint struct {
	cells []*Sequence // of the listed epsilons, then of those along the range
	along []float64   // epsilons of the latter, ascending
	runs  int         // flown by the open cells
	far   float64     // upper bound on the distances, km
	open  []int       // cells that are not known well enough
	same  []bool      // cells whose flights are all the same, so that one flight gives their mean
}

// firstLook is the number of runs of every cell before the first decision.
const firstLook = 256

// NewPrecision returns the schedule for a half-width in km, above 0. No cell flies more runs than the points'
// Runs.
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

// plan plans the next round: for every point, about as many runs as the cell with the smallest need still
// needs, so that no cell flies much too long, and at most as many as it has flown so far. On a range, where all
// cells fly as long as any does, it is as many as the cell with the largest need.
func (p *Precision) plan() {
	for point, observers := range p.points {
		p.planFlights(point, observers)
	}
}

// planFlights plans the next round of the flights of a point, for all of its observers.
func (p *Precision) planFlights(point int, points []precisionPoint) {
	study := &p.sweep.Points[point]
	needs := map[int]int{} // by cell, for the observer with the largest need
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
	for first := runs; first < end; {
		last := min(first+p.sweep.runsPerBatch(point, first, len(still)), end)
		p.pending = append(p.pending, Batch{Point: point, First: first, End: last, Epsilons: still})
		first = last
	}
	for k := range points {
		points[k].runs = end
	}
}

// known reports whether the mean of a cell is known to a half-width.
func (p *precisionPoint) known(cell int, halfWidthKm float64) bool {
	return p.same[cell] && p.cells[cell].Values() > 0 || p.cells[cell].HalfWidth() <= halfWidthKm
}

// leastGrowth is the inverse of the smallest round as a fraction of the runs so far: at most some 2 % too many
// flights, and few rounds, at whose ends workers wait for each other.
const leastGrowth = 50

// Pending returns the rest of the round.
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

// Add adds the records of the next pending batch and plans a new round after the last batch.
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

// addSeen adds the records of a batch as seen by an observer.
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

// add adds a record to a cell.
func (p *precisionPoint) add(cell int, r *Run) error {
	if !p.cells[cell].Add(r.DetectionKm) {
		return fmt.Errorf("study: run %d at epsilon %g was detected at %g km, but the intervals assume at most %g km; "+
			"set a number of runs instead of a precision", r.Run, r.Epsilon, r.DetectionKm, p.far)
	}
	return nil
}

// addAlong adds the pieces of whole runs to the cells along the range.
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

// Flights estimates the total number of flights.
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

// Interval returns the interval of a listed epsilon, km, for an observer; see Experiment.SeenBy.
func (p *Precision) Interval(point, observer, epsilon int) (lowKm, highKm float64) {
	return p.points[point][observer].cells[epsilon].Interval()
}

// Unmet returns the number of cells that have not reached the half-width.
func (p *Precision) Unmet() int {
	unmet := 0
	for _, point := range slices.Concat(p.points...) {
		unmet += len(point.open)
	}
	return unmet
}

// Means returns the number of cells.
func (p *Precision) Means() int {
	means := 0
	for _, point := range slices.Concat(p.points...) {
		means += len(point.cells)
	}
	return means
}
