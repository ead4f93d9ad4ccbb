package study

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Schedule decides which flights a sweep makes. The pending batches depend only on the records added so far, so
// a sweep that receives the records of an earlier session continues as if it had never stopped.
type Schedule interface {
	// Pending returns the batches to fly next, none if the sweep is done.
	Pending() iter.Seq[Batch]
	// Add adds the records of the next pending batch, of all observers. It returns an error for other
	// records.
	Add(point int, records ...[]Run) error
	// Flights returns, or estimates, the total number of flights, including those added.
	Flights() int
}

// Fixed is the schedule that flies every run of every point once.
type Fixed struct {
	sweep      *Sweep
	point, run int // where the next batch begins
}

// NewFixed returns the schedule of all runs.
func (s *Sweep) NewFixed() *Fixed { return &Fixed{sweep: s} }

// Pending returns the remaining batches.
func (f *Fixed) Pending() iter.Seq[Batch] { return f.sweep.batchesFrom(f.point, f.run) }

// Add continues with the next batch.
func (f *Fixed) Add(point int, records ...[]Run) error {
	for b := range f.Pending() {
		ok := b.Point == point && len(records) == f.sweep.observers()
		for _, r := range records {
			ok = ok && f.sweep.Points[point].HoldsRuns(r, b)
		}
		if !ok {
			break
		}
		if f.run = b.End; f.run == f.sweep.Points[point].Runs {
			f.point, f.run = point+1, 0
		}
		return nil
	}
	return fmt.Errorf("study: records of point %d are not those of its batch from run %d", point, f.run)
}

// Flights returns the number of flights.
func (f *Fixed) Flights() int {
	first := &f.sweep.Points[0]
	return len(f.sweep.Points) * first.Runs * len(first.Epsilons) * f.sweep.observers()
}

// Fulfil flies the batches of a schedule until none is pending. It emits each batch as Fly does and then adds
// it to the schedule.
func (s *Sweep) Fulfil(ctx context.Context, schedule Schedule, emit func(b Batch, records [][]Run) error) error {
	isDone := func() bool {
		for range schedule.Pending() {
			return false
		}
		return true
	}
	for !isDone() {
		err := s.Fly(ctx, schedule.Pending(), func(b Batch, records [][]Run) error {
			if err := emit(b, records); err != nil {
				return err
			}
			return schedule.Add(b.Point, records...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

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
	flights int   // added
	listed  []Run // at the listed epsilons, of the last pieces added
}

// precisionPoint is the knowledge about a point for one observer.
type precisionPoint struct {
	cells  []*Sequence // of the listed epsilons, then of those along the range
	along  []float64   // epsilons of the latter, ascending
	runs   int         // flown by the open cells
	mostKm float64     // upper bound on the distances
	open   []int       // cells that are not known well enough
	same   []bool      // cells whose flights are all the same, so that one flight gives their mean
}

// firstRuns is the number of runs of every cell before the first decision.
const firstRuns = 256

// NewPrecision returns the schedule for a half-width in km, above 0. No cell flies more runs than the points'
// Runs.
func (s *Sweep) NewPrecision(halfWidthKm float64) *Precision {
	p := &Precision{sweep: s, targetKm: halfWidthKm, most: s.Points[0].Runs}
	for i := range s.Points {
		var observers []precisionPoint
		for k := range s.observers() {
			study := s.Points[i].SeenBy(k)
			observers = append(observers, newPrecisionPoint(&study, halfWidthKm))
		}
		p.points = append(p.points, observers)
	}
	p.plan()
	return p
}

// newPrecisionPoint returns the knowledge before the first flight.
func newPrecisionPoint(s *Study, halfWidthKm float64) precisionPoint {
	point := precisionPoint{mostKm: s.Experiment.FarthestKm()}
	if s.Axis.Whole() {
		point.along = s.Axis.spread(curveKnots)
	}
	point.open = indices(len(s.Epsilons) + len(point.along))
	for k := range point.open {
		point.cells = append(point.cells, NewSequence(point.mostKm, halfWidthKm, Confidence))
		point.same = append(point.same, k < len(s.Epsilons) && s.allSame(s.Epsilons[k]))
	}
	return point
}

// plan plans the next round: for every point, about as many runs as the cell with the smallest need still
// needs, so that no cell flies much too long, and at most as many as it has flown so far. On a range, where all
// cells fly as long as any does, it is as many as the cell with the largest need.
func (p *Precision) plan() {
	for point, observers := range p.points {
		study := &p.sweep.Points[point]
		for i := range observers {
			o := &observers[i]
			o.open = slices.DeleteFunc(o.open, func(k int) bool {
				return o.same[k] && o.cells[k].Values() > 0 || o.cells[k].HalfWidth() <= p.targetKm
			})
		}
		needs, runs := p.needs(observers), observers[0].runs
		if len(needs) == 0 || runs >= p.most {
			continue
		}
		open := slices.Sorted(maps.Keys(needs))
		need := slices.Min(slices.Collect(maps.Values(needs)))
		if study.Axis.Whole() {
			need = slices.Max(slices.Collect(maps.Values(needs)))
			open = indices(len(study.Epsilons))
		}
		size := firstRuns
		if runs > 0 {
			size = min(max(need, runs/leastGrowth), runs)
		}
		end := min(runs+size, p.most)
		for first := runs; first < end; {
			last := min(first+p.sweep.runsPerBatch(point, first, len(open)), end)
			p.pending = append(p.pending, Batch{Point: point, First: first, End: last, Epsilons: open})
			first = last
		}
		for k := range observers {
			observers[k].runs = end
		}
	}
}

// needs returns the number of runs that each open cell still needs, for the observer with the largest need.
func (p *Precision) needs(observers []precisionPoint) map[int]int {
	needs := map[int]int{}
	for i := range observers {
		for _, k := range observers[i].open {
			c := observers[i].cells[k]
			needs[k] = max(needs[k], min(c.needed(), p.most)-c.Values())
		}
	}
	return needs
}

// leastGrowth is the inverse of the smallest round as a fraction of the runs so far: at most some 2 % too many
// flights, and few rounds, at whose ends workers wait for each other.
const leastGrowth = 50

// Pending returns the rest of the round.
func (p *Precision) Pending() iter.Seq[Batch] {
	return slices.Values(p.pending)
}

// Add adds the records of the next pending batch and plans a new round after the last batch.
func (p *Precision) Add(point int, records ...[]Run) error {
	if len(p.pending) == 0 || p.pending[0].Point != point || len(records) != p.sweep.observers() {
		return fmt.Errorf("study: records of point %d are not the next batch", point)
	}
	for k := range records {
		if err := p.addRecords(&p.points[point][k], &p.sweep.Points[point], p.pending[0], records[k]); err != nil {
			return err
		}
	}
	if p.pending = p.pending[1:]; len(p.pending) == 0 {
		p.plan()
	}
	return nil
}

// addRecords adds the records of a batch for an observer.
func (p *Precision) addRecords(point *precisionPoint, s *Study, b Batch, records []Run) error {
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
			"set a number of runs instead of a precision", r.Run, r.Epsilon, r.DetectionKm, p.mostKm)
	}
	return nil
}

// addAlong adds the pieces of whole runs to the cells along the range.
func (p *precisionPoint) addAlong(pieces []Run) error {
	if len(p.along) == 0 {
		return nil
	}
	for run := range byRun(pieces) {
		for k, epsilon := range p.along {
			if err := p.add(len(p.cells)-len(p.along)+k, &run[pieceAt(run, epsilon)]); err != nil {
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
		most := 0
		for _, more := range p.needs(observers) {
			if most = max(most, more); !p.sweep.Points[i].Axis.Whole() {
				flights += more * len(observers)
			}
		}
		if p.sweep.Points[i].Axis.Whole() {
			flights += most * len(p.sweep.Points[i].Epsilons) * len(observers)
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
