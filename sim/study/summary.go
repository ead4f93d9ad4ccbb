package study

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/sim/vary"
)

// Confidence is the level of the intervals in summaries.
const Confidence = 0.95

// Widening returns the factor by which n normal intervals must widen to hold together at Confidence: the correction of
// Bonferroni.
func Widening(n int) float64 {
	z := func(n float64) float64 { return distuv.UnitNormal.Quantile(1 - (1-Confidence)/2/n) }
	return z(float64(n)) / z(1)
}

// Summary summarises the runs of one epsilon. Distances are in km, fractions in [0, 1].
type Summary struct {
	Epsilon float64
	Sigma   float64
	Runs    int

	MeanKm, CILowKm, CIHighKm float64 // mean detection distance and its 95 % interval, see MeanInterval
	MedianKm, P10Km, P90Km    float64 // quantiles, interpolated linearly between order statistics
	StdKm                     float64 // sample standard deviation of the detection distance, NaN for one run
	MeanWithoutFallbackKm     float64 // mean over the runs that did not fall back, NaN if all did
	MeanWithoutTimeoutKm      float64 // mean over the runs that the time limit did not end, NaN if it ended all

	DetectedBeforeHandover float64 // fraction of runs
	NeverDetected          float64
	Fallback               float64
	FlewAway               float64 // fell back while flying away from the target
	TimedOut               float64
	OtherGoal              float64 // of runs that end at another goal than the planned flight
	CostOfPrivacy          float64 // mean

	// Means over the runs' baselines, see Baselines; NaN if there is no such baseline.
	DirectKm, HandoverOnlyKm, PlannedKm float64
	// NoiseKm is the mean of the paired differences between the detection distance of a flight and that of its
	// planned flight: the effect of the noise alone. Below 0 the noise hides the destination, above 0 it gives it
	// away.
	NoiseKm, NoiseLowKm, NoiseHighKm float64 // with its 95 % interval
	PathOverhead, DirectOverhead     float64 // means over the flights that have one
	LastDeceptiveKm                  float64 // mean over the flights that have one

	// HiddenShare is the fraction of the flights that stay hidden until HiddenUntilKm: they are recognised there or
	// nearer, or never. The distance is that of the study or, if it has none, half of that at which the direct flight is
	// recognised, rounded; both are NaN where neither is known.
	HiddenUntilKm, HiddenShare float64
}

// FlewAway reports whether the flight fell back while it flew away from the target. GENEX fixes where it arrives from
// by that place, and neither knows a ground nor keeps near: such a flight may stray far from the target and below it
// before it arrives.
func (r *Run) FlewAway() bool { return r.Fallback && r.HeadingErrorDeg > 90 }

// Tally accumulates the runs of every epsilon of a study. It counts each detection distance, because quantiles
// describe a bimodal distribution. Most runs fly a route that another run has flown, so that its memory hardly
// grows with the number of runs.
type Tally struct {
	epsilons, sigmas []float64
	means            []Statistic // the statistics that are means
	cells            []cell
	farthestKm       float64 // largest plausible detection distance
	hiddenUntilKm    float64 // see Study
	varied           []vary.Variation
	seed             uint64 // of what varies
}

type cell struct {
	detectionKm counter
	means       []mean // of the tally's statistics
	same        bool   // all flights are the same
	none        bool   // the flights have no noise

	plannedKm float64    // of the first run
	varies    bool       // the planned flights of the runs differ
	planned   [2]float64 // the smallest and the largest of their distances
	noiseKm   counter    // differences from the planned flights, if these differ

	ranked ranked // if a setting varies
}

// NewTally returns an empty tally of runs without further knowledge; see Study.NewTally.
func NewTally(epsilons, sigmas []float64) *Tally {
	t := &Tally{epsilons: epsilons, sigmas: sigmas, cells: make([]cell, len(epsilons)), farthestKm: math.Inf(1)}
	for _, s := range Statistics() {
		if s.value != nil {
			t.means = append(t.means, s)
		}
	}
	for i := range t.cells {
		t.cells[i].means = make([]mean, len(t.means))
	}
	return t
}

// NewTally returns an empty tally of the study. It takes the mean of flights that are all the same as known.
func (s *Study) NewTally() (*Tally, error) {
	sigmas, err := s.Sigmas()
	if err != nil {
		return nil, err
	}
	t := NewTally(s.Epsilons, sigmas)
	t.farthestKm, t.hiddenUntilKm = s.Experiment.plausibleKm(), s.HiddenUntilKm
	t.varied, t.seed = s.Experiment.Varied, s.Seed
	for i, epsilon := range s.Epsilons {
		t.cells[i].same, t.cells[i].none = s.allSame(epsilon), isNone(epsilon)
	}
	return t, nil
}

// allSame reports whether all flights at an epsilon are the same: those without noise are, unless a
// setting varies.
func (s *Study) allSame(epsilon float64) bool {
	return isNone(epsilon) && !s.Experiment.Varies()
}

// Add adds records, whose epsilons must be the tally's. For bit-identical sums, those of each epsilon must come
// in the same order.
func (t *Tally) Add(records []Run) {
	i := -1
	for k := range records {
		r := &records[k]
		i = t.index(r.Epsilon, i+1)
		c := &t.cells[i]
		c.addNoise(r)
		t.farthestKm = max(t.farthestKm, r.DetectionKm)
		c.detectionKm.add(r.DetectionKm)
		if t.varied != nil {
			c.ranked.add(r)
		}
		for j := range c.means {
			c.means[j].add(&t.means[j], r)
		}
	}
}

// addNoise adds the effect of the noise on a flight. It must be called before the flight's own distance is
// added.
func (c *cell) addNoise(r *Run) {
	switch {
	case c.detectionKm.n == 0:
		c.plannedKm, c.planned = r.PlannedKm, [2]float64{r.PlannedKm, r.PlannedKm}
	case !c.varies && r.PlannedKm != c.plannedKm:
		c.varies, c.noiseKm = true, c.detectionKm.less(c.plannedKm)
	}
	if c.varies {
		c.noiseKm.add(r.DetectionKm - r.PlannedKm)
	}
	c.planned = [2]float64{min(c.planned[0], r.PlannedKm), max(c.planned[1], r.PlannedKm)}
}

// index returns the index of an epsilon, which is probably the expected one.
func (t *Tally) index(epsilon float64, expected int) int {
	if expected == len(t.epsilons) {
		expected = 0
	}
	if t.epsilons[expected] == epsilon {
		return expected
	}
	i := slices.Index(t.epsilons, epsilon)
	if i < 0 {
		panic(fmt.Sprintf("study: a record of epsilon %v in a tally of %v", epsilon, t.epsilons))
	}
	return i
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Runs returns the number of runs of each epsilon, the smallest if they differ.
func (t *Tally) Runs() int {
	runs := t.cells[0].detectionKm.n
	for i := range t.cells {
		runs = min(runs, t.cells[i].detectionKm.n)
	}
	return runs
}

// Flights returns the number of added flights.
func (t *Tally) Flights() int {
	flights := 0
	for i := range t.cells {
		flights += t.cells[i].detectionKm.n
	}
	return flights
}

// DetectionKm returns the detection distances at one epsilon.
func (t *Tally) DetectionKm(epsilon int) Sample { return t.cells[epsilon].detectionKm.sample() }

// Summaries returns a summary per epsilon.
func (t *Tally) Summaries() []Summary {
	out := make([]Summary, len(t.cells))
	for i := range t.cells {
		out[i] = t.cells[i].summary(t.means, t.farthestKm)
		out[i].Epsilon, out[i].Sigma = t.epsilons[i], t.sigmas[i]
		s := &out[i]
		if s.HiddenUntilKm = t.hiddenUntilKm; s.HiddenUntilKm == 0 {
			s.HiddenUntilKm = usualHiddenKm(out[0].DirectKm, out[0].PlannedKm)
		}
		s.HiddenShare = t.cells[i].detectionKm.sample().atMost(s.HiddenUntilKm)
	}
	return out
}

// usualHiddenKm returns half of the distance at which the direct flight is recognised or, where there is none, the
// planned one, rounded to a multiple of 5 of its second digit. It is NaN where neither is recognised.
func usualHiddenKm(directKm, plannedKm float64) float64 {
	half := directKm / 2
	if !(half > 0) {
		half = plannedKm / 2
	}
	if !(half > 0) {
		return math.NaN()
	}
	step := math.Pow(10, math.Floor(math.Log10(half))) / 2
	return max(step, math.Round(half/step)*step)
}

func (c *cell) summary(means []Statistic, farthestKm float64) Summary {
	distances := c.detectionKm.sample()
	s := Summary{Runs: c.detectionKm.n, MeanKm: c.detectionKm.sum / float64(c.detectionKm.n)}
	for i := range means {
		*means[i].Of(&s) = c.means[i].value(&means[i])
	}
	_, s.StdKm = distances.meanStd()
	s.CILowKm, s.CIHighKm = distances.MeanInterval(0, farthestKm, Confidence)
	if len(distances.Values) == 1 {
		s.MeanKm = distances.Values[0] // without the rounding of the sum
	}
	if c.same && s.Runs > 0 {
		s.MeanKm = distances.Values[0]
		s.CILowKm, s.CIHighKm, s.PlannedKm = s.MeanKm, s.MeanKm, s.MeanKm
	}
	s.NoiseLowKm, s.NoiseHighKm = s.CILowKm-s.PlannedKm, s.CIHighKm-s.PlannedKm
	if c.varies {
		s.NoiseLowKm, s.NoiseHighKm = c.noiseKm.sample().MeanInterval(-c.planned[1], farthestKm-c.planned[0],
			Confidence)
		if noise := c.noiseKm.sample(); c.none && len(noise.Values) == 1 && noise.Values[0] == 0 {
			s.NoiseLowKm, s.NoiseHighKm = 0, 0 // every flight is its own planned flight
		}
	}
	s.P10Km, s.MedianKm, s.P90Km = distances.Quantile(0.1), distances.Quantile(0.5), distances.Quantile(0.9)
	return s
}

// SetInterval replaces the interval of the mean, km, and with it that of the effect of the noise: NaN if the
// planned flights of the runs differ, because it then does not follow from the mean. A known mean is not
// changed.
func (t *Tally) SetInterval(s *Summary, epsilon int, lowKm, highKm float64) {
	if t.cells[epsilon].same {
		return
	}
	s.CILowKm, s.CIHighKm = lowKm, highKm
	s.NoiseLowKm, s.NoiseHighKm = lowKm-s.PlannedKm, highKm-s.PlannedKm
	if t.cells[epsilon].varies {
		s.NoiseLowKm, s.NoiseHighKm = math.NaN(), math.NaN()
	}
}

// meanOf returns the mean of values, without the rounding of the sum if all are equal.
func meanOf(values []float64) (mean float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	if len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] }) {
		mean = values[0]
	}
	return mean
}

// Front returns which of n things no other one dominates, in order. A thing dominates another if one of its amounts is
// smaller and none is larger. A thing with an unknown amount, NaN, is left out.
func Front(n int, amounts func(i int) []float64) (front []int) {
	all := make([][]float64, n)
	for i := range all {
		all[i] = amounts(i)
	}
	for i, own := range all {
		unknown := slices.ContainsFunc(own, math.IsNaN)
		if !unknown && !slices.ContainsFunc(all, func(other []float64) bool { return dominates(other, own) }) {
			front = append(front, i)
		}
	}
	return front
}

// dominates reports whether no amount of a is larger than that of b, and one is smaller.
func dominates(a, b []float64) bool {
	better := false
	for k := range a {
		if !(a[k] <= b[k]) {
			return false
		}
		better = better || a[k] < b[k]
	}
	return better
}
