package study

import (
	"math"
	"slices"
)

// SurfaceCell describes the flights of one epsilon for observers of one radius. Every estimate has an interval
// at the surface's confidence; distances are in km, fractions in [0, 1].
type SurfaceCell struct {
	Epsilon, Sigma, RadiusKm float64
	// EpsilonHigh is the epsilon at which the next cell of the same radius begins; it is Epsilon if only listed
	// epsilons were flown.
	EpsilonHigh float64
	Runs        int

	Mean, Median, P10, P90 Estimate // detection distance, 0 km for a flight never detected
	BeforeHandover         Estimate // fraction of flights detected while waypoints were commanded
	NeverDetected          Estimate

	// Equal for all radii. The few flights that fall back can circle for long and then dominate the mean
	// overhead, whose interval is too narrow until some of them have been flown; the median is stable.
	CostOfPrivacy                Estimate // mean
	PathOverhead, MedianOverhead Estimate // mean and median of Run.PathOverhead
	Fallback                     Estimate // fraction of flights
}

// Estimate is a number with a confidence interval. An end is infinite or NaN if there are too few runs for it.
type Estimate struct{ Value, Low, High float64 }

// Known reports whether both ends of the interval are known.
func (e Estimate) Known() bool {
	return !math.IsNaN(e.Low-e.High) && !math.IsInf(e.Low, 0) && !math.IsInf(e.High, 0)
}

// SurfaceTally accumulates the sightings of a survey, at listed epsilons or on the pieces of a range.
type SurfaceTally struct {
	survey     *Survey
	confidence float64
	runs       [][]Sighting // by run: what the experiment's observer and the observers of all radii saw
	ranks      map[ofRuns]quantileRanks
	studentsT  float64   // for the mean of all runs
	farthestKm []float64 // by radius, the largest plausible detection distance
}

// NewSurfaceTally returns an empty tally of a survey.
func NewSurfaceTally(s *Survey, confidence float64) *SurfaceTally {
	return &SurfaceTally{survey: s, confidence: confidence}
}

// Add adds sightings of whole runs, one run after another.
func (t *SurfaceTally) Add(sightings []Sighting) {
	for k := range sightings {
		s := &sightings[k]
		if k == 0 || s.Run.Run != sightings[k-1].Run.Run {
			t.runs = append(t.runs, nil)
		}
		last := len(t.runs) - 1
		t.runs[last] = append(t.runs[last], Sighting{s.Run, slices.Clone(s.ByRadius)})
	}
}

// Listed returns the surface at the survey's listed epsilons, by epsilon and radius.
func (t *SurfaceTally) Listed() ([][]SurfaceCell, error) { return t.rows(t.survey.Epsilons) }

// MeanOf returns the mean over the runs of a value that does not depend on epsilon, such as the distance of a
// baseline. It is exact if all runs have the same value.
func (t *SurfaceTally) MeanOf(of func(*Run) float64) float64 {
	mean := 0.0
	for i := range t.runs {
		mean += (of(&t.runs[i][0].Run) - mean) / float64(i+1)
	}
	return mean
}

// mostSegments limits the rows of a surface.
const mostSegments = 1000

// Segments returns the surface on the whole of the survey's range, by epsilon and radius. A row begins at every
// epsilon at which the flight of some run changes, and holds up to the next row, so that the values in between
// are the same. If there are more than mostSegments such epsilons, only every second one, or third, and so on,
// begins a row, which is exact where it begins. Without a range the rows are those of Listed.
func (t *SurfaceTally) Segments() ([][]SurfaceCell, error) {
	if !t.survey.Axis.Whole() {
		return t.Listed()
	}
	corners := []float64{t.survey.Axis.Low}
	for _, run := range t.runs {
		for i := 1; i < len(run); i++ {
			corners = append(corners, run[i].Epsilon)
		}
	}
	slices.Sort(corners)
	corners = slices.Compact(corners)
	stride := (len(corners) + mostSegments - 1) / mostSegments
	var starts []float64
	for i := 0; i < len(corners); i += stride {
		starts = append(starts, corners[i])
	}
	rows, err := t.rows(starts)
	starts = append(starts, t.survey.Axis.High)
	for i := range rows {
		for j := range rows[i] {
			rows[i][j].EpsilonHigh = starts[i+1]
		}
	}
	return rows, err
}

// rows returns the surface at some epsilons. It copies values that have not changed since the row before.
func (t *SurfaceTally) rows(epsilons []float64) ([][]SurfaceCell, error) {
	radii := t.survey.RadiiKm
	t.ranks, t.studentsT = map[ofRuns]quantileRanks{}, studentsT(len(t.runs), t.confidence)
	t.farthestKm = t.farthest()
	rows := make([][]SurfaceCell, len(epsilons))
	now := newSurfaceRow(len(t.runs), len(radii))
	var price SurfaceCell
	for i, epsilon := range epsilons {
		sigma, err := t.survey.Experiment.Sigma(epsilon)
		if err != nil {
			return nil, err
		}
		now.move(func(run int) *Sighting { return t.at(t.runs[run], epsilon) })
		if costs, overheads := &now.columns[len(radii)], &now.columns[len(radii)+1]; costs.changed || overheads.changed {
			price = t.costs(costs, overheads)
		}
		for j, radius := range radii {
			var c SurfaceCell
			if column := &now.columns[j]; column.changed {
				c = t.distances(column, t.farthestKm[j])
			} else {
				c = rows[i-1][j]
			}
			c.CostOfPrivacy, c.PathOverhead, c.MedianOverhead, c.Fallback = price.CostOfPrivacy, price.PathOverhead,
				price.MedianOverhead, price.Fallback
			c.Epsilon, c.EpsilonHigh, c.Sigma, c.RadiusKm, c.Runs = epsilon, epsilon, sigma, radius, len(t.runs)
			rows[i] = append(rows[i], c)
		}
	}
	return rows, nil
}

// farthest returns the largest plausible detection distances, by radius.
func (t *SurfaceTally) farthest() []float64 {
	km := slices.Repeat([]float64{t.survey.Experiment.plausibleKm()}, len(t.survey.RadiiKm))
	for _, run := range t.runs {
		for i := range run {
			for j, d := range run[i].ByRadius {
				km[j] = max(km[j], d.DistanceKm)
			}
		}
	}
	return km
}

// at returns the flight of a run at an epsilon.
func (t *SurfaceTally) at(run []Sighting, epsilon float64) *Sighting {
	i := slices.IndexFunc(run, func(f Sighting) bool {
		if t.survey.Axis.Whole() {
			return f.Epsilon > epsilon
		}
		return f.Epsilon == epsilon
	})
	switch {
	case !t.survey.Axis.Whole():
		return &run[i]
	case i < 0:
		return &run[len(run)-1]
	}
	return &run[i-1]
}

// distances computes the part of a cell that depends on the radius.
func (t *SurfaceTally) distances(column *surfaceColumn, farthestKm float64) (c SurfaceCell) {
	c.Mean = t.mean(column.values, 0, farthestKm)
	c.Median, c.P10, c.P90 = t.quantile(column.values, 0.5), t.quantile(column.values, 0.1), t.quantile(column.values, 0.9)
	c.BeforeHandover, c.NeverDetected = t.share(column.counts[0]), t.share(column.counts[1])
	return c
}

// costs computes the part that does not depend on the radius.
func (t *SurfaceTally) costs(costs, overheads *surfaceColumn) (c SurfaceCell) {
	c.CostOfPrivacy = t.mean(costs.values, 0, math.Inf(1))
	c.PathOverhead = t.mean(overheads.values, math.Inf(-1), math.Inf(1))
	c.MedianOverhead = t.quantile(overheads.values, 0.5)
	c.Fallback = t.share(costs.counts[0])
	return c
}

// ofRuns identifies a quantile of the values of a number of runs.
type ofRuns struct {
	runs     int
	quantile float64
}

// mean estimates the mean of a quantity between bounds, see MeanInterval.
func (t *SurfaceTally) mean(s Sample, least, most float64) Estimate {
	mean, _ := s.meanStd()
	quantile := t.studentsT
	if s.Len() < len(t.runs) {
		quantile = studentsT(s.Len(), t.confidence)
	}
	low, high := s.meanInterval(least, most, t.confidence, quantile)
	return Estimate{mean, low, high}
}

// quantile estimates the p-quantile.
func (t *SurfaceTally) quantile(s Sample, p float64) Estimate {
	of := ofRuns{s.Len(), p}
	ranks, known := t.ranks[of]
	if !known {
		ranks = newQuantileRanks(s.Len(), p, t.confidence)
		t.ranks[of] = ranks
	}
	low, high := ranks.interval(s)
	return Estimate{s.Quantile(p), low, high}
}

// share estimates a probability from k successes in all runs.
func (t *SurfaceTally) share(k int) Estimate {
	low, high := shareInterval(k, len(t.runs), t.confidence)
	return Estimate{float64(k) / float64(len(t.runs)), low, high}
}

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
	values  Sample // the known ones
	counts  [2]int // flights for which first holds, and second
	changed bool   // since the row before
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
	for k := range r.columns {
		r.columns[k].update(r.flights, r.changes)
	}
}

// update replaces the flights that changed.
func (c *surfaceColumn) update(flights []*Sighting, changes []surfaceChange) {
	const few = 8 // if more change, sorting all values is faster
	if c.changed = len(changes) > few || len(changes) > 0 && changes[0].old == nil; c.changed {
		c.counts = [2]int{}
		var values []float64
		for _, f := range flights {
			value, first, second := c.of(f)
			values = append(values, value)
			c.counts[0] += count(first)
			c.counts[1] += count(second)
		}
		slices.Sort(values)
		c.values = NewSample(withoutNaN(values))
		return
	}
	for _, change := range changes {
		old, oldFirst, oldSecond := c.of(change.old)
		next, first, second := c.of(change.next)
		c.counts[0] += count(first) - count(oldFirst)
		c.counts[1] += count(second) - count(oldSecond)
		if old != next {
			c.values.add(old, -1)
			c.values.add(next, 1)
		}
		c.changed = c.changed || old != next || first != oldFirst || second != oldSecond
	}
}
