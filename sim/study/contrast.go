package study

import (
	"math"
	"slices"
)

// Contrast is the difference of a quantity between two sets of runs: B - A.
type Contrast struct {
	Name, Unit, Meaning string
	A, B                float64 // NaN if there is no value
	Difference          float64
	Low, High           float64 // ends of its interval, NaN if unknown
}

// Pairing says how two sets of runs are related.
type Pairing struct {
	// Paired says that run k of one set belongs to run k of the other, as runs on the same noise do. Both then
	// have equally many runs.
	Paired bool
	// Same says that both come from the same experiment: metrics that are equal in every pair do not differ.
	Same bool
	// SameFlights says that both fly the same flights and only their observers differ: metrics of the flight itself
	// that are equal in every pair do not differ.
	SameFlights bool
	// FarthestKm is the largest plausible detection distance of a flight of either set; 0: the largest one that
	// the runs show.
	FarthestKm float64
}

// Contrasts compares the runs of two studies at one epsilon, each in the order of its runs: every number of a
// summary, and the mean of every metric that is not in it.
//
// A difference of means of paired runs has the interval of the mean of their differences (MeanInterval), which
// common noise makes narrow. It allows for pairs that no run has shown: fractions of flights from 0 to 1,
// detection distances up to FarthestKm, and other values that differ by as much as any two values of the runs.
// The interval of any other difference of means combines the intervals of both sides (Zou and Donner 2008): for
// independent runs it has their confidence, and for positively correlated runs more. The interval of a
// difference of quantiles is wider still. A standard deviation has no interval, and neither has a quantity that
// does not vary among the runs, unless they are without noise.
func Contrasts(a, b []Run, how Pairing, confidence float64) []Contrast {
	var all []Contrast
	done := map[string]bool{"ci_low_km": true, "ci_high_km": true, "noise_ci_low_km": true, "noise_ci_high_km": true}
	left, right := summaryOf(a), summaryOf(b)
	for _, s := range Statistics() {
		if done[s.Name] {
			continue
		}
		done[s.Name] = true
		c := Contrast{Name: s.Name, Unit: s.Unit, Meaning: s.Meaning, A: *s.Of(&left), B: *s.Of(&right)}
		value := s.value
		if value == nil {
			value = func(r *Run) float64 { return r.DetectionKm }
		}
		x, y := valuesOf(a, value, s.where), valuesOf(b, value, s.where)
		switch {
		case how.equalMeansSame(s.Name) && equal(x, y):
			c.setInterval(c.B-c.A, c.B-c.A)
		case how.Paired && s.quantile > 0 && equal(x, y):
			c.setInterval(math.NaN(), math.NaN()) // equal runs do not show how much others may differ
		case s.quantile > 0:
			c.quantiles(distancesOf(a), distancesOf(b), s.quantile, confidence)
		case s.value != nil || s.Name == "mean_km":
			limits := bounds{fixed: s.noNoise || noNoise(a) && noNoise(b)}
			switch {
			case s.share:
				limits.most = 1
			case s.Name == "mean_km", s.Name == "mean_without_fallback_km", s.Name == "noise_km",
				s.Name == "mean_without_timeout_km":
				limits.most = how.FarthestKm
			}
			c.means(x, y, how.Paired && s.where == nil, limits, confidence)
		default:
			c.setInterval(math.NaN(), math.NaN())
		}
		all = append(all, c)
	}
	for _, m := range Metrics() {
		if done[m.Name] || m.Label {
			continue
		}
		x, y := valuesOf(a, m.Value, nil), valuesOf(b, m.Value, nil)
		c := Contrast{Name: m.Name, Unit: m.Unit, Meaning: "mean: " + m.Meaning}
		c.A, c.B = meanOf(withoutNaN(x)), meanOf(withoutNaN(y))
		limits := bounds{fixed: noNoise(a) && noNoise(b)}
		switch {
		case m.Truth:
			limits.most = 1
		case m.Name == "detection_km":
			limits.most = how.FarthestKm
		}
		if how.equalMeansSame(m.Name) && equal(x, y) {
			c.setInterval(c.B-c.A, c.B-c.A)
		} else {
			c.means(x, y, how.Paired, limits, confidence)
		}
		all = append(all, c)
	}
	return all
}

// equalMeansSame reports whether a quantity that is equal in every pair is known not to differ.
func (p Pairing) equalMeansSame(quantity string) bool {
	return p.Paired && (p.Same || p.SameFlights && slices.ContainsFunc(Metrics(), func(m Metric) bool {
		return m.Name == quantity && !m.Watched
	}))
}

// equal reports whether both sets have the same values; a missing value equals a missing one.
func equal(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

// noNoise reports whether runs are those of the plan without noise.
func noNoise(runs []Run) bool { return len(runs) > 0 && isNone(runs[0].Epsilon) }

// MeanContrast compares the mean detection distances of two sets of runs.
func MeanContrast(a, b []Run, how Pairing, confidence float64) Contrast {
	x, y := distancesOf(a), distancesOf(b)
	c := Contrast{A: meanOf(x), B: meanOf(y)}
	c.means(x, y, how.Paired, bounds{most: how.FarthestKm}, confidence)
	return c
}

// bounds are what is known about the values of a quantity.
type bounds struct {
	most  float64 // upper limit of the values, which are at least 0; 0 if unknown
	fixed bool    // values that do not vary among the runs never vary
}

// means sets the interval of a difference of means, over the runs that have a value; for paired runs, over the
// pairs in which both have one.
func (c *Contrast) means(a, b []float64, paired bool, limits bounds, confidence float64) {
	shown := append(withoutNaN(a), withoutNaN(b)...)
	if len(shown) == 0 {
		c.setInterval(math.NaN(), math.NaN())
		return
	}
	least, most := slices.Min(shown), slices.Max(shown)
	switch {
	case limits.fixed && constant(withoutNaN(a)) && constant(withoutNaN(b)):
		c.setInterval(c.B-c.A, c.B-c.A)
		return
	case limits.most > 0:
		least, most = min(least, 0), max(most, limits.most)
	case least == most: // nothing shows how much others may differ
		c.setInterval(math.NaN(), math.NaN())
		return
	}
	if !paired { // MOVER (Zou and Donner 2008, equation 4) combines the intervals of both sides
		lowA, highA := MeanInterval(sorted(withoutNaN(a)), least, most, confidence)
		lowB, highB := MeanInterval(sorted(withoutNaN(b)), least, most, confidence)
		d := c.B - c.A
		c.setInterval(d-math.Hypot(c.B-lowB, highA-c.A), d+math.Hypot(highB-c.B, c.A-lowA))
		return
	}
	all := len(a)
	if a, b = pairsWithoutNaN(a, b); len(a) > 0 && len(a) < all {
		c.A = meanOf(a)
		c.B = meanOf(b)
	}
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = b[i] - a[i]
	}
	slices.Sort(differences)
	c.setInterval(MeanInterval(differences, least-most, most-least, confidence))
}

// constant reports whether there are values and all are equal.
func constant(values []float64) bool {
	return len(values) > 0 && slices.Min(values) == slices.Max(values)
}

func sorted(values []float64) []float64 { return slices.Sorted(slices.Values(values)) }

// withoutNaN returns the values that are not NaN.
func withoutNaN(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}

// pairsWithoutNaN returns the pairs in which neither value is NaN.
func pairsWithoutNaN(a, b []float64) (inA, inB []float64) {
	if !slices.ContainsFunc(a, math.IsNaN) && !slices.ContainsFunc(b, math.IsNaN) {
		return a, b
	}
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			inA, inB = append(inA, a[i]), append(inB, b[i])
		}
	}
	return inA, inB
}

// quantiles sets the interval of a difference of quantiles from both intervals at half the error probability:
// wherever both hold, the difference lies between those of their ends. Intervals of quantiles between two humps
// have all their error at one end; combined like intervals of means, they would cover less often than stated.
func (c *Contrast) quantiles(a, b []float64, p, confidence float64) {
	both := (1 + confidence) / 2
	lowA, highA := quantileInterval(sorted(a), p, both)
	lowB, highB := quantileInterval(sorted(b), p, both)
	c.setInterval(lowB-highA, highB-lowA)
}

func (c *Contrast) setInterval(low, high float64) {
	c.Difference, c.Low, c.High = c.B-c.A, low, high
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		c.Low, c.High = math.NaN(), math.NaN() // too few runs for an end
	}
}

// summaryOf summarises the runs of one epsilon.
func summaryOf(runs []Run) Summary {
	if len(runs) == 0 {
		return Summary{}
	}
	t := NewTally([]float64{runs[0].Epsilon}, []float64{math.NaN()})
	t.Add(runs)
	return t.Summaries()[0]
}

func distancesOf(runs []Run) []float64 {
	return valuesOf(runs, func(r *Run) float64 { return r.DetectionKm }, nil)
}

// valuesOf returns a value of every run for which where holds; where may be nil.
func valuesOf(runs []Run, value func(*Run) float64, where func(*Run) bool) []float64 {
	var values []float64
	for i := range runs {
		if where == nil || where(&runs[i]) {
			values = append(values, value(&runs[i]))
		}
	}
	return values
}
