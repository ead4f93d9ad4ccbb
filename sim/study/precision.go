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

	points  []precisionPoint
	pending []Batch
	flights int
	listed  []Run // of the last pieces added
}

// precisionPoint is what is known at a point.
type precisionPoint struct {
	cells []*Sequence // of the listed epsilons, then of those along the range
	along []float64   // epsilons of the latter, ascending
	runs  int         // flown by the open cells
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
		study, point := &s.Points[i], precisionPoint{}
		if study.Axis.Whole() {
			point.along = study.Axis.spread(curveKnots)
		}
		point.open = indices(len(study.Epsilons) + len(point.along))
		for k := range point.open {
			point.cells = append(point.cells, NewSequence(study.Experiment.FarthestKm(), halfWidthKm, Confidence))
			point.same = append(point.same, k < len(study.Epsilons) && study.allSame(study.Epsilons[k]))
		}
		p.points = append(p.points, point)
	}
	p.plan()
	return p
}

// plan lays out the next round: for every point, about as many runs as its nearest cell still needs, so
// that none flies much too long, and at most as many again as it has flown. On a range, where all fly as long as one
// does, it is as many as its farthest cell needs.
func (p *Precision) plan() {
	for first := 0; first < len(p.points); first += p.sweep.observers() {
		p.planFlights(first, p.points[first:first+p.sweep.observers()])
	}
}

// planFlights lays out the next round of the flights that some points have in common, from a first one on.
func (p *Precision) planFlights(first int, points []precisionPoint) {
	study := &p.sweep.Points[first]
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
	for run, step := runs, p.sweep.runsPerBatch(first, len(still)); run < end; run += step {
		for k := range points {
			p.pending = append(p.pending, Batch{Point: first + k, First: run, End: min(run+step, end), Epsilons: still})
		}
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
func (p *Precision) Add(point int, records []Run) error {
	pieces := records
	if len(p.pending) > 0 && point == p.pending[0].Point && p.sweep.Points[point].Axis.Whole() {
		if _, ok := p.sweep.Points[point].Axis.countRuns(records, p.pending[0].First); ok {
			p.listed = p.sweep.Points[point].Listed(records, p.listed[:0])
			records = p.listed
		}
	}
	if len(p.pending) == 0 || p.pending[0].Point != point || p.pending[0].Flights() != len(records) {
		return fmt.Errorf("study: %d records of point %d are not the next batch", len(records), point)
	}
	b := p.pending[0]
	for i := range records {
		if err := p.add(point, b.Epsilons[i%len(b.Epsilons)], &records[i]); err != nil {
			return err
		}
	}
	if err := p.addAlong(point, pieces); err != nil {
		return err
	}
	p.flights += len(records)
	if p.pending = p.pending[1:]; len(p.pending) == 0 {
		p.plan()
	}
	return nil
}

// add counts a record in a cell.
func (p *Precision) add(point, cell int, r *Run) error {
	if !p.points[point].cells[cell].Add(r.DetectionKm) {
		return fmt.Errorf("study: run %d at epsilon %g was detected at %g km, beyond the %g km that confidence rests on; "+
			"give a number of runs instead of a precision",
			r.Run, r.Epsilon, r.DetectionKm, p.sweep.Points[point].Experiment.FarthestKm())
	}
	return nil
}

// addAlong counts the pieces of whole runs in the cells along the range.
func (p *Precision) addAlong(point int, pieces []Run) error {
	along, listed := p.points[point].along, len(p.sweep.Points[point].Epsilons)
	next := 0
	for i := range pieces {
		if i == 0 || pieces[i].Run != pieces[i-1].Run {
			next = 0
		}
		last := i+1 == len(pieces) || pieces[i+1].Run != pieces[i].Run
		for ; next < len(along) && (last || along[next] < pieces[i+1].Epsilon); next++ {
			if err := p.add(point, listed+next, &pieces[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Flights estimates how many flights it takes in all.
func (p *Precision) Flights() int {
	flights := p.flights
	for first := 0; first < len(p.points); first += p.sweep.observers() {
		needs, farthest := map[int]int{}, 0
		for _, point := range p.points[first : first+p.sweep.observers()] {
			for _, k := range point.open {
				c := point.cells[k]
				needs[k] = max(needs[k], min(c.Needed(), p.most)-c.Values())
				farthest = max(farthest, needs[k])
			}
		}
		if p.sweep.Points[first].Axis.Whole() {
			flights += farthest * len(p.sweep.Points[first].Epsilons) * p.sweep.observers()
			continue
		}
		for _, more := range needs {
			flights += more * p.sweep.observers()
		}
	}
	return flights
}

// Interval returns the interval of a listed epsilon, km.
func (p *Precision) Interval(point, epsilon int) (lowKm, highKm float64) {
	return p.points[point].cells[epsilon].Interval()
}

// Unmet returns how many cells have not reached the half-width.
func (p *Precision) Unmet() int {
	unmet := 0
	for _, point := range p.points {
		unmet += len(point.open)
	}
	return unmet
}

// Means returns how many cells there are.
func (p *Precision) Means() int {
	means := 0
	for _, point := range p.points {
		means += len(point.cells)
	}
	return means
}
