package study

import "slices"

// SurfaceCell is what the flights of one epsilon are to observers of one radius. Every estimate has an
// interval of the surface's confidence; distances are in km, shares in [0, 1].
type SurfaceCell struct {
	Epsilon, Sigma, RadiusKm float64
	Runs                     int

	Mean, Median, P10, P90 Estimate // detection distance, 0 km for a flight never detected
	BeforeHandover         Estimate // share of flights detected while waypoints were commanded
	NeverDetected          Estimate
	CostOfPrivacy          Estimate // mean; the same for all radii
	PathOverhead           Estimate // mean; the same for all radii
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
		costs: make([][]float64, len(s.Epsilons)), overheads: make([][]float64, len(s.Epsilons))}
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
	}
}

// Cells returns the surface, by epsilon and radius.
func (t *SurfaceTally) Cells() [][]SurfaceCell {
	cells := make([][]SurfaceCell, len(t.detections))
	for i, samples := range t.detections {
		cost, overhead := t.mean(t.costs[i]), t.mean(t.overheads[i])
		for j := range samples {
			c := t.cell(&samples[j])
			c.Epsilon, c.Sigma, c.RadiusKm = t.survey.Epsilons[i], t.sigmas[i], t.survey.RadiiKm[j]
			c.CostOfPrivacy, c.PathOverhead = cost, overhead
			cells[i] = append(cells[i], c)
		}
	}
	return cells
}

func (t *SurfaceTally) cell(s *surfaceSample) SurfaceCell {
	sorted := slices.Sorted(slices.Values(s.distanceKm))
	n := len(sorted)
	quantile := func(p float64) Estimate {
		low, high := QuantileInterval(sorted, p, t.confidence)
		return Estimate{Quantile(sorted, p), low, high}
	}
	share := func(k int) Estimate {
		low, high := ShareInterval(k, n, t.confidence)
		return Estimate{float64(k) / float64(n), low, high}
	}
	return SurfaceCell{
		Runs: n, Mean: t.mean(sorted), Median: quantile(0.5), P10: quantile(0.1), P90: quantile(0.9),
		BeforeHandover: share(s.before), NeverDetected: share(s.never),
	}
}

// mean estimates a mean.
func (t *SurfaceTally) mean(values []float64) Estimate {
	sorted := slices.Sorted(slices.Values(values))
	mean, _ := meanStd(sorted)
	low, high := MeanInterval(sorted, t.confidence)
	return Estimate{mean, low, high}
}
