package study

import "slices"

// surfaceRow holds the flights of all runs at an epsilon and their quantities: a column for every radius, one
// for costs and one for overheads.
type surfaceRow struct {
	flights []*Sighting // by run
	columns []surfaceColumn
	changes []surfaceChange
}

// surfaceColumn is a quantity of the flights of a row, and two counts.
type surfaceColumn struct {
	of      func(*Sighting) (value float64, first, second bool)
	sorted  []float64
	counts  [2]int
	changed bool // since the row before
}

// surfaceChange is a run whose flight differs from that of the row before.
type surfaceChange struct{ old, next *Sighting }

func newSurfaceRow(runs, radii int) *surfaceRow {
	r := &surfaceRow{flights: make([]*Sighting, runs)}
	for j := range radii {
		r.columns = append(r.columns, surfaceColumn{of: func(f *Sighting) (float64, bool, bool) {
			return f.ByRadius[j].DistanceKm, f.ByRadius[j].BeforeHandover, !f.ByRadius[j].Detected
		}})
	}
	r.columns = append(r.columns,
		surfaceColumn{of: func(f *Sighting) (float64, bool, bool) { return f.CostOfPrivacy, f.Fallback, false }},
		surfaceColumn{of: func(f *Sighting) (float64, bool, bool) { return f.PathOverhead, false, false }})
	return r
}

// move moves to another epsilon, at which flight returns the flight of a run.
func (r *surfaceRow) move(flight func(run int) *Sighting) {
	r.changes = r.changes[:0]
	for run, old := range r.flights {
		if next := flight(run); next != old {
			r.changes = append(r.changes, surfaceChange{old, next})
			r.flights[run] = next
		}
	}
	// If many change, or all are new, sorting is faster.
	const few = 8
	for k := range r.columns {
		if c := &r.columns[k]; len(r.changes) > few || len(c.sorted) < len(r.flights) {
			c.gather(r.flights)
		} else {
			c.exchange(r.changes)
		}
	}
}

// gather sets the column from all flights.
func (c *surfaceColumn) gather(flights []*Sighting) {
	c.sorted, c.counts, c.changed = c.sorted[:0], [2]int{}, true
	for _, f := range flights {
		value, first, second := c.of(f)
		c.sorted = append(c.sorted, value)
		c.counts[0] += count(first)
		c.counts[1] += count(second)
	}
	slices.Sort(c.sorted)
}

// exchange replaces some flights by others.
func (c *surfaceColumn) exchange(changes []surfaceChange) {
	c.changed = false
	for _, change := range changes {
		old, oldFirst, oldSecond := c.of(change.old)
		next, first, second := c.of(change.next)
		c.counts[0] += count(first) - count(oldFirst)
		c.counts[1] += count(second) - count(oldSecond)
		if old != next {
			exchangeSorted(c.sorted, old, next)
		}
		c.changed = c.changed || old != next || first != oldFirst || second != oldSecond
	}
}

// exchangeSorted replaces a value and keeps the order.
func exchangeSorted(sorted []float64, old, next float64) {
	from, _ := slices.BinarySearch(sorted, old)
	to, _ := slices.BinarySearch(sorted, next)
	if from < to {
		to--
		copy(sorted[from:to], sorted[from+1:to+1])
	} else {
		copy(sorted[to+1:from+1], sorted[to:from])
	}
	sorted[to] = next
}
