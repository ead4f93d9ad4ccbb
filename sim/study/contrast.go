package study

import (
	"math"
	"slices"
)

// Contrast is how a quantity differs between two sets of runs: B - A.
type Contrast struct {
	Name, Unit, Meaning string
	A, B                float64 // NaN where there is none
	Difference          float64
	Low, High           float64 // ends of its interval, NaN where none is known
}

// Contrasts compares the runs of two studies at one epsilon, each in the order of its runs: every number of a summary,
// and the mean of every metric that is none. Where they are paired, run k of the one with run k of the other, as runs
// on one noise are, both must have as many.
//
// A difference of means of paired runs has the interval of the mean of their differences (MeanInterval, as far as the
// runs tell: without room for what none of them showed), which common noise makes narrow. Any other difference joins
// the intervals of both sides (Zou and Donner 2008): for independent runs it covers with their confidence, and where
// runs are paired and go together, with more. A standard deviation has none.
func Contrasts(a, b []Run, paired bool, confidence float64) []Contrast {
	var all []Contrast
	seen := map[string]bool{"ci_low_km": true, "ci_high_km": true, "noise_ci_low_km": true, "noise_ci_high_km": true}
	left, right := summaryOf(a), summaryOf(b)
	for _, s := range Statistics() {
		if seen[s.Name] {
			continue
		}
		seen[s.Name] = true
		c := Contrast{Name: s.Name, Unit: s.Unit, Meaning: s.Meaning, A: *s.Of(&left), B: *s.Of(&right)}
		x, y := valuesOf(a, valueOf(&s), s.where), valuesOf(b, valueOf(&s), s.where)
		switch {
		case paired && slices.Equal(x, y):
			c.settle(c.B-c.A, c.B-c.A) // every run has the same in both
		case s.quantile > 0:
			c.join(distancesOf(a), distancesOf(b), func(sorted []float64) (low, high float64) {
				return QuantileInterval(sorted, s.quantile, confidence)
			})
		case s.Name == "mean_km":
			c.means(distancesOf(a), distancesOf(b), paired, confidence)
		case s.value != nil:
			c.means(valuesOf(a, s.value, s.where), valuesOf(b, s.value, s.where), paired && s.where == nil, confidence)
		default:
			c.settle(math.NaN(), math.NaN())
		}
		all = append(all, c)
	}
	for _, m := range Metrics() {
		if seen[m.Name] {
			continue
		}
		c := Contrast{Name: m.Name, Unit: m.Unit, Meaning: "mean: " + m.Meaning}
		x, y := valuesOf(a, m.number, nil), valuesOf(b, m.number, nil)
		c.A, _ = meanStd(given(x))
		c.B, _ = meanStd(given(y))
		c.means(x, y, paired, confidence)
		all = append(all, c)
	}
	return all
}

// valueOf returns what a statistic is of: the detection distance where it is no mean of its own.
func valueOf(s *Statistic) func(*Run) float64 {
	if s.value != nil {
		return s.value
	}
	return func(r *Run) float64 { return r.DetectionKm }
}

// ContrastOf compares the means of values of some quantity of runs, as [Contrasts] does.
func ContrastOf(name, unit, meaning string, a, b []float64, paired bool, confidence float64) Contrast {
	c := Contrast{Name: name, Unit: unit, Meaning: meaning}
	c.A, _ = meanStd(given(a))
	c.B, _ = meanStd(given(b))
	c.means(a, b, paired, confidence)
	return c
}

// JoinedContrast compares two values that are known with intervals of their own, NaN for an end that is not.
func JoinedContrast(name string, a, b [3]float64) Contrast {
	c := Contrast{Name: name, A: a[0], B: b[0]}
	c.mover(a[1], a[2], b[1], b[2])
	return c
}

// means settles a difference of means over the runs that have a value; of paired runs over those of which both have
// one.
func (c *Contrast) means(a, b []float64, paired bool, confidence float64) {
	if !paired {
		a, b = given(a), given(b)
		c.join(a, b, func(sorted []float64) (low, high float64) {
			return MeanInterval(sorted, math.Inf(-1), math.Inf(1), confidence)
		})
		return
	}
	all := len(a)
	if a, b = pairsGiven(a, b); len(a) > 0 && len(a) < all {
		c.A, _ = meanStd(a)
		c.B, _ = meanStd(b)
	}
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = b[i] - a[i]
	}
	slices.Sort(differences)
	low, high := MeanInterval(differences, math.Inf(-1), math.Inf(1), confidence)
	if len(a) > 1 && differences[0] == differences[len(a)-1] {
		low, high = differences[0], differences[0] // all alike: no values to weigh
	}
	c.settle(low, high)
}

// given returns the values that are numbers.
func given(values []float64) []float64 {
	if !slices.ContainsFunc(values, math.IsNaN) {
		return values
	}
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}

// pairsGiven returns the pairs of values that both are numbers.
func pairsGiven(a, b []float64) (inA, inB []float64) {
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

// join settles a difference by the intervals of both sides.
func (c *Contrast) join(a, b []float64, interval func(sorted []float64) (low, high float64)) {
	side := func(values []float64) (low, high float64) {
		if len(values) < 2 {
			return math.NaN(), math.NaN()
		}
		return interval(slices.Sorted(slices.Values(values)))
	}
	lowA, highA := side(a)
	lowB, highB := side(b)
	c.mover(lowA, highA, lowB, highB)
}

// mover joins the intervals of both sides to that of their difference (Zou and Donner 2008, equation 4).
func (c *Contrast) mover(lowA, highA, lowB, highB float64) {
	d := c.B - c.A
	c.settle(d-math.Hypot(c.B-lowB, highA-c.A), d+math.Hypot(highB-c.B, c.A-lowA))
}

func (c *Contrast) settle(low, high float64) {
	c.Difference, c.Low, c.High = c.B-c.A, low, high
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		c.Low, c.High = math.NaN(), math.NaN() // too few runs for an end
	}
}

// summaryOf condenses the runs of one epsilon.
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

// valuesOf returns a value of the runs for which a condition holds, nil for all.
func valuesOf(runs []Run, value func(*Run) float64, where func(*Run) bool) []float64 {
	var values []float64
	for i := range runs {
		if where == nil || where(&runs[i]) {
			values = append(values, value(&runs[i]))
		}
	}
	return values
}

// number is a metric of a run as a number; a truth is 0 or 1.
func (m *Metric) number(r *Run) float64 {
	switch {
	case m.Number != nil:
		return *m.Number(r)
	case m.Whole != nil:
		return float64(*m.Whole(r))
	}
	return float64(count(*m.Truth(r)))
}
