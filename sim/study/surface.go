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
	studentsT  float64 // for the mean of all runs
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

// rows returns the surface at some epsilons. It keeps estimates whose values have not changed since the row before.
func (t *SurfaceTally) rows(epsilons []float64) ([][]SurfaceCell, error) {
	radii := t.survey.RadiiKm
	t.ranks, t.studentsT = map[ofRuns]quantileRanks{}, studentsT(len(t.runs), t.confidence)
	farthestKm := t.farthest()
	rows := make([][]SurfaceCell, len(epsilons))
	flights := make([]*Sighting, len(t.runs))
	distances, costs, overheads := make([]quantity, len(radii)), quantity{}, quantity{}
	var cell SurfaceCell // the part that does not depend on the radius
	for i, epsilon := range epsilons {
		sigma, err := t.survey.Experiment.Sigma(epsilon)
		if err != nil {
			return nil, err
		}
		for run := range flights {
			flights[run] = t.at(t.runs[run], epsilon)
		}
		cell.Epsilon, cell.EpsilonHigh, cell.Sigma, cell.Runs = epsilon, epsilon, sigma, len(t.runs)
		if costs.set(flights, func(f *Sighting) float64 { return f.CostOfPrivacy }) {
			cell.CostOfPrivacy = t.mean(costs.sample, 0, math.Inf(1))
		}
		if overheads.set(flights, func(f *Sighting) float64 { return f.PathOverhead }) {
			cell.PathOverhead = t.mean(overheads.sample, math.Inf(-1), math.Inf(1))
			cell.MedianOverhead = t.quantile(overheads.sample, 0.5)
		}
		cell.Fallback = t.share(flights, func(f *Sighting) bool { return f.Fallback })
		for j, radius := range radii {
			c := cell
			c.RadiusKm = radius
			if d := &distances[j]; d.set(flights, func(f *Sighting) float64 { return f.ByRadius[j].DistanceKm }) {
				c.Mean = t.mean(d.sample, 0, farthestKm[j])
				c.Median, c.P10, c.P90 = t.quantile(d.sample, 0.5), t.quantile(d.sample, 0.1), t.quantile(d.sample, 0.9)
			} else if i > 0 {
				before := &rows[i-1][j]
				c.Mean, c.Median, c.P10, c.P90 = before.Mean, before.Median, before.P10, before.P90
			}
			c.BeforeHandover = t.share(flights, func(f *Sighting) bool { return f.ByRadius[j].BeforeHandover })
			c.NeverDetected = t.share(flights, func(f *Sighting) bool { return !f.ByRadius[j].Detected })
			rows[i] = append(rows[i], c)
		}
	}
	return rows, nil
}

// quantity is a number of the flights at an epsilon.
type quantity struct {
	values, before []float64 // by run; those of the epsilon before
	sample         Sample    // of the values that are not NaN
}

// set sets the values and reports whether one of them has changed.
func (q *quantity) set(flights []*Sighting, of func(*Sighting) float64) bool {
	q.values, q.before = q.before[:0], q.values
	for _, f := range flights {
		q.values = append(q.values, of(f))
	}
	if equal(q.values, q.before) {
		return false
	}
	q.sample = NewSample(sorted(withoutNaN(q.values)))
	return true
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

// share estimates the probability that holds is true of a flight.
func (t *SurfaceTally) share(flights []*Sighting, holds func(*Sighting) bool) Estimate {
	k := 0
	for _, f := range flights {
		k += count(holds(f))
	}
	low, high := shareInterval(k, len(flights), t.confidence)
	return Estimate{float64(k) / float64(len(flights)), low, high}
}
