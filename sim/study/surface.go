package study

import (
	"math"
	"slices"
)

// SurfaceCell is what the flights of one epsilon are to observers of one radius. Every estimate has an
// interval of the surface's confidence; distances are in km, shares in [0, 1].
type SurfaceCell struct {
	Epsilon, Sigma, RadiusKm float64
	Runs                     int

	Mean, Median, P10, P90 Estimate // detection distance, 0 km for a flight never detected
	BeforeHandover         Estimate // share of flights detected while waypoints were commanded
	NeverDetected          Estimate

	// The same for all radii. The few flights that fall back can circle for long and then carry the mean
	// overhead, whose interval is too narrow until some of them have been flown; its median is steady.
	CostOfPrivacy                Estimate // mean
	PathOverhead, MedianOverhead Estimate // mean and median of Run.PathOverhead
	Fallback                     Estimate // share of flights
}

// Estimate is a number with a confidence interval. An end for which there are too few runs is infinite,
// or NaN.
type Estimate struct{ Value, Low, High float64 }

// SurfaceTally gathers the sightings of a survey, epsilon by epsilon and radius by radius.
type SurfaceTally struct {
	survey     *Survey
	sigmas     []float64
	confidence float64
	detections [][]surfaceSample // by epsilon and radius
	costs      [][]float64       // by epsilon
	overheads  [][]float64
	fallbacks  []int
}

type surfaceSample struct {
	distanceKm    []float64
	before, never int
}

// NewSurfaceTally returns an empty tally of a survey.
func NewSurfaceTally(s *Survey, confidence float64) (*SurfaceTally, error) {
	sigmas, err := s.Sigmas()
	if err != nil {
		return nil, err
	}
	t := &SurfaceTally{survey: s, sigmas: sigmas, confidence: confidence,
		costs: make([][]float64, len(s.Epsilons)), overheads: make([][]float64, len(s.Epsilons)), fallbacks: make([]int, len(s.Epsilons))}
	for range s.Epsilons {
		t.detections = append(t.detections, make([]surfaceSample, len(s.RadiiKm)))
	}
	return t, nil
}

// Add counts sightings of all epsilons of one run after another.
func (t *SurfaceTally) Add(sightings []Sighting) {
	for k := range sightings {
		s, i := &sightings[k], k%len(t.detections)
		for j, d := range s.ByRadius {
			sample := &t.detections[i][j]
			sample.distanceKm = append(sample.distanceKm, d.DistanceKm)
			sample.before += count(d.BeforeHandover)
			sample.never += count(!d.Detected)
		}
		t.costs[i] = append(t.costs[i], s.CostOfPrivacy)
		t.overheads[i] = append(t.overheads[i], s.PathOverhead)
		t.fallbacks[i] += count(s.Fallback)
	}
}

// Cells returns the surface, by epsilon and radius.
func (t *SurfaceTally) Cells() [][]SurfaceCell {
	cells := make([][]SurfaceCell, len(t.detections))
	for i, samples := range t.detections {
		costs, overheads := slices.Sorted(slices.Values(t.costs[i])), slices.Sorted(slices.Values(t.overheads[i]))
		flights := SurfaceCell{
			Epsilon: t.survey.Epsilons[i], Sigma: t.sigmas[i], Runs: len(costs),
			CostOfPrivacy: t.mean(costs, 0), PathOverhead: t.mean(overheads, math.Inf(-1)), MedianOverhead: t.quantile(overheads, 0.5),
			Fallback: t.share(t.fallbacks[i], len(costs)),
		}
		for j := range samples {
			cells[i] = append(cells[i], t.seen(flights, t.survey.RadiiKm[j], &samples[j]))
		}
	}
	return cells
}

// seen completes the cell of some flights with what an observer of a radius made of them.
func (t *SurfaceTally) seen(c SurfaceCell, radiusKm float64, s *surfaceSample) SurfaceCell {
	sorted := slices.Sorted(slices.Values(s.distanceKm))
	c.RadiusKm, c.Mean = radiusKm, t.mean(sorted, 0)
	c.Median, c.P10, c.P90 = t.quantile(sorted, 0.5), t.quantile(sorted, 0.1), t.quantile(sorted, 0.9)
	c.BeforeHandover, c.NeverDetected = t.share(s.before, c.Runs), t.share(s.never, c.Runs)
	return c
}

// mean estimates the mean of a quantity that is never below least, from sorted values.
func (t *SurfaceTally) mean(sorted []float64, least float64) Estimate {
	mean, _ := meanStd(sorted)
	low, high := MeanInterval(sorted, least, t.confidence)
	return Estimate{mean, low, high}
}

// quantile estimates the p-quantile from sorted values.
func (t *SurfaceTally) quantile(sorted []float64, p float64) Estimate {
	low, high := QuantileInterval(sorted, p, t.confidence)
	return Estimate{Quantile(sorted, p), low, high}
}

// share estimates a probability of which k of n flights came true.
func (t *SurfaceTally) share(k, n int) Estimate {
	low, high := ShareInterval(k, n, t.confidence)
	return Estimate{float64(k) / float64(n), low, high}
}
