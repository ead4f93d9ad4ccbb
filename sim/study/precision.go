package study

import (
	"fmt"
	"iter"
	"math"
)

// Precision is the schedule that flies until the mean detection distance of every cell, an epsilon at a
// point, is known to a half-width at 95 % confidence, by a confidence sequence of its own. A cell that is
// known well enough flies no more, so the flights go where the variance is; the cells of a point that
// still fly do so run by run together and share their noise.
type Precision struct {
	sweep    *Sweep
	targetKm float64
	most     int // runs per cell

	cells   [][]*Sequence // by point and epsilon
	runs    []int         // flown by the open cells of every point
	open    [][]int       // epsilons still flying
	pending []Batch
	flights int
	listed  []Run // of the last pieces added
}

// firstLook is how many runs every cell gets before the first decision.
const firstLook = 256

// NewPrecision returns the schedule for a half-width in km, above 0. No cell flies more runs than the
// points' Runs.
func (s *Sweep) NewPrecision(halfWidthKm float64) *Precision {
	p := &Precision{sweep: s, targetKm: halfWidthKm, most: s.Points[0].Runs, runs: make([]int, len(s.Points))}
	for i := range s.Points {
		bound := s.Points[i].Experiment.FarthestDetectionKm()
		cells := make([]*Sequence, len(s.Points[i].Epsilons))
		for k := range cells {
			cells[k] = NewSequence(bound, halfWidthKm, Confidence)
		}
		p.cells = append(p.cells, cells)
		p.open = append(p.open, indices(len(cells)))
	}
	p.plan()
	return p
}

// plan lays out the next round: for every point, about as many runs as its nearest cell still needs, so
// that none flies much too long, and at most as many again as it has flown.
func (p *Precision) plan() {
	for point, open := range p.open {
		var still []int
		need := math.MaxInt
		for _, i := range open {
			if c := p.cells[point][i]; c.HalfWidth() > p.targetKm {
				still = append(still, i)
				need = min(need, c.Needed()-c.Values())
			}
		}
		p.open[point] = still
		if p.sweep.Points[point].Axis.Whole() && len(still) > 0 {
			still = indices(len(p.cells[point])) // a range is flown whole
		}
		if len(still) == 0 || p.runs[point] >= p.most {
			continue
		}
		size := firstLook
		if p.runs[point] > 0 {
			size = min(max(need, p.runs[point]/leastGrowth), p.runs[point])
		}
		first := p.runs[point]
		end := min(first+size, p.most)
		for run, step := first, p.sweep.Points[point].runsPerBatch(len(still)); run < end; run += step {
			p.pending = append(p.pending, Batch{Point: point, First: run, End: min(run+step, end), Epsilons: still})
		}
		p.runs[point] = end
	}
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
		if r := &records[i]; !p.cells[point][b.Epsilons[i%len(b.Epsilons)]].Add(r.DetectionKm) {
			return fmt.Errorf("study: run %d at epsilon %g was detected at %g km, beyond the %g km that confidence rests on; give a number of runs instead of a precision",
				r.Run, r.Epsilon, r.DetectionKm, p.sweep.Points[point].Experiment.FarthestDetectionKm())
		}
	}
	p.flights += len(records)
	if p.pending = p.pending[1:]; len(p.pending) == 0 {
		p.plan()
	}
	return nil
}

// Flights estimates how many flights it takes in all.
func (p *Precision) Flights() int {
	flights := p.flights
	for point, open := range p.open {
		for _, i := range open {
			c := p.cells[point][i]
			flights += max(0, min(c.Needed(), p.most)-c.Values())
		}
	}
	return flights
}

// Interval returns the interval of a cell, km.
func (p *Precision) Interval(point, epsilon int) (lowKm, highKm float64) {
	return p.cells[point][epsilon].Interval()
}

// Unmet returns how many cells have not reached the half-width.
func (p *Precision) Unmet() int {
	unmet := 0
	for _, open := range p.open {
		unmet += len(open)
	}
	return unmet
}
